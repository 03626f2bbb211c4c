"""The sessions app: its place in the navigation."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from memoryhub.hermes.home import Home
from memoryhub.services import hooks
from memoryhub.web.navigation import NavEntry


class SessionsConfig(AppConfig):
    """Every conversation of a home: listed, searched, read, exported. Owns no tables."""

    name = "sessions_app"
    search_url_name = "sessions:list"  # what the box in the header searches
    navigation = (NavEntry("sessions:list", _("Sessions"), "s"),)

    def background(self, home: Home) -> hooks.Background:
        """What runs beside the dashboard."""
        from sessions_app.keeping import Keeper

        return Keeper(home.state_db)
