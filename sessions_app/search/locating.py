"""Where the messages are: with the indexes where they answer exactly, else by reading texts; and sessions by name."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from sessions_app.search.blind import read_unindexed
from sessions_app.search.context import Search
from sessions_app.search.counted import Count
from sessions_app.search.documents import Document
from sessions_app.search.extras import Base, Extras, find_extras
from sessions_app.search.indexed import Indexed, Page
from sessions_app.search.looking_up import found_among, look_up
from sessions_app.search.plan import Plan, helpers, plan
from sessions_app.search.reading import read_page
from sessions_app.search.results import Gap
from sessions_app.search.statements import IndexBroken, OutOfTime, ask
from sessions_app.search.titles import MOST, Named, named_sessions

_NAMES_MS = 40


@dataclass
class Located:
    """A page of messages, and what is needed to ask more about all of them.

    With an index: `base` and `extras`, and `checked`, all (or the newest) ids that pass the filters, when they are
    known. Without: `read`, the messages found by reading. `named` are sessions found only by their title or id.
    """

    page: Page
    base: Base | None = None
    extras: Extras = field(default_factory=Extras)
    checked: list[int] | None = None
    read: list[Document] = field(default_factory=list)
    named: tuple[Named, ...] = ()


def locate(search: Search) -> Located:
    """Find a page of messages as the options of the search say."""
    located = _located(search)
    located.named = _only_named(search, located)
    return located


def _located(search: Search) -> Located:
    indexes = search.known.indexes
    try:
        made = plan(search.query, indexes, helpers=helpers(search.query, indexes))
        if made.finds and made.is_exact:
            return _by_index_in_time(search, made)
        return _by_reading(search, made if made.finds else None)
    except IndexBroken:
        search.say(Gap("index_damaged", indexes.word.name))
    except OutOfTime:
        search.say(Gap("index_slow"))
    return _by_reading(search, None)


def _by_reading(search: Search, made: Plan | None) -> Located:
    page, read = read_page(search, made)
    return Located(page, read=read)


def _by_index_in_time(search: Search, made: Plan) -> Located:
    """Ask the indexes, once more when the time ran out in waiting for the processor: reading takes far longer."""
    try:
        return _by_index(search, made)
    except OutOfTime:
        if not search.mostly_waited:
            raise
    return _by_index(search, made)


def _by_index(search: Search, made: Plan) -> Located:
    base, count = look_up(search, made)
    extras = find_extras(search, base)
    if extras.glued:
        indexes = search.known.indexes
        base, count = look_up(search, plan(search.query, indexes, extras.glued, helpers(search.query, indexes)))
        for one in found_among(search, base.plan, list(extras.add)):
            del extras.add[one]
    is_all = read_unindexed(search, extras)
    if extras.add:
        passing = set(search.passing(sorted(extras.add), may_be_gone=True))
        extras.add = {one: document for one, document in extras.add.items() if one in passing}
    indexed = Indexed(search, base, count, extras)
    page = indexed.page()
    if not is_all:
        page = replace(page, total=Count(page.total.number, False))
    return Located(page, base, extras, indexed.checked)


def _only_named(search: Search, located: Located) -> tuple[Named, ...]:
    """Return the sessions whose title or id holds the query while none of their messages does."""
    if not search.query.groups or search.conditions.on_row:
        return ()
    named = named_sessions(search.known.names, search.query)
    if not named or len(named) > MOST:
        return ()
    passing = set(search.passing_sessions([one.session_id for one in named]))
    named = tuple(one for one in named if one.session_id in passing)
    holding = {one.session_id for one in (*located.page.documents, *located.read, *located.extras.add.values())}
    left = [one.session_id for one in named if one.session_id not in holding]
    if located.base is not None and left and located.page.total.number > len(located.page.documents):
        holding |= _holding(search, located.base, left)
    return tuple(one for one in named if one.session_id not in holding)


def _holding(search: Search, base: Base, sessions: list[str]) -> set[str]:
    """Return which of some sessions have messages that the index finds."""
    sql = "SELECT id, session_id FROM messages WHERE session_id IN (SELECT value FROM json_each(?))"
    try:
        rows = ask(search.conn, _NAMES_MS, sql, (json.dumps(sessions),))
        found = set(found_among(search, base.plan, [row[0] for row in rows]))
    except OutOfTime:
        return set(sessions)
    return {row[1] for row in rows if row[0] in found}
