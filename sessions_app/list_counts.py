"""Counts beside the list of conversations: in total, by value of each filter, and what is hidden."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from sessions_app.catalogue import Catalogue
from sessions_app.list_filters import FACETS, Filters, Test

FACET_VALUES: Final = 8
LONGEST_VALUE: Final = 300  # characters that fit into an address


@dataclass(frozen=True)
class Facet:
    """One value of a filter and how many conversations it would leave; None when that is not known."""

    value: str
    count: int | None
    is_chosen: bool = False


@dataclass(frozen=True)
class Counts:
    """What the filters leave. `hidden` counts the background work that only the toggle keeps away, by kind.

    Which conversations used one tool is found out page by page, so with that filter nothing is counted (None).
    """

    total: int | None
    hidden: dict[str, int]
    facets: dict[str, tuple[Facet, ...]]


def counts(known: Catalogue, filters: Filters, now: float) -> Counts:
    """Count what the filters leave, in total and by value; remembered for a minute while sessions stay the same."""
    key = ("counts", filters, int(now // 60))
    if key not in known.memo:
        if len(known.memo) > 200:
            known.memo.clear()
        known.memo[key] = _counted(known, filters, now)
    return known.memo[key]  # type: ignore[return-value]


def _counted(known: Catalogue, filters: Filters, now: float) -> Counts:
    wider = replace(filters, everything=True)
    everything = _numbers(known, Test(known, wider, now))
    mine = _numbers(known, Test(known, filters, now)) if wider != filters else everything
    hidden: Counter[str] = Counter()
    for place, count in everything.items():
        if known.kinds[place].background and not mine.get(place):
            hidden[known.kinds[place].background] += count
    facets = {name: _facet(known, filters, now, name) for name in FACETS}
    return Counts(None if filters.tool else sum(mine.values()), dict(hidden), facets)


def _facet(known: Catalogue, filters: Filters, now: float, name: str) -> tuple[Facet, ...]:
    # A chosen source shows its background work too, so it counts as it will show.
    wider = replace(filters, everything=filters.everything or name == "source")
    found: Counter[str] = Counter()
    for place, count in _numbers(known, Test(known, wider, now, without=name)).items():
        for value in getattr(known.kinds[place], FACETS[name]):
            found[value] += count
    found.pop("", None)
    chosen = getattr(filters, name)
    fitting = (pair for pair in found.items() if len(pair[0]) <= LONGEST_VALUE)
    listed = sorted(fitting, key=lambda pair: (-pair[1], pair[0]))[:FACET_VALUES]
    if chosen and chosen not in dict(listed):
        listed = [(chosen, found[chosen]), *listed]
    return tuple(Facet(value, None if filters.tool else count, value == chosen) for value, count in listed)


def _numbers(known: Catalogue, test: Test) -> Counter[int]:
    """Count the conversations that pass, by kind."""
    if test.looks_at_times:
        return Counter(one.kind for one in known.conversations if test(one))
    if "kinds" not in known.memo:
        known.memo["kinds"] = Counter(one.kind for one in known.conversations)
    counted: Counter[int] = known.memo["kinds"]  # type: ignore[assignment]
    return Counter({place: count for place, count in counted.items() if test.kinds[place]})
