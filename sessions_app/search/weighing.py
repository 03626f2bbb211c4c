"""The hits that the word index itself takes for the best: of all of them, or of about as many of the newest as it can
weigh in a few milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sessions_app.search.context import Search
from sessions_app.search.counted import Count
from sessions_app.search.extras import Base
from sessions_app.search.index_state import WORD
from sessions_app.search.looking_up import COMPARED, MODERATE, STEP_MS
from sessions_app.search.statements import OutOfTime, ask_index

_WEIGHED: Final = 1_000  # newest hits
_COUNTING_MS: Final = 4  # weighing counts every word once more, each by itself


@dataclass(frozen=True)
class Weighed:
    """The best ids of `number` hits that were weighed, about; `is_all` when those are all there are."""

    ids: list[int]
    number: int
    is_all: bool


def weighed(search: Search, base: Base, count: Count) -> Weighed | None:
    """Return the best by the index; `None` when it cannot weigh in time."""
    plan = base.plan
    limit = _COUNTING_MS if plan.is_one_piece else _COUNTING_MS / 4
    if plan.lead != WORD or not count.is_exact or count.number > MODERATE or count.ms > limit:
        return None
    edge = _edge(search, base, count)
    sql, bound = plan.statement(
        f"{plan.row}, bm25({plan.lead}) AS score", low=edge, tail="ORDER BY score LIMIT ?", tail_values=(COMPARED,)
    )
    try:
        best = [row[0] for row in ask_index(search.conn, STEP_MS, sql, bound)]
    except OutOfTime:
        return None
    return Weighed(best, min(count.number, _WEIGHED), edge is None)


def _edge(search: Search, base: Base, count: Count) -> int | None:
    """Return about the id from which on as many hits lie as are weighed; `None` when all are."""
    last = search.known.indexes.last_id
    if count.number <= _WEIGHED * 1.2 or not base.ids:
        return None
    return max(1, last - (last - base.ids[-1] + 1) * _WEIGHED // len(base.ids))
