"""Facts beside a skill: what it could do, its header, its usage, the sessions that used it, and related skills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import NoReverseMatch
from django.utils.translation import gettext as _

from memoryhub.web.htmx import HubRequest
from skills_app.guard.model import Capabilities
from skills_app.library.model import HubRecord, Skill, Usage
from skills_app.services.calls import SkillUse, uses_of
from skills_app.services.catalogue import Catalogue
from skills_app.views import texts
from skills_app.views.common import address
from skills_app.views.rows import shown_name
from skills_app.views.words import verdict_word

SHOWN_SESSIONS = 20
_SHOWN_VALUES = 50


@dataclass(frozen=True)
class CapabilityView:
    """One kind of thing that the skill could do."""

    label: str
    values: tuple[str, ...]
    tone: str


@dataclass(frozen=True)
class UseView:
    """A session that used the skill."""

    title: str
    url: str
    words: str
    at: datetime | None


@dataclass(frozen=True)
class Link:
    """A skill that this one names, with its page when there is one."""

    name: str
    url: str


def capability_views(found: Capabilities) -> tuple[CapabilityView, ...]:
    """What the skill could do, at a glance; kinds of which nothing was found are left out."""
    kinds = (
        (_("Runs when it is viewed"), found.inline_shell, "red"),
        (_("Writes agent settings"), found.agent_config, "amber"),
        (_("Commands"), found.commands, ""),
        (_("Hosts"), found.hosts, ""),
        (_("Environment variables"), found.variables, ""),
        (_("Reads outside the skill"), found.reads, ""),
        (_("Writes"), found.writes, ""),
        (_("Packages"), found.packages, ""),
        (_("Programs"), found.executables, ""),
    )
    return tuple(
        CapabilityView(label, tuple(texts.line(one, 120) for one in values[:_SHOWN_VALUES]), tone)
        for label, values, tone in kinds
        if values
    )


def facts(request: HubRequest, known: Catalogue, skill: Skill) -> dict[str, Any]:
    """Header fields, usage, sessions, install record and related skills."""
    uses = uses_of(request.hermes_home, skill)
    return {
        "header": [(texts.line(name, 60), texts.line(value, 600)) for name, value in skill.header.items()],
        "usage": _usage(skill.usage),
        "hub": _hub(skill.hub),
        "uses": [_use(request, one) for one in uses[:SHOWN_SESSIONS]],
        "more_uses": max(0, len(uses) - SHOWN_SESSIONS),
        "related": [_related(request, known, name) for name in skill.related_skills],
    }


def _usage(usage: Usage | None) -> dict[str, Any] | None:
    if usage is None:
        return None
    names = ("use_count", "view_count", "patch_count", "last_used_at", "last_viewed_at", "last_patched_at")
    return {name: getattr(usage, name) for name in (*names, "created_at", "archived_at")}


def _hub(record: HubRecord | None) -> Mapping[str, Any] | None:
    if record is None:
        return None
    return {
        "source": texts.line(record.source, 120),
        "identifier": texts.line(record.identifier, 200),
        "trust": texts.line(record.trust_level, 40),
        "verdict": verdict_word(texts.line(record.scan_verdict, 40)),
        "scanner": texts.line(record.scanner, 60),
        "installed_at": record.installed_at,
        "updated_at": record.updated_at,
        "damage": record.damage,
    }


def _use(request: HubRequest, one: SkillUse) -> UseView:
    try:
        url = address(request, "sessions:message_find", one.message_id)
    except NoReverseMatch:
        url = ""
    return UseView(texts.line(one.title, 120) or texts.line(one.session_id, 60), url, one.words, one.at)


def _related(request: HubRequest, known: Catalogue, name: str) -> Link:
    found = known.listing.named(name)
    return Link(
        shown_name(found[0]) if found else texts.line(name, 120),
        address(request, "skills:show", found[0].key) if found else "",
    )
