"""How many searches run at once: all processors but one, which is left to the agent. Who came first goes first.

More would finish no sooner: measured on two processors, eight clients get as many answers through one place as through
four, while the agent's writes, which then wait for a processor, take three times as long.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from typing import Final

_MOST: Final = 4  # each needs some megabytes


def places() -> int:
    """Return how many searches may run at once on this machine."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2
    return min(_MOST, max(1, usable - 1))


AT_ONCE: Final = places()


class Gate:
    """Lets a number of threads in at a time, in the order in which they came."""

    def __init__(self, places: int = AT_ONCE) -> None:
        self._lock = threading.Lock()
        self._free = places
        self._waiting: deque[threading.Lock] = deque()

    def __enter__(self) -> None:
        """Wait for a place. A place that becomes free is handed to whoever has waited longest."""
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        try:
            turn.acquire()
        except BaseException:
            with self._lock:
                is_waiting = turn in self._waiting
                if is_waiting:
                    self._waiting.remove(turn)
            if not is_waiting:  # the place was handed over already
                self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        """Hand the place on."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1


SEARCHES: Final = Gate()
