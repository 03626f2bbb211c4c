"""What the session views share: the home's database, addresses that keep the profile, a problem as a page."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from memoryhub.hermes import state_db
from memoryhub.hermes.state_db import Connection, StateDbProblem
from memoryhub.web.htmx import HubRequest, respond
from sessions_app.conversation import Conversation, MessageNotFound, SessionNotFound, address_of, get_conversation
from sessions_app.search.readers import READERS

LIMIT_MS: Final = 240  # of one statement: no read transaction lasts longer
T = TypeVar("T")
_AT_ONCE: Final = threading.BoundedSemaphore(2)


def database(request: HubRequest) -> Path:
    """The state.db of the home that the request is about."""
    return request.hermes_home.state_db


def ask(request: HubRequest, work: Callable[[Connection], T]) -> T:
    """Ask the database; the connection is at rest again before anything is rendered."""
    return READERS.read(database(request), LIMIT_MS, work)


def searched(work: Callable[[], T]) -> T:
    """Run a search when it is its turn, and once more when it was stopped for taking too long.

    Time budgets are by the clock: many searches at once in one process would make each other run out of them.
    """
    with _AT_ONCE:
        try:
            return work()
        except state_db.TookTooLong:
            return work()


def talk_or_404(conn: Connection, name: str) -> Conversation:
    """The conversation that an address names: looked up, never made into a path."""
    try:
        return get_conversation(conn, name)
    except SessionNotFound:
        raise Http404(_("There is no such session here.")) from None


def found_or_404(work: Callable[[], T]) -> T:
    """What a look-up of a message gives."""
    try:
        return work()
    except MessageNotFound:
        raise Http404(_("This conversation has no such message.")) from None


def address(request: HubRequest, name: str, *args: Any, **query: Any) -> str:
    """The address of a page of ours for the profile shown; parts of the query that are empty are left out."""
    facts = {key: value for key, value in query.items() if value not in (None, "", False)}
    if profile := request.GET.get("profile"):
        facts["profile"] = profile
    facts = {key: "1" if value is True else value for key, value in facts.items()}
    url = reverse(f"sessions:{name}", args=args)
    return f"{url}?{urlencode(facts)}" if facts else url


def session_address(request: HubRequest, session_id: str, rowid: int, *, at: int | None = None, **query: Any) -> str:
    """The address of a conversation, or of a message in it."""
    url = address(request, "show", address_of(session_id, rowid), at=at, **query)
    return f"{url}#m-{at}" if at else url


def changed_query(request: HubRequest, **changes: Any) -> str:
    """This page's address with some parts of its query changed; keys of paging are dropped."""
    query = request.GET.copy()
    for name in ("after", "before", "offset", "key", "open"):
        query.pop(name, None)
    for name, value in changes.items():
        query.pop(name, None)
        if value not in (None, "", False):
            query[name] = "1" if value is True else value
    return f"{request.path}?{query.urlencode()}" if query else request.path


def problem_page(request: HubRequest, template: str, problem: StateDbProblem, **context: Any) -> HttpResponse:
    """A page, or its part, that says what is wrong with the database; 200 when there is none yet, else 503."""
    status = 200 if isinstance(problem, state_db.Missing) else 503
    part = "sessions_app/_problem.html"
    return respond(request, template, part=part, status=status, problem=problem, **context)
