"""Asking the indexes: the newest ids of a plan, and how many there are, at a bounded cost."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from sessions_app.search.context import Search
from sessions_app.search.extras import Base
from sessions_app.search.index_state import TRIGRAM, WORD
from sessions_app.search.plan import Plan
from sessions_app.search.statements import LONGEST_MS, OutOfTime, ask, ask_ids, ask_index

FEW: Final = 100  # hits that are all read and ranked
SOME: Final = 600  # hits of phrases, beginnings and pieces of text: mere beginning to look for them is the dear part
MODERATE: Final = 20_000  # hits that the index ranks
COUNT_MS: Final = 20
_ALWAYS_COUNTED: Final = 12_000
_COMMON: Final = 300_000  # hits of words that are counted as long as it costs next to nothing
_AT_ONCE: Final = 40_000  # ids, repeated ones among them
_JOINED: Final = re.compile(r"\) (AND|NOT) ")  # what such a query costs its hits do not tell
_PART: Final = 20  # the share of the messages that is counted first, to see what counting costs
_TIMES: Final = 18  # how much longer all of it takes, bounds included
STEP_MS: Final = 55
NEWEST_MS: Final = 220
_NARROW: Final = 20_000  # messages of the chosen sessions that are listed beforehand
_SINGLY: Final = 100
CHECKED: Final = 10_000  # hits that filters check one by one
CHECKED_AT_ONCE: Final = 2_500
_CHECKED_FOR_A_PAGE: Final = 1_000
_PAGE: Final = 100  # messages; more are only gathered to make groups of
_DEAR_MS: Final = 1.0  # what finding the newest may take before very many are not counted, not even in part


@dataclass(frozen=True)
class Count:
    """How many messages; a lower bound unless exact."""

    number: int
    is_exact: bool = True
    ms: float = 0.0  # how long the counting took


def look_up(search: Search, plan: Plan) -> tuple[Base, Count]:
    """Ask the indexes: the newest ids, and how many there are. Very common texts are counted in part only."""
    if (among := _of_few_sessions(search)) is not None:
        ids = found_among(search, plan, among)
        return Base(plan, len(ids), tuple(ids), True, of_passing_sessions=True), Count(len(ids))
    is_filtered = not search.conditions.is_empty
    # Lists of text pieces cannot be read from the newest end, so they are read once.
    limit = MODERATE if plan.lead not in (WORD, TRIGRAM) else FEW if plan.is_words else SOME
    limit = max(limit, checked_at_once(search)) if is_filtered else limit
    before = time.thread_time()
    ids = newest_ids(search, plan, limit + 1)
    spent = (time.thread_time() - before) * 1000
    if is_filtered and limit < min(len(ids), CHECKED) and not _has_more_than(search, plan, CHECKED, ids):
        limit = CHECKED
        ids = newest_ids(search, plan, limit + 1)
    if len(ids) <= limit:
        return Base(plan, len(ids), tuple(ids), True), Count(len(ids))
    count = (
        Count(len(ids), False)
        if is_filtered
        else _count(search, plan, ids, is_dear=spent > _DEAR_MS and not plan.is_words)
    )
    return Base(plan, count.number, tuple(ids), False, is_counted=count.is_exact), count


def checked_at_once(search: Search) -> int:
    """Return how many hits the filters check before looking whether these are enough."""
    wanted = search.options.offset + search.options.limit
    return _CHECKED_FOR_A_PAGE if wanted <= _PAGE else CHECKED_AT_ONCE


def _estimated(search: Search, newest: Sequence[int]) -> int:
    """Return about how many there are, from how close together the newest are."""
    last = search.known.indexes.last_id
    return len(newest) * last // (last - newest[-1] + 1)


def _has_more_than(search: Search, plan: Plan, number: int, newest: Sequence[int]) -> bool:
    if _estimated(search, newest) > 2 * number:
        return True
    tail = f"ORDER BY {plan.row} DESC LIMIT 1 OFFSET ?"
    sql, values = plan.statement(plan.row, tail=tail, tail_values=(number,))
    return bool(ask_index(search.conn, NEWEST_MS, sql, values))


def _of_few_sessions(search: Search) -> list[int] | None:
    """Return the messages of the sessions that pass the filters; `None` when they are many, or all pass."""
    if search.session_ids is None:
        return None
    sessions = json.dumps(sorted(one.decode(errors="replace") for one in search.session_ids))
    inner = "SELECT id FROM messages WHERE session_id IN (SELECT value FROM json_each(?))"
    try:
        counted = ask(search.conn, COUNT_MS, f"SELECT count(*) FROM ({inner} LIMIT ?)", (sessions, _NARROW + 1))  # noqa: S608
        if counted[0][0] > _NARROW:
            return None
        return [row[0] for row in ask(search.conn, STEP_MS, inner, (sessions,))]
    except OutOfTime:
        return None


def found_among(search: Search, plan: Plan, ids: Sequence[int]) -> list[int]:
    """Return which of some ids the index finds, newest first."""
    if not ids:
        return []
    condition, value = plan.only(ids)
    if len(ids) <= _SINGLY:
        condition = condition.removeprefix("+")  # looked up one by one
    columns = f"{plan.row} AS id"
    sql, bound = plan.statement(columns, conditions=[condition], values=[value], low=min(ids), high=max(ids))
    return sorted(ask_ids(search.conn, LONGEST_MS, sql, bound), reverse=True)


def newest_ids(
    search: Search, plan: Plan, limit: int, *, low: int | None = None, high: int | None = None, is_up: bool = False
) -> list[int]:
    """Return the newest ids of a plan between two bounds, newest first; with `is_up` the oldest, oldest first."""
    if plan.repeats and (found := _ids_at_once(search, plan, low, high)) is not None:
        return sorted(found, reverse=not is_up)[:limit]
    tail = f"ORDER BY {plan.row} {'ASC' if is_up else 'DESC'} LIMIT ?"
    sql, values = plan.statement(f"{plan.row} AS id", tail=tail, tail_values=(limit,), low=low, high=high)
    return sorted(ask_ids(search.conn, NEWEST_MS, sql, values), reverse=not is_up)


def _ids_at_once(search: Search, plan: Plan, low: int | None, high: int | None) -> set[int] | None:
    """Return all ids of a plan that cannot be read from the newest end; `None` when they are too many for it."""
    every = replace(plan, lead=plan.repeats)
    sql, values = every.statement("hit.rowid AS id", low=low, high=high, tail="LIMIT ?", tail_values=(_AT_ONCE,))
    found = ask_ids(search.conn, NEWEST_MS, sql, values)
    return set(found) if len(found) < _AT_ONCE else None


def _count(search: Search, plan: Plan, newest: Sequence[int], *, is_dear: bool) -> Count:
    """Count the newest part, and from what it says and costs decide whether all are counted.

    `is_dear`: the newest were slow to find (long texts are compared piece by piece).
    """
    last, at_least = search.known.indexes.last_id, len(newest)
    estimate = _estimated(search, newest)
    if is_dear and estimate > 2 * _ALWAYS_COUNTED:
        return Count(at_least, False, LONGEST_MS)
    try:
        if plan.is_words and estimate < _COMMON and not _JOINED.search(str(plan.values[0])):
            number, spent = _counted(search, plan, None, LONGEST_MS)
            return Count(number, ms=spent)
        some, spent = _counted(search, plan, max(0, last - last // _PART), LONGEST_MS)
        most = COUNT_MS * (1 if not plan.is_words else 0.6 if some * _PART > _COMMON else 2.5)
        is_dear = spent * _TIMES > most or (" NOT " in str(plan.values[:1]) and some * _PART > MODERATE)
        if some * _PART > _ALWAYS_COUNTED and is_dear:
            return Count(max(at_least, some), False, spent * _PART)
        number, spent = _counted(search, plan, None, LONGEST_MS)
        return Count(number, ms=spent)
    except OutOfTime:
        return Count(at_least, False, LONGEST_MS)


def _counted(search: Search, plan: Plan, low: int | None, limit_ms: int) -> tuple[int, float]:
    """Return how many messages a plan finds, and the milliseconds of work that it took (not of waiting)."""
    before = time.thread_time()
    sql, values = plan.statement("count(*)", low=low)
    found = int(ask_index(search.conn, limit_ms, sql, values)[0][0])
    return found, (time.thread_time() - before) * 1000
