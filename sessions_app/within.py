"""Searching inside one conversation: how many hits, which one comes next, which texts to mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from sessions_app.query_parts import Filter, SearchQuery, Term
from sessions_app.search import Options, Results, search

LISTED: Final = 40  # hits whose place in the row is known
_MOST_PARTS: Final = 60


@dataclass(frozen=True)
class Within:
    """Hits of a query in a conversation. `place` counts from 1, None when not known; ids are of messages."""

    query: SearchQuery
    total: int
    is_exact: bool
    place: int | None
    previous: int | None
    next: int | None
    first: int | None
    terms: tuple[Term, ...]
    results: Results


def look_within(
    path: Path, query: SearchQuery, session_ids: Sequence[str], at: int | None, *, rewound: bool = False
) -> Within:
    """Find a query in the sessions of a conversation; `at` is the message one is at, else the first hit.

    Raises StateDbProblem.
    """
    # Filters about sessions would only be in the way: the sessions are known.
    kept = tuple(one for one in query.filters if one.field in ("role", "tool", "before", "after", "has"))
    chosen = tuple(Filter("session", one) for one in session_ids[:_MOST_PARTS])
    inside = replace(query, filters=(*kept, *chosen))
    if not (query.groups or kept):
        empty = Results(query, hint="type_a_word")
        return Within(query, 0, True, None, None, None, None, (), empty)
    found = search(path, inside, Options(sort="oldest", limit=LISTED, rewound=rewound))
    ids = _ids(found, session_ids)
    at = ids[0] if at is None and ids else at
    previous, following = _neighbours(path, found, ids, session_ids, at, rewound)
    return Within(
        replace(found.query, filters=query.filters),
        found.total,
        found.total_is_exact,
        ids.index(at) + 1 if at in ids else None,
        previous,
        following,
        ids[0] if ids else None,
        (*found.query.terms,),
        found,
    )


def _ids(found: Results, session_ids: Sequence[str]) -> list[int]:
    mine = set(session_ids)
    return [hit.message_id for hit in found.hits if hit.message_id is not None and hit.session_id in mine]


def _neighbours(
    path: Path, found: Results, ids: Sequence[int], session_ids: Sequence[str], at: int | None, rewound: bool
) -> tuple[int | None, int | None]:
    if at is None or not ids:
        return None, ids[0] if ids else None
    behind = [one for one in ids if one > at]
    ahead = [one for one in ids if one < at]
    following = behind[0] if behind else None
    previous = ahead[-1] if ahead else None
    if following is None and found.has_more:
        following = _one(path, found.query, session_ids, Options(sort="oldest", limit=1, key=at, rewound=rewound))
    if found.has_more and (previous is None or previous == ids[-1]):
        previous = _one(path, found.query, session_ids, Options(sort="newest", limit=1, key=at, rewound=rewound))
    return previous, following


def _one(path: Path, query: SearchQuery, session_ids: Sequence[str], options: Options) -> int | None:
    ids = _ids(search(path, query, options), session_ids)
    return ids[0] if ids else None
