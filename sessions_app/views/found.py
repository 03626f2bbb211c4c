"""What a search found: conversations with their best hit, counts to narrow by, hits over time, what was not covered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from memoryhub.hermes import state_db
from memoryhub.hermes.home import Home, find_profile
from memoryhub.hermes.state_db import Connection
from memoryhub.web.htmx import HubRequest, respond
from sessions_app import pieces, query_language
from sessions_app.catalogue import catalogue
from sessions_app.conversation import is_plain_id
from sessions_app.forms import ListRequest
from sessions_app.list_rows import Row, list_rows, message_numbers
from sessions_app.money import Usage
from sessions_app.narrowing import without_field, without_filter
from sessions_app.query_parts import SearchQuery
from sessions_app.search import Explored, Hit, Options, explore
from sessions_app.search.exploring import Group
from sessions_app.search.readers import READERS
from sessions_app.views import found_side as side
from sessions_app.views.common import LIMIT_MS, address, changed_query, searched
from sessions_app.views.sentences import gap_sentences, note_sentence, understood

PER_PAGE: Final = 15


@dataclass(frozen=True)
class HitView:
    """One message found."""

    url: str
    role: str
    at: datetime | None
    snippet: str
    before: str
    after: str
    place: str
    is_undone: bool
    is_compacted: bool
    number: int | None


@dataclass(frozen=True)
class GroupView:
    """One conversation with its best hit, and how many messages of it hit."""

    id: str
    title: str
    is_words: bool
    url: str
    source: str
    model: str
    at: datetime | None
    is_archived: bool
    best: HitView
    count: int
    is_exact: bool
    messages: int | None
    parts: int
    usage: Usage | None


def search_show(request: HubRequest, asked: ListRequest) -> HttpResponse:
    """Answer what was typed into the box."""
    from sessions_app.views.lists import PAGE, frame

    query = query_language.parse(asked.q, now=timezone.now(), zone=timezone.get_current_timezone())
    home, refusal = _home(request, query)
    options = Options(
        sort=asked.sort,  # type: ignore[arg-type]  # the form lets only these through
        limit=PER_PAGE,
        offset=asked.offset if asked.sort == "best" else 0,
        key=asked.key if asked.sort != "best" else None,
        reasoning=asked.reasoning,
        rewound=asked.rewound,
        now=timezone.now(),
    )
    zone = timezone.get_current_timezone()
    found = searched(lambda: explore(home.state_db, query, options, zone=zone))
    rows, numbers = _rows(home.state_db, found.groups)
    context = _context(request, asked, query, found, home, rows, numbers)
    context["notes"] = [*([refusal] if refusal else []), *context["notes"]]
    return respond(
        request,
        PAGE,
        part="sessions_app/_found.html",
        asked=asked,
        frame=frame(request, asked),
        **context,
    )


def _home(request: HubRequest, query: SearchQuery) -> tuple[Home, str]:
    """The home that `profile:` names, else the one shown; and a sentence when there is no such profile."""
    if query.profile is None:
        return request.hermes_home, ""
    home = find_profile(request.hermes_home, query.profile)
    if home is not None:
        return home, ""
    sentence = _("There is no profile “%(name)s”; the profile %(shown)s was searched.")
    return request.hermes_home, sentence % {"name": pieces.line(query.profile), "shown": request.hermes_home.name}


def _context(
    request: HubRequest,
    asked: ListRequest,
    query: SearchQuery,
    found: Explored,
    home: Home,
    rows: dict[str, Row],
    numbers: dict[int, int],
) -> dict[str, Any]:
    results = found.results
    ran = results.query
    return {
        "groups": [_group(request, asked, one, home, rows.get(one.lineage_id), numbers) for one in found.groups],
        "total": results.total,
        "is_exact": results.total_is_exact,
        "ms": round(results.ms),
        "understood": understood(ran if results.relaxed else query),
        "relaxed": results.relaxed,
        "hint": results.hint,
        "notes": [note_sentence(note) for note in query.notes],
        "gaps": gap_sentences(results.gaps),
        "may_be_more": bool(results.gaps) and not any(gap.code == "scanned" and gap.is_all for gap in results.gaps),
        "searched": home.name,
        "sorts": side.sorts(request, asked),
        "facets": side.facets(request, asked, found),
        "facets_are_window": getattr(found.counts, "is_window", False),
        "facets_number": getattr(found.counts, "number", 0),
        "bars": side.bars(request, asked, found.counts.months),
        "options": side.options(request, asked),
        "older": _more(request, asked, found),
        "newer": changed_query(request) if asked.offset or asked.key else None,
        "looser": _looser(request, asked, query),
    }


def _rows(path: Path, groups: Sequence[Group]) -> tuple[dict[str, Row], dict[int, int]]:
    """What the list knows of the conversations found, and which message of them each best hit is.

    Nothing where that cannot be read just now.
    """

    def look(conn: Connection) -> tuple[dict[str, Row], dict[int, int]]:
        known = catalogue(conn, path)
        with known.lock:
            heads = {
                one.lineage_id: known.by_id[one.lineage_id].head for one in groups if one.lineage_id in known.by_id
            }
            read_rows = list_rows(conn, known.schema, [head for head in heads.values() if head is not None])
        rows = {one: read_rows[head.rowid] for one, head in heads.items() if head and head.rowid in read_rows}
        hits = [(group.best.message_id, rows[group.lineage_id]) for group in groups if group.lineage_id in rows]
        return rows, message_numbers(conn, hits)

    try:
        return READERS.read(path, LIMIT_MS, look) if groups else ({}, {})
    except state_db.StateDbProblem:
        return {}, {}


def _group(
    request: HubRequest, asked: ListRequest, group: Group, home: Home, row: Row | None, numbers: dict[int, int]
) -> GroupView:
    best = group.best
    title = pieces.line(best.title or (row.title if row else ""))
    return GroupView(
        id=f"found-{best.message_id or best.session_id}",
        title=title or (pieces.line(row.words) if row else ""),
        is_words=not title,
        url=_url(request, best, home, q=_inside(asked)),
        source=best.source,
        model=best.model,
        at=best.timestamp,
        is_archived=best.is_archived,
        best=_hit(request, asked, best, home, numbers.get(best.message_id or 0)),
        count=group.count,
        is_exact=group.count_is_exact,
        messages=row.messages if row else None,
        parts=len(row.session.parts) if row else 1,
        usage=row.usage if row else None,
    )


def _hit(request: HubRequest, asked: ListRequest, hit: Hit, home: Home, number: int | None) -> HitView:
    return HitView(
        url=_url(request, hit, home, q=_inside(asked)),
        role=hit.role,
        at=hit.timestamp,
        snippet=hit.snippet,
        before=hit.before,
        after=hit.after,
        place=hit.place,
        is_undone=hit.is_rewound,
        is_compacted=hit.is_compacted,
        number=number,
    )


def _inside(asked: ListRequest) -> str:
    """The query as it is carried into a conversation: which sessions to look at is known there."""
    return without_field(asked.q, "source", "model", "title", "session", "folder", "profile", "is")


def _url(request: HubRequest, hit: Hit, home: Home, **query: Any) -> str:
    at = hit.message_id
    query = query | ({"profile": home.name} if home != request.hermes_home else {})
    if is_plain_id(hit.session_id):
        url = address(request, "show", hit.session_id, at=at, **query)
    elif at is not None:
        return address(request, "message_find", at, **query)
    else:
        return address(request, "list", q=hit.session_id)
    return f"{url}#m-{at}" if at is not None else url


def _more(request: HubRequest, asked: ListRequest, found: Explored) -> str | None:
    if found.next_key is None:
        return None
    if asked.sort == "best":
        return changed_query(request, offset=found.next_key)
    return changed_query(request, key=found.next_key)


def _looser(request: HubRequest, asked: ListRequest, query: SearchQuery) -> list[tuple[str, str]]:
    """Ways to find more: each filter let go, every filter let go."""
    ways = []
    for one in query.filters[:6]:
        text = without_filter(asked.q, one.field, one.value)
        if text and text != asked.q:
            ways.append((_("Without %s") % f"{one.field}:{one.value}", changed_query(request, q=text)))
    if not query.filters and len(query.groups) > 1:
        words = " OR ".join(group[0].text for group in query.groups)
        ways.append((_("Any of these words"), changed_query(request, q=words)))
    return ways
