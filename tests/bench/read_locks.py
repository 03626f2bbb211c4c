"""How long a process holds a read transaction open on a database in WAL mode, seen from outside: in /proc/locks."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Final

_FIRST_READER, _LAST_READER = 123, 127  # bytes of the -shm file that readers lock, one of them while they read
_PAUSE: Final = 0.001


class ReadLocks:
    """Watches one process while the ``with`` block runs; ``longest`` is in seconds, ``seen`` counts transactions.

    Transactions that overlap count as one, so ``longest`` is never too small when one request runs at a time.
    """

    def __init__(self, state_db: Path, pid: int) -> None:
        self.longest, self.seen = 0.0, 0
        self._pid = str(pid)
        self._inode = f":{state_db.with_name(f'{state_db.name}-shm').stat().st_ino}"
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> ReadLocks:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _watch(self) -> None:
        since: float | None = None
        while not self._is_over.wait(_PAUSE):
            now = time.perf_counter()
            if self._is_reading():
                self.seen += since is None
                since = now if since is None else since
                self.longest = max(self.longest, now - since)
            else:
                since = None

    def _is_reading(self) -> bool:
        for line in Path("/proc/locks").read_text().splitlines():
            fields = line.split()
            if fields[3:5] != ["READ", self._pid] or not fields[5].endswith(self._inode):
                continue
            if _FIRST_READER <= int(fields[6]) <= _LAST_READER:
                return True
        return False
