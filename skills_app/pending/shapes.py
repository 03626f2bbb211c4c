"""The shape of a staged record: JSON to checked facts, or BadRecord with the reason.

Stricter than Hermes, whose list fails as a whole on one odd record. Knows no file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from skills_app.writing.model import SkillWrite

MOST_STEPS: Final = 1000
_LATEST: Final = 32_503_680_000.0  # the year 3000
_MEMORY_ACTIONS: Final = ("add", "replace", "remove")
_SKILL_ACTIONS: Final = ("create", "edit", "patch", "write_file", "remove_file", "delete")
_KINDS: Final = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}


class BadRecord(ValueError):
    """A file that is no record; ``str()`` is a sentence that says why."""


@dataclass(frozen=True)
class MemoryStep:
    """One change of a memory file. None where the record gives no such text."""

    action: str
    content: str | None = None
    old_text: str | None = None


@dataclass(frozen=True)
class Head:
    """What stands around the payload."""

    summary: str
    origin: str
    created_at: float
    payload: dict[str, Any]


@dataclass(frozen=True)
class Glimpse:
    """What little can be said of a record that is none."""

    summary: str = ""
    origin: str = ""
    created_at: float | None = None
    action: str = ""


def load(data: bytes) -> dict[str, Any]:
    """Parse a record's bytes. Raises BadRecord."""
    if not data.strip():
        raise BadRecord("The file is empty.")
    if data.startswith(b"\xef\xbb\xbf"):
        raise BadRecord("The file begins with a byte-order mark, which Hermes does not read.")
    try:
        tree = json.loads(data.decode("utf-8"), object_pairs_hook=_object, parse_constant=_constant)
    except UnicodeDecodeError as error:
        raise BadRecord(f"The file is not UTF-8 (byte {error.start + 1}).") from error
    except json.JSONDecodeError as error:
        raise BadRecord(f"The file is not whole JSON (line {error.lineno}, column {error.colno}).") from error
    except RecursionError as error:
        raise BadRecord("The file is nested too deeply.") from error
    except BadRecord:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise BadRecord("The file holds a number that is too long.") from error
    if not isinstance(tree, dict):
        raise BadRecord(f"The file holds {_kind(tree)}, not a record.")
    _check_characters(data)
    return tree


def head(tree: Mapping[str, Any], record_id: str, subsystem: str) -> Head:
    """The checked facts around the payload. Raises BadRecord."""
    if tree.get("id") != record_id:
        raise BadRecord(f"The record calls itself {_shown(tree.get('id'))}, its file {record_id}.")
    if tree.get("subsystem") != subsystem:
        raise BadRecord(f"The record is for {_shown(tree.get('subsystem'))}, but lies among those for {subsystem}.")
    payload = tree.get("payload")
    if not isinstance(payload, dict):
        raise BadRecord(f"Its payload is {_kind(payload)}, so there is nothing to apply.")
    if tree.get("action") not in (None, payload.get("action")):
        raise BadRecord(f"It says {_shown(tree['action'])} but would do {_shown(payload.get('action'))}.")
    summary, origin = (_text(tree, name) or "" for name in ("summary", "origin"))
    return Head(summary, origin, _time(tree.get("created_at")), payload)


def memory_steps(payload: Mapping[str, Any]) -> tuple[str, tuple[MemoryStep, ...]]:
    """The target and the steps of a memory payload. Raises BadRecord."""
    target = payload.get("target", "memory")
    if target not in ("memory", "user"):
        raise BadRecord(f"Its target is {_shown(target)}, not memory or user.")
    steps = []
    for each in _operations(payload, _MEMORY_ACTIONS):
        steps.append(MemoryStep(each["action"], _text(each, "content"), _text(each, "old_text")))
    return target, tuple(steps)


def skill_steps(payload: Mapping[str, Any]) -> tuple[str, tuple[SkillWrite, ...]]:
    """The skill's name and the steps of a skill payload; a step without a name means the batch's. Raises BadRecord."""
    steps = []
    for each in _operations(payload, _SKILL_ACTIONS):
        texts = {f.name: _text(each, f.name) for f in fields(SkillWrite) if f.name not in ("name", "replace_all")}
        name = _text(each, "name") or _text(payload, "name")
        if name is None:
            raise BadRecord("It names no skill.")
        replace_all = each.get("replace_all", False)
        if not isinstance(replace_all, bool | None):
            raise BadRecord(f"replace_all is {_kind(replace_all)}, not true or false.")
        steps.append(SkillWrite(**{**texts, "name": name, "action": each["action"]}, replace_all=bool(replace_all)))
    return _text(payload, "name") or steps[0].name, tuple(steps)


def glimpse(data: bytes) -> Glimpse:
    """What can be read of a broken record, as far as it has the right kind."""
    try:
        tree = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return Glimpse()
    if not isinstance(tree, dict):
        return Glimpse()
    try:
        created_at = _time(tree.get("created_at"))
    except BadRecord:
        created_at = None
    return Glimpse(_plain(tree.get("summary")), _plain(tree.get("origin")), created_at, _plain(tree.get("action")))


def _operations(payload: Mapping[str, Any], actions: tuple[str, ...]) -> list[dict[str, Any]]:
    action = payload.get("action")
    if action != "batch":
        return [_checked(payload, actions)]
    operations = payload.get("operations")
    if not isinstance(operations, list) or not operations:
        raise BadRecord("It is a batch without any steps.")
    if len(operations) > MOST_STEPS:
        raise BadRecord(f"It is a batch of more than {MOST_STEPS:,} steps.")
    return [_checked(each, actions) for each in operations]


def _checked(operation: object, actions: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(operation, dict):
        raise BadRecord(f"One of its steps is {_kind(operation)}.")
    if operation.get("action") not in actions:
        raise BadRecord(f"It asks for {_shown(operation.get('action'))}, which is no action that is known here.")
    return operation


def _text(tree: Mapping[str, Any], name: str) -> str | None:
    value = tree.get(name)
    if not isinstance(value, str | None):
        raise BadRecord(f"{name} is {_kind(value)}, not a text.")
    return value


def _time(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LATEST:
        raise BadRecord(f"created_at is {_shown(value)}, which is no time in seconds.")
    return float(value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    tree = dict(pairs)
    if len(tree) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadRecord(f"{_shown(twice)} stands in it twice, so it is not clear what is meant.")
    return tree


def _constant(name: str) -> float:
    raise BadRecord(f"It holds {name}, which is no number.")


def _check_characters(data: bytes) -> None:
    r"""Refuse halves of characters, which JSON can hold as ``\ud800`` and no file can."""
    if b"\\u" not in data:
        return
    try:
        json.dumps(json.loads(data), ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise BadRecord("It holds half of a character, which no file can store.") from error


def _kind(value: object) -> str:
    return next((words for kind, words in _KINDS.items() if type(value) is kind), "a number")


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) else _kind(value) if isinstance(value, dict | list) else repr(value)[:40]
    return f"“{text[:40]}”"


def _plain(value: object) -> str:
    return value.encode("utf-8", "replace").decode()[:2000] if isinstance(value, str) else ""
