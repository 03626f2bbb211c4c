"""What can be wrong with state.db, one class and one sentence each, and which SQLite error means which."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import ClassVar, Final


class StateDbProblem(Exception):
    """Something keeps us from reading state.db. `str()` is a sentence for people; nothing was changed."""

    code: ClassVar[str] = "unusable"
    sentence: ClassVar[str] = "The session database cannot be read."

    def __init__(self, path: Path, detail: str = "") -> None:
        self.path = path
        self.detail = detail
        super().__init__(self.sentence)


class Missing(StateDbProblem):
    """There is no file."""

    code = "missing"
    sentence = "There is no session database here yet. Hermes makes it with the first conversation."


class Empty(StateDbProblem):
    """The file has no bytes."""

    code = "empty"
    sentence = (
        "The session database is an empty file, as a crash or a full disk leaves it. Nothing was changed. "
        "If it held sessions before, put a backup in its place; else start Hermes once."
    )


class NotADatabase(StateDbProblem):
    """A folder, a pipe, or a file of another format."""

    code = "not_a_database"
    sentence = (
        "What is stored as state.db is not an SQLite database. Nothing was changed. "
        "Move it away and start Hermes once, or put a backup in its place."
    )


class Damaged(StateDbProblem):
    """SQLite finds the file malformed or cut off."""

    code = "damaged"
    sentence = (
        "The session database is damaged or cut off. Nothing was changed. Stop Hermes, keep a copy of the file, "
        'and try "sqlite3 state.db .recover" or a backup.'
    )


class Busy(StateDbProblem):
    """Another process holds the file longer than we wait."""

    code = "busy"
    sentence = "Hermes is busy with the session database right now. Nothing was changed. Try again in a moment."


class DiskTrouble(StateDbProblem):
    """The system reports an error while reading."""

    code = "disk_trouble"
    sentence = (
        "The system reported an error while the session database was read. Nothing was changed. "
        "Try again; if it stays, check the disk."
    )


class Unreadable(StateDbProblem):
    """Permissions keep us out."""

    code = "unreadable"
    sentence = (
        "MemoryHub may not read the session database. Nothing was changed. "
        "Run it under the account that runs Hermes, or allow that account to read the file."
    )


class FolderReadOnly(StateDbProblem):
    """SQLite wants its `-wal` and `-shm` files beside the database and may not make them."""

    code = "folder_read_only"
    sentence = (
        "The session database lies in a folder that MemoryHub may not write to, and SQLite needs its two helper "
        "files (-wal, -shm) there to read it safely. They exist while Hermes is running: start it, or allow "
        "writing in the folder. Nothing was changed."
    )


class Unfinished(StateDbProblem):
    """A crash left a write that only a writer may roll back."""

    code = "unfinished"
    sentence = (
        "Hermes was interrupted while it wrote to the session database. Nothing was changed. "
        "Start Hermes once; it finishes the repair by itself."
    )


class TookTooLong(StateDbProblem):
    """A statement used up its time budget."""

    code = "took_too_long"
    sentence = "Reading the session database took too long and was stopped. Nothing was changed. Try again."


class SchemaUnknown(StateDbProblem):
    """The tables or columns that everything rests on are not there."""

    code = "schema_unknown"
    sentence = (
        "The session database has a form that MemoryHub does not know: it is older, newer, or not made by Hermes. "
        "Nothing was changed."
    )


# Extended codes first, else the primary code (the low byte) decides.
_BY_CODE: Final[dict[int, type[StateDbProblem]]] = {
    sqlite3.SQLITE_READONLY_DIRECTORY: FolderReadOnly,
    sqlite3.SQLITE_READONLY_CANTINIT: FolderReadOnly,
    sqlite3.SQLITE_NOTADB: NotADatabase,
    sqlite3.SQLITE_CORRUPT: Damaged,
    sqlite3.SQLITE_BUSY: Busy,
    sqlite3.SQLITE_LOCKED: Busy,
    sqlite3.SQLITE_PROTOCOL: Busy,
    sqlite3.SQLITE_IOERR: DiskTrouble,
    sqlite3.SQLITE_CANTOPEN: Unreadable,
    sqlite3.SQLITE_PERM: Unreadable,
    sqlite3.SQLITE_AUTH: Unreadable,
    sqlite3.SQLITE_READONLY: Unfinished,
    sqlite3.SQLITE_INTERRUPT: TookTooLong,
    sqlite3.SQLITE_TOOBIG: SchemaUnknown,
    sqlite3.SQLITE_ERROR: SchemaUnknown,
}
_PASSING: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
_MAYBE_PASSING: Final = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN})


def problem_of(error: sqlite3.Error, path: Path) -> StateDbProblem | None:
    """Return the problem an SQLite error stands for; `None` when the mistake is in our own code."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    kind = _BY_CODE.get(code) or _BY_CODE.get(code & 0xFF) or StateDbProblem
    return kind(path, str(error))


def is_passing(error: sqlite3.Error) -> bool:
    """Say whether opening is worth another try: a lock, or helper files that vanish as the last writer leaves."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING | _MAYBE_PASSING
