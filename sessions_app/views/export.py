"""A conversation as a file: the person chooses the form, and whether secrets are masked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from memoryhub.hermes import state_db
from memoryhub.hermes.state_db import Connection
from memoryhub.web.htmx import HubRequest, respond
from sessions_app import pieces
from sessions_app.conversation import Conversation, get_message, is_undone, read_all
from sessions_app.export import FORMATS, Export, file_name, written
from sessions_app.export_page import page
from sessions_app.facts import PartFacts, part_facts
from sessions_app.images import Image, image_bytes
from sessions_app.list_rows import first_words
from sessions_app.transcript import Turn, turns
from sessions_app.views.common import LIMIT_MS, address, ask, database, talk_or_404

_STRETCH = 200  # messages that are read on one connection


@require_safe
def session_export(request: HubRequest, name: str) -> HttpResponseBase:
    """Ask how to export; with `format` send the file. Secrets are masked unless `secrets=included`."""
    talk, parts, title = ask(request, lambda conn: _look(conn, name))
    form = request.GET.get("format", "")
    if form not in FORMATS:
        count = sum(part.messages for part in parts)
        back = address(request, "show", name)
        profile = request.GET.get("profile", "")
        return respond(
            request,
            "sessions_app/export.html",
            title=pieces.line(title),
            message_count=count,
            back=back,
            profile_kept=profile,
        )
    export = Export(
        title=title,
        parts=parts,
        turns=_turns(request, talk, with_undone="undone" in request.GET),
        is_masked=request.GET.get("secrets") != "included",
        made_at=timezone.now(),
        image=lambda message_id, image: _image(request, talk, message_id, image),
    )
    pieces_of = page(export) if form == "html" else written(export, form)
    # Sent as it is made: a conversation of any length takes little memory.
    answer = StreamingHttpResponse(piece.encode("utf-8", "replace") for piece in pieces_of)
    answer.headers["Content-Type"] = FORMATS[form][0]
    answer.headers["Content-Disposition"] = f'attachment; filename="{file_name(talk.parts[0].id, form)}"'
    return answer


def _look(conn: Connection, name: str) -> tuple[Conversation, tuple[PartFacts, ...], str]:
    talk = talk_or_404(conn, name)
    parts = part_facts(conn, talk)
    title = next((part.title for part in parts if part.title), "") or first_words(conn, talk.schema, parts[0].id)
    return talk, parts, title


def _turns(request: HubRequest, talk: Conversation, *, with_undone: bool) -> Iterator[Turn]:
    """All turns, read a stretch at a time on connections of their own: none stays open while a file is sent."""
    ids = talk.ids
    names = [part.id for part in talk.parts]
    start = 0
    while start < len(ids):
        end = start + _STRETCH
        wanted = ids[start:end]

        def read(conn: Connection, wanted: tuple[int, ...] = tuple(wanted)) -> list[sqlite3.Row]:
            return list(read_all(conn, talk, wanted))

        rows = state_db.read(database(request), LIMIT_MS, read)
        yield from turns((row for row in rows if with_undone or not is_undone(row)), names)
        start = end


def _image(request: HubRequest, talk: Conversation, message_id: int, image: Image) -> tuple[str, bytes] | None:
    def read(conn: Connection) -> object:
        return get_message(conn, talk, message_id)["content"]

    return image_bytes(state_db.read(database(request), LIMIT_MS, read), image.place)
