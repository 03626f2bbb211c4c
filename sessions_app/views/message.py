"""One message: whole, with its secrets shown, rendered, as a file; and the images stored in it."""

from __future__ import annotations

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memoryhub.hermes.state_db import Connection
from memoryhub.web.htmx import HubRequest, respond
from sessions_app import masking, query_language
from sessions_app.conversation import Conversation, get_message, read_all, session_of
from sessions_app.facts import PartFacts, part_facts
from sessions_app.images import image_bytes
from sessions_app.transcript import Turn, turns
from sessions_app.views.common import ask, found_or_404, session_address, talk_or_404
from sessions_app.views.turns import Showing, TurnMaker

_RESULTS_AFTER = 30


@require_safe
def message_show(request: HubRequest, name: str, message_id: int) -> HttpResponse:
    """One message with its tool results, as a page or in its place; `show=secrets`, `render` say how."""
    talk, turn, parts = ask(request, lambda conn: _look(conn, name, message_id))
    query = query_language.parse(request.GET.get("q", "")[:1_000])
    showing = Showing(
        terms=query.terms,
        target=message_id,
        revealed=request.GET.get("show") == "secrets",
        whole=True,
        rendered="render" in request.GET,
    )
    view = TurnMaker(request, talk, showing).view(turn)
    return respond(
        request,
        "sessions_app/message.html",
        part="sessions_app/_turn.html",
        turn=view,
        parts=parts,
        is_alone=True,
        links={"here": view.url},
    )


def _look(conn: Connection, name: str, message_id: int) -> tuple[Conversation, Turn, tuple[PartFacts, ...]]:
    talk = talk_or_404(conn, name)
    row = found_or_404(lambda: get_message(conn, talk, message_id))
    rows = [row]
    if row["tool_calls"]:
        ids = talk.ids
        place = ids.index(message_id) + 1
        for following in read_all(conn, talk, ids[place : place + _RESULTS_AFTER]):
            if following["role"] != "tool":
                break
            rows.append(following)
    made = turns(rows, [part.id for part in talk.parts])
    return talk, made[0], part_facts(conn, talk)


@require_safe
def message_text(request: HubRequest, name: str, message_id: int) -> HttpResponse:
    """The whole text of a message as a file; secrets are masked unless `show=secrets` asks for them."""
    _talk, turn, _parts = ask(request, lambda conn: _look(conn, name, message_id))
    text = turn.text if request.GET.get("show") == "secrets" else masking.masked(turn.text)
    answer = HttpResponse(text.encode("utf-8", "replace"), content_type="text/plain; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="message-{turn.id}.txt"'
    return answer


@require_safe
def message_find(request: HubRequest, message_id: int) -> HttpResponse:
    """Lead to the conversation that a message belongs to, whatever the session's id looks like."""
    found = ask(request, lambda conn: session_of(conn, message_id))
    if found is None:
        raise Http404(_("There is no such message, or its session is gone."))
    return HttpResponseRedirect(session_address(request, *found, at=message_id, q=request.GET.get("q", "")))


@require_safe
def image_show(request: HubRequest, name: str, message_id: int, place: int) -> HttpResponse:
    """An image that is stored in a message: raster types only, told by their bytes."""

    def look(conn: Connection) -> object:
        talk = talk_or_404(conn, name)
        return found_or_404(lambda: get_message(conn, talk, message_id))["content"]

    found = image_bytes(ask(request, look), place)
    if found is None:
        raise Http404(_("There is no such image."))
    kind, data = found
    answer = HttpResponse(data, content_type=f"image/{kind}")
    answer.headers["Content-Disposition"] = f'inline; filename="image-{message_id}-{place}.{kind}"'
    return answer
