"""Sessions found by their title or id: most messages of a session never say what it is called."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from sessions_app.query_parts import SearchQuery, Term
from sessions_app.search.folding import fold
from sessions_app.search.matching import needle, stands_in
from sessions_app.search.names import Lines, Names

MOST: Final = 50
_MOST_LINES: Final = 300
Finder = Callable[[Term, str], bool]
_LIKE_ID: Final = re.compile(r"[0-9A-Za-z_.:-]*[0-9][0-9A-Za-z_.:-]*")


@dataclass(frozen=True)
class Named:
    """A session whose title or id holds the query. `place` is title or session."""

    session_id: str
    place: str


def named_sessions(names: Names, query: SearchQuery) -> tuple[Named, ...]:
    """Return the sessions, newest first, at most MOST + 1 of each kind."""
    found = dict.fromkeys(islice(_lines(names.titles, query, stands_in), MOST + 1), "title")
    if any(len(term.text) >= 4 and _LIKE_ID.fullmatch(term.text) for term in query.terms):
        found = dict.fromkeys(islice(_lines(names.folded_ids, query, _anywhere), MOST + 1), "session") | found
    return tuple(Named(names.ids[number], found[number]) for number in sorted(found, reverse=True))


def _lines(lines: Lines, query: SearchQuery, finder: Finder) -> Iterator[int]:
    """Yield the numbers of the lines that hold the query."""
    group = max(query.groups, key=lambda group: min(len(term.text) for term in group))
    each = [_with_piece(lines, needle(term)) for term in group]
    for number in each[0] if len(each) == 1 else sorted({number for some in each for number in some}):
        if _holds(query, lines.line(number), finder):
            yield number


def _with_piece(lines: Lines, piece: str) -> Iterator[int]:
    """Yield the numbers of lines with a piece of text, at most _MOST_LINES."""
    place = lines.text.find(piece) if piece else -1
    for _ in range(_MOST_LINES):  # a word in more titles than that says little
        if place < 0:
            return
        number = bisect_right(lines.starts, place) - 1
        yield number
        place = lines.text.find(piece, lines.starts[number + 1])


def _anywhere(term: Term, text: str) -> bool:
    return fold(term.text) in text


def _holds(query: SearchQuery, text: str, finder: Finder) -> bool:
    def found(term: Term) -> bool:
        return finder(term, text)

    return all(any(map(found, group)) for group in query.groups) and not any(map(found, query.excluded))
