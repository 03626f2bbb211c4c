"""Which messages of some conversations hit: looked up by where a conversation lies, as most lie in one piece."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memoryhub.hermes.values import as_text
from sessions_app.lineage import members
from sessions_app.search.context import Search
from sessions_app.search.locating import Located
from sessions_app.search.looking_up import found_among
from sessions_app.search.statements import LONGEST_MS, ask, ask_ids

_COUNTED: Final = 20_000  # messages of the shown conversations that are looked up
_COUNT_MS: Final = 120
_LONG: Final = 500  # messages, from which on a piece is asked for by itself


@dataclass(frozen=True)
class _Piece:
    """The messages of one session: all ids from `low` to `high`, when `is_whole`."""

    session_id: str
    lineage: str
    low: int
    high: int
    count: int

    @property
    def is_whole(self) -> bool:
        return self.high - self.low + 1 == self.count


def hits_of_lineages(search: Search, located: Located, lineages: Sequence[str]) -> dict[str, list[int]]:
    """Return the ids of all hits of each lineage, rising; nothing when they are too long. Raises OutOfTime."""
    pieces = _pieces(search, lineages)
    if sum(piece.count for piece in pieces) > _COUNTED:
        return {}
    listed = [piece for piece in pieces if not piece.is_whole]
    of = _listed(search, listed)
    whole = sorted((piece for piece in pieces if piece.is_whole), key=lambda piece: piece.low)
    found: dict[str, list[int]] = {lineage: [] for lineage in lineages}
    for one in sorted(_hits(search, located, whole, of)):
        lineage = of.get(one) or _lineage_of(whole, one)
        if lineage is not None:
            found[lineage].append(one)
    return found


def _pieces(search: Search, lineages: Sequence[str]) -> list[_Piece]:
    of = {session: root for root in lineages for session in members(search.conn, search.known.schema, root)}
    sql = (
        "SELECT session_id, min(id), max(id), count(*) FROM messages"
        " WHERE session_id IN (SELECT value FROM json_each(?)) GROUP BY session_id"
    )
    rows = ask(search.conn, _COUNT_MS, sql, (json.dumps(list(of)),))
    return [_Piece(as_text(row[0]), of[as_text(row[0])], row[1], row[2], row[3]) for row in rows]


def _listed(search: Search, pieces: Sequence[_Piece]) -> dict[int, str]:
    """Return the lineage of each message of the pieces that have others between them."""
    if not pieces:
        return {}
    of = {piece.session_id: piece.lineage for piece in pieces}
    sql = "SELECT id, session_id FROM messages WHERE session_id IN (SELECT value FROM json_each(?))"
    return {row[0]: of[as_text(row[1])] for row in ask(search.conn, _COUNT_MS, sql, (json.dumps(list(of)),))}


def _lineage_of(whole: Sequence[_Piece], one: int) -> str | None:
    place = bisect_right(whole, one, key=lambda piece: piece.low) - 1
    return whole[place].lineage if place >= 0 and one <= whole[place].high else None


def _hits(search: Search, located: Located, whole: Sequence[_Piece], of: dict[int, str]) -> set[int]:
    """Return the hits in some pieces, and perhaps others; `of` are single messages."""
    if located.checked is not None and located.page.total.is_exact:  # these are all hits there are
        known = sorted(located.checked)
        parts = (known[bisect_left(known, one.low) : bisect_right(known, one.high)] for one in whole)
        return {one for part in parts for one in part} | (of.keys() & set(known)) | located.extras.add.keys()
    ids = _by_index(search, located, whole, of)
    passing = search.passing(ids) if not search.conditions.is_empty or search.known.rewound else ids
    return (set(passing) - located.extras.remove) | located.extras.add.keys()


def _by_index(search: Search, located: Located, whole: Sequence[_Piece], of: dict[int, str]) -> list[int]:
    assert located.base is not None
    plan, found = located.base.plan, list[int]()
    short = list(of)
    for piece in whole:
        if piece.count < _LONG:
            short += range(piece.low, piece.high + 1)
        else:
            sql, values = plan.statement(f"{plan.row} AS id", low=piece.low, high=piece.high)
            found += ask_ids(search.conn, LONGEST_MS, sql, values)
    return [*found, *found_among(search, plan, short)]
