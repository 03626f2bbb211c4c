"""Copies that Hermes left beside a memory file: `MEMORY.md.bak.<unix time>` and the archive of evicted entries.

Names are looked up in a listing of the folder, never joined to a path; links and what is no regular file are named and
not opened. Nothing here is ever written.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from memoryhub.hermes import files
from memoryhub.hermes.home import FILE_NAMES

ARCHIVE: Final = "ARCHIVE.jsonl"
_EARLIEST, _LATEST = 978_307_200, 32_503_680_000  # 2001 and 3000: other numbers are no times
_TEXT_KEYS: Final = ("content", "text", "entry", "memory", "value", "body")
_TARGET_KEYS: Final = ("target", "store", "file", "kind", "source")
_TIME_KEYS: Final = ("archived_at", "evicted_at", "timestamp", "time", "at", "ts", "created_at", "date")
_USER_WORDS: Final = ("user", "user.md", "profile", "user_profile")
_MEMORY_WORDS: Final = ("memory", "memory.md", "notes", "agent")


@dataclass(frozen=True)
class Backup:
    """One copy in the folder. ``at`` is the time in its name; ``path`` is as listed, ``name`` fit for an address."""

    path: Path
    name: str
    at: datetime | None
    size: int
    is_archive: bool = False


@dataclass(frozen=True)
class Archived:
    """One line of the archive: its entry, or, when no text was found in it, only the line as it stands (``raw``).

    ``target`` is empty where the line does not say which file the entry came from.
    """

    line: int
    target: str
    text: str | None
    at: datetime | None
    raw: str


def find_backups(memories: Path, target: str) -> tuple[Backup, ...]:
    """The copies of one memory file, the newest first, and the archive at the head. Empty when there is no folder."""
    try:
        listed = sorted(memories.iterdir())
    except OSError:
        return ()
    found = [backup for path in listed if (backup := _backup(path, target))]
    return tuple(sorted(found, key=_rank, reverse=True))


def find_backup(memories: Path, target: str, name: str) -> Backup | None:
    """The copy of this name, looked up in the listing."""
    return next((backup for backup in find_backups(memories, target) if backup.name == name), None)


def read_backup(backup: Backup) -> bytes:
    """The bytes of a copy. Raises files.FileProblem for what is no plain file, is a link, or is too large."""
    if backup.path.is_symlink():
        raise files.NotAFile(backup.path, f"{backup.name} is a link, and copies are not read through links.")
    data = files.read_regular(backup.path)
    if data is None:
        raise files.Unreadable(backup.path, f"{backup.name} is not there any more.")
    return data


def parse_archive(data: bytes) -> tuple[Archived, ...]:
    """Read the archive's lines, the newest (last) first, as tolerantly as can be; a line never makes it fail."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = [_archived(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    return tuple(reversed(lines))


def archived_for(lines: tuple[Archived, ...], target: str) -> tuple[Archived, ...]:
    """The lines of one file, and those that do not say whose they are."""
    return tuple(line for line in lines if line.target in ("", target))


def _backup(path: Path, target: str) -> Backup | None:
    start = f"{FILE_NAMES[target]}.bak"
    is_archive = path.name == ARCHIVE
    if not is_archive and path.name != start and not path.name.startswith(start + "."):
        return None
    try:
        path.name.encode("utf-8")
        status = path.lstat()
    except (OSError, UnicodeEncodeError):  # gone meanwhile, or a name that no address can carry
        return None
    size = status.st_size if stat.S_ISREG(status.st_mode) else 0
    return Backup(path, path.name, _time_of(path.name[len(start) + 1 :]), size, is_archive)


def _rank(backup: Backup) -> tuple[bool, datetime, str]:
    return backup.is_archive, backup.at or datetime.min.replace(tzinfo=UTC), backup.name


def _time_of(value: object) -> datetime | None:
    """A unix time in seconds or milliseconds, as number or digits, or an ISO date; None for anything else."""
    if isinstance(value, str):
        if not value.isascii() or len(value) > 40:
            return None
        try:
            value = float(value)
        except ValueError:
            return _iso_time(str(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    seconds = value / 1000 if value > _LATEST else value
    return datetime.fromtimestamp(seconds, UTC) if _EARLIEST <= seconds < _LATEST else None


def _iso_time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _archived(number: int, line: str) -> Archived:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Archived(number, "", None, None, line)
    if isinstance(value, str):
        return Archived(number, "", _stored(value), None, line)
    if not isinstance(value, dict):
        return Archived(number, "", None, None, line)
    at = next((at for found in _values(value, _TIME_KEYS) if (at := _time_of(found))), None)
    return Archived(number, _target(value), _text(value), at, line)


def _text(record: dict[str, Any]) -> str | None:
    for found in _values(record, _TEXT_KEYS):
        inner = _values(found, _TEXT_KEYS) if isinstance(found, dict) else [found]
        text = next((text for each in inner if isinstance(each, str) and (text := _stored(each))), None)
        if text:
            return text
    return None


def _stored(text: str) -> str | None:
    """A text as it would stand in a file; halves of characters, which JSON can hold, become question marks."""
    return text.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n").strip() or None


def _target(record: dict[str, Any]) -> str:
    for found in _values(record, _TARGET_KEYS):
        word = found.strip().lower() if isinstance(found, str) else ""
        if word in _USER_WORDS:
            return "user"
        if word in _MEMORY_WORDS:
            return "memory"
    return ""


def _values(record: dict[str, Any], keys: tuple[str, ...]) -> Iterator[Any]:
    return (record[key] for key in keys if key in record)
