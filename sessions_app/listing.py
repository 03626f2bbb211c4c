"""One page of the list of conversations: filters, counts, nesting, paging by key; no SQL, no words.

Works on the catalogue, so that a page costs the same wherever it lies; `list_rows` reads what the page shows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from typing import Final

from memoryhub.hermes.running import STILL_RUNNING
from sessions_app.catalogue import Catalogue
from sessions_app.families import Kind, Session

PER_PAGE: Final = 30
FACET_VALUES: Final = 8
LONGEST_VALUE: Final = 300  # characters that fit into an address
MOST_BELOW: Final = 40  # branches and delegated work listed under one conversation
_RUNNING: Final = STILL_RUNNING.total_seconds()
_FACETS: Final = {"source": "sources", "model": "models", "folder": "folders"}


@dataclass(frozen=True)
class Filters:
    """What the list is narrowed to. Times are unix seconds; `since` and `until` bound the newest activity."""

    source: str = ""
    model: str = ""
    folder: str = ""
    since: float | None = None
    until: float | None = None
    tools: bool = False
    archived: bool = False
    running: bool = False
    everything: bool = False

    @property
    def narrows(self) -> bool:
        """Whether anything but the toggle for background work is set."""
        return self != Filters(everything=self.everything)


@dataclass(frozen=True)
class Facet:
    """One value of a filter and how many conversations it would leave."""

    value: str
    count: int
    is_chosen: bool = False


@dataclass(frozen=True)
class Counts:
    """What the filters leave. `hidden` counts the background work that only the toggle keeps away, by kind."""

    total: int
    hidden: dict[str, int]
    facets: dict[str, tuple[Facet, ...]]


@dataclass(frozen=True)
class Page:
    """Conversations in the order of the list. `nested` holds those shown under another, by its row number."""

    rows: tuple[Session, ...]
    counts: Counts
    nested: dict[int, tuple[Session, ...]] = field(default_factory=dict)
    older: str = ""
    newer: str = ""


def page(known: Catalogue, filters: Filters, *, now: float, after: str = "", before: str = "") -> Page:
    """Return one page: the conversations behind the key `after`, or those just before the key `before`."""
    test = _Test(known, filters, now)
    found, ordered = known.conversations, _Ranks(known.conversations)
    key = _parse(before or after)
    start = 0 if key is None else bisect_left(ordered, key if before else (key[0], key[1] + 0.5))
    if before and key is not None:
        back = list(islice((one for one in reversed(found[:start]) if test.is_top(one)), PER_PAGE + 1))
        rows, has_newer, has_older = back[PER_PAGE - 1 :: -1], len(back) > PER_PAGE, True
    else:
        rows = list(islice((one for one in islice(found, start, None) if test.is_top(one)), PER_PAGE + 1))
        has_newer, has_older = start > 0, len(rows) > PER_PAGE
    shown = tuple(rows[:PER_PAGE])
    return Page(
        shown,
        counts(known, filters, now),
        {one.rowid: below for one in shown if (below := tuple(_below(one, test)))},
        _key(shown[-1]) if shown and has_older else "",
        _key(shown[0]) if shown and has_newer else "",
    )


def is_running(one: Session, now: float) -> bool:
    """Whether a conversation goes on: its last part has no end and was active within 15 minutes (decisions 13)."""
    return one.tip.is_open and one.last >= 0 and abs(now - one.last) <= _RUNNING


def running_count(known: Catalogue, now: float) -> int:
    """Count the conversations that go on."""
    recent = takewhile(lambda one: one.rank >= now - _RUNNING, known.conversations)
    return sum(1 for one in recent if is_running(one, now))


def counts(known: Catalogue, filters: Filters, now: float) -> Counts:
    """Count what the filters leave, in total and by value; remembered for a minute while sessions stay the same."""
    key = ("counts", filters, int(now // 60))
    if key not in known.memo:
        if len(known.memo) > 200:
            known.memo.clear()
        known.memo[key] = _counted(known, filters, now)
    return known.memo[key]  # type: ignore[return-value]


class _Test:
    """Whether conversations pass the filters: each kind is judged once."""

    def __init__(self, known: Catalogue, filters: Filters, now: float, without: str = "") -> None:
        self.kinds = [passes(kind, filters, without) for kind in known.kinds]
        self.filters, self.now = filters, now
        self.looks_at_times = filters.running or filters.since is not None or filters.until is not None

    def __call__(self, one: Session) -> bool:
        return self.kinds[one.kind] and (not self.looks_at_times or self._in_time(one))

    def is_top(self, one: Session) -> bool:
        """Whether it passes and is not shown under another one."""
        return self(one) and (one.above is None or not self(one.above))

    def _in_time(self, one: Session) -> bool:
        since, until = self.filters.since, self.filters.until
        if (since is not None and one.last < since) or (until is not None and not 0 <= one.last < until):
            return False
        return not self.filters.running or is_running(one, self.now)


def passes(kind: Kind, filters: Filters, without: str = "") -> bool:
    """Say whether a kind of conversation passes the filters; `without` leaves one of them out."""
    for name, place in _FACETS.items():
        value = getattr(filters, name)
        if value and name != without and value not in getattr(kind, place):
            return False
    if filters.tools and not kind.has_tools:
        return False
    is_wanted = filters.everything or bool(filters.source) or not kind.background
    return is_wanted and kind.is_archived is filters.archived


class _Ranks:
    """The keys of a sorted list of conversations, made only where bisect looks."""

    def __init__(self, found: list[Session]) -> None:
        self.found = found

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, place: int) -> tuple[float, float]:
        return -self.found[place].rank, -self.found[place].rowid


def _below(one: Session, test: _Test) -> list[Session]:
    """What is shown under a conversation, all the way down, the newest first at each level."""
    found: list[Session] = []
    waiting = [one]
    while waiting and len(found) <= MOST_BELOW:
        at = waiting.pop()
        if at is not one:
            found.append(at)
        waiting += sorted((child for child in at.below if test(child)), key=Session.order)
    return found


def _counted(known: Catalogue, filters: Filters, now: float) -> Counts:
    wider = replace(filters, everything=True)
    everything = _numbers(known, _Test(known, wider, now))
    mine = _numbers(known, _Test(known, filters, now)) if wider != filters else everything
    hidden: Counter[str] = Counter()
    for place, count in everything.items():
        if known.kinds[place].background and not mine.get(place):
            hidden[known.kinds[place].background] += count
    return Counts(
        sum(mine.values()), dict(hidden), {name: _facet(known, filters, now, name) for name in _FACETS}
    )  # fmt: skip


def _facet(known: Catalogue, filters: Filters, now: float, name: str) -> tuple[Facet, ...]:
    # A chosen source shows its background work too, so it counts as it will show.
    wider = replace(filters, everything=filters.everything or name == "source")
    found: Counter[str] = Counter()
    for place, count in _numbers(known, _Test(known, wider, now, without=name)).items():
        for value in getattr(known.kinds[place], _FACETS[name]):
            found[value] += count
    found.pop("", None)
    chosen = getattr(filters, name)
    fitting = (pair for pair in found.items() if len(pair[0]) <= LONGEST_VALUE)
    listed = sorted(fitting, key=lambda pair: (-pair[1], pair[0]))[:FACET_VALUES]
    if chosen and chosen not in dict(listed):
        listed = [(chosen, found[chosen]), *listed]
    return tuple(Facet(value, count, value == chosen) for value, count in listed)


def _numbers(known: Catalogue, test: _Test) -> Counter[int]:
    """Count the conversations that pass, by kind."""
    if test.looks_at_times:
        return Counter(one.kind for one in known.conversations if test(one))
    if "kinds" not in known.memo:
        known.memo["kinds"] = Counter(one.kind for one in known.conversations)
    counted: Counter[int] = known.memo["kinds"]  # type: ignore[assignment]
    return Counter({place: count for place, count in counted.items() if test.kinds[place]})


def _key(one: Session) -> str:
    return f"{one.rank!r}_{one.rowid}"


def _parse(key: str) -> tuple[float, float] | None:
    """Read a key; None for what is none, which shows the first page."""
    last, _, rowid = key.partition("_")
    try:
        return (-float(last), -float(int(rowid)))
    except (ValueError, OverflowError):
        return None
