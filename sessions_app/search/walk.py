"""Reading texts instead of an index: newest first, a stretch at a time, until done or out of time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from memoryhub.hermes.times import parse_time
from sessions_app.query_parts import SearchQuery, Term
from sessions_app.search.context import Search
from sessions_app.search.documents import Document, documents, select
from sessions_app.search.filters import like
from sessions_app.search.folding import words_of
from sessions_app.search.plan import Plan
from sessions_app.search.statements import OutOfTime, ask_index

_MOST_KEPT: Final = 5_000
_STATEMENT_MS: Final = 220
_AIM_MS: Final = 90
_SMALLEST: Final = 50
_ENOUGH_AFTER_MS: Final = 60


@dataclass
class Walked:
    """What was found by reading. `count` messages were passed; `since` is the time of the oldest (or newest) one."""

    found: dict[int, Document] = field(default_factory=dict)
    is_all: bool = True
    count: int = 0
    since: datetime | None = None


@dataclass
class Stretch:
    """What to read: ids from `low` to `high`, rows that fulfil `only`, those a plan finds when there is one."""

    low: int
    high: int
    only: str = ""
    plan: Plan | None = None
    reasoning: bool = False


def walk(search: Search, stretch: Stretch, *, budget_ms: float, want: int | None = None) -> Walked:
    """Read the stretch and keep the messages that hold the query and pass the filters.

    `want`: stop soon after so many were found. Sorted oldest first, reading begins at the oldest.
    """
    walked = Walked()
    began = search.elapsed_ms
    for rows, is_last, passed in _stretches(search, stretch):
        for document in documents(rows, reasoning=stretch.reasoning):
            walked.found.update(search.matching((document,)))
        walked.count += passed
        walked.since = parse_time(rows[-1][6]) or walked.since if rows else walked.since
        spent = search.elapsed_ms - began
        enough = want is not None and len(walked.found) >= want and spent > _ENOUGH_AFTER_MS
        if not is_last and (spent > budget_ms or enough or len(walked.found) >= _MOST_KEPT):
            walked.is_all = False
            break
    return walked


def _stretches(search: Search, stretch: Stretch) -> Iterator[tuple[list[sqlite3.Row], bool, int]]:
    """Yield (rows, was that the end, ids passed); the size follows the time the one before took."""
    is_up, is_planned = search.options.sort == "oldest", stretch.plan is not None
    low, high, size = stretch.low, stretch.high, 2_000
    while low <= high:
        step = high - low + 1 if is_planned else size
        first, last = (low, min(high, low + step - 1)) if is_up else (max(low, high - step + 1), high)
        before = search.elapsed_ms
        try:
            rows = _rows(search, stretch, first, last, size if is_planned else None, is_up)
        except OutOfTime:
            if size <= _SMALLEST:
                yield [], False, 0
                return
            size = max(_SMALLEST, size // 8)
            continue
        if is_planned and len(rows) == size:  # there may be more of them in this stretch
            first = last = int(rows[-1][0])
        low, high = (last + 1, high) if is_up else (low, first - 1)
        yield rows, low > high, len(rows) if is_planned else last - first + 1
        size = _next_size(size, search.elapsed_ms - before, is_planned)


def _next_size(size: int, spent: float, is_planned: bool) -> int:
    wanted = int(size * min(4.0, max(0.25, _AIM_MS / max(spent, 1.0))))
    return max(_SMALLEST, min(wanted, 4_000 if is_planned else 40_000))


def _rows(search: Search, stretch: Stretch, low: int, high: int, limit: int | None, is_up: bool) -> list[sqlite3.Row]:
    where, values = search.row_conditions()
    if stretch.only:
        where = [*where, stretch.only]
    columns = select(search.known.schema, "m", reasoning=stretch.reasoning)
    order = "ASC" if is_up else "DESC"
    if stretch.plan is not None:
        sql, bound = stretch.plan.statement(
            columns, join=f"CROSS JOIN messages AS m ON m.id = {stretch.plan.row}", conditions=where, values=values,
            low=low, high=high, tail=f"ORDER BY {stretch.plan.row} {order} LIMIT ?", tail_values=(limit,),
        )  # fmt: skip
        return ask_index(search.conn, _STATEMENT_MS, sql, bound)
    likely, likely_values = ("", []) if stretch.reasoning else _likely(search)
    where = ["m.id BETWEEN ? AND ?", *where, *([likely] if likely else [])]
    sql = f"SELECT {columns} FROM messages AS m WHERE {' AND '.join(where)} ORDER BY m.id {order}"  # noqa: S608
    return ask_index(search.conn, _STATEMENT_MS, sql, [low, high, *values, *likely_values])


def _likely(search: Search) -> tuple[str, list[Any]]:
    """Return a condition that every message with the first plain group fulfils: it saves reading most of the texts.

    LIKE knows no accents and no escapes, so texts that may hold some are always read.
    """
    pieces = _plain_pieces(search.query)
    schema = search.known.schema
    if not pieces:
        return "", []
    choices: list[str] = []
    values: list[Any] = []
    for column in ("content", "tool_name", "tool_calls"):
        if not schema.has("messages", column):
            continue
        for piece in pieces:
            choices.append(f"m.{column} LIKE ? ESCAPE '!'")
            values.append(f"%{like(piece)}%")
        if column != "tool_name":
            choices.append(f"length(m.{column}) <> length(CAST(m.{column} AS BLOB)) OR instr(m.{column}, '\\u') > 0")
    if schema.has("messages", "tool_calls"):
        choices.append("instr(m.tool_calls, '\\') > 0")
    return f"({' OR '.join(choices)})", values


def _plain_pieces(query: SearchQuery) -> list[str]:
    for group in sorted(query.groups, key=lambda group: -min(len(term.text) for term in group)):
        if all(term.text.isascii() for term in group):
            return [_piece(term) for term in group]
    return []


def _piece(term: Term) -> str:
    return max(term.text.split() if term.kind == "literal" else words_of(term.text), key=len)
