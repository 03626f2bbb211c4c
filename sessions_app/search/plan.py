"""A query as one statement over the search indexes: which index leads, and what else a message id must be in."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sessions_app.query_parts import SearchQuery, Term
from sessions_app.search.folding import words_of
from sessions_app.search.index_state import TRIGRAM, WORD, IndexState, quoted
from sessions_app.search.sources import Source, sources, superset

_QUOTED: Final = re.compile(r'"((?:[^"]|"")*)"(\*?)')
Extra = Mapping[Term, tuple[Source, ...]]


@dataclass
class Plan:
    """Finds message ids. `is_exact` says whether they are all, and only, those that the indexes hold for the query."""

    lead: str = ""  # FROM
    lead_values: list[Any] = field(default_factory=list)
    where: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    is_exact: bool = True
    ranks: bool = False
    repeats: str = ""  # FROM, with ids more than once: much quicker than `lead`, where there is such a thing

    @property
    def row(self) -> str:
        """The name of the message id in the statement."""
        return f"{self.lead if self.lead in (WORD, TRIGRAM) else 'hit'}.rowid"

    @property
    def is_words(self) -> bool:
        """Whether only whole single words (or single pieces) are asked for, of one index: what it counts quickest."""
        if self.lead not in (WORD, TRIGRAM) or len(self.where) != 1:
            return False
        asked = _QUOTED.findall(str(self.values[0]))
        if self.lead == TRIGRAM:
            return all(len(text) == 3 for text, _ in asked)
        return all(not star and len(words_of(text)) == 1 for text, star in asked)

    @property
    def key(self) -> tuple[str, str] | None:
        """What tells this plan from any other; `None` when it is more than one expression for one index."""
        return (self.lead, str(self.values[0])) if self.ranks and len(self.where) == 1 else None

    @property
    def is_one_piece(self) -> bool:
        """Whether the index is asked for one word or phrase."""
        return len(_QUOTED.findall(str(self.values[0]))) == 1 if self.ranks else False

    @property
    def is_prefix(self) -> bool:
        """Whether the index gathers all hits before it gives the first: beginnings of words are asked for."""
        return self.lead == WORD and len(self.where) == 1 and '"*' in str(self.values[0])

    @property
    def finds(self) -> bool:
        """Whether any index narrows the search at all."""
        return bool(self.lead)

    def statement(
        self,
        columns: str,
        *,
        join: str = "",
        conditions: Sequence[str] = (),
        values: Sequence[Any] = (),
        low: int | None = None,
        high: int | None = None,
        tail: str = "",
        tail_values: Sequence[Any] = (),
    ) -> tuple[str, list[Any]]:
        """Return a SELECT over the ids found; `low` and `high` are bounds of the id, both included."""
        where, bound = list(self.where), list(self.values)
        for sign, limit in ((">=", low), ("<=", high)):
            if limit is not None:
                where.append(f"{self.row} {sign} ?")
                bound.append(limit)
        where += conditions
        bound += values
        sql = f"SELECT {columns} FROM {self.lead} {join}" + (f" WHERE {' AND '.join(where)}" if where else "")  # noqa: S608
        return f"{sql} {tail}", [*self.lead_values, *bound, *tail_values]

    def only(self, ids: Collection[int], *, negate: bool = False) -> tuple[str, str]:
        """Return a condition that the id is (not) one of these, and its value. The plus keeps the index leading."""
        return f"+{self.row} {'NOT ' if negate else ''}IN (SELECT value FROM json_each(?))", json.dumps(sorted(ids))  # noqa: S608

    def within(self, sql: str, *, negate: bool = False) -> str:
        """Return a condition that the id is (not) in the result of a SELECT."""
        return f"+{self.row} {'NOT ' if negate else ''}IN ({sql})"


def plan(query: SearchQuery, indexes: IndexState, extra: Extra | None = None, helpers: Sequence[Source] = ()) -> Plan:
    """Return how the indexes answer a query.

    `extra` gives more sources for some of its terms; `helpers` hold every message that its filters let pass.
    """
    made = Plan()
    groups, excluded = _sources_of(query, indexes, extra or {}, made)
    groups += [[one] for one in helpers]
    return assemble(made, groups, excluded)


def helpers(query: SearchQuery, indexes: IndexState) -> list[Source]:
    """Return sources that hold every message that a filter on tools or errors lets pass, and others."""
    if not (indexes.word.is_usable and indexes.word.covers_all) or indexes.word.gaps:
        return []
    found = []
    if "error" in query.values("has"):
        found.append(Source("word", '"error"* OR "traceback" OR "success" OR "exit code"'))
    tools = [one for one in query.values("tool") if words_of(one)]
    if tools:
        found.append(Source("word", " OR ".join(map(quoted, tools))))
    return found


def _sources_of(
    query: SearchQuery, indexes: IndexState, extra: Extra, made: Plan
) -> tuple[list[list[Source]], list[Source]]:
    groups: list[list[Source]] = []
    for group in query.groups:
        found: list[Source] | None = []
        for term in group:
            exact = sources(term, indexes)
            made.is_exact &= exact is not None
            wider = exact or ((only,) if (only := superset(term, indexes)) else None)
            found = None if wider is None or found is None else [*found, *wider, *extra.get(term, ())]
        if found is not None:
            groups.append(found)
    excluded: list[Source] = []
    for term in query.excluded:
        exact = sources(term, indexes)
        made.is_exact &= exact is not None
        excluded += (*(exact or ()), *extra.get(term, ()))
    return groups, excluded


def assemble(made: Plan, groups: Sequence[Sequence[Source]], excluded: Sequence[Source] = ()) -> Plan:
    """Fill a plan: every group must hold by any of its sources, no excluded source may."""
    matches: dict[str, list[str]] = {"word": [], "trigram": []}
    others: list[Sequence[Source]] = []
    for group in groups:
        kinds = {source.kind for source in group}
        if len(kinds) == 1 and not kinds & {"range"}:
            matches[group[0].kind].append(_any(group))
        else:
            others.append(group)
    kind = "word" if matches["word"] else "trigram"
    if matches[kind]:
        _lead_by_index(made, kind, matches[kind], [one for one in excluded if one.kind == kind])
        excluded = [one for one in excluded if one.kind != kind]
        if kind == "word" and matches["trigram"]:
            others.append([Source("trigram", " AND ".join(matches["trigram"]))])
    elif others:
        first = others.pop(0)
        made.lead, made.lead_values = _union(first, lead=True)
        made.repeats = f"({_union(first, lead=False)[0]}) AS hit"
    for group in others:
        _add(made, group, negate=False)
    if excluded and made.lead:
        _add(made, excluded, negate=True)
    return made


def _any(group: Sequence[Source]) -> str:
    return "(" + " OR ".join(source.match for source in group) + ")"


def _lead_by_index(made: Plan, kind: str, parts: Sequence[str], excluded: Sequence[Source]) -> None:
    made.lead = WORD if kind == "word" else TRIGRAM
    made.ranks = True
    match = " AND ".join(parts)
    if excluded:
        match = f"({match}) NOT {_any(excluded)}"
    made.where.append(f"{made.lead} MATCH ?")
    made.values.append(match)


def _union(group: Sequence[Source], *, lead: bool) -> tuple[str, list[Any]]:
    parts, values = [], []
    for source in group:
        sql, bound = source.sql()
        parts.append(sql)
        values += bound
    if not lead:
        return " UNION ALL ".join(parts), values
    once = " UNION ".join(parts) if len(parts) > 1 else parts[0].replace("SELECT ", "SELECT DISTINCT ", 1)
    return f"({once}) AS hit", values


def _add(made: Plan, group: Sequence[Source], *, negate: bool) -> None:
    sql, values = _union(group, lead=False)
    made.where.append(made.within(sql, negate=negate))
    made.values += values
