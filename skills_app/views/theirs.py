"""Hermes' own verdict beside ours, and where the two differ."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from skills_app.guard.disagreements import Disagreement, compare
from skills_app.guard.model import Report
from skills_app.services.hermes_verdicts import Theirs
from skills_app.views import texts
from skills_app.views.words import Badge, verdict_badge

SHOWN = 30


@dataclass(frozen=True)
class Difference:
    """One thing that only one of the two finds grave."""

    place: str
    reason: str


@dataclass(frozen=True)
class TheirView:
    """The verdict of the installed Hermes, ready to show."""

    badge: Badge
    sentence: str
    version: str
    differences: tuple[Difference, ...]
    more: int


def their_view(theirs: Theirs | None, ours: Report | None) -> TheirView | None:
    """Make the view; None where Hermes was not asked."""
    if theirs is None:
        return None
    said = theirs.said
    found = compare(ours, said) if ours else ()
    return TheirView(
        badge=verdict_badge(said.verdict, _("no verdict")),
        sentence=_sentence(theirs, ours),
        version=" · ".join(filter(None, (said.hermes, texts.line(said.scanner, 40)))),
        differences=tuple(_difference(one) for one in found[:SHOWN]),
        more=max(0, len(found) - SHOWN),
    )


def _sentence(theirs: Theirs, ours: Report | None) -> str:
    if theirs.said.verdict is None:
        return texts.line(theirs.said.problem, 400)
    if ours is None:
        return ""
    return _("It agrees.") if theirs.said.verdict is ours.verdict else _("It comes to another verdict.")


def _difference(one: Disagreement) -> Difference:
    file = texts.line(one.file, 160)
    return Difference(f"{file}:{one.line}" if one.line else file, texts.line(one.reason, 600))
