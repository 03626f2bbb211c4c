"""What a results page shows around the hits: conversations instead of messages, counts to narrow by, hits over time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Final

from memoryhub.hermes.state_db import Connection, TookTooLong
from sessions_app.lineage import roots
from sessions_app.query_parts import SearchQuery
from sessions_app.search.context import Search
from sessions_app.search.conversations import hits_of_lineages
from sessions_app.search.counting import Counts, count
from sessions_app.search.documents import Document
from sessions_app.search.engine import attempts, begin
from sessions_app.search.gate import SEARCHES
from sessions_app.search.locating import Located
from sessions_app.search.looking_up import newest_ids
from sessions_app.search.present import hits_of, named_hits
from sessions_app.search.readers import READERS
from sessions_app.search.results import Hit, Options, Results
from sessions_app.search.statements import LONGEST_MS, OutOfTime, ask

_POOL: Final = 240  # messages that are gathered to make groups of
_COUNT_MS: Final = 60
_COUNTING_MS: Final = 50  # what a page spends on totals that are exact
_ROUNDS: Final = 6
_LATEST_MS: Final = 80


@dataclass(frozen=True)
class Group:
    """One conversation: its best hit, and how many messages of it hit (a lower bound unless exact).

    `count` is 0 when only the title or the id of a session was found.
    """

    lineage_id: str
    best: Hit
    count: int
    count_is_exact: bool


@dataclass(frozen=True)
class Explored:
    """Results by conversation. `results` holds the totals, gaps and notes; its hits are the best of each group.

    `next_key` opens the next page.
    """

    results: Results
    groups: tuple[Group, ...] = ()
    counts: Counts = field(default_factory=Counts)
    next_key: int | None = None


def explore(path: Path, query: SearchQuery, options: Options | None = None, *, zone: tzinfo = UTC) -> Explored:
    """Search and group; `options.limit` counts conversations. Months begin at midnight in `zone`.

    Raises a StateDbProblem when the file cannot be read at all.
    """
    options = options or Options()
    started = time.perf_counter()
    if not query.finds_something:
        return Explored(Results(query, hint="type_a_word"))
    try:
        with SEARCHES:
            found = READERS.read(path, LONGEST_MS, lambda conn: _explored(conn, path, query, options, zone))
    except OutOfTime as error:
        raise TookTooLong(path) from error
    return replace(found, results=replace(found.results, ms=(time.perf_counter() - started) * 1000))


def _explored(conn: Connection, path: Path, query: SearchQuery, options: Options, zone: tzinfo) -> Explored:
    key = options.key if options.sort != "best" else None
    began = begin(
        conn,
        path,
        query,
        replace(options, limit=_POOL, offset=0, key=key, count_ms=max(options.count_ms, _COUNTING_MS)),
    )
    if began.session_ids is not None and not began.session_ids:
        return Explored(Results(query))
    result = Explored(Results(query))
    for relaxed, search, located in attempts(began):
        result = _one(search, located, relaxed, options, zone)
        if result.groups or options.offset or options.key is not None:
            return result
    return replace(result, results=replace(result.results, query=query, relaxed=""))


def _one(search: Search, located: Located, relaxed: str, options: Options, zone: tzinfo) -> Explored:
    pool = list(located.page.documents)
    with suppress(OutOfTime):
        pool += _more_sessions(search, located, options.limit)
    firsts = roots(search.conn, search.known.schema, dict.fromkeys(one.session_id for one in pool))
    found: dict[str, list[Document]] = {}
    for one in pool:
        found.setdefault(firsts[one.session_id], []).append(one)
    shown, next_key = _page_of(search, located, found, options)
    groups = _groups(search, located, shown)
    if located.named and not options.offset and options.key is None:
        groups = (*_named_groups(search, located, shown), *groups)[: options.limit]
    page = located.page
    results = Results(
        search.query, tuple(group.best for group in groups), page.total.number + len(located.named),
        page.total.is_exact, relaxed, "", tuple(search.gaps), next_key, next_key is not None,
    )  # fmt: skip
    return Explored(results, groups, count(search, located, zone), next_key)


def _more_sessions(search: Search, located: Located, wanted: int) -> list[Document]:
    """Return hits of older sessions, when the newest hits are all of a few long ones."""
    pool, base = located.page.documents, located.base
    if base is None or located.checked is not None or not located.page.has_more or search.options.sort == "oldest":
        return []
    found: list[Document] = []
    seen = {one.session_id for one in pool}
    key = min((one.id for one in pool), default=0)
    for _ in range(_ROUNDS):
        if len(seen) >= wanted or not key or search.elapsed_ms > _LATEST_MS:
            break
        key = _first_message(search, min((one for one in (*pool, *found)), key=lambda one: one.id).session_id, key)
        ids = newest_ids(search, base.plan, wanted * 2, high=key - 1)
        hidden = search.known.rewound | located.extras.remove | {one.id for one in pool}
        new = search.fetch([one for one in ids if one not in hidden])
        found += new
        seen |= {one.session_id for one in new}
        key = min(ids, default=0)
    return found


def _first_message(search: Search, session_id: str, otherwise: int) -> int:
    rows = ask(search.conn, _COUNT_MS, "SELECT min(id) FROM messages WHERE session_id = ?", (session_id,))
    return min(int(rows[0][0] or otherwise), otherwise)


def _page_of(
    search: Search, located: Located, found: dict[str, list[Document]], options: Options
) -> tuple[dict[str, list[Document]], int | None]:
    """Return the conversations of this page and the key of the next.

    In order of time the key is a message id, and conversations with a hit beyond it were on an earlier page; in
    order of relevance it counts conversations.
    """
    if options.sort == "best":
        first = options.offset + (options.key or 0)
        names = list(found)[first : first + options.limit]
        has_more = len(found) > first + len(names)
        return {name: found[name] for name in names}, (options.key or 0) + len(names) if has_more and names else None
    fresh = [name for name in found if options.key is None or not _was_shown(search, located, name, options)]
    names = fresh[: options.limit]
    left = fresh[options.limit :]
    last = min(one.id for some in found.values() for one in some) if found else None
    edge = found[left[0]][0].id + (1 if options.sort == "newest" else -1) if left else last
    has_more = bool(left) or located.page.has_more
    return {name: found[name] for name in names}, edge if has_more else None


def _was_shown(search: Search, located: Located, root: str, options: Options) -> bool:
    """Say whether a conversation has a hit before the key, so that an earlier page showed it."""
    ids = _hits_of(search, located, [root]).get(root, [])
    is_up = options.sort == "oldest"
    return any(one <= options.key if is_up else one >= options.key for one in ids) if options.key is not None else False


def _groups(search: Search, located: Located, shown: dict[str, list[Document]]) -> tuple[Group, ...]:
    documents = [found[0] for found in shown.values()]
    hits = {hit.message_id: hit for hit in hits_of(search, documents, search.query.terms)}
    exact = _hits_of(search, located, list(shown))
    groups = []
    for root, found in shown.items():
        ids = set(exact.get(root, ())) | {one.id for one in found}
        groups.append(Group(root, hits[found[0].id], len(ids), root in exact))
    return tuple(groups)


def _named_groups(search: Search, located: Located, shown: dict[str, list[Document]]) -> list[Group]:
    hits = named_hits(search, located.named, search.query.terms)
    return [Group(hit.lineage_id, hit, 0, True) for hit in hits if hit.lineage_id not in shown]


def _hits_of(search: Search, located: Located, lineages: Sequence[str]) -> dict[str, list[int]]:
    """Return all hits of each lineage, of as many as there is time for."""
    if located.base is None:
        firsts = roots(search.conn, search.known.schema, {one.session_id for one in located.read})
        found: dict[str, list[int]] = {root: [] for root in lineages}
        for one in located.read:
            found.get(firsts[one.session_id], []).append(one.id)
        return found if located.page.total.is_exact else {}
    try:
        return hits_of_lineages(search, located, lineages)
    except OutOfTime:
        return {}
