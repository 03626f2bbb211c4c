"""Addresses of the session pages."""

from django.urls import path

from sessions_app.views import conversation, export, lists, message, prompt, store

app_name = "sessions"
urlpatterns = [
    path("sessions/", lists.session_list, name="list"),
    path("sessions/message/<int:message_id>/", message.message_find, name="message_find"),
    path("sessions/<str:name>/", conversation.session_show, name="show"),
    path("sessions/<str:name>/message/<int:message_id>/", message.message_show, name="message"),
    path("sessions/<str:name>/message/<int:message_id>/text/", message.message_text, name="message_text"),
    path("sessions/<str:name>/image/<int:message_id>/<int:place>/", message.image_show, name="image"),
    path("sessions/<str:name>/prompt/", prompt.prompt_show, name="prompt"),
    path("sessions/<str:name>/export/", export.session_export, name="export"),
    path("settings/store/", store.store_show, name="store"),
]
