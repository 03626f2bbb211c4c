"""One page of the list of conversations: filters, counts, nesting, paging by key; no SQL, no words.

Works on the catalogue, so that a page costs the same wherever it lies; `list_rows` reads what the page shows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from memoryhub.hermes.running import STILL_RUNNING
from sessions_app.catalogue import Catalogue
from sessions_app.families import Session

PER_PAGE: Final = 30
FACET_VALUES: Final = 8
_RUNNING: Final = STILL_RUNNING.total_seconds()


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
        return self != replace(Filters(), everything=self.everything)


@dataclass(frozen=True)
class Facet:
    """One value of a filter and how many conversations it would leave."""

    value: str
    count: int
    is_chosen: bool = False


@dataclass(frozen=True)
class Page:
    """Conversations in the order of the list. `nested` holds those shown under another, by its row number."""

    rows: tuple[Session, ...]
    nested: dict[int, tuple[Session, ...]]
    total: int
    hidden: dict[str, int]
    older: str = ""
    newer: str = ""
    is_first: bool = True
    facets: dict[str, tuple[Facet, ...]] = field(default_factory=dict)
    archived: int = 0
    running: int = 0
    sessions: int = 0


def page(known: Catalogue, filters: Filters, *, now: float, after: str = "", before: str = "") -> Page:
    """Return one page: the conversations behind the key `after`, or those just before the key `before`."""
    tops, nested = _tops(known, filters, now)
    keys = [(-last, -one.rowid) for last, one in tops]
    if before and (key := _parse(before)) is not None:
        end = bisect_left(keys, key)
        start = max(0, end - PER_PAGE)
    else:
        key = _parse(after)
        start = 0 if key is None else bisect_left(keys, (key[0], key[1] + 0.5))
    shown = tops[start : start + PER_PAGE]
    return Page(
        rows=tuple(one for _, one in shown),
        nested={one.rowid: nested[one.rowid] for _, one in shown if one.rowid in nested},
        total=len(tops) + sum(map(len, nested.values())),
        hidden=_hidden(known, filters, now),
        older=_key(shown[-1]) if start + PER_PAGE < len(tops) else "",
        newer=_key(shown[0]) if start and shown else "",
        is_first=start == 0,
        facets=facets(known, filters, now),
        archived=sum(1 for one in known.conversations if is_archived(one)),
        running=sum(1 for one in known.conversations if is_running(one, now)),
        sessions=len(known.sessions),
    )


def is_archived(one: Session) -> bool:
    """Whether a conversation is archived: archiving one part archives it."""
    return any(part.is_archived for part in one.parts)


def is_running(one: Session, now: float) -> bool:
    """Whether a conversation goes on: its last part has no end and was active within 15 minutes (decisions 13)."""
    return one.tip.is_open and 0 <= one.last and abs(now - one.last) <= _RUNNING


def _tops(
    known: Catalogue, filters: Filters, now: float
) -> tuple[list[tuple[float, Session]], dict[int, tuple[Session, ...]]]:
    passes = _test(filters, now)
    matched = [one for one in known.conversations if passes(one)]
    under = [one for one in matched if one.above is not None and passes(one.above)]
    if not under:
        return [(one.last, one) for one in matched], {}
    ids = {one.rowid for one in under}
    nested: dict[int, list[Session]] = {}
    newest: dict[int, float] = {}
    for one in under:
        top = _top(one, ids)
        nested.setdefault(top.rowid, []).append(one)
        newest[top.rowid] = max(newest.get(top.rowid, top.last), one.last)
    tops = [(newest.get(one.rowid, one.last), one) for one in matched if one.rowid not in ids]
    tops.sort(key=lambda pair: (pair[0], pair[1].rowid), reverse=True)
    return tops, {rowid: tuple(below) for rowid, below in nested.items()}


def _top(one: Session, under: set[int]) -> Session:
    at = one
    while at.above is not None and at.rowid in under:
        at = at.above
    return at


def _test(filters: Filters, now: float, *, without: str = "") -> Callable[[Session], bool]:
    """Make the test of the filters, quick enough for tens of thousands; `without` leaves one field out."""
    tests: list[Callable[[Session], bool]] = []
    for name in ("source", "model", "folder"):
        value = getattr(filters, name)
        if value and name != without:
            tests.append(_has(name, value))
    if filters.tools:
        tests.append(lambda one: any(part.has_tools for part in one.parts))
    since, until = filters.since, filters.until
    if since is not None:
        tests.append(lambda one: one.last >= since)
    if until is not None:
        tests.append(lambda one: 0 <= one.last < until)
    if filters.running:
        tests.append(lambda one: is_running(one, now))
    is_wanted = filters.archived
    tests.append(lambda one: is_archived(one) is is_wanted)
    if not filters.everything and not filters.source:
        tests.append(lambda one: not one.background)
    return lambda one: all(test(one) for test in tests)


def _has(name: str, value: str) -> Callable[[Session], bool]:
    return lambda one: any(getattr(part, name) == value for part in one.parts)


def _hidden(known: Catalogue, filters: Filters, now: float) -> dict[str, int]:
    """Count the conversations that only the toggle keeps away, by kind."""
    if filters.everything or filters.source:
        return {}
    passes = _test(replace(filters, everything=True), now)
    return dict(Counter(one.background for one in known.conversations if one.background and passes(one)))


def facets(known: Catalogue, filters: Filters, now: float) -> dict[str, tuple[Facet, ...]]:
    """Count the values of source, model and folder that the other filters leave; remembered while sessions are."""
    key = ("facets", filters, int(now // 60))
    if key not in known.memo:
        known.memo[key] = {name: _facet(known, filters, now, name) for name in ("source", "model", "folder")}
    return known.memo[key]  # type: ignore[return-value]


def _facet(known: Catalogue, filters: Filters, now: float, name: str) -> tuple[Facet, ...]:
    # A chosen source shows its background work too, so choosing counts as it will show.
    open_filters = replace(filters, everything=filters.everything or name == "source")
    passes = _test(open_filters, now, without=name)
    chosen = getattr(filters, name)
    counts: Counter[str] = Counter()
    for one in known.conversations:
        if passes(one):
            counts.update({getattr(part, name) for part in one.parts})
    counts.pop("", None)
    listed = _most_common(counts.items())
    if chosen and chosen not in dict(listed):
        listed = [(chosen, counts[chosen]), *listed]
    return tuple(Facet(value, count, value == chosen) for value, count in listed)


def _most_common(counts: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(counts, key=lambda pair: (-pair[1], pair[0]))[:FACET_VALUES]


def _key(pair: tuple[float, Session]) -> str:
    return f"{pair[0]!r}_{pair[1].rowid}"


def _parse(key: str) -> tuple[float, float] | None:
    """Read a key; None for what is none, which shows the first page."""
    last, _, rowid = key.partition("_")
    try:
        return (-float(last), -float(int(rowid)))
    except (ValueError, OverflowError):
        return None
