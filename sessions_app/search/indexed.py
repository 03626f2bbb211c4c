"""Searching with indexes that answer exactly: ids first, from the index alone, then only the rows of one page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from sessions_app.search.context import Search
from sessions_app.search.documents import Document
from sessions_app.search.extras import Base, Extras
from sessions_app.search.index_state import TRIGRAM, WORD
from sessions_app.search.matching import matches
from sessions_app.search.plan import Plan
from sessions_app.search.ranking import ranked
from sessions_app.search.results import Gap
from sessions_app.search.statements import OutOfTime, ask, ask_index

FEW: Final = 200  # hits that are all read and ranked
MODERATE: Final = 20_000  # hits that the index ranks, or that filters check one by one
_COUNT_MS: Final = 20
_TENTHS: Final = 7  # how much longer all of it takes than the newest tenth, bounds included
_STEP_MS: Final = 55
_NEWEST_MS: Final = 120
_NARROW: Final = 20_000  # messages of the chosen sessions that are listed beforehand
_SINGLY: Final = 100
_CHECKED_AT_ONCE: Final = 5_000
_CHECK_MS: Final = 15.0


@dataclass(frozen=True)
class Count:
    """How many messages; a lower bound unless exact."""

    number: int
    is_exact: bool = True


@dataclass(frozen=True)
class Page:
    """A page of messages and what is known of the rest."""

    documents: list[Document] = field(default_factory=list)
    total: Count = Count(0)
    has_more: bool = False
    next_key: int | None = None


def look_up(search: Search, plan: Plan) -> tuple[Base, Count]:
    """Ask the indexes: the newest ids, and how many there are. Very common texts are counted in part only."""
    # Lists of text pieces cannot be read from the newest end, so they are read once.
    limit = FEW if plan.lead in (WORD, TRIGRAM) else MODERATE
    ids = _newest_ids(search, plan, limit + 1)
    if len(ids) <= limit:
        return Base(plan, len(ids), tuple(ids), True), Count(len(ids))
    count = _count(search, plan, len(ids))
    return Base(plan, count.number, tuple(ids), False), count


def _newest_ids(search: Search, plan: Plan, limit: int, **bounds: int) -> list[int]:
    sql, values = plan.statement(plan.row, tail=f"ORDER BY {plan.row} DESC LIMIT ?", tail_values=(limit,), **bounds)
    return [row[0] for row in ask_index(search.conn, _NEWEST_MS, sql, values)]


def _count(search: Search, plan: Plan, at_least: int) -> Count:
    """Count the newest tenth, and from the time this takes decide whether all can be counted."""
    last = search.known.indexes.last_id
    known = Count(at_least, False)
    low: int | None = max(0, last - last // 10)
    while True:
        before = search.elapsed_ms
        try:
            sql, values = plan.statement("count(*)", low=low)
            found = int(ask_index(search.conn, _COUNT_MS, sql, values)[0][0])
        except OutOfTime:
            return known
        known = Count(max(at_least, found), low is None)
        if low is None or (search.elapsed_ms - before) * _TENTHS > _COUNT_MS:
            return known
        low = None


class Indexed:
    """One search whose base is known: filters, totals and the page."""

    def __init__(self, search: Search, base: Base, count: Count, extras: Extras) -> None:
        self.search, self.plan, self.count, self.extras = search, base.plan, count, extras
        self.is_filtered = not search.conditions.is_empty
        self.checked: list[int] | None = list(base.ids) if base.is_all else None  # newest first; all there are
        self.is_all = True

    def page(self) -> Page:
        """Return the page that the options ask for."""
        if self.is_filtered or self._has_leftovers():
            self._filter()
        if self.checked is not None:
            hidden = self.extras.remove | (frozenset() if self.search.options.rewound else self.search.known.rewound)
            self.checked = [one for one in self.checked if one not in hidden]
        total = self._total()
        options = self.search.options
        return self._best(total) if options.sort == "best" and options.key is None else self._in_order(total)

    def _has_leftovers(self) -> bool:
        indexes = self.search.known.indexes
        return (indexes.word if self.plan.lead == WORD else indexes.trigram).has_leftovers

    def _filter(self) -> None:
        """Find out which messages pass the filters: all of them, or the newest until there is enough or no time."""
        if self.checked is None and self.search.conditions.on_session:
            self._narrow()
        if self.checked is not None:
            self.checked = self._passing(self.checked)
        else:
            self._check_newest()

    def _narrow(self) -> None:
        """When the chosen sessions hold few messages, ask the index about those only."""
        sessions = json.dumps(sorted(self.search.session_ids or ()))
        inner = "SELECT id FROM messages WHERE session_id IN (SELECT value FROM json_each(?))"
        try:
            count = ask(self.search.conn, _COUNT_MS, f"SELECT count(*) FROM ({inner} LIMIT ?)", (sessions, _NARROW + 1))
            if count[0][0] > _NARROW:
                return
            ids = [row[0] for row in ask(self.search.conn, _STEP_MS, inner, (sessions,))]
            self.checked = self._found_among(ids) if ids else []
        except OutOfTime:
            return

    def _found_among(self, ids: list[int]) -> list[int]:
        """Return which of some ids the index finds, newest first."""
        condition, value = self.plan.only(ids)
        if len(ids) <= _SINGLY:
            condition = condition.removeprefix("+")  # looked up one by one
        sql, bound = self.plan.statement(
            self.plan.row, conditions=[condition], values=[value], low=min(ids), high=max(ids)
        )
        return sorted((row[0] for row in ask_index(self.search.conn, _STEP_MS, sql, bound)), reverse=True)

    def _check_newest(self) -> None:
        low, high = self._bounds()
        began, key, found = self.search.elapsed_ms, high, list[int]()
        step = MODERATE if self.count.is_exact and self.count.number <= MODERATE else _CHECKED_AT_ONCE
        while True:
            ids = _newest_ids(self.search, self.plan, step, low=low, high=key)
            found += self._passing(ids)
            if len(ids) < step:
                break
            if self.search.elapsed_ms - began > _CHECK_MS or len(found) >= MODERATE:
                self.is_all = False
                break
            key = ids[-1] - 1
        self.is_all &= (low, high) == (0, self.search.known.indexes.last_id)
        self.checked = found

    def _bounds(self) -> tuple[int, int]:
        """Return the ids between which the dates asked for lie, judged by samples when there are too many hits."""
        last, made = self.search.known.indexes.last_id, self.search.conditions
        is_dated = made.since is not None or made.until is not None
        if not is_dated or (self.count.is_exact and self.count.number <= MODERATE):
            return 0, last
        samples = self.search.known.samples
        inside = [
            place
            for place, (_, moment) in enumerate(samples)
            if (made.since is None or moment >= made.since) and (made.until is None or moment < made.until)
        ]
        if not inside:
            return 0, last
        low, high = max(0, inside[0] - 1), inside[-1] + 1
        return (samples[low][0] if low else 0), (samples[high][0] if high < len(samples) else last)

    def _passing(self, ids: Sequence[int]) -> list[int]:
        """Return those ids whose messages pass the filters, in the same order."""
        try:
            return self.search.passing(ids)
        except OutOfTime:
            self.is_all = False
            return []

    def _total(self) -> Count:
        added = len(self.extras.add)
        if self.checked is not None:
            return Count(len(set(self.checked) | set(self.extras.add)), self.is_all)
        hidden = 0 if self.search.options.rewound else self._hidden()
        return Count(self.count.number - hidden - len(self.extras.remove) + added, self.count.is_exact)

    def _hidden(self) -> int:
        rewound = self.search.known.rewound
        if not rewound:
            return 0
        condition, value = self.plan.only(rewound)
        sql, values = self.plan.statement("count(*)", conditions=[condition], values=[value])
        try:
            return int(ask_index(self.search.conn, _COUNT_MS, sql, values)[0][0])
        except OutOfTime:
            self.count = Count(self.count.number, False)
            return 0

    def _ids(self, count: int, *, key: int | None = None, without: Sequence[int] = ()) -> list[int]:
        """Return ids in order of id, in the direction asked for, beyond `key`."""
        is_up = self.search.options.sort == "oldest"
        if self.checked is not None:
            left = set(without)
            beyond = (one for one in self.checked if key is None or (one > key if is_up else one < key))
            return sorted((one for one in beyond if one not in left), reverse=not is_up)[:count]
        hidden = [*without, *self.extras.remove]
        hidden += () if self.search.options.rewound else self.search.known.rewound
        conditions, values = zip(self.plan.only(hidden, negate=True), strict=True) if hidden else ((), ())
        bound = {"low" if is_up else "high": key + 1 if is_up else key - 1} if key is not None else {}
        sql, bound_values = self.plan.statement(
            self.plan.row,
            conditions=conditions,
            values=values,
            tail=f"ORDER BY {self.plan.row} {'ASC' if is_up else 'DESC'} LIMIT ?",
            tail_values=(count,),
            **bound,
        )
        return [row[0] for row in ask_index(self.search.conn, _NEWEST_MS, sql, bound_values)]

    def _in_order(self, total: Count) -> Page:
        options = self.search.options
        is_up = options.sort == "oldest"
        ids = set(self._ids(options.offset + options.limit + 1, key=options.key))
        key = options.key
        ids |= {one for one in self.extras.add if key is None or (one > key if is_up else one < key)}
        ordered = sorted(ids, reverse=not is_up)
        chosen = ordered[options.offset : options.offset + options.limit]
        has_more = len(ordered) > options.offset + len(chosen)
        return Page(self._read(chosen), total, has_more, chosen[-1] if chosen else None)

    def _best(self, total: Count) -> Page:
        options = self.search.options
        ids = [one for one in self._candidates(total) if one not in self.extras.add]
        found = ranked([*self._read(ids), *self.extras.add.values()], self.search.query.terms)
        chosen = found[options.offset : options.offset + options.limit]
        is_more = total.number > len(found) or not total.is_exact
        if is_more:
            self.search.say(Gap("best_of_newest", count=len(found)))
        missing = options.limit - len(chosen)
        if missing and is_more:
            skip = max(0, options.offset - len(found))
            rest = self._ids(skip + missing, without=[one.id for one in found])
            chosen += self._read(rest[skip:])
        has_more = total.number > options.offset + len(chosen) if total.is_exact else len(chosen) == options.limit
        return Page(chosen, total, has_more and bool(chosen))

    def _candidates(self, total: Count) -> list[int]:
        """Return the ids worth comparing: all when few, the best by the index when moderate, else the newest."""
        is_moderate = total.is_exact and total.number > FEW and self.count.number <= MODERATE
        if is_moderate and self.plan.lead == WORD:
            score = f"bm25({self.plan.lead})"
            conditions, values = zip(self.plan.only(self.checked), strict=True) if self.checked else ((), ())
            sql, bound = self.plan.statement(
                f"{self.plan.row}, {score} AS score",
                conditions=conditions,
                values=values,
                tail="ORDER BY score LIMIT ?",
                tail_values=(FEW,),
            )
            try:
                return [row[0] for row in ask_index(self.search.conn, _STEP_MS, sql, bound)]
            except OutOfTime:
                pass
        return self._ids(FEW)

    def _read(self, ids: Sequence[int]) -> list[Document]:
        """Return the messages, without those that only their encoded parts (pictures) made the index find."""
        hidden = frozenset() if self.search.options.rewound else self.search.known.rewound
        found = self.search.fetch([one for one in ids if one not in hidden])
        kept = (
            one for one in found if not one.holds_parts or one.id in self.extras.add or matches(self.search.query, one)
        )
        return [one for one in kept if self.search.options.rewound or not one.is_rewound]
