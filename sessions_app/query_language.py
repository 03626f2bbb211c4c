"""The one query language of the box, the address and the command line: a typed text becomes a SearchQuery.

Words (all must match), "phrases", OR, NOT word, prefix*, and filters such as `source:telegram` or `-role:tool`.
No text is an error: what cannot be understood is looked for as it stands, with a note.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import Final

from sessions_app.query_dates import parse_date, say_moment
from sessions_app.query_parts import DATE_FIELDS, FIELDS, FLAGS, Filter, Kind, Note, SearchQuery, Term
from sessions_app.search.folding import has_unspaced, is_word_character

__all__ = ["Filter", "Note", "SearchQuery", "Term", "parse"]

LONGEST: Final = 1_000  # characters
MOST_TERMS: Final = 40
_OPERATORS: Final = ("AND", "OR", "NOT")
_FILTER: Final = re.compile(r"(-?)([A-Za-z]{2,20}):(.+)", re.DOTALL)
_QUOTES: Final = dict.fromkeys(map(ord, "“”„‟«»"), '"')
_PIECE: Final = re.compile(r'(?P<lead>-?[A-Za-z]{2,20}:)?"(?P<quoted>[^"]*)"|(?P<open>")?(?P<bare>\S+)')
_SENTENCE_ENDS: Final = ",;:!?.…，。！？；：、"
_BRACKETS: Final = {")": "(", "]": "[", "}": "{"}
_UNREADABLE: Final = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass
class _Builder:
    """Collects what the pieces of a text mean, left to right."""

    now: datetime
    zone: tzinfo
    groups: list[list[Term]] = field(default_factory=list)
    excluded: list[Term] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    operator: str = ""

    def note(self, code: str, text: str = "") -> None:
        if Note(code, text) not in self.notes:
            self.notes.append(Note(code, text))

    def operate(self, operator: str) -> None:
        if self.operator or (operator != "NOT" and not self.groups):
            self.note("stray_operator", operator if not self.operator else self.operator)
        self.operator = operator

    def add(self, term: Term | None) -> None:
        if term is None:
            return
        if self.operator == "NOT":
            self.excluded.append(term)
        elif self.operator == "OR" and self.groups:
            self.groups[-1].append(term)
        else:
            self.groups.append([term])
        self.operator = ""

    def add_filter(self, one: Filter) -> None:
        if self.operator == "NOT":
            one = _turned(one)
        elif self.operator:
            self.note("stray_operator", self.operator)
        self.operator = ""
        self.filters.append(one)


def parse(text: str, *, now: datetime | None = None, zone: tzinfo = UTC) -> SearchQuery:
    """Understand a typed text. `now` is an aware time (else the clock); days begin at midnight in `zone`."""
    built = _Builder(now or datetime.now(UTC), zone)
    clean = unicodedata.normalize("NFC", _UNREADABLE.sub(" ", text)).translate(_QUOTES)
    if len(clean) > LONGEST:
        built.note("too_long")
    for lead, piece, is_quoted in _pieces(clean[:LONGEST], built):
        if len(built.groups) + len(built.excluded) + len(built.filters) >= MOST_TERMS:
            built.note("too_long")
            break
        _take(built, lead, piece, is_quoted)
    return _finished(built, text)


def _pieces(text: str, built: _Builder) -> Iterator[tuple[str, str, bool]]:
    """Yield (filter name with colon, text, was it quoted), one for each piece between blanks."""
    place = 0
    while found := _PIECE.search(text, place):
        place = found.end()
        if found["quoted"] is not None:
            yield found["lead"] or "", found["quoted"], True
        elif found["open"] or (found["bare"] == '"'):
            built.note("unbalanced_quote")
            place = found.start() + 1  # the quote is dropped, what follows is read as words
        else:
            yield "", found["bare"], False


def _take(built: _Builder, lead: str, piece: str, is_quoted: bool) -> None:
    if is_quoted:
        one = _filter(built, lead + piece) if lead and piece.strip() else None
        if one is not None:
            built.add_filter(one)
        else:
            built.add(_quoted_term(built, lead, piece))
    elif piece in _OPERATORS:
        built.operate(piece)
    elif (one := _filter(built, piece)) is not None:
        built.add_filter(one)
    else:
        built.add(_bare_term(built, piece))


def _filter(built: _Builder, piece: str) -> Filter | None:
    found = _FILTER.fullmatch(piece)
    if found is None:
        return None
    name, value, is_excluded = found[2].lower(), found[3].strip(), bool(found[1])
    if name not in FIELDS:
        if value[:1].isalnum():
            built.note("unknown_filter", f"{found[2]}:")
        return None
    if name in DATE_FIELDS:
        return _date_filter(built, name, value, is_excluded)
    if name in FLAGS and value.lower() not in FLAGS[name]:
        built.note("unknown_value", piece)
        return None
    return Filter(name, value.lower() if name in FLAGS else value, is_excluded)


def _date_filter(built: _Builder, name: str, value: str, is_excluded: bool) -> Filter | None:
    moment = parse_date(value, now=built.now, zone=built.zone)
    if moment is None:
        built.note("not_a_date", value)
        return None
    one = Filter(name, value, False, moment, say_moment(moment, built.zone))
    return _turned(one) if is_excluded else one


def _turned(one: Filter) -> Filter:
    """Return the filter that lets pass what this one does not: not before May is from May on."""
    if one.moment is None:
        return replace(one, is_excluded=not one.is_excluded)
    return replace(one, field="after" if one.field == "before" else "before")


def _quoted_term(built: _Builder, lead: str, piece: str) -> Term | None:
    text = " ".join((lead + piece).split())
    return Term(text, _kind(text), is_exact=True) if text else None


def _bare_term(built: _Builder, piece: str) -> Term | None:
    if not piece.strip("*"):
        built.note("star_alone")
        return None
    text = _without_stray_edges(built, piece)
    if not text:
        return None
    if text.endswith("*") and len(text) > 1 and text[-2] != "*" and is_word_character(text[-2]):
        kind = _kind(text[:-1])
        return Term(text[:-1], "prefix" if kind == "word" else "literal", is_exact=True)
    return Term(text, _kind(text))


def _without_stray_edges(built: _Builder, piece: str) -> str:
    """Drop the punctuation of a sentence and brackets without a partner; `.env`, `C++` and `[x]` stay whole."""
    if not any(map(is_word_character, piece)):
        return piece
    while piece:
        if piece[-1] in _SENTENCE_ENDS:
            piece = piece[:-1]
        elif _is_unpaired_end(piece) or _is_unpaired_start(piece):
            built.note("unbalanced_bracket", piece)
            piece = piece[:-1] if _is_unpaired_end(piece) else piece[1:]
        else:
            break
    return piece.lstrip("，。！？；：、") if has_unspaced(piece) else piece


def _is_unpaired_end(piece: str) -> bool:
    last = piece[-1]
    if last in _BRACKETS:
        return piece.count(last) > piece.count(_BRACKETS[last])
    closing = next((end for end, start in _BRACKETS.items() if start == last), None)
    return closing is not None and piece.count(last) > piece.count(closing)


def _is_unpaired_start(piece: str) -> bool:
    closing = next((end for end, start in _BRACKETS.items() if start == piece[0]), None)
    return closing is not None and piece.count(piece[0]) > piece.count(closing)


def _kind(text: str) -> Kind:
    if has_unspaced(text):
        return "literal"
    if all(map(is_word_character, text)):
        return "word"
    joints = {character for character in text if not is_word_character(character)}
    is_plain = joints <= {" ", "'", "’"} and is_word_character(text[0]) and is_word_character(text[-1])
    return "phrase" if is_plain else "literal"


def _finished(built: _Builder, text: str) -> SearchQuery:
    if built.operator:
        built.note("stray_operator", built.operator)
    query = SearchQuery(
        text, tuple(map(tuple, built.groups)), tuple(built.excluded), tuple(built.filters), tuple(built.notes)
    )
    if not query.finds_something:
        code = "only_exclusions" if query.excluded or query.filters else "nothing_to_find"
        return SearchQuery(text, (), query.excluded, query.filters, (*query.notes, Note(code)))
    return query
