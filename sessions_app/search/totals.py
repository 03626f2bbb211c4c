"""Totals of very common texts, remembered and brought up to date by counting only what was written since.

An FTS5 index records how many rows and how many words it holds (`…_data`, row 1, and `…_docsize`). As long as what was
added since explains both numbers, nothing older was added, removed or given more or fewer words.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.state_schema import Schema
from sessions_app.search.statements import IndexBroken, ask_index

_LONGEST_SECONDS: Final = 60.0  # texts changed in place, word for word, are seen after this
_MOST: Final = 400
_MOST_NEW: Final = 4_000  # messages written since
_LEAST: Final = 2_000  # fewer are counted again each time
_LOOK_MS: Final = 50
Key = tuple[str, str]  # index, expression


@dataclass(frozen=True)
class State:
    """What an index holds: rows, words, and the highest id."""

    rows: int
    words: int
    last: int


@dataclass(frozen=True)
class Total:
    """How many messages an expression finds in a state of its index; a lower bound unless exact.

    `at` is when they were counted; `ms` is how long counting all of them takes.
    """

    number: int
    state: State
    at: float
    ms: float = 0.0
    is_exact: bool = True


@dataclass
class Totals:
    """The totals of one file."""

    found: dict[Key, Total] = field(default_factory=dict)

    def recall(self, key: Key, now: State) -> Total | None:
        """Return what was counted, when it is not too long ago; it may be of an earlier state."""
        total = self.found.get(key)
        if total is None or time.monotonic() - total.at > _LONGEST_SECONDS or total.state.last > now.last:
            return None
        return total

    def remember(self, key: Key, total: Total) -> None:
        """Remember a total."""
        if total.is_exact and total.number < _LEAST:
            return
        while len(self.found) >= _MOST and key not in self.found:
            self.found.pop(next(iter(self.found)), None)
        self.found[key] = total


def state_of(conn: Connection, schema: Schema, index: str) -> State | None:
    """Return what an index holds now; `None` when it does not record that."""
    if not {f"{index}_data", f"{index}_docsize"} <= schema.tables:
        return None
    sql = f"SELECT (SELECT block FROM {index}_data WHERE id = 1), (SELECT max(id) FROM {index}_docsize)"  # noqa: S608
    try:
        ((block, last),) = ask_index(conn, _LOOK_MS, sql)
    except IndexBroken:
        return None
    numbers = list(_numbers(block)) if isinstance(block, bytes) else []
    return State(numbers[0], sum(numbers[1:]), int(last)) if len(numbers) >= 2 and last else None


def is_explained(conn: Connection, index: str, before: State, now: State) -> bool:
    """Say whether the rows added since are all that changed in an index."""
    if before == now:
        return True
    if not 0 <= now.rows - before.rows <= _MOST_NEW:
        return False
    sql = f"SELECT sz FROM {index}_docsize WHERE id > ? AND id <= ? LIMIT ?"  # noqa: S608 - one of two fixed names
    try:
        sizes = ask_index(conn, _LOOK_MS, sql, (before.last, now.last, _MOST_NEW + 1))
    except IndexBroken:
        return False
    added = sum(sum(_numbers(row[0])) for row in sizes)
    return (len(sizes), added) == (now.rows - before.rows, now.words - before.words)


def _numbers(block: bytes) -> Iterator[int]:
    """Yield the numbers of a record: seven bits a byte, the highest first, a set top bit says that more follow."""
    number = 0
    for byte in block:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            yield number
            number = 0
