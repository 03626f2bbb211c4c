"""Forgetting a text: say where it stands, take a tick, remove it from all that MemoryHub keeps.

The text is never part of an address and is shown masked; an entry is named by its id.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from memoryhub.entries import entry_digest
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import FILE_NAMES, Home
from memoryhub.models import EntryChange
from memoryhub.services import forget as service
from memoryhub.services import memory as entries_service
from memoryhub.services import writes
from memoryhub.services.forget import ForgetRefused, Forgotten, StillThere
from memoryhub.services.forget_files import Live
from memoryhub.services.memory import PAGE
from memoryhub.spellings import MIN_LENGTH
from memoryhub.store import MemoryChanged
from memoryhub.views.access import home_of
from memoryhub.views.addresses import address
from memoryhub.views.guard import guarded
from memoryhub.web.htmx import redirect_to, respond

SHOWN = 2


@require_http_methods(["GET", "HEAD", "POST"])
@guarded
def forget(request: HttpRequest) -> HttpResponse:
    """Ask for a text (or take an entry's), show where it stands, forget it when that is confirmed."""
    home = home_of(request)
    asked = request.POST if request.method == "POST" else request.GET
    target, entry_id = asked.get("target", ""), asked.get("entry", "")
    text = _entry_text(home, target, entry_id) if entry_id else request.POST.get("text", "")
    context: dict[str, Any] = {"target": target, "entry": entry_id, "text": "" if entry_id else text}
    if not text.strip():
        status = 422 if request.method == "POST" else 200
        return respond(request, "memoryhub/forget.html", status=status, **context, asks=request.method == "POST")
    if "forget" not in request.POST:
        return _look(request, text, context)
    if "sure" not in request.POST:
        messages.error(request, _("Nothing was forgotten. Tick that you are sure; this cannot be undone."))
        return _look(request, text, context, status=422)
    return _forget(request, home, text, context)


def _forget(request: HttpRequest, home: Home, text: str, context: dict[str, Any]) -> HttpResponse:
    try:
        if "delete" in request.POST:
            _delete_entries(home, text)
        forgotten = service.text_forget(home, text)
    except StillThere:
        messages.error(request, _("This text still stands in a memory file, so nothing was forgotten."))
        return _look(request, text, context, status=409)
    except ForgetRefused:
        return _look(request, text, context, status=422)
    except (FileProblem, MemoryChanged) as problem:
        messages.error(request, str(problem))
        return _look(request, text, context, status=503 if isinstance(problem, FileProblem) else 409)
    messages.success(request, done_words(forgotten))
    return redirect_to(request, address(request, "memory:forget"))


def _look(request: HttpRequest, text: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Show where the text stands, and ask."""
    home = home_of(request)
    try:
        places = service.text_places(home, text)
    except ForgetRefused as refused:
        context |= {"refusal": refusal_words(refused)}
        return respond(request, "memoryhub/forget.html", status=422, **context)
    live = places.copies.live
    context |= {
        "places": places,
        "masked": masked(text.strip()),
        "chars": len(text.strip()),
        "live": [(each, _live_url(request, home, each)) for each in live],
        "can_delete": bool(live) and all(each.is_whole and each.profile == home.name for each in live),
    }
    return respond(request, "memoryhub/forget.html", status=status, **context)


def masked(text: str) -> str:
    """Enough of a text to recognise it by, and no more: the first characters of a long one."""
    start = text[:SHOWN] if len(text) > 5 * SHOWN else ""
    return start + "••••••••"


def refusal_words(refused: ForgetRefused) -> str:
    """Why a text cannot be forgotten as it was given."""
    if refused.code == "separator":
        return _("Give one entry at a time: a line with only § separates entries.")
    return _("Give at least %s characters, so that only this text is forgotten.") % MIN_LENGTH


def done_words(forgotten: Forgotten) -> str:
    """What was removed, what could not be, and where the text still stands."""
    places = forgotten.places
    said = ngettext(
        "Forgotten. The text stood in %s recorded state.",
        "Forgotten. The text stood in %s recorded states.",
        places.revisions,
    )
    parts = [said % places.revisions]
    if not forgotten.is_scrubbed:
        parts.append(_("Our database was in use, so its file keeps the old bytes until you forget a text again."))
    if places.copies.left:
        names = ", ".join(str(path) for path in places.copies.left)
        parts.append(_("It still stands in files that are not ours; delete them yourself: %s.") % names)
    return " ".join(parts)


def _entry_text(home: Home, target: str, entry_id: str) -> str:
    """The text of an entry of the file, or of one that stood in it once."""
    if target not in FILE_NAMES:
        raise Http404(_("There is no memory file %s.") % target)
    try:
        entry = writes.read(home, target).find(entry_id)
    except FileProblem:
        entry = None
    if entry is not None:
        return entry.text
    digest = entry_id.split("-")[0]
    rows = EntryChange.objects.filter(home=home.key, target=target)
    row = rows.filter(digest=digest).first() or rows.filter(old_digest=digest).first()
    if row is None:
        raise Http404(_("This entry is not known."))
    return row.text if entry_digest(row.text) == digest else row.old_text


def _delete_entries(home: Home, text: str) -> None:
    """Delete the entries that are nothing but the text from this home's files."""
    wanted = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    for target in FILE_NAMES:
        for entry in reversed(writes.read(home, target).entries):
            if entry.text == wanted:
                entries_service.entry_remove(home, target, entry.id, via=PAGE)


def _live_url(request: HttpRequest, home: Home, live: Live) -> str:
    """Where the entry can be edited; empty for a file of another home."""
    if live.profile == home.name and live.entry_id:
        return address(request, "memory:entry_edit", live.target, live.entry_id)
    return address(request, "memory:files", profile=live.profile) if live.profile else ""
