"""The search: which way to find a query in a state.db, and what to try when nothing is found."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from memoryhub.hermes.running import running_sessions
from memoryhub.hermes.state_db import Connection, TookTooLong, read
from sessions_app.query_parts import SearchQuery, Term
from sessions_app.search.blind import gaps_of, read_unindexed
from sessions_app.search.context import Search
from sessions_app.search.extras import Extras, find_extras
from sessions_app.search.filters import Conditions, conditions
from sessions_app.search.indexed import Count, Indexed, Page, look_up
from sessions_app.search.known import known
from sessions_app.search.plan import Plan, helpers, plan
from sessions_app.search.present import hits_of, named_hits
from sessions_app.search.reading import read_page
from sessions_app.search.results import Gap, Options, Results
from sessions_app.search.sources import prepare
from sessions_app.search.statements import LONGEST_MS, IndexBroken, OutOfTime, ask_raw
from sessions_app.search.titles import MOST, Named, named_sessions


def search(path: Path, query: SearchQuery, options: Options | None = None) -> Results:
    """Search the messages of a state.db. Raises a StateDbProblem when the file cannot be read at all."""
    options = options or Options()
    started = time.perf_counter()
    if not query.finds_something:
        return Results(query, hint="type_a_word")
    try:
        results = read(path, LONGEST_MS, lambda conn: search_with(conn, path, query, options))
    except OutOfTime as error:
        raise TookTooLong(path) from error
    return replace(results, ms=(time.perf_counter() - started) * 1000)


def search_with(conn: Connection, path: Path, query: SearchQuery, options: Options) -> Results:
    """Search on an open connection; words that are found nowhere are widened, which the results say."""
    began = begin(conn, path, query, options)
    results = Results(query)
    if began.session_ids is not None and not began.session_ids:
        return replace(results, gaps=tuple(gaps_of(began.known.indexes)))
    for relaxed, wider in _ladder(query):
        one = replace_query(began, wider)
        results = _one_search(one, relaxed)
        if results.hits or results.total or options.offset or options.key is not None:
            return results
    return replace(results, query=query, relaxed="")


def begin(conn: Connection, path: Path, query: SearchQuery, options: Options) -> Search:
    """Make a connection ready for searching and gather what the steps need."""
    facts = known(conn, path)
    prepare(conn, facts.indexes)
    running = frozenset[str]()
    if "running" in (*query.values("is"), *query.values("is", excluded=True)):
        running = frozenset(one.id for one in running_sessions(conn, options.now or datetime.now(UTC)))
    made = conditions(query, facts.schema, running)
    return Search(conn, facts, query, options, made, _sessions(conn, made))


def _sessions(conn: Connection, made: Conditions) -> frozenset[bytes] | None:
    """Return the sessions that the filters let pass; `None` when there are no filters on sessions."""
    if not made.on_session:
        return None
    sql, values = made.sessions()
    return frozenset(row[0] for row in ask_raw(conn, LONGEST_MS, sql, values))


def replace_query(search: Search, query: SearchQuery) -> Search:
    """The same search for another query with the same filters."""
    return replace(search, query=query, gaps=[])


def _ladder(query: SearchQuery) -> Iterator[tuple[str, SearchQuery]]:
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


def _one_search(search: Search, relaxed: str) -> Results:
    for gap in gaps_of(search.known.indexes):
        search.say(gap)
    page = _page(search)
    named = _named_only(search, page)
    hits = hits_of(search, page.documents, search.query.terms)
    if named and not search.options.offset and search.options.key is None:
        hits = (*named_hits(search, named[: search.options.limit], search.query.terms), *hits)
    counted = len(named) if len(named) <= MOST else 0
    return Results(
        search.query, hits[: max(search.options.limit, 0)], page.total.number + counted, page.total.is_exact, relaxed,
        "", tuple(search.gaps), page.next_key, page.has_more,
    )  # fmt: skip


def _page(search: Search) -> Page:
    """Find with the indexes where they answer exactly, else by reading texts."""
    indexes = search.known.indexes
    try:
        made = plan(search.query, indexes, helpers=helpers(search.query, indexes))
        if made.finds and made.is_exact:
            return _by_index(search, made)
        return read_page(search, made if made.finds else None)
    except IndexBroken:
        search.say(Gap("index_damaged", indexes.word.name))
    except OutOfTime:
        search.say(Gap("index_slow"))
    return read_page(search, None)


def _by_index(search: Search, made: Plan) -> Page:
    base, count = look_up(search, made)
    extras = find_extras(search, base)
    if extras.glued:
        base, count = look_up(
            search, plan(search.query, search.known.indexes, extras.glued, helpers(search.query, search.known.indexes))
        )
    is_all = read_unindexed(search, extras)
    _keep_passing(search, extras)
    page = Indexed(search, base, count, extras).page()
    return page if is_all else replace(page, total=Count(page.total.number, False))


def _keep_passing(search: Search, extras: Extras) -> None:
    if extras.add:
        passing = set(search.passing(sorted(extras.add)))
        extras.add = {one: document for one, document in extras.add.items() if one in passing}


def _named_only(search: Search, page: Page) -> tuple[Named, ...]:
    """Return the sessions whose title or id holds the query while none of their messages on this page does."""
    if not search.query.groups or search.conditions.on_row:
        return ()
    named = named_sessions(search.known.names, search.query, search.session_ids)
    if not named or len(named) > MOST:
        return ()
    shown = {one.session_id for one in page.documents}
    return tuple(one for one in named if one.session_id not in shown)
