"""Searching with indexes that answer exactly: ids first, from the index alone, then only the rows of one page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from sessions_app.search.context import Search
from sessions_app.search.counted import Count, how_many_pass
from sessions_app.search.documents import Document
from sessions_app.search.extras import Base, Extras
from sessions_app.search.index_state import WORD
from sessions_app.search.looking_up import (
    COMPARED,
    COUNT_MS,
    FEW,
    NEWEST_MS,
    checked_at_once,
    newest_ids,
)
from sessions_app.search.matching import matches, stands_in
from sessions_app.search.ranking import ranked
from sessions_app.search.results import Gap
from sessions_app.search.statements import OutOfTime, ask_ids, ask_index
from sessions_app.search.weighing import weighed

_CHECK_MS: Final = 35.0
_SINGLE_MS, _COUNTED_A_MS = 0.03, 30_000


@dataclass(frozen=True)
class Page:
    """A page of messages and what is known of the rest."""

    documents: list[Document] = field(default_factory=list)
    total: Count = field(default_factory=lambda: Count(0))
    has_more: bool = False
    next_key: int | None = None


class Indexed:
    """One search whose base is known: filters, totals and the page."""

    def __init__(self, search: Search, base: Base, count: Count, extras: Extras) -> None:
        self.search, self.base, self.plan, self.count, self.extras = search, base, base.plan, count, extras
        self.is_filtered = not search.conditions.is_empty
        self.checked: list[int] | None = list(base.ids) if base.is_all else None  # newest first; all there are
        self.is_all = True
        self.is_best_of_all = False  # the index itself has weighed every hit
        self.compared = 0  # hits that the index has weighed, about
        self.reached: int | None = None  # how far filters were checked, when not to the end

    def page(self) -> Page:
        """Return the page that the options ask for."""
        if self.is_filtered or self._has_leftovers():
            self._filter()
        if self.checked is not None:
            hidden = self.extras.remove | (frozenset() if self.search.options.rewound else self.search.known.rewound)
            if hidden:
                self.checked = [one for one in self.checked if one not in hidden]
        total = self._total()
        options = self.search.options
        return self._best(total) if options.sort == "best" and options.key is None else self._in_order(total)

    def _has_leftovers(self) -> bool:
        indexes = self.search.known.indexes
        return (indexes.word if self.plan.lead == WORD else indexes.trigram).has_leftovers

    def _filter(self) -> None:
        """Find out which messages pass the filters: all of them, or the newest until there is enough or no time."""
        if self.checked is not None:
            self.checked = self._passing(self.checked)
            return
        options, (low, high) = self.search.options, self._bounds()
        is_up, is_whole = options.sort == "oldest", low is None and high is None and options.key is None
        if options.key is not None:
            low, high = (options.key + 1, high) if is_up else (low, options.key - 1)
        began, found, number = self.search.elapsed_ms, list[int](), 0
        ids = list(self.base.ids) if is_whole and not is_up else self._batch(low, high, is_up)
        while ids:
            found += self._passing(ids)
            number += len(ids)
            is_enough = len(found) > options.offset + options.limit
            if is_enough or self.search.elapsed_ms - began > _CHECK_MS:
                break
            low, high = (ids[-1] + 1, high) if is_up else (low, ids[-1] - 1)
            ids = self._batch(low, high, is_up)
        self.checked, self.is_all = sorted(found, reverse=True), self.is_all and is_whole and not ids
        self.reached = ids[-1] if ids else None
        if ids:
            self.search.say(Gap("filters_cut", count=number))

    def _batch(self, low: int | None, high: int | None, is_up: bool) -> list[int]:
        return newest_ids(self.search, self.plan, checked_at_once(self.search), low=low, high=high, is_up=is_up)

    def _bounds(self) -> tuple[int | None, int | None]:
        """Return the ids between which the dates asked for lie, judged by samples."""
        made = self.search.conditions
        if made.since is None and made.until is None:
            return None, None
        samples = self.search.known.samples
        inside = [
            place
            for place, (_, moment) in enumerate(samples)
            if (made.since is None or moment >= made.since) and (made.until is None or moment < made.until)
        ]
        if not inside:
            return None, None
        low, high = inside[0] - 1, inside[-1] + 1
        return (samples[low][0] if low >= 0 else None), (samples[high][0] if high < len(samples) else None)

    def _passing(self, ids: Sequence[int]) -> list[int]:
        """Return those ids whose messages pass the filters, in the same order."""
        try:
            return self.search.passing(
                ids, of_any_session=self.base.of_passing_sessions, may_be_gone=self._has_leftovers()
            )
        except OutOfTime:
            self.is_all = False
            return []

    def _total(self) -> Count:
        added = len(self.extras.add)
        if self.checked is not None:
            known = set(self.checked) if self.extras.add else ()
            if not self.is_all and (number := self._all_passing()) is not None:
                return Count(number + added)
            return Count(len(self.checked) + sum(one not in known for one in self.extras.add), self.is_all)
        hidden = 0 if self.search.options.rewound else self._hidden()
        return Count(self.count.number - hidden - len(self.extras.remove) + added, self.count.is_exact)

    def _all_passing(self) -> int | None:
        """Return how many pass the filters in all, when there is time to look."""
        if self.search.options.key is not None:
            return None
        hidden = frozenset() if self.search.options.rewound else self.search.known.rewound
        return how_many_pass(self.search, self.plan, self.base.ids, hidden | self.extras.remove)

    def _hidden(self) -> int:
        rewound = self.search.known.rewound
        if not rewound:
            return 0
        condition, value = self.plan.only(rewound)
        if len(rewound) * _SINGLE_MS < self.count.number / _COUNTED_A_MS:
            condition = condition.removeprefix("+")  # looked up one by one
        sql, values = self.plan.statement("count(*)", conditions=[condition], values=[value])
        try:
            return int(ask_index(self.search.conn, COUNT_MS, sql, values)[0][0])
        except OutOfTime:
            self.count = Count(self.count.number, False)
            return 0

    def _ids(self, count: int, *, key: int | None = None, without: Sequence[int] = ()) -> list[int]:
        """Return ids in order of id, in the direction asked for, beyond `key`."""
        is_up = self.search.options.sort == "oldest"
        if self.checked is not None:
            left = set(without)
            ordered = reversed(self.checked) if is_up else iter(self.checked)
            beyond = (one for one in ordered if key is None or (one > key if is_up else one < key))
            return list(islice((one for one in beyond if one not in left), count))
        hidden = {*without, *self.extras.remove}
        hidden |= set() if self.search.options.rewound else self.search.known.rewound
        if key is None and not is_up:
            newest = [one for one in self.base.ids if one not in hidden]
            if len(newest) >= count:
                return newest[:count]
        conditions, values = zip(self.plan.only(hidden, negate=True), strict=True) if hidden else ((), ())
        sql, bound_values = self.plan.statement(
            f"{self.plan.row} AS id",
            conditions=conditions,
            values=values,
            low=key + 1 if key is not None and is_up else None,
            high=key - 1 if key is not None and not is_up else None,
            tail=f"ORDER BY {self.plan.row} {'ASC' if is_up else 'DESC'} LIMIT ?",
            tail_values=(count,),
        )
        return sorted(ask_ids(self.search.conn, NEWEST_MS, sql, bound_values), reverse=not is_up)

    def _in_order(self, total: Count) -> Page:
        options = self.search.options
        is_up = options.sort == "oldest"
        ids = set(self._ids(options.offset + options.limit + 1, key=options.key))
        key = options.key
        ids |= {one for one in self.extras.add if key is None or (one > key if is_up else one < key)}
        ordered = sorted(ids, reverse=not is_up)
        chosen = ordered[options.offset : options.offset + options.limit]
        has_more = len(ordered) > options.offset + len(chosen)
        key = chosen[-1] if chosen else self.reached
        return Page(self._read(chosen), total, has_more or self.reached is not None, key)

    def _best(self, total: Count) -> Page:
        options = self.search.options
        ids = [one for one in self._candidates(total) if one not in self.extras.add]
        found = ranked([*self._read(ids), *self.extras.add.values()], self.search.query.terms)
        chosen = found[options.offset : options.offset + options.limit]
        is_more = total.number > len(found) or not total.is_exact
        if is_more and not self.is_best_of_all:
            self.search.say(Gap("best_of_newest", count=max(len(found), self.compared)))
        missing = options.limit - len(chosen)
        if missing and is_more:
            skip = max(0, options.offset - len(found))
            rest = self._ids(skip + missing, without=[one.id for one in found])
            chosen += self._read(rest[skip:])
        has_more = total.number > options.offset + len(chosen) if total.is_exact else len(chosen) == options.limit
        return Page(chosen, total, has_more and bool(chosen))

    def _candidates(self, total: Count) -> list[int]:
        """Return the ids worth comparing: all when few, those the index weighs best when moderate, else the newest."""
        if total.number > FEW and not self.is_filtered:
            best = weighed(self.search, self.base, self.count)
            if best is not None:
                self.is_best_of_all, self.compared = best.is_all, best.number
                return best.ids
        return self._ids(FEW if total.number <= FEW else COMPARED)

    def _read(self, ids: Sequence[int]) -> list[Document]:
        """Return the messages, without those that only their encoded parts (pictures) made the index find."""
        hidden = frozenset() if self.search.options.rewound else self.search.known.rewound
        found = self.search.fetch([one for one in ids if one not in hidden])
        return [
            one
            for one in found
            if (self.search.options.rewound or not one.is_rewound)
            and (one.id in self.extras.add or (self._is_said(one) and not self._is_excluded(one)))
        ]

    def _is_said(self, one: Document) -> bool:
        return not one.holds_parts or matches(self.search.query, one)

    def _is_excluded(self, one: Document) -> bool:
        """Say whether an excluded word stands in the message in a way the index does not see."""
        terms = self.search.query.excluded
        return any(stands_in(term, text) for term in terms for text in one.folded)
