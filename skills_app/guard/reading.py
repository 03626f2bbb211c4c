"""Every entry of a skill, accounted for: text for the rules, or a sentence why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from skills_app.guard.archives import Looked, look_into
from skills_app.guard.encodings import decode, looks_binary, turns_binary
from skills_app.guard.kinds import is_code_name, kind_of
from skills_app.guard.magic import Content, Nature, tell
from skills_app.guard.model import FileRead, Read
from skills_app.guard.text import SourceText
from skills_app.library.digests import digest_entries, file_mark, link_mark
from skills_app.library.model import FileKind, SkillFile
from skills_app.library.skill_files import FileGone, list_files, open_inside

MOST_FILE: Final = 4 * 1024 * 1024  # bytes of one text
MOST_TEXT: Final = 32 * 1024 * 1024  # bytes of all texts of a skill
MOST_HELD: Final = 64 * 1024 * 1024  # bytes of one file of any kind that are looked at
_UNREADABLE: Final = frozenset([Nature.PROGRAM, Nature.BYTECODE, Nature.UNKNOWN])


@dataclass
class Entry:
    """One file or link of a skill: how it stands on disk and what could be read of it."""

    file: SkillFile
    read: FileRead
    texts: list[SourceText] = field(default_factory=list)  # the file itself, or text members of an archive
    content: Content | None = None  # what the bytes are, when they are no text
    archive: Looked | None = None
    inner: list[tuple[str, Content]] = field(default_factory=list)  # members of an archive that are no text
    note: str = ""  # what is unusual about the encoding
    goes_on_binary: bool = False  # begins as text and goes on as something else

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
    left: int = MOST_TEXT

    def texts(self) -> list[SourceText]:
        """All texts: SKILL.md first, then what is instructions or code, then the rest."""
        found = [text for entry in self.entries for text in entry.texts]
        return sorted(
            found, key=lambda text: (text.path != "SKILL.md", text.kind not in ("skill", "script"), text.path)
        )


def read_folder(folder: Path) -> Reading:
    """Read a skill's folder; follows no link."""
    files, complete = list_files(folder, [folder])
    reading = Reading([], "", complete)
    marks = []
    for file in files:
        entry, mark = _load(reading, folder, file)
        reading.entries.append(entry)
        marks.append((file.path, mark))
    reading.digest = digest_entries(marks).sha256
    return reading


def digest_of(folder: Path) -> str:
    """The digest that ``read_folder`` gives, without keeping anything that is read."""
    reading = Reading([], "")
    return digest_entries(
        (file.path, _load(reading, folder, file)[1]) for file in list_files(folder, [folder])[0]
    ).sha256


def read_bytes(files: Mapping[str, bytes]) -> Reading:
    """The same from bytes in memory; ``files`` maps relative posix paths to their content."""
    reading = Reading([], digest_entries((path, file_mark(data)) for path, data in files.items()).sha256)
    for path, data in sorted(files.items()):
        reading.entries.append(_look(reading, SkillFile(path, FileKind.FILE, len(data)), data))
    return reading


def _load(reading: Reading, folder: Path, file: SkillFile) -> tuple[Entry, str]:
    """Read one entry; also its mark for the digest, as the library makes it."""
    if file.kind is not FileKind.FILE:
        return Entry(file, _unread(file)), link_mark(file.target) if file.target else f"?:{file.kind}"
    try:
        with open_inside(folder, file.path) as opened:
            data = opened.read(MOST_HELD + 1)
            rest = opened.read() if len(data) > MOST_HELD else b""
    except FileGone as gone:
        return Entry(file, FileRead(file.shown, file.size, Read.NOT_SCANNABLE, str(gone), is_code=True)), "?:unread"
    mark = file_mark(data + rest if rest else data, executable=file.executable)
    return _look(reading, file, data[:MOST_HELD]), mark


def _unread(file: SkillFile) -> FileRead:
    if file.kind in (FileKind.UNREADABLE, FileKind.OTHER):
        what = "A folder that cannot be listed." if file.kind is FileKind.UNREADABLE else "A pipe, socket or device."
        return FileRead(file.shown, 0, Read.NOT_SCANNABLE, what, is_code=True)
    sentences = {
        FileKind.LINK: "A link inside the skill, to {}; what it leads to is scanned where it is.",
        FileKind.LINK_OUT: "A link that leaves the skill, to {}; it is not followed.",
        FileKind.BROKEN_LINK: "A link to {}, which is not there.",
        FileKind.LOOP: "A link to {}, which leads back to itself.",
    }
    target = file.target.encode("utf-8", "replace").decode()[:200] or "nowhere"
    return FileRead(file.shown, 0, Read.LINK, sentences[file.kind].format(target))


def _look(reading: Reading, file: SkillFile, data: bytes) -> Entry:
    """Tell what a file's bytes are, and take its text or that of its members."""
    if data[:4] == b"%PDF" or looks_binary(data):
        return _binary(reading, file, data)
    entry = Entry(file, FileRead(file.shown, file.size, Read.SCANNED))
    entry.read = _take(reading, entry, file.shown, data, executable=file.executable)
    return entry


def _take(reading: Reading, entry: Entry, path: str, data: bytes, *, executable: bool = False) -> FileRead:
    """Keep a text for the rules, as far as the bounds allow, and say what became of it."""
    size = max(entry.file.size if path == entry.path else 0, len(data))
    room = min(MOST_FILE, reading.left)
    decoded = decode(data[:room])
    kind, language = kind_of(path, decoded.text.partition("\n")[0][:200], executable=executable)
    is_code = kind in ("skill", "script") or is_code_name(path)
    if room > 0:
        entry.texts.append(SourceText(path, kind, language, decoded.text))
        entry.note = entry.note or decoded.note
        entry.goes_on_binary = entry.goes_on_binary or turns_binary(data)
        reading.left -= min(len(data), room)
    if size > room:
        reason = f"Only the first {room // 1024} KiB of {size // 1024} were read."
        return FileRead(path, size, Read.TOO_LARGE, reason, is_code)
    return FileRead(path, size, Read.SCANNED, is_code=is_code)


def _binary(reading: Reading, file: SkillFile, data: bytes) -> Entry:
    content = tell(data, file.path)
    is_code = content.nature in _UNREADABLE or is_code_name(file.path)
    read = FileRead(file.shown, file.size, Read.NOT_SCANNABLE, f"No text: {content.name}.", is_code)
    entry = Entry(file, read, content=content)
    if content.nature is Nature.ARCHIVE:
        _open(reading, entry, data)
    return entry


def _open(reading: Reading, entry: Entry, data: bytes) -> None:
    """Look into an archive; it counts as unread code when something in it that matters could not be read."""
    looked = entry.archive = look_into(data, entry.path)
    for name, member in looked.members.items():
        path = f"{entry.path}!/{name}"
        if looks_binary(member):
            entry.inner.append((name, tell(member, name)))
        else:
            _take(reading, entry, path, member)
    missed = [*looked.encrypted, *(name for name in looked.unread if is_code_name(name))]
    missed += [name for name, content in entry.inner if content.nature in _UNREADABLE]
    reason = f"{entry.content.name.capitalize() if entry.content else 'An archive'}; {_words(looked)}."
    entry.read = FileRead(entry.path, entry.file.size, Read.NOT_SCANNABLE, reason, bool(missed or looked.problem))


def _words(looked: Looked) -> str:
    if looked.problem:
        return looked.problem
    parts = [f"{len(looked.names)} names and {len(looked.members)} members were looked at"]
    if looked.encrypted:
        parts.append(f"{len(looked.encrypted)} are encrypted")
    if looked.unread:
        parts.append(f"{len(looked.unread)} were too large")
    return ", ".join(parts)
