"""The sessions app: its place in the navigation."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from memoryhub.web.navigation import NavEntry


class SessionsConfig(AppConfig):
    """Every conversation of a home: listed, searched, read, exported. Owns no tables."""

    name = "sessions_app"
    search_url_name = "sessions:list"  # what the box in the header searches
    navigation = (NavEntry("sessions:list", _("Sessions"), "s"),)
