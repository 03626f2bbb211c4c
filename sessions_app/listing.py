"""One page of the list of conversations: filters, counts, nesting, paging by key; no SQL, no words.

Works on the catalogue, so that a page costs the same wherever it lies; `list_rows` reads what the page shows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Final

from sessions_app.catalogue import Catalogue
from sessions_app.families import Session
from sessions_app.list_counts import Counts, counts
from sessions_app.list_filters import RUNNING, Filters, Test, Used, is_running

PER_PAGE: Final = 30
MOST_BELOW: Final = 40  # branches and delegated work listed under one conversation


@dataclass(frozen=True)
class Page:
    """Conversations in the order of the list. `nested` holds those shown under another, by its row number."""

    rows: tuple[Session, ...]
    counts: Counts
    nested: dict[int, tuple[Session, ...]] = field(default_factory=dict)
    older: str = ""
    newer: str = ""
    is_cut: bool = False


def page(
    known: Catalogue, filters: Filters, *, now: float, after: str = "", before: str = "", used: Used | None = None
) -> Page:
    """Return one page: the conversations behind the key `after`, or those just before the key `before`.

    `used` judges conversations by what is not in the catalogue; the page ends early when it runs out of time.
    """
    test = Test(known, filters, now, used=used)
    found, ordered = known.conversations, _Ranks(known.conversations)
    key = _parse(before or after)
    start = 0 if key is None else bisect_left(ordered, key if before else (key[0], key[1] + 0.5))
    if before and key is not None:
        back, stopped = _scan(reversed(found[:start]), test)
        rows, has_newer, has_older = back[PER_PAGE - 1 :: -1], len(back) > PER_PAGE, True
    else:
        rows, stopped = _scan(islice(found, start, None), test)
        has_newer, has_older = start > 0, len(rows) > PER_PAGE
    shown = tuple(rows[:PER_PAGE])
    older, newer = (shown[-1:] if has_older else ()), (shown[:1] if has_newer else ())
    if stopped is not None:
        older, newer = (older, (stopped,)) if before else ((stopped,), newer)
    return Page(
        shown,
        counts(known, filters, now),
        {one.rowid: below for one in shown if (below := tuple(_below(one, test)))},
        _key(older[0]) if older else "",
        _key(newer[0]) if newer else "",
        stopped is not None,
    )


def _scan(conversations: Iterable[Session], test: Test) -> tuple[list[Session], Session | None]:
    """The next ones that pass, one more than a page holds; and the one where the time was up."""
    found: list[Session] = []
    for one in conversations:
        if test.is_top(one):
            found.append(one)
            if len(found) > PER_PAGE:
                break
        if test.is_out_of_time:
            return found, one
    return found, None


def running_count(known: Catalogue, now: float) -> int:
    """Count the conversations that go on."""
    recent = takewhile(lambda one: one.rank >= now - RUNNING, known.conversations)
    return sum(1 for one in recent if is_running(one, now))


class _Ranks:
    """The keys of a sorted list of conversations, made only where bisect looks."""

    def __init__(self, found: list[Session]) -> None:
        self.found = found

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, place: int) -> tuple[float, float]:
        return -self.found[place].rank, -self.found[place].rowid


def _below(one: Session, test: Test) -> list[Session]:
    """What is shown under a conversation, all the way down, the newest first at each level."""
    found: list[Session] = []
    waiting = [one]
    while waiting and len(found) <= MOST_BELOW:
        at = waiting.pop()
        if at is not one:
            found.append(at)
        waiting += sorted((child for child in at.below if test(child)), key=Session.order)
    return found


def _key(one: Session) -> str:
    return f"{one.rank!r}_{one.rowid}"


def _parse(key: str) -> tuple[float, float] | None:
    """Read a key; None for what is none, which shows the first page."""
    last, _, rowid = key.partition("_")
    try:
        return (-float(last), -float(int(rowid)))
    except (ValueError, OverflowError):
        return None
