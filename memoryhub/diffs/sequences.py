"""Which items of two sequences stay: the shortest edit between them, with a bound on the work."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence

Match = tuple[int, int]  # where an item that stays is in the first and in the second sequence


def matches(first: Sequence[Hashable], second: Sequence[Hashable], most: int) -> list[Match] | None:
    """Return the items that stay in a shortest edit, in order; None when more than `most` items would change.

    Eugene Myers' greedy search ("An O(ND) Difference Algorithm", 1986); the work grows with the square of `most`.
    """
    start, end = _common_ends(first, second)
    head = [(index, index) for index in range(start)]
    tail = [(len(first) - index, len(second) - index) for index in range(end, 0, -1)]
    left, right = first[start : len(first) - end], second[start : len(second) - end]
    steps = _steps(left, right, most)
    if steps is None:
        return None
    return [*head, *((x + start, y + start) for x, y in _walk_back(left, right, steps)), *tail]


def rising(pairs: Sequence[Match]) -> list[Match]:
    """Return a longest choice of pairs, given in the first number's order, in which the second number rises too."""
    tops: list[int] = []
    chain: list[tuple[int, int | None]] = []  # (index of a pair, index in chain of the one before it)
    heads: list[int] = []
    for index, (_, value) in enumerate(pairs):
        at = bisect_left(tops, value)
        chain.append((index, heads[at - 1] if at else None))
        tops[at : at + 1] = [value]
        heads[at : at + 1] = [len(chain) - 1]
    found: list[Match] = []
    link = heads[-1] if heads else None
    while link is not None:
        index, link = chain[link]
        found.append(pairs[index])
    return found[::-1]


def _common_ends(first: Sequence[Hashable], second: Sequence[Hashable]) -> tuple[int, int]:
    shorter = min(len(first), len(second))
    start = 0
    while start < shorter and first[start] == second[start]:
        start += 1
    end = 0
    while end < shorter - start and first[-1 - end] == second[-1 - end]:
        end += 1
    return start, end


def _steps(first: Sequence[Hashable], second: Sequence[Hashable], most: int) -> list[dict[int, int]] | None:
    """Return, for each number of changes, how far each diagonal gets; None when `most` is not enough."""
    if abs(len(first) - len(second)) > most:
        return None
    reach = {1: 0}
    steps: list[dict[int, int]] = []
    for changes in range(most + 1):
        steps.append(dict(reach))
        for diagonal in range(-changes, changes + 1, 2):
            x = _onward(reach, diagonal, changes)
            y = x - diagonal
            while x < len(first) and y < len(second) and first[x] == second[y]:
                x, y = x + 1, y + 1
            reach[diagonal] = x
            if x >= len(first) and y >= len(second):
                return steps
    return None


def _onward(reach: dict[int, int], diagonal: int, changes: int) -> int:
    down = diagonal == -changes or (diagonal != changes and reach[diagonal - 1] < reach[diagonal + 1])
    return reach[diagonal + 1] if down else reach[diagonal - 1] + 1


def _walk_back(first: Sequence[Hashable], second: Sequence[Hashable], steps: list[dict[int, int]]) -> list[Match]:
    x, y = len(first), len(second)
    found: list[Match] = []
    for changes in range(len(steps) - 1, -1, -1):
        reach, diagonal = steps[changes], x - y
        down = diagonal == -changes or (diagonal != changes and reach[diagonal - 1] < reach[diagonal + 1])
        before = diagonal + 1 if down else diagonal - 1
        old_x = reach[before] if changes else 0
        old_y = old_x - before if changes else 0
        while x > old_x and y > old_y:
            x, y = x - 1, y - 1
            found.append((x, y))
        x, y = old_x, old_y
    return found[::-1]
