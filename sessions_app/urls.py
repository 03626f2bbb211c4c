"""Addresses of the session pages."""

from django.urls import path

from memoryhub.web.lazy import view

app_name = "sessions"
urlpatterns = [
    path("sessions/", view("sessions_app.views.lists.session_list"), name="list"),
    path("sessions/message/<int:message_id>/", view("sessions_app.views.message.message_find"), name="message_find"),
    path("sessions/<str:name>/", view("sessions_app.views.conversation.session_show"), name="show"),
    path(
        "sessions/<str:name>/message/<int:message_id>/", view("sessions_app.views.message.message_show"), name="message"
    ),
    path(
        "sessions/<str:name>/message/<int:message_id>/text/",
        view("sessions_app.views.message.message_text"),
        name="message_text",
    ),
    path(
        "sessions/<str:name>/image/<int:message_id>/<int:place>/",
        view("sessions_app.views.message.image_show"),
        name="image",
    ),
    path("sessions/<str:name>/prompt/", view("sessions_app.views.prompt.prompt_show"), name="prompt"),
    path("sessions/<str:name>/export/", view("sessions_app.views.export.session_export"), name="export"),
    path("settings/store/", view("sessions_app.views.store.store_show"), name="store"),
]
