"""The usage records of ``skills/.usage.json``: how often and when each skill was used, whether it is pinned, its state.

Read tolerantly; changed under Hermes' own lock, with every key kept that we do not know.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from memoryhub.hermes import files
from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import whole
from skills_app.library.json_file import Unusable, read_json
from skills_app.library.model import Usage

USAGE_FILE: Final = ".usage.json"
STATES: Final = ("active", "stale", "archived")
_COUNTS: Final = ("use_count", "view_count", "patch_count")
_LARGEST: Final = 10**12
Record = dict[str, Any]


class UsageRefused(Exception):
    """The usage file was not changed; the text says why and what to do."""


def read_usage(skills: Path) -> tuple[Mapping[str, Usage], str]:
    """Read all records by skill name, and a sentence when the file cannot be used. Never raises."""
    try:
        tree = read_json(skills / USAGE_FILE)
    except Unusable as unusable:
        return MappingProxyType({}), f"The usage figures ({USAGE_FILE}) cannot be read: {unusable}."
    if tree is None:
        return MappingProxyType({}), ""
    if not isinstance(tree, dict):
        return MappingProxyType({}), f"The usage figures ({USAGE_FILE}) cannot be read: they are no table."
    records = {whole(str(name)): value for name, value in tree.items() if isinstance(value, dict)}
    return MappingProxyType({name: _usage(name, value) for name, value in records.items()}), ""


def _usage(name: str, record: Record) -> Usage:
    state = record.get("state")
    author = record.get("created_by")
    if not author and record.get("agent_created") is True:  # how older versions said it
        author = "agent"
    return Usage(
        name=name,
        created_by=whole(author)[:80] if isinstance(author, str) else "",
        state=state if state in STATES else "active",
        pinned=record.get("pinned") is True,
        use_count=_count(record.get("use_count")),
        view_count=_count(record.get("view_count")),
        patch_count=_count(record.get("patch_count")),
        last_used_at=parse_time(record.get("last_used_at")),
        last_viewed_at=parse_time(record.get("last_viewed_at")),
        last_patched_at=parse_time(record.get("last_patched_at")),
        created_at=parse_time(record.get("created_at")),
        archived_at=parse_time(record.get("archived_at")),
    )


def _count(value: object) -> int:
    return min(max(int(value), 0), _LARGEST) if isinstance(value, int | float) and value == value else 0


def set_pinned(skills: Path, name: str, pinned: bool) -> None:
    """Pin a skill against Hermes' curator, or let it go. Raises UsageRefused or FileProblem, with nothing changed."""
    _change(skills, name, lambda record: record.update(pinned=pinned))


def set_state(skills: Path, name: str, state: str) -> None:
    """Record that a skill is ``active``, ``stale`` or ``archived``, with the time where Hermes keeps one."""
    if state not in STATES:
        raise UsageRefused(f"{state} is not a state that the agent knows.")
    stamps: dict[str, Record] = {"archived": {"archived_at": _now()}, "active": {"archived_at": None}}
    _change(skills, name, lambda record: record.update(stamps.get(state, {}), state=state))


def mark_agent_created(skills: Path, name: str) -> None:
    """Record that the agent made a skill by itself, which puts it under its curator's care."""
    _change(skills, name, lambda record: record.update(created_by="agent"))


def forget(skills: Path, name: str) -> bool:
    """Remove a skill's record, as Hermes does when a skill is deleted; says whether there was one."""
    path = skills / USAGE_FILE
    with files.locked(path):
        seen, tree = _read(path)
        if name not in tree:
            return False
        del tree[name]
        files.write_atomic(path, _serialised(tree), seen)
    return True


def _change(skills: Path, name: str, apply: Callable[[Record], None]) -> None:
    path = skills / USAGE_FILE
    with files.locked(path):
        files.remove_strays(path)
        seen, tree = _read(path)
        record = tree.get(name)
        tree[name] = record if isinstance(record, dict) else _fresh()
        apply(tree[name])
        files.write_atomic(path, _serialised(tree), seen)


def _read(path: Path) -> tuple[bytes | None, Record]:
    """The bytes and the table in them; a file that cannot be understood is never taken for an empty one."""
    data = files.read_regular(path)
    if data is None:
        return None, {}
    try:
        tree = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise UsageRefused(_not_understood()) from error
    if not isinstance(tree, dict):
        raise UsageRefused(_not_understood())
    return data, tree


def _not_understood() -> str:
    return (
        f"{USAGE_FILE} cannot be understood, so nothing was changed. Repair it, or move it away: the agent then starts "
        "a new one."
    )


def _serialised(tree: Record) -> bytes:
    """As Hermes writes it; half characters, which UTF-8 cannot hold, stay escaped."""
    try:
        return json.dumps(tree, indent=2, sort_keys=True, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(tree, indent=2, sort_keys=True).encode()


def _now() -> str:
    return datetime.now(UTC).isoformat()


def _fresh() -> Record:
    """A record with the fields that Hermes 0.19.0 starts one with."""
    empty: Record = dict.fromkeys(("created_by", "last_used_at", "last_viewed_at", "last_patched_at", "archived_at"))
    counts: Record = dict.fromkeys(_COUNTS, 0)
    return {**empty, **counts, "created_at": _now(), "state": "active", "pinned": False}
