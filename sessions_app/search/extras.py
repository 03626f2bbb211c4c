"""Messages that hold a query although no index word says so: glued to Chinese text, to an escaped line break, or
stored with their letters escaped. Each is checked by its decoded text; how many are looked at is bounded.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from sessions_app.query_parts import SearchQuery, Term
from sessions_app.search.context import Search
from sessions_app.search.documents import Document, documents, select
from sessions_app.search.matching import matches, matches_as_indexed, needle
from sessions_app.search.plan import Plan, assemble
from sessions_app.search.results import Gap
from sessions_app.search.sources import (
    Source,
    escaped_words,
    glued,
    literal_sources,
    part_of_word,
    same_words,
    sources,
    words_anywhere,
)
from sessions_app.search.statements import IndexBroken, OutOfTime, ask_index

MANY: Final = 500  # hits, above which only the cheap ways are taken
_VERY_MANY: Final = 20_000  # hits, above which few more say nothing, and looking for them costs most
_MOST: Final = 200
_LOOSE_MS: Final = 8
_AIMED_MS: Final = 6


@dataclass(frozen=True)
class Base:
    """What the indexes find: their plan, how many (at least), the newest ids (`is_all`: these are all)."""

    plan: Plan
    count: int
    ids: tuple[int, ...]
    is_all: bool
    of_passing_sessions: bool = False
    is_counted: bool = True  # whether `count` is all there are

    @property
    def is_very_common(self) -> bool:
        """Whether hits are so many that looking for what the index misses is left out."""
        return not self.is_all and (self.count > _VERY_MANY or not self.is_counted)


@dataclass
class Extras:
    """Messages to add to what the indexes found, and to take away from it."""

    add: dict[int, Document] = field(default_factory=dict)
    remove: set[int] = field(default_factory=set)
    glued: dict[Term, tuple[Source, ...]] = field(default_factory=dict)


def find_extras(search: Search, base: Base) -> Extras:
    """Look for what the indexes miss or find wrongly."""
    extras = Extras()
    is_rare = base.count <= MANY
    has_words = any(term.kind != "literal" for term in search.query.terms)
    if _may_hold(search.query, search.known.encoded_text):
        _judge(search, extras, search.known.encoded)
    is_all = False
    if search.known.indexes.trigram.is_usable:
        is_all = is_rare and has_words and _take_loose(search, base, extras)
        if has_words and not is_all and not base.is_very_common:
            _take_aimed(search, extras, is_common=not is_rare)
        if is_rare:
            _take_folded(search, base, extras)
        if not base.is_very_common:  # what is shown is checked anyway
            _take_excluded(search, base, extras)
    if search.known.indexes.word.is_usable:
        _find_glued(search, extras, say=not is_all)
    return extras


def _may_hold(query: SearchQuery, text: str) -> bool:
    """Say whether a folded text may hold a query: each group has a term a piece of which stands there."""
    return all(any(needle(term) in text for term in group) for group in query.groups)


def _judge(search: Search, extras: Extras, candidates: Iterable[Document]) -> None:
    for one in candidates:
        if matches(search.query, one):
            if not matches_as_indexed(search.query, one):
                extras.add[one.id] = one
        elif matches_as_indexed(search.query, one):
            extras.remove.add(one.id)


def _take_loose(search: Search, base: Base, extras: Extras) -> bool:
    """Judge messages that have all words as parts of words; say whether that was all of them."""
    loose = _loose(search.query)
    if loose is None:
        return False
    rows = _newest(search, loose, _LOOSE_MS, without=base)
    _judge(search, extras, documents(rows or ()))
    return rows is not None and len(rows) <= _MOST


def _loose(query: SearchQuery) -> Plan | None:
    """Return a plan in which words may be parts of words; `None` when no term is a word long enough for it."""
    groups: list[list[Source]] = []
    for group in query.groups:
        found = [_loose_sources(term) for term in group]
        if all(found):
            groups.append([source for some in found for source in some])
    return assemble(Plan(), groups) if groups else None


def _loose_sources(term: Term) -> tuple[Source, ...]:
    if term.kind == "literal":
        return literal_sources(term.text)
    if term.kind != "phrase":
        return part_of_word(term)
    if (part := words_anywhere(term)) is None:
        return ()
    return (part,) if term.text.isascii() else (part, *escaped_words(term))


def _take_aimed(search: Search, extras: Extras, *, is_common: bool) -> None:
    """Judge messages where one of many words stands behind an escaped line break, or with escaped letters."""
    terms = [term for term in search.query.terms if term.kind != "literal"]
    aimed = [source for term in terms for source in escaped_words(term, is_common=is_common)]
    if not aimed:
        return
    _judge(search, extras, documents(_escaping(search, assemble(Plan(), [aimed])) or ()))


def _escaping(search: Search, plan: Plan) -> list[sqlite3.Row] | None:
    """Return the newest messages of a plan whose stored text holds escapes that are read; None when out of time."""
    schema = search.known.schema
    tests = [f"instr(m.{name}, '\\') > 0" for name in ("tool_calls",) if schema.has("messages", name)]
    tests.append("substr(CAST(m.content AS BLOB), 1, 1) = x'00'")  # lists of parts
    if not all(term.text.isascii() for term in search.query.terms):
        tests.append("instr(m.content, '\\u') > 0")
    newest, values = plan.statement(f"{plan.row} AS id", tail=f"ORDER BY {plan.row} DESC LIMIT ?", tail_values=(_MOST,))
    sql = (
        f"SELECT {select(schema, 'm')} FROM ({newest}) AS found CROSS JOIN messages AS m ON m.id = found.id"  # noqa: S608
        f" WHERE {' OR '.join(tests)}"
    )
    try:
        return ask_index(search.conn, _AIMED_MS, sql, values)
    except (OutOfTime, IndexBroken):
        return None


def _take_folded(search: Search, base: Base, extras: Extras) -> None:
    """Judge messages that have the words of a literal text, for accents that the trigram index keeps."""
    indexes = search.known.indexes
    groups = []
    for group in search.query.groups:
        found = [
            same_words(term) if term.kind == "literal" else (sources(term, indexes) or (None,))[0] for term in group
        ]
        if all(found):
            groups.append([source for source in found if source])
    if any(term.kind == "literal" for term in search.query.terms) and any(
        source.kind == "word" for group in groups for source in group
    ):
        rows = _newest(search, assemble(Plan(), groups), _AIMED_MS, without=base)
        _judge(search, extras, documents(rows or ()))


def _take_excluded(search: Search, base: Base, extras: Extras) -> None:
    """Judge messages found that may hold an excluded word in a way the index does not see."""
    found = [source for term in search.query.excluded for source in _loose_sources(term)]
    if not found:
        return
    sql, values = _joined(found)
    rows = _newest(search, base.plan, _AIMED_MS, conditions=[base.plan.within(sql)], values=values)
    _judge(search, extras, documents(rows or ()))


def _find_glued(search: Search, extras: Extras, *, say: bool) -> None:
    """Find the index words in which a word touches a script without spaces; say when not all of them are known."""
    for term in search.query.terms:
        if found := glued(term, search.known.runs):
            extras.glued[term] = found
        if say and not search.known.runs_are_all and term.kind in ("word", "prefix"):
            search.say(Gap("glued_words", term.text))


def _newest(
    search: Search,
    plan: Plan,
    limit_ms: int,
    *,
    without: Base | None = None,
    conditions: Iterable[str] = (),
    values: Iterable[object] = (),
) -> list[sqlite3.Row] | None:
    """Return the newest messages of a plan (one more than are judged at most); `None` when there was no time."""
    where, bound = list(conditions), list(values)
    if without is not None:
        condition, more = _not_in(plan, without)
        where, bound = [*where, condition], [*bound, *more]
    sql, bound = plan.statement(
        select(search.known.schema, "m"),
        join=f"CROSS JOIN messages AS m ON m.id = {plan.row}",
        conditions=where,
        values=bound,
        tail=f"ORDER BY {plan.row} DESC LIMIT ?",
        tail_values=(_MOST + 1,),
    )
    try:
        return ask_index(search.conn, limit_ms, sql, bound)
    except (OutOfTime, IndexBroken):
        return None


def _not_in(plan: Plan, base: Base) -> tuple[str, list[object]]:
    """Return the condition that an id of a plan is not in the base."""
    if base.is_all:
        condition, value = plan.only(base.ids, negate=True)
        return condition, [value]
    sql, values = base.plan.statement(base.plan.row)
    return plan.within(sql, negate=True), values


def _joined(found: Iterable[Source]) -> tuple[str, list[str]]:
    parts, values = [], []
    for source in found:
        sql, bound = source.sql()
        parts.append(sql)
        values += bound
    return " UNION ALL ".join(parts), values
