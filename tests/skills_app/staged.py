"""Homes with staged writes, said in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.builders import START

DOCUMENT = "---\nname: {0}\ndescription: How to {0}.\n---\n"


def document(name: str, body: str = "Do this.\nThen that.\n") -> str:
    """A proper SKILL.md."""
    return DOCUMENT.format(name) + body


def make_skill(home: Path, name: str, body: str = "Do this.\nThen that.\n", **files: str) -> Path:
    """A skill below ``home``; ``references__a_md="x"`` adds the file references/a.md."""
    folder = home / "skills" / name
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(document(name.rpartition("/")[2], body), encoding="utf-8")
    for key, text in files.items():
        path = folder / key.replace("__", "/").replace("_md", ".md").replace("_sh", ".sh")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def record(
    record_id: str,
    subsystem: str,
    payload: object,
    *,
    origin: str = "background_review",
    at: float = START,
    **other: Any,
) -> dict[str, Any]:
    """A staged record as a tree; ``other`` replaces parts of it."""
    action = payload.get("action") if isinstance(payload, dict) else None
    tree = {"id": record_id, "subsystem": subsystem, "action": action, "summary": "as the agent says", "origin": origin}
    return {**tree, "created_at": at, "payload": payload, **other}


def stage(home: Path, record_id: str, subsystem: str, payload: object, **other: Any) -> Path:
    """Put a record where Hermes stages it."""
    return put(
        home, subsystem, f"{record_id}.json", json.dumps(record(record_id, subsystem, payload, **other), indent=2)
    )


def stage_memory(home: Path, record_id: str, action: str, *, target: str = "memory", **other: Any) -> Path:
    """Stage one memory step: content, old_text, operations."""
    names = ("content", "old_text", "operations")
    payload = {"action": action, "target": target, **{n: other.pop(n) for n in names if n in other}}
    return stage(home, record_id, "memory", payload, **other)


def stage_skill(
    home: Path, record_id: str, action: str, name: str, *, about: dict[str, Any] | None = None, **call: Any
) -> Path:
    """Stage one skill step; ``about`` is what stands around the payload."""
    return stage(
        home, record_id, "skills", {"action": action, "name": name, "replace_all": False, **call}, **(about or {})
    )


def put(home: Path, subsystem: str, name: str, text: str | bytes) -> Path:
    """Put any file among the records."""
    path = home / "pending" / subsystem / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    return path
