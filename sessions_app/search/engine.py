"""The search: which way to find a query in a state.db, and what to try when nothing is found."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memoryhub.hermes.running import running_sessions
from memoryhub.hermes.state_db import Connection, TookTooLong
from sessions_app.query_parts import SearchQuery, Term
from sessions_app.search.blind import gaps_of
from sessions_app.search.context import MOST_LISTED, Search
from sessions_app.search.filters import Conditions, conditions
from sessions_app.search.gate import SEARCHES
from sessions_app.search.known import known
from sessions_app.search.locating import Located, locate
from sessions_app.search.present import hits_of, named_hits
from sessions_app.search.readers import READERS
from sessions_app.search.results import Options, Results
from sessions_app.search.sources import is_short, prepare
from sessions_app.search.statements import LONGEST_MS, OutOfTime, ask, ask_raw

_STEPS_BETWEEN_CLOCK_READS: Final = 40_000
_CACHE_KIB: Final = 600  # measured: more is no quicker, and each search at once has its own


def search(path: Path, query: SearchQuery, options: Options | None = None) -> Results:
    """Search the messages of a state.db. Raises a StateDbProblem when the file cannot be read at all."""
    options = options or Options()
    started = time.perf_counter()
    if not query.finds_something:
        return Results(query, hint="type_a_word")
    try:
        with SEARCHES:
            results = READERS.read(path, LONGEST_MS, lambda conn: search_with(conn, path, query, options))
    except OutOfTime as error:
        raise TookTooLong(path) from error
    return replace(results, ms=(time.perf_counter() - started) * 1000)


def search_with(conn: Connection, path: Path, query: SearchQuery, options: Options) -> Results:
    """Search on an open connection; words that are found nowhere are widened, which the results say."""
    began = begin(conn, path, query, options)
    results = Results(query)
    if began.session_ids is not None and not began.session_ids:
        return replace(results, gaps=tuple(gaps_of(began.known.indexes)))
    for relaxed, one, located in attempts(began):
        results = _results(one, located, relaxed)
        if results.hits or results.total or options.offset or options.key is not None:
            return results
    return replace(results, query=query, relaxed="")


def attempts(search: Search) -> Iterator[tuple[str, Search, Located]]:
    """Yield what is found, then with words as beginnings of words, then as parts of words; the caller stops."""
    for relaxed, wider in ladder(search.query):
        one = replace(search, query=wider, gaps=list(gaps_of(search.known.indexes)))
        yield relaxed, one, locate(one)


def begin(conn: Connection, path: Path, query: SearchQuery, options: Options) -> Search:
    """Make a connection ready for searching and gather what the steps need."""
    # Each look at the clock needs the interpreter, for which many searches at once would wait.
    conn.set_progress_handler(conn.is_out_of_time, _STEPS_BETWEEN_CLOCK_READS)
    conn.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    facts = known(conn, path)
    if any(is_short(term) for term in (*query.terms, *query.excluded)):
        prepare(conn, facts.indexes)
    running = frozenset[str]()
    if "running" in (*query.values("is"), *query.values("is", excluded=True)):
        running = frozenset(one.id for one in running_sessions(conn, options.now or datetime.now(UTC)))
    made = conditions(query, facts.schema, running)
    return Search(conn, facts, query, options, made, _sessions(conn, made))


def _sessions(conn: Connection, made: Conditions) -> frozenset[bytes] | None:
    """Return the sessions that the filters let pass; `None` when they are many, or all."""
    if not made.on_session:
        return None
    sql, values = made.sessions()
    counted = ask(conn, LONGEST_MS, f"SELECT count(*) FROM ({sql} LIMIT ?)", (*values, MOST_LISTED + 1))  # noqa: S608
    if counted[0][0] > MOST_LISTED:
        return None
    return frozenset(row[0] for row in ask_raw(conn, LONGEST_MS, sql, values))


def ladder(query: SearchQuery) -> Iterator[tuple[str, SearchQuery]]:
    """Yield the query, then with words as beginnings of words, then as parts of words."""
    yield "", query
    if any(_is_soft(term) for term in query.terms):
        yield "prefix", query.with_groups(_widened(query, "prefix"))
        if any(_is_soft(term) and len(term.text) >= 3 for term in query.terms):
            yield "part", query.with_groups(_widened(query, "literal"))


def _is_soft(term: Term) -> bool:
    return term.kind == "word" and not term.is_exact


def _widened(query: SearchQuery, kind: str) -> tuple[tuple[Term, ...], ...]:
    def wider(term: Term) -> Term:
        return Term(term.text, "literal" if kind == "literal" else "prefix") if _is_soft(term) else term

    return tuple(tuple(map(wider, group)) for group in query.groups)


def _results(search: Search, located: Located, relaxed: str) -> Results:
    page, terms, options = located.page, search.query.terms, search.options
    hits = hits_of(search, page.documents, terms)
    if located.named and not options.offset and options.key is None:
        hits = (*named_hits(search, located.named[: options.limit], terms), *hits)
    return Results(
        search.query, hits[: max(options.limit, 0)], page.total.number + len(located.named), page.total.is_exact,
        relaxed, "", tuple(search.gaps), page.next_key, page.has_more,
    )  # fmt: skip
