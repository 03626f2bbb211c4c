"""How many messages a plan finds: all of them where that is quick, else as many as there is time to count."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sessions_app.search.context import Search
from sessions_app.search.plan import Plan
from sessions_app.search.statements import LONGEST_MS, OutOfTime, ask_index
from sessions_app.search.totals import State, Total, is_explained, state_of

_ALWAYS_COUNTED: Final = 12_000
_AGAIN_MS: Final = 42.0
_WORD_MS: Final = 16.0  # for single words, which are counted by far the quickest
_WORDS_A_MS: Final = 30_000
_SAMPLES, _SAMPLED = 8, 800  # how many samples are taken, and how many would be all messages
_FILTER_MS: Final = 14.0
_LOOKED_AT_A_MS: Final = 900
_JOINED: Final = re.compile(r"\) (AND|NOT) ")  # what such a query costs its hits do not tell
_PART: Final = 20  # the share of the messages that is counted first, to see what counting costs


@dataclass(frozen=True)
class Count:
    """How many messages; a lower bound unless exact."""

    number: int
    is_exact: bool = True
    ms: float = 0.0  # how long counting all of them takes


def how_many(search: Search, plan: Plan, newest: Sequence[int], begun_ms: float = 0.0) -> Count:
    """Count what a plan finds, of which the `newest` are known; from what is remembered, where that still holds.

    `begun_ms` is what finding the newest took: about what any question about these takes at least.
    What was too much to count when it was first asked for is counted to the end when it is asked for again.
    """
    key = plan.key
    state = state_of(search.conn, search.known.schema, plan.lead) if key else None
    budget = float(search.options.count_ms)
    if key is None or state is None:
        return _counted_in_time(search, plan, newest, None, budget, begun_ms)
    before = search.known.totals.recall(key, state)
    if before is not None and not is_explained(search.conn, plan.lead, before.state, state):
        before = None
    if before is not None and (before.is_exact or before.ms > max(budget, _AGAIN_MS)):
        return _brought_up_to_date(search, plan, before, state)
    budget = max(budget, _AGAIN_MS) if before else budget
    count = _counted_in_time(search, plan, newest, state, budget, begun_ms)
    total = Total(count.number, state, time.monotonic(), count.ms, count.is_exact)
    search.known.totals.remember(key, total)
    return count


def _brought_up_to_date(search: Search, plan: Plan, before: Total, state: State) -> Count:
    number = before.number
    if before.state != state:
        number += _counted(search, plan, before.state.last + 1, state.last)[0]
        assert plan.key is not None
        search.known.totals.remember(plan.key, replace(before, number=number, state=state))
    return Count(number, before.is_exact, before.ms)


def estimated(search: Search, newest: Sequence[int]) -> int:
    """Return about how many there are, from how close together the newest are."""
    last = search.known.indexes.last_id
    return len(newest) * last // (last - newest[-1] + 1)


def _counted_in_time(
    search: Search, plan: Plan, newest: Sequence[int], state: State | None, budget: float, begun_ms: float
) -> Count:
    last, high = search.known.indexes.last_id, state.last if state else None
    try:
        if plan.is_words and not _JOINED.search(str(plan.values[0])):
            budget = max(budget, _WORD_MS)
            most = _WORDS_A_MS * budget
            if estimated(search, newest) <= most or estimated_everywhere(search, plan) <= most:
                return Count(*_exactly(search, plan, high))
        some, spent = _counted(search, plan, max(0, last - last // _PART), high)
        begun_ms = min(begun_ms, spent / 2)
        whole = begun_ms + (spent - begun_ms) * (_PART - 1)
        if some * _PART <= _ALWAYS_COUNTED or whole <= budget:
            return Count(*_exactly(search, plan, high))
        share = (budget - spent - begun_ms) / whole
        if share > 1.5 / _PART:
            some, _ = _counted(search, plan, int(last * (1 - share)), high)
        return Count(max(len(newest), some), False, whole)
    except OutOfTime:
        return Count(len(newest), False, LONGEST_MS)


def estimated_everywhere(search: Search, plan: Plan) -> int:
    """Return about how many there are, from samples of all times: the newest messages may be unlike the others."""
    last = search.known.indexes.last_id
    wide = max(1, last // _SAMPLED)
    starts = range(1, last, max(1, last // _SAMPLES))
    some = sum(_counted(search, plan, start, start + wide - 1)[0] for start in starts)
    return some * last // (wide * len(starts))


def how_many_pass(search: Search, plan: Plan, newest: Sequence[int], hidden: Collection[int]) -> int | None:
    """Count the messages of a plan that pass the filters, by looking at each; `None` when that would take too long."""
    budget = max(float(search.options.count_ms), _FILTER_MS)
    where, values = search.conditions.all()
    if hidden:
        without, listed = plan.only(hidden, negate=True)
        where, values = [without, *where], [listed, *values]
    join = f"CROSS JOIN messages AS m ON m.id = {plan.row}"
    sql, bound = plan.statement("count(*)", join=join, conditions=where, values=values)
    try:
        if how_many(search, plan, newest).number > _LOOKED_AT_A_MS * budget:
            return None
        return int(ask_index(search.conn, min(LONGEST_MS, int(4 * budget)), sql, bound)[0][0])
    except OutOfTime:
        return None


def _exactly(search: Search, plan: Plan, high: int | None) -> tuple[int, bool, float]:
    number, spent = _counted(search, plan, None, high)
    return number, True, spent


def _counted(search: Search, plan: Plan, low: int | None, high: int | None) -> tuple[int, float]:
    """Return how many messages a plan finds, and the milliseconds of work that it took (not of waiting)."""
    before = time.thread_time()
    sql, values = plan.statement("count(*)", low=low, high=high)
    found = int(ask_index(search.conn, LONGEST_MS, sql, values)[0][0])
    return found, (time.thread_time() - before) * 1000
