"""Hermes' usage record of skills (`skills/.usage.json`), kept as Hermes keeps it when our own code makes a write.

Under its lock: read, change one skill's part, write atomically; unknown keys stay. Telling of usage is a
courtesy: where it cannot be done nothing else fails, as in Hermes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memoryhub.hermes import files
from skills_app.writing.model import SkillWrite
from skills_app.writing.shelf import read_usage

Part = dict[str, Any]


def record_write(own: Path, write: SkillWrite, *, by_agent: bool) -> bool:
    """Note one write that was made; ``by_agent`` marks a new skill as the agent's. False when it could not be noted."""
    if write.action == "create":
        return not by_agent or _change(own, write.name, _mark)
    if write.action == "delete":
        return _change(own, write.name, None)
    return _change(own, write.name, _count_patch)


def part(own: Path, name: str) -> Part | None:
    """What is recorded of one skill; None for nothing."""
    found = read_usage(own).get(name)
    return found if isinstance(found, dict) else None


def put(own: Path, name: str, known: Part | None) -> bool:
    """Record again what was recorded of a skill before, None for nothing."""
    if known is None:
        return part(own, name) is None or _change(own, name, None)

    def replace(now: Part) -> None:
        now.clear()
        now.update(known)

    return _change(own, name, replace)


def _mark(part: Part) -> None:
    part["created_by"] = "agent"


def _count_patch(part: Part) -> None:
    count = part.get("patch_count")
    part["patch_count"] = (count if isinstance(count, int) else 0) + 1
    part["last_patched_at"] = _now()


def _change(own: Path, name: str, change: Callable[[Part], None] | None) -> bool:
    path = own / ".usage.json"
    try:
        with files.locked(path):
            files.remove_strays(path)
            before = files.read_regular(path)
            usage = read_usage(own)
            if before and not usage and before.strip() != b"{}":
                return False  # damaged: nothing is put in its place
            if change is None:
                usage.pop(name, None)
            else:
                part = usage.get(name)
                usage[name] = part if isinstance(part, dict) else _empty()
                change(usage[name])
            text = json.dumps(usage, indent=2, sort_keys=True, ensure_ascii=False)
            files.write_atomic(path, text.encode("utf-8"), before)
    except files.FileProblem:
        return False
    return True


def _empty() -> Part:
    nothing: Part = {"created_by": None, "last_used_at": None, "last_viewed_at": None, "last_patched_at": None}
    counts = {"use_count": 0, "view_count": 0, "patch_count": 0}
    return {**nothing, **counts, "created_at": _now(), "state": "active", "pinned": False, "archived_at": None}


def _now() -> str:
    return datetime.now(UTC).isoformat()
