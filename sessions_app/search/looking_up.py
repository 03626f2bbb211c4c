"""Asking the indexes: the newest ids of a plan, and how many there are, at a bounded cost."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from sessions_app.query_parts import Term
from sessions_app.search.context import Search
from sessions_app.search.counted import Count, estimated, how_many
from sessions_app.search.extras import Base
from sessions_app.search.index_state import TRIGRAM, WORD, quoted
from sessions_app.search.matching import matches_as_indexed
from sessions_app.search.plan import Plan
from sessions_app.search.statements import LONGEST_MS, OutOfTime, ask, ask_ids, ask_index

FEW: Final = 100  # hits that are all read and ranked
COMPARED: Final = 80  # hits that are read and compared when there are too many to read all
_SOME: Final = 300  # hits of phrases and pieces of text: mere beginning to look for them is the dear part
MODERATE: Final = 20_000  # hits that the index ranks
COUNT_MS: Final = 20
_AT_ONCE: Final = 40_000  # ids, repeated ones among them
_NEWEST_PART: Final = 50  # the share of the messages in which beginnings of words are looked for first
STEP_MS: Final = 55
NEWEST_MS: Final = 220
_NARROW: Final = 20_000  # messages of the chosen sessions that are listed beforehand
_SINGLY: Final = 100
CHECKED: Final = 10_000  # hits that filters check one by one
CHECKED_AT_ONCE: Final = 2_500
_CHECKED_FOR_A_PAGE: Final = 500
_PAGE: Final = 100  # messages; more are only gathered to make groups of
_LONG: Final = 7  # characters, from which on a piece of a text is quicker to look for than all of it
_PIECE: Final = 5
_LIST_MS: Final = 0.1  # what the index takes to begin one of its lists, of which a text has one for each character


def look_up(search: Search, plan: Plan) -> tuple[Base, Count]:
    """Ask the indexes: the newest ids, and how many there are. Very common texts are counted in part only."""
    if (among := _of_few_sessions(search)) is not None:
        ids = found_among(search, plan, among)
        return Base(plan, len(ids), tuple(ids), True, of_passing_sessions=True), Count(len(ids))
    before = time.thread_time()
    of_piece = _by_a_piece(search, plan)
    if of_piece and of_piece.is_all:
        return of_piece, Count(of_piece.count)
    if not search.conditions.is_empty:
        return _to_be_filtered(search, plan)
    if plan.is_prefix:
        return _of_beginnings(search, plan)
    # Lists of text pieces cannot be read from the newest end, so they are read once.
    limit = MODERATE if plan.lead not in (WORD, TRIGRAM) else FEW if plan.is_words or plan.lead == TRIGRAM else _SOME
    ids = list(of_piece.ids) if of_piece else newest_ids(search, plan, limit + 1)
    if not of_piece and len(ids) <= limit:
        return _all_of(plan, ids)
    begun_ms = _LIST_MS * len(str(plan.values[0])) if of_piece else (time.thread_time() - before) * 1000
    count = how_many(search, plan, ids, begun_ms)
    return Base(plan, count.number, tuple(ids), False, is_counted=count.is_exact), count


def _all_of(plan: Plan, ids: Sequence[int]) -> tuple[Base, Count]:
    return Base(plan, len(ids), tuple(ids), True), Count(len(ids))


def _to_be_filtered(search: Search, plan: Plan) -> tuple[Base, Count]:
    limit = MODERATE if plan.lead not in (WORD, TRIGRAM) else max(_SOME, checked_at_once(search))
    ids = newest_ids(search, plan, limit + 1)
    if limit < min(len(ids), CHECKED) and not _has_more_than(search, plan, CHECKED, ids):
        limit = CHECKED
        ids = newest_ids(search, plan, limit + 1)
    if len(ids) <= limit:
        return _all_of(plan, ids)
    return Base(plan, len(ids), tuple(ids), False, is_counted=False), Count(len(ids), False)


def _of_beginnings(search: Search, plan: Plan) -> tuple[Base, Count]:
    """Count all and list the newest in one go: the index gathers all hits before it gives any."""
    last = search.known.indexes.last_id
    newest = f"json_group_array({plan.row}) FILTER (WHERE {plan.row} >= ?)"
    sql, values = plan.statement(f"count(*), {newest}")
    edge = last - last // _NEWEST_PART
    ((number, listed),) = ask_index(search.conn, NEWEST_MS, sql, (edge, *values))
    ids: list[int] = sorted(json.loads(listed), reverse=True)[: _SOME + 1]
    if len(ids) < min(number, _SOME + 1):
        ids = newest_ids(search, plan, _SOME + 1)
    return Base(plan, number, tuple(ids), number <= _SOME), Count(number)


def _by_a_piece(search: Search, plan: Plan) -> Base | None:
    """Return the ids of a long text with punctuation by way of a piece of it: all when few messages hold the piece,
    the newest when most of these hold the text; else `None`.

    The longer a text, the more lists of the index it needs; a few characters around its punctuation are often as rare.
    """
    term = _only_text(search)
    piece = _around_punctuation(term.text) if term and plan.lead == TRIGRAM and len(plan.where) == 1 else ""
    if not piece:
        return None
    ids = newest_ids(search, replace(plan, values=[quoted(piece)]), FEW + 1)
    found = tuple(one.id for one in search.fetch(ids) if matches_as_indexed(search.query, one))
    is_all = len(ids) <= FEW
    return Base(plan, len(found), found, is_all) if is_all or len(found) > COMPARED else None


def _only_text(search: Search) -> Term | None:
    query = search.query
    if len(query.terms) != 1 or query.excluded or query.terms[0].kind != "literal":
        return None
    return query.terms[0]


def _around_punctuation(text: str) -> str:
    """Return some characters of a text that stand in it however it is stored; "" when there are none."""
    if len(text) < _LONG or not text.isascii() or '"' in text or "\\" in text or " " in text:
        return ""
    places = [place for place, character in enumerate(text) if not character.isalnum()]
    if not places:
        return ""
    start = max(0, min(places[-1] - _PIECE // 2, len(text) - _PIECE))
    return text[start : start + _PIECE]


def checked_at_once(search: Search) -> int:
    """Return how many hits the filters check before looking whether these are enough."""
    wanted = search.options.offset + search.options.limit
    return _CHECKED_FOR_A_PAGE if wanted <= _PAGE else CHECKED_AT_ONCE


def _has_more_than(search: Search, plan: Plan, number: int, newest: Sequence[int]) -> bool:
    if estimated(search, newest) > 2 * number:
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
        return list(dict.fromkeys(sorted(found, reverse=not is_up)))[:limit]
    tail = f"ORDER BY {plan.row} {'ASC' if is_up else 'DESC'} LIMIT ?"
    sql, values = plan.statement(f"{plan.row} AS id", tail=tail, tail_values=(limit,), low=low, high=high)
    return sorted(ask_ids(search.conn, NEWEST_MS, sql, values), reverse=not is_up)


def _ids_at_once(search: Search, plan: Plan, low: int | None, high: int | None) -> list[int] | None:
    """Return all ids, some more than once, of a plan that the index cannot give newest first; `None` when too many."""
    every = replace(plan, lead=plan.repeats)
    sql, values = every.statement("hit.rowid AS id", low=low, high=high, tail="LIMIT ?", tail_values=(_AT_ONCE,))
    found = ask_ids(search.conn, NEWEST_MS, sql, values)
    return found if len(found) < _AT_ONCE else None
