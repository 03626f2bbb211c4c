"""Other writes than the one that was staged: its text edited, only some of its steps, another target, room made first.

Each gives a new payload; the record on disk stays as it is until one is applied, or staged again under a new id.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from memoryhub.hermes import files
from skills_app.pending.records import PendingMemory, PendingSkill

Payload = dict[str, Any]
TEXT_FIELDS: Final = (
    "content",
    "file_content",
    "new_string",
    "old_string",
    "file_path",
    "name",
    "category",
    "old_text",
)


class EditRefused(ValueError):
    """A payload cannot be changed like this; ``str()`` is a sentence."""


def with_text(record: PendingMemory | PendingSkill, text: str, *, field: str = "content", step: int = 1) -> Payload:
    """The payload with one text of one step (from 1) replaced: what a person edited before approving."""
    if field not in TEXT_FIELDS:
        raise EditRefused(f"{field} is no text of a staged write.")
    payload = _copy(record)
    part = _steps(payload)
    if not 1 <= step <= len(part):
        raise EditRefused(f"The write has no step {step}.")
    part[step - 1][field] = text
    return payload


def with_steps(record: PendingMemory | PendingSkill, kept: Collection[int]) -> Payload:
    """The payload of a batch with only the chosen steps (from 1), in their order."""
    payload = _copy(record)
    if payload.get("action") != "batch":
        raise EditRefused("Only a batch can be approved in part.")
    steps = [step for place, step in enumerate(payload["operations"], 1) if place in kept]
    if not steps:
        raise EditRefused("Choose at least one step.")
    return {**payload, "operations": steps}


def without_lines(record: PendingSkill, dropped: Collection[int], *, step: int = 1) -> Payload:
    """The payload of a patch that leaves out some lines (from 0) of its new text."""
    writes = record.steps
    new = writes[step - 1].new_string if 1 <= step <= len(writes) else None
    if new is None:
        raise EditRefused("Only the lines of a patch can be left out.")
    lines = new.splitlines(keepends=True)
    kept = "".join(line for place, line in enumerate(lines) if place not in dropped)
    return with_text(record, kept, field="new_string", step=step)


def retargeted(record: PendingMemory, entry: str | None = None, *, target: str | None = None, step: int = 1) -> Payload:
    """The payload meaning another entry (given by its whole text), or another file."""
    payload = _copy(record)
    if target is not None:
        if target not in ("memory", "user"):
            raise EditRefused(f"{target} is no memory file.")
        payload["target"] = target
    if entry is not None:
        _steps(payload)[step - 1]["old_text"] = entry
    return payload


def renamed(record: PendingSkill, name: str) -> Payload:
    """The payload for a skill of another name; the header of a new skill is renamed with it."""
    payload = _copy(record)
    for step in _steps(payload):
        if step.get("name", record.name) == record.name:
            step["name"] = name
        head, line, rest = (step.get("content") or "").partition(f"\nname: {record.name}\n")
        if line:
            step["content"] = f"{head}\nname: {name}\n{rest}"
    if "name" in payload:
        payload["name"] = name
    return payload


def with_room(record: PendingMemory, removed: Sequence[str]) -> Payload:
    """A batch that first removes whole entries and then does what was staged."""
    if not removed:
        raise EditRefused("Choose at least one entry to remove.")
    payload = _copy(record)
    steps = [{name: value for name, value in step.items() if name != "target"} for step in _steps(payload)]
    goes = [{"action": "remove", "old_text": text} for text in removed]
    return {"action": "batch", "target": record.target, "operations": [*goes, *steps]}


def restage(folder: Path, record: PendingMemory | PendingSkill, payload: Mapping[str, Any], created_at: float) -> Path:
    """Stage ``payload`` as a record of its own, as Hermes writes them: a new id, the origin kept. Returns its path.

    ``folder`` is the home's ``pending``. Raises files.FileProblem.
    """
    place = folder / record.subsystem
    record_id = _free_id(place)
    tree = {
        "id": record_id,
        "subsystem": record.subsystem,
        "action": payload["action"],
        "summary": record.summary,
        "origin": record.origin,
        "created_at": created_at,
        "payload": dict(payload),
    }
    path = place / f"{record_id}.json"
    files.write_atomic(path, json.dumps(tree, ensure_ascii=False, indent=2).encode("utf-8"), None)
    return path


def _free_id(folder: Path) -> str:
    taken = {path.name.partition(".")[0] for path in folder.iterdir()}
    return next(found for found in iter(lambda: secrets.token_hex(4), "") if found not in taken)


def _copy(record: PendingMemory | PendingSkill) -> Payload:
    copied: Payload = json.loads(json.dumps(record.payload))
    return copied


def _steps(payload: Payload) -> list[Payload]:
    return payload["operations"] if payload.get("action") == "batch" else [payload]
