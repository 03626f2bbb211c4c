"""What is about to be applied, written down before it is: so that after a crash it can be finished or taken back.

One small private file for each claimed record, in a folder of ours. It holds the bytes before and after of all that
changes, and whatever the caller wants to know again (``note``).
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memoryhub.hermes import files
from skills_app.writing.model import SkillChange, SkillState

Encoded = dict[str, Any] | None


@dataclass(frozen=True)
class Entry:
    """What one claim is to bring about. ``memory`` maps a target to its bytes before and after."""

    home: str
    item: str
    sha256: str  # of the record's bytes
    skills: tuple[SkillChange, ...] = ()
    memory: Mapping[str, tuple[bytes | None, bytes]] = field(default_factory=dict)
    note: Mapping[str, Any] = field(default_factory=dict)


def write(folder: Path, entry: Entry) -> None:
    """Have the entry on the disk when this returns. Raises files.FileProblem."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    tree = {
        "home": entry.home,
        "item": entry.item,
        "sha256": entry.sha256,
        "skills": [_encode_change(trimmed(change)) for change in entry.skills],
        "memory": {target: [_encode(before), _encode(after)] for target, (before, after) in entry.memory.items()},
        "note": dict(entry.note),
    }
    path = _path(folder, entry.home, entry.item)
    files.write_atomic(path, json.dumps(tree).encode(), files.read_regular(path, 1 << 30))


def read(folder: Path, home: str, item: str) -> Entry | None:
    """The entry of a claim; None when there is none: then nothing was begun."""
    return _read(_path(folder, home, item))


def read_all(folder: Path, home: str) -> list[Entry]:
    """Every entry of one home."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except OSError:
        return []
    return [entry for path in paths if (entry := _read(path)) is not None and entry.home == home]


def remove(folder: Path, home: str, item: str) -> None:
    """Forget an entry whose claim has ended."""
    with suppress(OSError):
        _path(folder, home, item).unlink(missing_ok=True)


def trimmed(change: SkillChange) -> SkillChange:
    """The change with nothing but the files that differ."""
    paths = {file.path for file in change.files}

    def only(state: SkillState | None) -> SkillState | None:
        if state is None:
            return None
        held = {path: data for path, data in state.files.items() if path in paths}
        links = state.links if change.before is None or change.after is None else {}
        return SkillState(held, links, {path: mode for path, mode in state.modes.items() if path in paths})

    return replace(change, before=only(change.before), after=only(change.after))


def _path(folder: Path, home: str, item: str) -> Path:
    name = hashlib.sha256(f"{home}\0{item}".encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return folder / f"{name}.json"


def _read(path: Path) -> Entry | None:
    try:
        tree = json.loads(files.read_regular(path, 1 << 30) or b"")
        return Entry(
            tree["home"],
            tree["item"],
            tree["sha256"],
            tuple(_decode_change(each) for each in tree["skills"]),
            {target: (_decode(before), _decode(after) or b"") for target, (before, after) in tree["memory"].items()},
            tree["note"],
        )
    except (files.FileProblem, ValueError, LookupError, TypeError):  # cut short: it was never relied upon
        return None


def _encode_change(change: SkillChange) -> dict[str, Any]:
    places = {"name": change.name, "folder": str(change.folder), "root": str(change.root)}
    return {**places, "before": _encode_state(change.before), "after": _encode_state(change.after)}


def _decode_change(tree: Mapping[str, Any]) -> SkillChange:
    before, after = _decode_state(tree["before"]), _decode_state(tree["after"])
    return SkillChange(tree["name"], Path(tree["folder"]), Path(tree["root"]), before, after)


def _encode_state(state: SkillState | None) -> Encoded:
    if state is None:
        return None
    held = {path: _encode(data) for path, data in state.files.items()}
    return {"files": held, "links": dict(state.links), "modes": dict(state.modes)}


def _decode_state(tree: Encoded) -> SkillState | None:
    if tree is None:
        return None
    held = {path: _decode(data) or b"" for path, data in tree["files"].items()}
    return SkillState(held, tree["links"], tree["modes"])


def _encode(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


def _decode(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
