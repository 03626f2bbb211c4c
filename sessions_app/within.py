"""Searching inside one conversation: how many hits, which one comes next, which texts to mark."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from memoryhub.hermes.state_db import Connection, TookTooLong
from sessions_app.query_parts import SearchQuery, Term
from sessions_app.search import Gap, Options, Sort
from sessions_app.search.context import Search
from sessions_app.search.engine import attempts, begin, ladder
from sessions_app.search.gate import SEARCHES
from sessions_app.search.locating import Located, locate
from sessions_app.search.matching import matches
from sessions_app.search.readers import READERS
from sessions_app.search.statements import LONGEST_MS, OutOfTime, ask

_OF_MESSAGES: Final = ("role", "tool", "before", "after", "has")
_FEW: Final = 300  # messages that are read instead of asking an index
_LISTED: Final = 40  # hits whose place is known when not all are
_CHECKED: Final = 8  # messages that are read at once to see which one is a hit


@dataclass(frozen=True)
class Within:
    """Hits of a query in a conversation. `place` counts from 1, None when not known; ids are of messages."""

    query: SearchQuery
    total: int = 0
    is_exact: bool = True
    place: int | None = None
    previous: int | None = None
    next: int | None = None
    first: int | None = None
    terms: tuple[Term, ...] = ()
    gaps: tuple[Gap, ...] = ()


def look_within(
    path: Path, query: SearchQuery, session_ids: Sequence[str], at: int | None, *, rewound: bool = False
) -> Within:
    """Find a query in the sessions of a conversation; `at` is the message one is at, else the first hit.

    Raises StateDbProblem.
    """
    # Filters about sessions would only be in the way: the sessions are known.
    kept = tuple(one for one in query.filters if one.field in _OF_MESSAGES)
    if not (query.groups or kept):
        return Within(query)
    inside, options = replace(query, filters=kept), Options(sort="oldest", limit=_LISTED, rewound=rewound)
    try:
        with SEARCHES:
            found = READERS.read(path, LONGEST_MS, lambda conn: look_on(conn, path, inside, options, session_ids, at))
    except OutOfTime as error:
        raise TookTooLong(path) from error
    return replace(found, query=replace(found.query, filters=query.filters))


def look_on(
    conn: Connection, path: Path, query: SearchQuery, options: Options, session_ids: Sequence[str], at: int | None
) -> Within:
    """As `look_within`, on an open connection, of a query without filters about sessions."""
    began = begin(conn, path, query, options)
    began.session_ids = frozenset(one.encode("utf-8", "replace") for one in session_ids)
    began.conditions.on_session[:] = ["s.id IN (SELECT value FROM json_each(?))"]
    began.conditions.session_values[:] = [json.dumps(list(session_ids))]
    sql = "SELECT id FROM messages WHERE session_id IN (SELECT value FROM json_each(?)) LIMIT ?"
    ids = [row[0] for row in ask(conn, LONGEST_MS, sql, (json.dumps(list(session_ids)), _FEW + 1))]
    return _by_reading(began, sorted(ids), at) if len(ids) <= _FEW else _by_index(began, at)


def _by_reading(began: Search, ids: Sequence[int], at: int | None) -> Within:
    """Read all messages: of few ones sooner done than asking an index, and true whatever state it is in."""
    documents = began.fetch(began.passing(ids, of_any_session=True))
    for _relaxed, query in ladder(began.query):
        if found := [one.id for one in documents if matches(query, one)]:
            return _among(query, found, at, lambda some: some[0] if some else None)
    return Within(began.query, terms=began.query.terms)


def _by_index(began: Search, at: int | None) -> Within:
    is_exact = True
    for _relaxed, tried, located in attempts(began):
        is_exact = is_exact and located.page.total.is_exact
        ids = _ids(tried, located)
        if ids:
            found = _among(tried.query, ids, at, partial(_hit, tried))
            return replace(found, gaps=tuple(tried.gaps))
        if ids is None and located.page.documents:
            return _by_steps(tried, located, at)
    return Within(began.query, is_exact=is_exact, terms=began.query.terms, gaps=tuple(tried.gaps))


def _ids(tried: Search, located: Located) -> list[int] | None:
    """The ids of all hits, rising: the order of reading. None when they are too many to be known one by one."""
    if not located.page.total.is_exact or (located.base is not None and located.checked is None):
        return None
    hidden = frozenset() if tried.options.rewound else tried.known.rewound
    found = {*(located.checked or ()), *located.extras.add, *(one.id for one in located.read)}
    return sorted(found - hidden)


def _among(
    query: SearchQuery, ids: Sequence[int], at: int | None, first_of: Callable[[Sequence[int]], int | None]
) -> Within:
    """Find one's place among all hits; `first_of` gives the first of some ids that is one."""
    first = first_of(ids)
    at = first if at is None else at
    if at is None:
        return Within(query, terms=query.terms)
    place = bisect_left(ids, at)
    return Within(
        query=query,
        total=len(ids),
        place=place + 1 if ids[place : place + 1] == [at] else None,
        previous=first_of(ids[:place][::-1]),
        next=first_of(ids[bisect_right(ids, at) :]),
        first=first,
        terms=query.terms,
    )


def _hit(tried: Search, ids: Sequence[int]) -> int | None:
    """The first of some ids whose message really holds the query: an index also finds the letters of pictures."""
    for start in range(0, len(ids), _CHECKED):
        for one in tried.fetch(ids[start : start + _CHECKED]):
            if matches(tried.query, one) or not (one.holds_parts or tried.query.excluded):
                return one.id
    return None


def _by_steps(tried: Search, located: Located, at: int | None) -> Within:
    """Ask for the hits beside the place one is at: not all of them are known."""
    ids = [one.id for one in located.page.documents]
    at = ids[0] if at is None else at
    return Within(
        query=tried.query,
        total=located.page.total.number,
        is_exact=located.page.total.is_exact,
        place=ids.index(at) + 1 if at in ids else None,
        previous=_beyond(tried, at, "newest"),
        next=_beyond(tried, at, "oldest"),
        first=ids[0],
        terms=tried.query.terms,
        gaps=tuple(tried.gaps),
    )


def _beyond(tried: Search, at: int, sort: Sort) -> int | None:
    options = replace(tried.options, sort=sort, key=at, limit=1)
    located = locate(replace(tried, options=options, gaps=[]))
    return located.page.documents[0].id if located.page.documents else None
