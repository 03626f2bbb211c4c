"""Only some searches run at once, and who came first goes first."""

from __future__ import annotations

import os
import threading

import pytest

from sessions_app.search.gate import AT_ONCE, Gate, places


def test_no_more_than_the_places_are_inside_and_the_others_follow_in_order() -> None:
    gate, order, inside, most = Gate(1), list[int](), 0, 0
    started = [threading.Event() for _ in range(5)]

    def enter(number: int) -> None:
        nonlocal inside, most
        started[number].set()
        with gate:
            inside += 1
            most = max(most, inside)
            order.append(number)
            inside -= 1

    threads = [threading.Thread(target=enter, args=(number,)) for number in range(5)]
    with gate:
        for number, thread in enumerate(threads):
            thread.start()
            started[number].wait(10)
            while len(gate._waiting) <= number:
                threading.Event().wait(0.001)
    for thread in threads:
        thread.join(10)
    assert (order, most) == ([0, 1, 2, 3, 4], 1)


def test_a_place_is_free_again_after_an_error() -> None:
    gate = Gate(1)
    with pytest.raises(ValueError, match="inside"), gate:
        raise ValueError("inside")
    with gate:
        assert gate._free == 0
    assert gate._free == 1


def test_one_processor_is_left_to_the_agent() -> None:
    usable = sorted(os.sched_getaffinity(0))
    assert 1 <= AT_ONCE <= max(1, len(usable) - 1)
    os.sched_setaffinity(0, usable[:1])
    try:
        assert places() == 1
    finally:
        os.sched_setaffinity(0, usable)
