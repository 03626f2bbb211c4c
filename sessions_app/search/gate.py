"""How many searches run at once: more finish no sooner, and each needs some megabytes. Who came first goes first."""

from __future__ import annotations

import threading
from collections import deque
from typing import Final

AT_ONCE: Final = 4


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
