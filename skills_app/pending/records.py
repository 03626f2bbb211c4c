"""The records below a home's `pending` folder: each read once, into what it asks for or into why it cannot be read.

Names are looked up in a listing and never joined to a path; links, pipes and folders are named and not opened. Whatever
is odd about one record never hides another.
"""

from __future__ import annotations

import hashlib
import stat
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from memoryhub.hermes import files
from memoryhub.hermes.pending_count import RECORD_NAME, SUBSYSTEMS
from skills_app.pending import shapes
from skills_app.pending.shapes import MemoryStep
from skills_app.writing.model import SkillWrite

MOST_BYTES: Final = 8 << 20
REMEMBERED: Final = 64 << 10  # bytes; records up to this size are kept in memory, no more than 8,192 of them
TORN_WAIT: Final = 0.05  # seconds until a record that was cut short is read again
_FRESH: Final = 2.0  # seconds; what is older is not being written now
BACKGROUND: Final = "background_review"  # the origin of what the agent's review of a talk staged
_PREFIX: Final = {"memory": "memory", "skills": "skill"}


@dataclass(frozen=True)
class _Record:
    """What every record has. ``sha256`` is of its bytes, or of its file status where they cannot be read."""

    id: str
    subsystem: str
    file: str  # its name as text, for showing
    path: Path
    sha256: str
    summary: str  # the agent's own words
    origin: str
    created_at: float | None  # unix seconds
    action: str

    @property
    def is_background(self) -> bool:
        """Whether the agent's background review staged it, not a talk with the person."""
        return self.origin == BACKGROUND


@dataclass(frozen=True)
class PendingMemory(_Record):
    """A staged memory write: one step, or a batch of several that apply together or not at all."""

    target: str
    steps: tuple[MemoryStep, ...]
    payload: Mapping[str, Any] = field(repr=False, hash=False)

    @property
    def is_batch(self) -> bool:
        return self.action == "batch"


@dataclass(frozen=True)
class PendingSkill(_Record):
    """A staged skill write: one step, or a batch."""

    name: str
    steps: tuple[SkillWrite, ...]
    payload: Mapping[str, Any] = field(repr=False, hash=False)

    @property
    def is_batch(self) -> bool:
        return self.action == "batch"


@dataclass(frozen=True)
class Unreadable(_Record):
    """A file that is no record: ``reason`` says why in a sentence, ``readable`` is the text of what can be read."""

    reason: str
    readable: str = field(default="", repr=False)


Record = PendingMemory | PendingSkill | Unreadable
_Signature = tuple[int, int, int, int, int]


def list_records(pending: Path) -> tuple[Record, ...]:
    """Every record of a home, the newest first; what has no time comes last. A missing folder holds none."""
    found = [record for subsystem in SUBSYSTEMS for record in _read_all(pending / subsystem, subsystem)]
    return tuple(sorted(_distinct(found), key=lambda record: (-(record.created_at or 0), record.id)))


def count_records(pending: Path) -> dict[str, int]:
    """How many records each subsystem has, unreadable ones too: as many as are listed, without reading any."""
    return {subsystem: len(_names(pending / subsystem)) for subsystem in SUBSYSTEMS}


def find_record(pending: Path, item_id: str) -> Record | None:
    """The record of this id, looked up in the listing; None when it is not there (any more).

    An unreadable file is also found as ``unreadable:<subsystem>/<file>``.
    """
    kind, _, name = item_id.partition(":")
    if kind == "unreadable":
        every = list_records(pending)
        return next((r for r in every if isinstance(r, Unreadable) and item_id in (r.id, _long_id(r))), None)
    subsystem = next((s for s, prefix in _PREFIX.items() if prefix == kind), None)
    if subsystem is None or not RECORD_NAME.fullmatch(f"{name}.json"):
        return None
    found = _read_all(pending / subsystem, subsystem, only=f"{name}.json")
    return next((record for record in found if record.id == item_id), None)


def _distinct(found: list[Record]) -> Iterator[Record]:
    """Give an unreadable file the longer id where both folders hold one of its name."""
    seen: set[str] = set()
    for record in found:
        if record.id in seen and isinstance(record, Unreadable):
            record = Unreadable(**{**record.__dict__, "id": _long_id(record)})
        seen.add(record.id)
        yield record


def _long_id(record: Unreadable) -> str:
    return f"unreadable:{record.subsystem}/{record.file}"


def _read_all(folder: Path, subsystem: str, only: str | None = None) -> list[Record]:
    names = [name for name in _names(folder) if only is None or name == only]
    found = [_read(folder / name, subsystem) for name in names]
    torn = [place for place, record in enumerate(found) if record is None or _may_be_torn(record)]
    if torn:
        time.sleep(TORN_WAIT)
        for place in torn:
            found[place] = _read(folder / names[place], subsystem)
    return [record for record in found if record is not None]


def _names(folder: Path) -> list[str]:
    """The names that Hermes would take for records. Temporary and claimed files end otherwise."""
    if folder.is_symlink() or folder.parent.is_symlink():
        return []  # a link could lead anywhere; Hermes makes plain folders
    try:
        return sorted(each.name for each in folder.iterdir() if each.name.endswith(".json"))
    except OSError:
        return []


def _may_be_torn(record: Record) -> bool:
    if not isinstance(record, Unreadable):
        return False
    try:
        return abs(time.time() - record.path.lstat().st_mtime) < _FRESH
    except OSError:
        return True


def _read(path: Path, subsystem: str) -> Record | None:
    """One record; None when it has just gone."""
    try:
        status = path.lstat()
    except OSError:
        return None
    signature = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_mode)
    read = _remembered if status.st_size <= REMEMBERED else _fresh
    return read(path, subsystem, signature)


def _fresh(path: Path, subsystem: str, signature: _Signature) -> Record | None:
    whole = f"{signature}".encode()
    try:
        data = _bytes(path, signature[4])
    except files.FileProblem as problem:
        return _unreadable(path, subsystem, files.digest(whole), str(problem), b"")
    if data is None:
        return None
    sha256 = hashlib.sha256(data).hexdigest()
    try:
        return _parse(path, subsystem, sha256, data)
    except shapes.BadRecord as bad:
        return _unreadable(path, subsystem, sha256, str(bad), data)


_remembered = lru_cache(maxsize=8192)(_fresh)


def _bytes(path: Path, mode: int) -> bytes | None:
    if stat.S_ISLNK(mode):
        raise files.NotAFile(path, "This is a link, and records are not read through links.")
    return files.read_regular(path, MOST_BYTES)


def _parse(path: Path, subsystem: str, sha256: str, data: bytes) -> Record:
    if not RECORD_NAME.fullmatch(path.name):
        raise shapes.BadRecord("Its file name is not that of a record (eight hexadecimal digits and .json).")
    tree = shapes.load(data)
    head = shapes.head(tree, path.stem, subsystem)
    common: dict[str, Any] = {
        "id": f"{_PREFIX[subsystem]}:{path.stem}",
        "subsystem": subsystem,
        "file": path.name,
        "path": path,
        "sha256": sha256,
        "summary": head.summary,
        "origin": head.origin,
        "created_at": head.created_at,
    }
    payload = head.payload
    if subsystem == "memory":
        target, steps = shapes.memory_steps(payload)
        return PendingMemory(**common, action=payload["action"], target=target, steps=steps, payload=payload)
    name, writes = shapes.skill_steps(payload)
    return PendingSkill(**common, action=payload["action"], name=name, steps=writes, payload=payload)


def _unreadable(path: Path, subsystem: str, sha256: str, reason: str, data: bytes) -> Unreadable:
    name = path.name.encode("utf-8", "backslashreplace").decode()
    seen = shapes.glimpse(data)
    return Unreadable(
        id=f"unreadable:{name}",
        subsystem=subsystem,
        file=name,
        path=path,
        sha256=sha256,
        summary=seen.summary,
        origin=seen.origin,
        created_at=seen.created_at,
        action=seen.action,
        reason=reason,
        readable=data[:REMEMBERED].decode("utf-8", "replace"),
    )
