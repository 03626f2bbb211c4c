"""Hermes' state.db: a read-only connection with a time budget, and errors that say what is wrong with the file.

The file is only ever opened by SQLite itself: closing any other handle on it inside this process would drop
the locks that SQLite holds, and another process could then take the write-ahead log away.
"""

from __future__ import annotations

import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from memoryhub.hermes.memory_calls import MemoryAction, MemoryCall, explain, memory_calls, step_back
from memoryhub.hermes.running import RunningSession, running_sessions
from memoryhub.hermes.state_db_problems import (
    Busy,
    Damaged,
    DiskTrouble,
    Empty,
    FolderReadOnly,
    Missing,
    NotADatabase,
    SchemaUnknown,
    StateDbProblem,
    TookTooLong,
    Unfinished,
    Unreadable,
    is_passing,
    problem_of,
)
from memoryhub.hermes.state_schema import KNOWN_VERSION, Counts, Schema, counts, last_message_id, probe
from memoryhub.hermes.values import whole

__all__ = [  # everything about state.db can be had from here
    "KNOWN_VERSION",
    "Busy",
    "Connection",
    "Counts",
    "Damaged",
    "DiskTrouble",
    "Empty",
    "FolderReadOnly",
    "MemoryAction",
    "MemoryCall",
    "Missing",
    "NotADatabase",
    "RunningSession",
    "Schema",
    "SchemaUnknown",
    "StateDbProblem",
    "TookTooLong",
    "Unfinished",
    "Unreadable",
    "connect",
    "counts",
    "explain",
    "last_message_id",
    "memory_calls",
    "open_reader",
    "probe",
    "read",
    "running_sessions",
    "step_back",
]

T = TypeVar("T")
# SQLite takes a file of a few bytes for an empty database; a real one begins with a header of 100 bytes.
_HEADER_BYTES: Final = 100
_STEPS_BETWEEN_CLOCK_READS: Final = 2_000
_RETRY_PAUSES: Final = (0.02, 0.06, 0.15)
_LOCK_WAIT_SECONDS: Final = 0.1


class Connection(sqlite3.Connection):
    """A read-only connection on which every statement has the same time budget, in milliseconds."""

    limit_ms: int = 250
    _deadline: float = 0.0

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Start a statement and its time budget; rows should be fetched at once."""
        self._deadline = time.monotonic() + self.limit_ms / 1000
        return super().execute(sql, parameters)

    def is_out_of_time(self) -> bool:
        """Say whether the running statement has used up its budget (called by SQLite while it works)."""
        return time.monotonic() > self._deadline


@contextmanager
def connect(path: Path, limit_ms: int = 250) -> Iterator[Connection]:
    """Open state.db read-only and close it at the end; `limit_ms` is the budget of each single statement.

    Raises a StateDbProblem for whatever is wrong with the file, also for SQLite errors inside the `with` block.
    Nothing is created where no file is. A transient error while opening is tried again for half a second.
    """
    with closing(_open(path, limit_ms)) as conn:
        try:
            yield conn
        except sqlite3.Error as error:
            raise _translated(error, path) from error


def open_reader(path: Path, limit_ms: int = 250) -> Connection:
    """Return a read-only connection that the caller closes; any thread may use it, one at a time.

    Raises a StateDbProblem; what SQLite raises later is not translated.
    """
    return _open(path, limit_ms)


def read(path: Path, limit_ms: int, work: Callable[[Connection], T]) -> T:
    """Return what `work` gets from a fresh connection; run it again when the agent was in the way for a moment.

    `work` fetches its rows and returns plain values: the connection is closed before anybody renders them.
    Raises a StateDbProblem, as `connect` does.
    """
    for pause in (*_RETRY_PAUSES, None):
        with closing(_open(path, limit_ms)) as conn:
            try:
                return work(conn)
            except sqlite3.Error as error:
                if pause is None or not is_passing(error):
                    raise _translated(error, path) from error
        time.sleep(pause)
    raise AssertionError("unreachable")


def _open(path: Path, limit_ms: int) -> Connection:
    for pause in (*_RETRY_PAUSES, None):
        _check_file(path)
        try:
            return _prepared(path, limit_ms)
        except sqlite3.Error as error:
            if pause is None or not is_passing(error):
                raise _translated(error, path) from error
            time.sleep(pause)
    raise AssertionError("unreachable")


def _check_file(path: Path) -> None:
    """Refuse what SQLite must not be let near: no file, a folder, a pipe (opening one blocks), too few bytes."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise Missing(path) from None
    except (OSError, ValueError):
        raise Unreadable(path) from None
    if not stat.S_ISREG(found.st_mode):
        raise NotADatabase(path)
    if found.st_size == 0:
        raise Empty(path)
    if found.st_size < _HEADER_BYTES:
        raise NotADatabase(path)


def _prepared(path: Path, limit_ms: int) -> Connection:
    # as_uri() percent-encodes blanks, '#', '?' and bytes that are not UTF-8; SQLite decodes them again.
    uri = path.absolute().as_uri() + "?mode=ro"
    conn = sqlite3.connect(
        uri, uri=True, timeout=_LOCK_WAIT_SECONDS, isolation_level=None, factory=Connection, check_same_thread=False
    )
    try:
        conn.limit_ms = limit_ms
        conn.row_factory = sqlite3.Row
        conn.text_factory = _decode
        conn.set_progress_handler(conn.is_out_of_time, _STEPS_BETWEEN_CLOCK_READS)
        conn.execute("PRAGMA query_only = ON")
        conn.execute("PRAGMA trusted_schema = OFF")
        conn.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the first look into the file
    except BaseException:
        conn.close()
        raise
    return conn


def _decode(raw: bytes) -> str:
    try:
        return raw.decode()  # holds no half characters then
    except UnicodeDecodeError:
        return whole(raw.decode("utf-8", "replace"))


def _translated(error: sqlite3.Error, path: Path) -> Exception:
    return problem_of(error, path) or error
