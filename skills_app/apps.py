"""The skills app: its place in the navigation, and what it adds to memoryhub's own pages and commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from memoryhub.hermes.home import Home
from memoryhub.web.navigation import NavEntry

if TYPE_CHECKING:
    from django.http import HttpRequest

    from memoryhub.services.hooks import Attention, Background, Panel
    from memoryhub.spellings import Spelling


class SkillsConfig(AppConfig):
    """Every skill of a home with its trust tier, and the guard that says what it could do."""

    name = "skills_app"
    default_auto_field = "django.db.models.BigAutoField"
    navigation = (NavEntry("skills:list", _("Skills"), "k"),)

    def figures(self, home: Home) -> dict[str, Any]:
        """The parts "skills" and "pending" of ``memoryhub status``."""
        from skills_app.services.decisions_items import waiting_figures
        from skills_app.services.figures import status_figures

        return {"skills": status_figures(home), "pending": waiting_figures(home)}

    def attention(self, request: HttpRequest) -> list[Attention]:
        """What needs a look on the overview."""
        from skills_app.views.overview import attention

        return attention(request)

    def background(self, home: Home) -> Background:
        """What runs beside ``serve``: looking for changed skills, and scanning them."""
        from skills_app.services.watching import SkillWatcher

        return SkillWatcher(home)

    def kept(self, spelling: Spelling) -> int:
        """How many pieces of what decisions, scans and dismissals keep hold a text."""
        from skills_app.services.decisions_kept import text_count
        from skills_app.services.forgetting import scanned_count

        return text_count(spelling) + scanned_count(spelling)

    def forget(self, spelling: Spelling) -> None:
        """Cut a text out of what decisions, scans and dismissals keep."""
        from skills_app.services.decisions_kept import text_forget
        from skills_app.services.forgetting import scanned_forget

        text_forget(spelling)
        scanned_forget(spelling)

    def panels(self, request: HttpRequest) -> list[Panel]:
        """What the settings page shows of this app."""
        from skills_app.views.overview import panels

        return panels(request)
