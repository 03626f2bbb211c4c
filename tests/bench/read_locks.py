"""How long a process holds a read transaction open on a database in WAL mode, seen from outside: in /proc/locks."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Final

_READERS: Final = range(123, 128)  # bytes of the -shm file that readers lock, one of them while they read
_PAUSE: Final = 0.001


class ReadLocks:
    """Watches one process while the ``with`` block runs; ``longest`` is in seconds, ``seen`` counts transactions.

    Transactions of one state of the file that overlap count as one, so ``longest`` is never too small.
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
        since: dict[int, float] = {}
        while not self._is_over.wait(_PAUSE):
            now, held = time.perf_counter(), self._held()
            self.seen += len(held - since.keys())
            since = {one: since.get(one, now) for one in held}
            self.longest = max([self.longest, *(now - began for began in since.values())])

    def _held(self) -> set[int]:
        """The places that are locked: a reader that begins after a write takes another one."""
        held = set()
        for line in Path("/proc/locks").read_text().splitlines():
            fields = line.split()
            if fields[3:5] == ["READ", self._pid] and fields[5].endswith(self._inode):
                held |= {one for one in range(int(fields[6]), int(fields[7]) + 1) if one in _READERS}
        return held
