"""One conversation: a window of its turns around a place, its parts, and the way to the next hit of a search."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from memoryhub.hermes.running import STILL_RUNNING
from memoryhub.hermes.state_db import Connection, StateDbProblem
from memoryhub.hermes.times import parse_time
from memoryhub.web.htmx import HubRequest, respond
from sessions_app import pieces, query_language
from sessions_app.conversation import Conversation, address_of, is_plain_id
from sessions_app.facts import PartFacts, part_facts, total_usage
from sessions_app.forms import whole_number
from sessions_app.list_rows import first_words
from sessions_app.related import Relative, relatives
from sessions_app.transcript import turns
from sessions_app.views.common import (
    address,
    ask,
    database,
    found_or_404,
    problem_page,
    searched,
    session_address,
    talk_or_404,
)
from sessions_app.views.rows import length_words, state_words
from sessions_app.views.sentences import gap_sentences, note_sentence
from sessions_app.views.turns import Showing, TurnMaker
from sessions_app.windows import Window, window
from sessions_app.within import Within, look_within

PAGE = "sessions_app/conversation.html"
PART = "sessions_app/_window.html"


@dataclass(frozen=True)
class Looked:
    """What was read of a conversation, the connection closed again."""

    talk: Conversation
    parts: tuple[PartFacts, ...]
    words: str
    relatives: tuple[Relative, ...]


@require_safe
def session_show(request: HubRequest, name: str) -> HttpResponse:
    """A window of a conversation. Opened from a hit it stands there; else at the beginning of the part named."""
    at, after, before = (whole_number(request.GET.get(key, "")) for key in ("at", "after", "before"))

    def look(conn: Connection) -> Looked:
        talk = talk_or_404(conn, name)
        first = talk.parts[0]
        words = "" if any(part.row["title"] for part in talk.parts) else first_words(conn, talk.schema, first.id)
        return Looked(talk, part_facts(conn, talk), words, relatives(conn, talk))

    try:
        looked = ask(request, look)
        within = _within(request, looked, next((one for one in (at, after, before) if one is not None), None))
        if within is not None and at is None and after is None and before is None:
            at = within.first  # who searches wants to see the first hit
        shown = _window(request, looked.talk, at, after, before)
    except StateDbProblem as problem:
        return problem_page(request, "sessions_app/unavailable.html", problem, frame=_store(request))
    return respond(request, PAGE, part=PART, **_context(request, looked, shown, within, at))


def _window(request: HubRequest, talk: Conversation, at: int | None, after: int | None, before: int | None) -> Window:
    rewound = "undone" in request.GET
    place = talk.ids[-1] if request.GET.get("at") == "last" and talk.ids else at
    return found_or_404(
        lambda: ask(request, lambda conn: window(conn, talk, at=place, after=after, before=before, rewound=rewound))
    )


def _store(request: HubRequest) -> dict[str, str]:
    return {"store_url": address(request, "store")}


def _within(request: HubRequest, looked: Looked, at: int | None) -> Within | None:
    text = " ".join(request.GET.get("q", "").split())[:1_000]
    if not text:
        return None
    query = query_language.parse(text, now=timezone.now(), zone=timezone.get_current_timezone())
    ids = [part.id for part in looked.talk.parts]
    rewound = "undone" in request.GET
    return searched(lambda: look_within(database(request), query, ids, at, rewound=rewound))


def _context(
    request: HubRequest, looked: Looked, shown: Window, within: Within | None, at: int | None
) -> dict[str, Any]:
    talk = looked.talk
    terms = within.terms if within else ()
    maker = TurnMaker(request, talk, Showing(terms=terms, target=at))
    made = turns(shown.rows, [part.id for part in talk.parts])
    chosen = talk.parts[talk.chosen]
    here = address_of(chosen.id, chosen.row["place"])
    last = _last_time(looked, shown)
    return {
        "name": here,
        "heading": _heading(looked),
        "turns": maker.views(made, looked.parts, first=_begins_part(talk, shown)),
        "window": shown,
        "last_shown": min(shown.total, shown.first + len(shown.rows)),
        "parts": looked.parts,
        "usage": total_usage(looked.parts),
        "message_count": shown.total,
        "relatives": [_relative(request, one) for one in looked.relatives],
        "state": _state(looked, last),
        "length": length_words(looked.parts[0].started, last),
        "links": _links(request, talk, shown, here),
        **_searched(request, within, here),
        "shows_undone": "undone" in request.GET,
        "delete_commands": _delete_commands(looked.parts),
        "prompts": [(part, address(request, "prompt", address_of(part.id, part.rowid))) for part in looked.parts],
    }


def _begins_part(talk: Conversation, shown: Window) -> bool:
    starts, at = set(), 0
    for part in talk.parts:
        starts.add(at)
        at += len(part.ids)
    return shown.first in starts


def _heading(looked: Looked) -> dict[str, Any]:
    title = next((part.title for part in looked.parts if part.title), "")
    return {"text": pieces.line(title or looked.words), "is_words": not title and bool(looked.words)}


def _last_time(looked: Looked, shown: Window) -> datetime | None:
    """When the conversation was last active: its newest message where that is shown, else its end."""
    at = parse_time(shown.rows[-1]["timestamp"]) if shown.rows and shown.after is None else None
    return at or looked.parts[-1].ended


def _state(looked: Looked, last: datetime | None) -> dict[str, Any]:
    tip = looked.parts[-1]
    is_running = tip.ended is None and last is not None and abs(timezone.now() - last) <= STILL_RUNNING
    words = "" if is_running else state_words(tip.ended is not None, tip.reason)
    return {"is_running": is_running, "words": words, "is_archived": any(part.is_archived for part in looked.parts)}


def _links(request: HubRequest, talk: Conversation, shown: Window, here: str) -> dict[str, Any]:
    query = {"q": request.GET.get("q", ""), "undone": "undone" in request.GET}
    ids = talk.ids
    first = ids[0] if ids else None
    return {
        "earlier": address(request, "show", here, before=shown.before, **query) if shown.before is not None else "",
        "later": address(request, "show", here, after=shown.after, **query) if shown.after is not None else "",
        "start": address(request, "show", here, at=first, **query) if shown.before is not None else "",
        "end": address(request, "show", here, at="last", **query) if shown.after is not None else "",
        "undone": address(request, "show", here, q=query["q"], undone=not query["undone"], **_place(request)),
        "list": address(request, "list"),
        "export": address(request, "export", here),
        "search": address(request, "show", here),
    }


def _searched(request: HubRequest, within: Within | None, here: str) -> dict[str, Any]:
    """What a search in the conversation has to say."""
    return {
        "within": within,
        "hits": _hits(request, within, here),
        "notes": [note_sentence(note) for note in within.query.notes] if within else [],
        "gaps": gap_sentences(within.gaps) if within else [],
        "q": request.GET.get("q", "")[:1_000],
    }


def _place(request: HubRequest) -> dict[str, int | None]:
    """Where in the conversation the address stands."""
    return {name: whole_number(request.GET.get(name, "")) for name in ("at", "after", "before")}


def _hits(request: HubRequest, within: Within | None, here: str) -> dict[str, str]:
    if within is None:
        return {}
    query = {"q": request.GET.get("q", ""), "undone": "undone" in request.GET}

    def link(message_id: int | None) -> str:
        return f"{address(request, 'show', here, at=message_id, **query)}#m-{message_id}" if message_id else ""

    return {
        "previous": link(within.previous),
        "next": link(within.next),
        "clear": address(request, "show", here, at=whole_number(request.GET.get("at", ""))),
    }


def _delete_commands(parts: Sequence[PartFacts]) -> list[str]:
    """Hermes' own commands, the last part first; none when an id could mean something else to a shell."""
    if not all(is_plain_id(part.id) and not part.id.startswith("-") for part in parts):
        return []
    return [f"hermes sessions delete {shlex.quote(part.id)}" for part in reversed(parts)]


def _relative(request: HubRequest, one: Relative) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "title": pieces.line(one.title) or one.id,
        "url": session_address(request, one.id, one.rowid),
        "source": one.source,
    }
