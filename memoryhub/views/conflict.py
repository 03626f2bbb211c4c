"""Somebody else changed what a person is changing: both texts, what became of theirs, and the ways on."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from memoryhub import diffs
from memoryhub.entries import MemoryFile
from memoryhub.forms import EntryForm
from memoryhub.hermes.home import FILE_NAMES
from memoryhub.views.access import home_of
from memoryhub.views.changes import shown, word_pieces
from memoryhub.views.open_forms import find_successor
from memoryhub.views.parts import file_parts, refused, shows_files, with_profile
from memoryhub.web.htmx import is_htmx, redirect_to, respond


def show(request: HttpRequest, memory: MemoryFile, entry_id: str, form: EntryForm) -> HttpResponse:
    """409: the entry of an edit is not there any more. The person's text stays in the box."""
    base = form.data.get("seen_text", "").replace("\r\n", "\n").strip()
    yours = form.data.get("text", "").replace("\r\n", "\n").strip()
    now = find_successor(home_of(request), memory, entry_id, base)
    context: dict[str, Any] = {
        "form": form,
        "memory": memory,
        "target": memory.target,
        "file_name": FILE_NAMES[memory.target],
        "dom_id": f"{memory.target}-{entry_id}",
        "base": base,
        "now": now,
        "yours": yours,
        "theirs_diff": word_pieces(base, now.text) if now else (),
        "yours_diff": word_pieces(base, yours),
        "three_way": diffs.three_way(shown(base), shown(now.text), shown(yours)) if now else (),
    }
    return refused(request, "memoryhub/conflict.html", "memoryhub/_conflict.html", 409, context)


def gone(request: HttpRequest, target: str) -> HttpResponse:
    """409: an entry that was to be deleted, moved or merged is not there any more."""
    return say(
        request, _("This entry was changed or removed meanwhile. Nothing was written; look at it again."), 409, target
    )


def say(request: HttpRequest, sentence: str, status: int, target: str) -> HttpResponse:
    """A refusal without a form: a message above the fresh page."""
    messages.error(request, sentence)
    if shows_files(request):
        response = HttpResponse(file_parts(request), status=status)
        response.headers["HX-Reswap"] = "none"
        return response
    back = f"{with_profile(request, reverse('memory:files'))}#file-{target}"
    if is_htmx(request):
        return redirect_to(request, back)
    return respond(request, "memoryhub/refused.html", status=status, sentence=sentence, back=back)
