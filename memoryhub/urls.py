"""Every address of the dashboard; the apps name theirs in urls modules of their own."""

from django.urls import path

from memoryhub.views import door

urlpatterns = [
    path("open/", door.token_page, name="open"),
    path("open/password/", door.password, name="open_password"),
    path("open/<str:token>/", door.open_link, name="open_link"),
]
