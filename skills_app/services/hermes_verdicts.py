"""What the installed Hermes' own guard says: asked in the background, kept by content and by Hermes' version."""

from __future__ import annotations

from collections.abc import Callable

from memoryhub.hermes.home import Home
from skills_app.library.model import Listing
from skills_app.models import Scan


def known_version() -> str:
    """The version whose verdicts are shown: of the Hermes that was asked last."""
    return Scan.objects.filter(scanner=Scan.HERMES).order_by("-id").values_list("version", flat=True).first() or ""


def find_theirs(digest: str):
    return None


def ask_some(home: Home, listing: Listing, is_over: Callable[[], bool]) -> int:
    return 0
