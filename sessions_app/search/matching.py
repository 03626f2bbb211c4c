"""Whether a text matches a query, and where: the one definition of "found", used wherever no index can be trusted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final

from sessions_app.query_parts import SearchQuery, Term
from sessions_app.search.documents import Document, unescaped
from sessions_app.search.folding import UNSPACED_CLASS, fold, fold_map, is_whole_when_escaped, words_of

# A word ends where no letter or digit follows, or where it touches a script without spaces.
_START: Final = rf"(?:(?<![^\W_])|(?<=[{UNSPACED_CLASS}]))"
_END: Final = rf"(?:(?![^\W_])|(?=[{UNSPACED_CLASS}]))"
_STRICT_START: Final = r"(?<![^\W_])"
_STRICT_END: Final = r"(?![^\W_])"


@dataclass(frozen=True)
class Looseness:
    """How much a term may be relaxed: `part` lets a word be any part of a word, `strict` is how the index sees it."""

    part: bool = False
    strict: bool = False


_PLAIN: Final = Looseness()
AS_PART: Final = Looseness(part=True)
AS_INDEXED: Final = Looseness(strict=True)


@lru_cache(maxsize=512)
def pattern(term: Term, looseness: Looseness = _PLAIN) -> re.Pattern[str]:
    """Return the expression that finds the term in a folded text."""
    if term.kind == "literal":
        return re.compile(r"\s+".join(map(re.escape, fold(term.text).split())))
    words = [re.escape(word) for word in words_of(fold(term.text))]
    body = r"[\W_]+".join(words)
    if looseness.part and term.kind == "word":
        return re.compile(body)
    start, end = (_STRICT_START, _STRICT_END) if looseness.strict else (_START, _END)
    return re.compile(start + body + ("" if term.kind == "prefix" else end))


@lru_cache(maxsize=512)
def needle(term: Term) -> str:
    """Return a piece of folded text that every match of the term holds: far quicker to look for than the pattern."""
    pieces = fold(term.text).split() if term.kind == "literal" else words_of(fold(term.text))
    return max(pieces, key=len, default="")


def stands_in(term: Term, folded: str, looseness: Looseness = _PLAIN) -> bool:
    """Say whether the term is found in a folded text."""
    return next(_spans_of(term, folded, looseness), None) is not None


def matches(query: SearchQuery, document: Document, looseness: Looseness = _PLAIN) -> bool:
    """Say whether every group and no excluded term is found in the texts of a message."""
    return holds(query, document.folded, looseness)


def matches_as_indexed(query: SearchQuery, document: Document) -> bool:
    """Say whether the search index of Hermes holds the message under the query: the statements we make find it.

    Words are cut as unicode61 does and nothing is decoded; literal texts keep their accents and may be escaped.
    """
    folded = document.folded_indexed
    lower = document.indexed.lower() if any(term.kind == "literal" for term in _all_terms(query)) else ""
    readable = unescaped(lower)

    def found(term: Term) -> bool:
        if term.kind == "literal":
            wanted = " ".join(term.text.lower().split())
            if document.holds_parts:  # the trigram index ends a text at its first NUL
                return is_whole_when_escaped(term.text) and wanted not in lower and wanted in readable
            return wanted in lower or wanted in readable
        return stands_in(term, folded, AS_INDEXED)

    return all(any(map(found, group)) for group in query.groups) and not any(map(found, query.excluded))


def _all_terms(query: SearchQuery) -> tuple[Term, ...]:
    return (*query.terms, *query.excluded)


def holds(query: SearchQuery, folded: Iterable[str], looseness: Looseness = _PLAIN) -> bool:
    """Say whether folded texts, taken together, hold every group and no excluded term."""
    texts = tuple(folded)

    def found(term: Term) -> bool:
        piece = needle(term)
        return any(piece in text and stands_in(term, text, looseness) for text in texts)

    return all(any(map(found, group)) for group in query.groups) and not any(map(found, query.excluded))


def spans(terms: Iterable[Term], text: str, looseness: Looseness = _PLAIN) -> list[tuple[int, int]]:
    """Return where the terms stand in a text: rising, merged (start, end) pairs in characters of `text`."""
    folded, places = fold_map(text)
    found = merged(span for term in terms for span in _spans_of(term, folded, looseness))
    return found if places is None else [_unfolded(span, places, len(text)) for span in found]


def spans_by_term(terms: Iterable[Term], text: str, most: int) -> list[list[tuple[int, int]]]:
    """Return, for each term that stands in a text, the first places where it does, as `spans` returns them."""
    folded, places = fold_map(text)
    each = (merged(islice(_spans_of(term, folded, _PLAIN), most)) for term in terms)
    if places is None:
        return [found for found in each if found]
    return [[_unfolded(span, places, len(text)) for span in found] for found in each if found]


def merged(found: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in rising order, those that touch made one."""
    made: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if made and start <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((start, end))
    return made


def _spans_of(term: Term, folded: str, looseness: Looseness) -> Iterator[tuple[int, int]]:
    """Yield where the term stands. The pattern is only tried where a piece of it is: that is far quicker."""
    piece, tried, begins = _finder(term, looseness)
    place = folded.find(piece) if piece else -1
    if place >= 0 and not begins:
        yield from (found.span() for found in tried.finditer(folded))
        return
    while place >= 0:
        found = tried.match(folded, place)
        if found:
            yield found.span()
        place = folded.find(piece, found.end() if found else place + 1)


@lru_cache(maxsize=512)
def _finder(term: Term, looseness: Looseness) -> tuple[str, re.Pattern[str], bool]:
    """Return a piece of the term, its pattern, and whether the pattern begins with the piece."""
    tried = pattern(term, looseness)
    if term.kind == "literal":
        piece = needle(term)
        return piece, tried, fold(term.text).startswith(piece)
    return "".join(words_of(fold(term.text))[:1]), tried, True


def _unfolded(span: tuple[int, int], places: list[int], length: int) -> tuple[int, int]:
    start, end = span
    return places[start], places[end] if end < len(places) else length
