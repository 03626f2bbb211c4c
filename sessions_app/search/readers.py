"""Open read-only connections, kept a few seconds for the next search: opening one costs as much as many a search.

A kept connection is at rest: it holds no snapshot, so the agent's log can be checkpointed. It is not used again once
the file, or the presence of its log, has changed on disk by other means than SQLite's own.
"""

from __future__ import annotations

import atexit
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from memoryhub.hermes import state_files
from memoryhub.hermes.state_db import Connection, open_reader, read
from sessions_app.search.gate import AT_ONCE

T = TypeVar("T")
_IDLE_SECONDS: Final = 4.0
Mark = tuple[object, ...]


@dataclass(frozen=True)
class _Kept:
    conn: Connection
    path: str
    mark: Mark
    since: float


class Readers:
    """Connections at rest. Each is handed to one thread at a time."""

    def __init__(self, idle_seconds: float = _IDLE_SECONDS, most: int = AT_ONCE + 1) -> None:
        self._idle_seconds, self._most = idle_seconds, most
        self._kept: list[_Kept] = []
        self._changed = threading.Condition()
        self._sweeper: threading.Thread | None = None

    def read(self, path: Path, limit_ms: int, work: Callable[[Connection], T]) -> T:
        """Return what `work` gets from a kept connection, else from a fresh one; as `state_db.read` does.

        Whatever SQLite says on a kept connection is not believed: the question is asked again on a fresh one.
        """
        mark = _mark(path)
        conn = self._take(str(path), mark)
        if conn is not None:
            try:
                found = work(conn)
            except sqlite3.Error:
                conn.close()
            except BaseException:
                conn.close()
                raise
            else:
                self._keep(conn, path, mark)
                return found
        return self._read_afresh(path, limit_ms, work, mark)

    def _read_afresh(self, path: Path, limit_ms: int, work: Callable[[Connection], T], mark: Mark) -> T:
        conn = open_reader(path, limit_ms)
        opened = _mark(path)  # opening may have made the log
        try:
            found = work(conn)
        except sqlite3.Error:
            conn.close()
            return read(path, limit_ms, work)
        except BaseException:
            conn.close()
            raise
        if opened[0] == mark[0]:
            self._keep(conn, path, opened)
        else:
            conn.close()
        return found

    def close_all(self) -> None:
        """Close every connection at rest."""
        with self._changed:
            kept, self._kept = self._kept, []
            self._changed.notify_all()
        for one in kept:
            one.conn.close()

    def _take(self, path: str, mark: Mark) -> Connection | None:
        stale, found = [], None
        with self._changed:
            for one in [one for one in self._kept if one.path == path]:
                if one.mark != mark:
                    stale.append(one)
                elif found is None:
                    found = one
            self._kept = [one for one in self._kept if one is not found and one not in stale]
        for one in stale:
            one.conn.close()
        return found.conn if found else None

    def _keep(self, conn: Connection, path: Path, mark: Mark) -> None:
        left = None
        with self._changed:
            self._kept.append(_Kept(conn, str(path), mark, time.monotonic()))
            if len(self._kept) > self._most:
                left = self._kept.pop(0)
            if self._sweeper is None:
                self._sweeper = threading.Thread(target=self._sweep, name="search readers", daemon=True)
                self._sweeper.start()
        if left is not None:
            left.conn.close()

    def _sweep(self) -> None:
        """Close what has been at rest for long; end when nothing is kept."""
        while True:
            with self._changed:
                if not self._kept:
                    self._sweeper = None
                    return
                now = time.monotonic()
                old = [one for one in self._kept if now - one.since >= self._idle_seconds]
                self._kept = [one for one in self._kept if one not in old]
                if not old:
                    self._changed.wait(self._idle_seconds - (now - min(one.since for one in self._kept)) + 0.01)
            for one in old:
                one.conn.close()


def _mark(path: Path) -> Mark:
    """Return what must stay for a connection to be used again: the file as it is, and the same log."""
    database, log = state_files.signature(path)
    return (database, log and log[0])


READERS: Final = Readers()
atexit.register(READERS.close_all)
