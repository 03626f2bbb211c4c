"""How long work takes beside other work, measured in the same run: no slow or busy machine decides a test.

Only CPU time of the test's own thread counts. Each is repeated in turns and its best time taken, until the question is
answered for the better, so that a neighbour's load has to hit the same side every time to do harm.
"""

from __future__ import annotations

import gc
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

LEAST_TURNS, MOST_TURNS = 3, 8
TOO_SHORT = 0.001  # seconds of CPU; what takes less is taken for that long
HANGS = 120  # seconds


def assert_linear(work: Callable[[int], Callable[[], object]], size: int) -> None:
    """Fail when a fourfold input takes over ten times as long: linear work takes 4 times as long, quadratic 16 times.

    `work` makes the input of a size and returns what is to be timed. Choose `size` so that `TOO_SHORT` is no excuse.
    """
    assert_at_most(10, work(4 * size), work(size))


def assert_at_most(times: float, work: Callable[[], object], reference: Callable[[], object]) -> None:
    """Fail when the work takes more than `times` as long as the reference."""
    reference()  # the first time pays for imports and caches
    best = [float("inf"), float("inf")]
    for turn in range(1, MOST_TURNS + 1):
        best = [min(known, _seconds(each)) for known, each in zip(best, (reference, work), strict=True)]
        usual, taken = max(best[0], TOO_SHORT), best[1]
        if turn >= LEAST_TURNS and taken <= times * usual:
            return
    raise AssertionError(f"took {taken:.4f} s, which is {taken / usual:.1f} times the {usual:.4f} s of its reference")


def _seconds(work: Callable[[], object]) -> float:
    collecting = gc.isenabled()
    gc.disable()  # a collection looks through the whole test run's memory
    try:
        began = time.thread_time()
        work()
        return time.thread_time() - began
    finally:
        if collecting:
            gc.enable()


@contextmanager
def that_ends() -> Iterator[None]:
    """Fail when what happens inside waits for something that never comes, instead of waiting with it."""

    def give_up(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"still waiting after {HANGS} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(HANGS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
