"""What became of a skill over time: contents and verdicts as they were seen, and what was decided. Newest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from memoryhub.hermes.home import Home
from skills_app.guard.model import Verdict
from skills_app.library.model import Skill
from skills_app.models import Decision, Dismissal, Sighting
from skills_app.services.sentences import action_words, changes_words

SHOWN: Final = 60


@dataclass(frozen=True)
class Event:
    """One thing that happened. ``digest`` is short; ``verdict`` is empty where none belongs to it."""

    at: datetime
    sentence: str
    detail: str
    digest: str
    verdict: Verdict | None


def timeline(home: Home, skill: Skill) -> list[Event]:
    """The newest events of a skill."""
    mine = {"home": home.key, "skill": skill.key}
    sightings = list(Sighting.objects.filter(**mine).order_by("-id")[: SHOWN + 1])
    before: list[Sighting | None] = [*sightings[1:], None]
    events = [_seen(*pair) for pair in zip(sightings, before, strict=False)]
    events += [_decided(one) for one in Decision.objects.filter(**mine).order_by("-id")[:SHOWN]]
    events += [_dismissed(one) for one in Dismissal.objects.filter(**mine).order_by("-id")[:SHOWN]]
    return sorted(events, key=lambda one: one.at, reverse=True)[:SHOWN]


def _seen(one: Sighting, before: Sighting | None) -> Event:
    if before is None:
        sentence = _("first seen")
    elif before.digest != one.digest:
        sentence = _("changed: %s") % changes_words(before.files, one.files)
    else:
        sentence = _("judged anew by other rules")
    detail = _("rules %s") % one.rules_version
    return Event(one.created_at, sentence, detail, one.digest[:12], Verdict(one.verdict))


def _decided(one: Decision) -> Event:
    detail = one.reason if one.result == "applied" else f"{one.reason} {one.result}".strip()
    return Event(one.created_at, action_words(one), detail, one.digest[:12], None)


def _dismissed(one: Dismissal) -> Event:
    words = _("dismissal of %s taken back by you") if one.withdraws_id else _("%s dismissed by you")
    return Event(one.created_at, words % one.rule, one.reason, one.digest[:12], None)
