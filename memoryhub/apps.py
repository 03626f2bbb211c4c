"""The memory app: its place in the navigation, and the checks that hold our promises."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from memoryhub.web.navigation import NavEntry


class MemoryHubConfig(AppConfig):
    """MemoryHub itself: the overview, the memory pages and the door."""

    name = "memoryhub"
    default_auto_field = "django.db.models.BigAutoField"
    navigation = (
        NavEntry("overview", _("Overview"), "o"),
        NavEntry("memory:files", _("Memory"), "m"),
    )

    def ready(self) -> None:
        """Register the checks that ``manage.py check`` and ``serve`` run."""
        from memoryhub.web import checks  # noqa: F401 (imported for its registration)
