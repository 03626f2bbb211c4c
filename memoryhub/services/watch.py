"""Noticing what others write while the dashboard runs: look at file times twice a second, read only on change."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import Final

from django.db import DatabaseError, close_old_connections

from memoryhub.entries import MemoryFile
from memoryhub.hermes import files, state_db
from memoryhub.hermes.home import TARGETS, Home, profiles
from memoryhub.hermes.state_db_problems import Busy
from memoryhub.services import revisions, writes
from memoryhub.services.attribution import Explainer

log = logging.getLogger(__name__)

INTERVAL: Final = 0.5
Signature = tuple[int, int, int, int] | None


class Watcher:
    """Watches the memory files of a home and all its profiles in a thread of its own."""

    def __init__(self, home: Home, interval: float = INTERVAL) -> None:
        self.home = home
        self.interval = interval
        self._seen: dict[str, object] = {}
        self._explainers: dict[str, Explainer] = {}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="memory-watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ask the thread to end and wait for it."""
        self._stopping.set()
        self._thread.join(timeout=5)

    def look(self) -> None:
        """Look once at every profile: record changed files, then explain what the agent has said it wrote."""
        for home in profiles(self.home):
            for target in TARGETS:
                self._look_at(home, target)
            db = (signature(home.state_db), signature(home.state_db.with_name("state.db-wal")))
            explainer = self._explainers.setdefault(home.key, Explainer(home))
            if self._is_new(str(home.state_db), db) or explainer.wants_more:
                self._explain(explainer)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self.look()
            except DatabaseError:
                log.warning("Our own database could not be written; trying again.", exc_info=True)
                self._seen.clear()
            finally:
                close_old_connections()
            self._stopping.wait(self.interval)

    def _is_new(self, key: str, now: object) -> bool:
        before = self._seen.get(key, ())
        self._seen[key] = now
        return before != now

    def _look_at(self, home: Home, target: str) -> None:
        path = home.memory_path(target)
        key, is_first = str(path), str(path) not in self._seen
        if not self._is_new(key, signature(path)):
            return
        try:
            if is_first:
                _clear_up(home, target)
            if not _is_recorded(home, writes.read(home, target)):
                del self._seen[key]  # somebody is still writing: looked at again in a moment
        except files.FileProblem:
            return  # the page says what is wrong; the next change is looked at again

    def _explain(self, explainer: Explainer) -> None:
        try:
            explainer.step()
        except state_db.StateDbProblem as problem:
            explainer.wants_more = isinstance(problem, Busy)  # else asked again when the file changes


def _clear_up(home: Home, target: str) -> None:
    """Finish what a killed writer of ours left: its temporary file, and its note of what it was about to write."""
    path = home.memory_path(target)
    if not files.has_lock_file(path):  # no writer of ours was ever here
        return
    try:
        with files.locked(path):
            files.remove_strays(path)
    except files.FileProblem:
        return
    writes.observe(home, target)


def _is_recorded(home: Home, memory: MemoryFile) -> bool:
    newest = revisions.latest(home, memory.target)
    if newest is None:
        return memory.data is None
    return memory.digest == (newest.content.digest if newest.content else "")


def signature(path: Path) -> Signature:
    """What tells that a file was changed or replaced, without reading it."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


_watcher: Watcher | None = None


def start(home: Home) -> Watcher:
    """Start watching ``home`` and its profiles; a watcher that runs already is stopped first."""
    global _watcher
    stop()
    _watcher = Watcher(home)
    _watcher.start()
    return _watcher


def stop() -> None:
    """Stop watching, if anything is watched."""
    global _watcher
    if _watcher is not None:
        _watcher.stop()
    _watcher = None
