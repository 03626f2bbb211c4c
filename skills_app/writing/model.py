"""The words of a skill write: one step, a skill's bytes, what changes in them, and a refusal. Data only."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any


class WriteRefused(Exception):
    """A write that cannot be made; ``code`` and ``data`` say why, ``str()`` is a sentence. Nothing was changed."""

    def __init__(self, code: str, sentence: str, **data: Any) -> None:
        super().__init__(sentence)
        self.code = code
        self.data = data


@dataclass(frozen=True, slots=True)
class SkillWrite:
    """One call of Hermes' skill tool; None where the call gives no such text."""

    action: str
    name: str
    content: str | None = None
    category: str | None = None
    file_path: str | None = None
    file_content: str | None = None
    old_string: str | None = None
    new_string: str | None = None
    replace_all: bool = False
    absorbed_into: str | None = None


@dataclass(frozen=True)
class SkillState:
    """What a skill's folder holds: bytes by relative posix path; links by where they lead, never followed."""

    files: Mapping[str, bytes]
    links: Mapping[str, str] = field(default_factory=dict)
    modes: Mapping[str, int] = field(default_factory=dict)  # permission bits, for what was read from disk

    @property
    def digest(self) -> str:
        """SHA-256 over sorted paths and bytes, links included."""
        whole = hashlib.sha256()
        for path in sorted(self.files):
            whole.update(path.encode("utf-8", "surrogateescape") + b"\0" + hashlib.sha256(self.files[path]).digest())
        for path in sorted(self.links):
            whole.update(f"{path}\0-> {self.links[path]}\0".encode("utf-8", "surrogateescape"))
        return whole.hexdigest()


class FileKind(StrEnum):
    """What becomes of one file."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file of a skill that comes, changes or goes: its bytes ``before`` and ``after``, None where there is none."""

    path: str
    kind: FileKind
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True)
class SkillChange:
    """One skill's folder before and after; None where there is no such folder."""

    name: str
    folder: Path
    root: Path
    before: SkillState | None
    after: SkillState | None

    @property
    def files(self) -> tuple[FileChange, ...]:
        """The files that differ, by path."""
        return tuple(self._differences())

    @property
    def lost(self) -> tuple[FileChange, ...]:
        """The files that are removed, with all they hold."""
        return tuple(change for change in self.files if change.kind is FileKind.REMOVED)

    @property
    def is_delete(self) -> bool:
        return self.after is None

    def _differences(self) -> Iterator[FileChange]:
        before = self.before.files if self.before else {}
        after = self.after.files if self.after else {}
        for path in sorted({*before, *after}):
            old, new = before.get(path), after.get(path)
            if old != new:
                kind = FileKind.ADDED if old is None else FileKind.REMOVED if new is None else FileKind.CHANGED
                yield FileChange(path, kind, old, new)


def state_digest(state: SkillState | None) -> str:
    """The digest of a skill's bytes; empty when there is no such skill."""
    return "" if state is None else state.digest


def payload_of(write: SkillWrite) -> dict[str, Any]:
    """The payload that Hermes would stage for one write: what is not given is left out."""
    named = {each.name: getattr(write, each.name) for each in fields(write)}
    return {name: value for name, value in named.items() if value is not None}
