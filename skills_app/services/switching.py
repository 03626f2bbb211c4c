"""Switching a skill off and on, pinning it, bringing it back from the archive: in Hermes' own files, and recorded."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Final

from memoryhub.hermes.config_edit import set_disabled
from memoryhub.hermes.home import Home
from skills_app.guard import RULES_VERSION
from skills_app.library import content_digest, read_records, set_pinned
from skills_app.library.archive import restore
from skills_app.library.model import Skill
from skills_app.models import Decision
from skills_app.services import catalogue
from skills_app.shelf import Row

OPPOSITE: Final[Mapping[str, str]] = {"disable": "enable", "enable": "disable", "pin": "unpin", "unpin": "pin"}


def skill_switch(home: Home, row: Row, action: str, *, reason: str = "") -> Decision:
    """Do one of ``ACTIONS`` to a skill and record it.

    Raises files.FileProblem, library.UsageRefused and archive.RestoreRefused, whose text
    says why nothing was changed; then nothing is recorded either.
    """
    details = ACTIONS[action](home, row.skill)
    catalogue.look(home)
    return Decision.objects.create(
        home=home.key,
        item=f"disk:{row.skill.key}",
        skill=row.skill.key,
        action=action,
        digest=row.digest,
        files=dict(content_digest(row.skill).files) if action != "restore" else {},
        verdict=row.verdict.value if row.verdict else "",
        rules_version=RULES_VERSION,
        reason=reason,
        details=details,
    )


def _disable(home: Home, skill: Skill) -> dict[str, Any]:
    set_disabled(home.config_file, skill.name, True)
    return {"name": skill.name}


def _enable(home: Home, skill: Skill) -> dict[str, Any]:
    set_disabled(home.config_file, skill.name, False)
    return {"name": skill.name}


def _pin(home: Home, skill: Skill) -> dict[str, Any]:
    return _pinned(home, skill, True)


def _unpin(home: Home, skill: Skill) -> dict[str, Any]:
    return _pinned(home, skill, False)


def _pinned(home: Home, skill: Skill, pinned: bool) -> dict[str, Any]:
    name = skill.usage.name if skill.usage else skill.name
    set_pinned(home.skills, name, pinned)
    return {"name": name}


def _restore(home: Home, skill: Skill) -> dict[str, Any]:
    path = restore(home.skills, skill, read_records(home.skills))
    return {"to": os.fsdecode(path)}


ACTIONS: Final[Mapping[str, Callable[[Home, Skill], dict[str, Any]]]] = {
    "disable": _disable,
    "enable": _enable,
    "pin": _pin,
    "unpin": _unpin,
    "restore": _restore,
}
