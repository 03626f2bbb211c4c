"""The list of conversations and, when something is typed, what was found in them."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from memoryhub.hermes.state_db import Connection, StateDbProblem
from memoryhub.web.htmx import HubRequest, respond
from sessions_app import pieces
from sessions_app.catalogue import Catalogue, catalogue
from sessions_app.forms import ListRequest, list_request
from sessions_app.list_filters import is_running
from sessions_app.list_rows import Row, list_rows
from sessions_app.listing import Page, page, running_count
from sessions_app.narrowing import as_filter
from sessions_app.tool_use import ToolUse, tool_names
from sessions_app.views import found
from sessions_app.views.common import address, ask, changed_query, database, problem_page
from sessions_app.views.facets import filter_groups, toggles, tool_group
from sessions_app.views.rows import RowView, row_view

PAGE = "sessions_app/list.html"
PART = "sessions_app/_list_body.html"
_KEPT = ("profile", "source", "model", "folder", "tools", "tool", "archived", "running", "all")  # beside dates


@require_safe
def session_list(request: HubRequest) -> HttpResponse:
    """All conversations, newest activity first; or the answer to what was typed into the box."""
    asked = list_request(request)
    try:
        return found.search_show(request, asked) if asked.q else _list(request, asked)
    except StateDbProblem as problem:
        return problem_page(request, PAGE, problem, asked=asked, frame=frame(request, asked))


def frame(request: HubRequest, asked: ListRequest) -> dict[str, Any]:
    """What the box and the page's head need."""
    return {
        "q": asked.q,
        "url": request.path,
        "clear_url": address(request, "list"),
        "store_url": address(request, "store"),
        "kept": [("profile", request.GET["profile"])] if request.GET.get("profile") else [],
        "filters": [(name, request.GET[name]) for name in _KEPT if request.GET.get(name)],
    }


def _list(request: HubRequest, asked: ListRequest) -> HttpResponse:
    now = timezone.now().timestamp()

    def look(conn: Connection) -> tuple[Catalogue, Page, dict[int, Row], int, list[str]]:
        known = catalogue(conn, database(request))
        with known.lock:
            used = ToolUse(conn, known, asked.filters.tool) if asked.filters.tool else None
            shown = page(known, asked.filters, now=now, after=asked.after, before=asked.before, used=used)
            everything = [*shown.rows, *(one for below in shown.nested.values() for one in below)]
            rows = list_rows(conn, known.schema, everything)
            return known, shown, rows, running_count(known, now), tool_names(conn, known)

    known, shown, rows, running, tools = ask(request, look)
    return respond(
        request,
        PAGE,
        part=PART,
        asked=asked,
        frame=frame(request, asked),
        rows=[_with_below(request, shown, rows, one.rowid, now) for one in shown.rows if one.rowid in rows],
        sessions=len(known.sessions),
        schema=known.schema,
        groups=[*filter_groups(request, shown.counts.facets), *tool_group(request, asked.filters.tool, tools)],
        toggles=toggles(request, asked, shown, known, running),
        **_facts(request, asked, shown),
    )


def _facts(request: HubRequest, asked: ListRequest, shown: Page) -> dict[str, Any]:
    """How much there is, and the ways on."""
    return {
        "total": shown.counts.total,
        "narrows": asked.filters.narrows,
        "tool": pieces.line(asked.filters.tool),
        "is_cut": shown.is_cut,
        "search_url": _search_for(request, asked) if shown.is_cut else "",
        "older": changed_query(request, after=shown.older) if shown.older else None,
        "newer": changed_query(request, before=shown.newer) if shown.newer else None,
    }


def _search_for(request: HubRequest, asked: ListRequest) -> str:
    """The search that finds what used a tool at once, by message."""
    return address(request, "list", q=as_filter("tool", asked.filters.tool))


def _with_below(request: HubRequest, shown: Page, rows: dict[int, Row], rowid: int, now: float) -> RowView:
    below = [
        row_view(request, rows[one.rowid], is_running(one, now))
        for one in shown.nested.get(rowid, ())
        if one.rowid in rows
    ]
    row = rows[rowid]
    above = row.session.above
    is_shown_alone = above is not None
    view = row_view(request, row, is_running(row.session, now), below=tuple(below))
    return view if not is_shown_alone or above is None else view.under(request, above)
