"""Every entry of a skill, accounted for: text for the rules, or a sentence why there is none."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from skills_app.guard.encodings import decode, looks_binary
from skills_app.guard.kinds import is_code_name, kind_of
from skills_app.guard.model import FileRead, Read
from skills_app.guard.text import SourceText
from skills_app.library.digests import digest_entries, file_mark, link_mark
from skills_app.library.model import FileKind, SkillFile
from skills_app.library.skill_files import FileGone, list_files, read_inside

MOST_FILE: Final = 8 * 1024 * 1024
MOST_READ: Final = 256 * 1024 * 1024


@dataclass
class Entry:
    """One file or link of a skill: how it stands on disk and what could be read of it."""

    file: SkillFile
    data: bytes | None = None
    texts: list[SourceText] = field(default_factory=list)  # the file itself, and members of an archive
    what: str = ""  # what the bytes are, when they are no text
    note: str = ""  # what is unusual about the text
    read: FileRead | None = None

    @property
    def path(self) -> str:
        """Relative to the skill, posix, encodable."""
        return self.file.shown


@dataclass
class Reading:
    """All entries of one skill, sorted by path, and the digest of their bytes."""

    entries: list[Entry]
    digest: str
    is_complete: bool = True


def read_folder(folder: Path) -> Reading:
    """Read a skill's folder; follows no link."""
    files, complete = list_files(folder, [folder])
    entries = [Entry(file) for file in files]
    marks = [(entry.file.path, _load(folder, entry)) for entry in entries]
    return Reading(entries, digest_entries(marks).sha256, complete)


def read_bytes(files: Mapping[str, bytes]) -> Reading:
    """The same from bytes in memory; ``files`` maps relative posix paths to their content."""
    entries = [Entry(SkillFile(path, FileKind.FILE, len(data)), data) for path, data in sorted(files.items())]
    for entry in entries:
        _look_inside(entry, entry.data or b"")
    return Reading(entries, digest_entries((path, file_mark(data)) for path, data in files.items()).sha256)


def _load(folder: Path, entry: Entry) -> str:
    """Read one entry and return its mark for the digest."""
    file = entry.file
    if file.kind is not FileKind.FILE:
        entry.read = FileRead(entry.path, 0, *_unread(file))
        return link_mark(file.target) if file.target else f"?:{file.kind}"
    try:
        content = read_inside(folder, file.path, MOST_FILE)
    except FileGone as gone:
        entry.read = FileRead(entry.path, file.size, Read.NOT_SCANNABLE, str(gone), is_code_name(entry.path))
        return "?:unread"
    entry.data = content.data
    _look_inside(entry, content.data)
    return file_mark(content.data, executable=file.executable)


def _unread(file: SkillFile) -> tuple[Read, str]:
    if file.kind is FileKind.LINK:
        return Read.LINK, f"A link to {file.target}, which is not followed."
    return Read.LINK, f"A {file.kind} to {file.target}."


def _look_inside(entry: Entry, data: bytes) -> None:
    path = entry.path
    if looks_binary(data):
        entry.read = FileRead(path, len(data), Read.NOT_SCANNABLE, "No text.", is_code_name(path))
        return
    decoded = decode(data)
    kind, language = kind_of(path, decoded.text.partition("\n")[0][:200], executable=entry.file.executable)
    entry.texts.append(SourceText(path, kind, language, decoded.text))
    entry.note = decoded.note
    entry.read = FileRead(path, len(data), Read.SCANNED, is_code=is_code_name(path))


def texts_of(reading: Reading) -> Iterator[SourceText]:
    """All texts, SKILL.md first, then by path."""
    texts = [text for entry in reading.entries for text in entry.texts]
    yield from sorted(texts, key=lambda text: (text.path != "SKILL.md", text.path))


_ = hashlib
