"""One recorded state of a memory file: shown, and brought back entry by entry or whole, to the byte."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memoryhub.entries import EntryRefused, MemoryFile
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import FILE_NAMES
from memoryhub.models import Revision
from memoryhub.services import history, revisions, undo
from memoryhub.services.memory import PAGE
from memoryhub.services.sentences import change_words, writer_words
from memoryhub.store import MemoryChanged
from memoryhub.views import past
from memoryhub.views.access import file_of, home_of, revision_or_404
from memoryhub.views.addresses import address
from memoryhub.views.changes import change_rows, shown
from memoryhub.views.drafts import refusal_words
from memoryhub.views.guard import guarded
from memoryhub.views.parts import done
from memoryhub.views.past import Today
from memoryhub.web.htmx import respond


@require_safe
def revision(request: HttpRequest, target: str, number: int) -> HttpResponse:
    """One state of a file: its entries as they were, and what became of each."""
    return _show(request, revision_or_404(request, target, number))


@require_POST
@guarded
def text_restore(request: HttpRequest, target: str, number: int) -> HttpResponse:
    """Bring one entry of a state back, at the newest place."""
    found = revision_or_404(request, target, number)
    back = address(request, "memory:revision", target, number)
    return past.restore_one(
        request, revisions.file_of(found), back=back, show=lambda status: _show(request, found, status=status)
    )


@require_http_methods(["GET", "HEAD", "POST"])
@guarded
def revision_restore(request: HttpRequest, target: str, number: int) -> HttpResponse:
    """Show what restoring a whole state would change; do it, to the byte, when the file is still the one compared."""
    found = revision_or_404(request, target, number)
    now, then = file_of(request, target), revisions.file_of(found)
    if request.method != "POST":
        return _preview(request, found, now, then)
    is_allowed = "allow_flagged" in request.POST
    if not is_allowed and past.newly_flagged(then, now):
        messages.error(request, _("Not restored. Tick that the agent will not see the flagged entries."))
        return _preview(request, found, now, then, status=422)
    seen, reason = request.POST.get("digest", ""), request.POST.get("reason", "")[:500]
    try:
        saved = undo.revision_restore(
            home_of(request), found, via=PAGE, reason=reason, seen_digest=seen, allow_flagged=is_allowed
        )
    except MemoryChanged as changed:
        messages.error(request, _("The file changed since you looked, so nothing was restored. Here it is afresh."))
        return _preview(request, found, changed.memory, then, status=409)
    except EntryRefused as refused:
        messages.error(request, _("Not restored.") + " " + refusal_words(refused))
        return _preview(request, found, now, then, status=422)
    except FileProblem as problem:
        messages.error(request, str(problem))
        return _preview(request, found, now, then, status=503)
    return done(request, saved, _("%s is restored.") % FILE_NAMES[target])


def _show(request: HttpRequest, found: Revision, *, status: int = 200) -> HttpResponse:
    target, then = found.target, revisions.file_of(found)
    today = past.today_of(request, target)
    revealed = request.GET.get("show") == "secrets"
    older, newer = history.neighbours(found)
    entries = past.past_entries(then, today.memory, revealed=revealed)
    here = "memory:revision"
    context: dict[str, Any] = {
        "revision": found,
        "who": writer_words(found.writer, found.via),
        "what": change_words(found.kind),
        "reason": shown(found.reason),
        "memory": then,
        "entries": entries,
        "is_now": today.memory is not None and then.digest == today.memory.digest,
        "notices": past.notices(then, FILE_NAMES[target]),
        "forgotten": found.content is not None and found.content.forgotten,
        "older": older and address(request, here, target, older),
        "newer": newer and address(request, here, target, newer),
        "before_url": older and address(request, "memory:history_diff", target, a=older, b=found.pk),
        "now_url": address(request, "memory:history_diff", target, a=found.pk, b=past.NOW),
        "restore_url": address(request, "memory:revision_restore", target, found.pk),
        "entry_url": address(request, "memory:text_restore", target, found.pk),
        "revealed": revealed,
        "has_secrets": any(entry.has_secret for entry in entries),
        "reveal_url": address(request, here, target, found.pk, show="" if revealed else "secrets"),
    }
    return respond(request, "memoryhub/revision.html", status=status, **past.frame(request, target, today), **context)


def _preview(
    request: HttpRequest, found: Revision, now: MemoryFile, then: MemoryFile, *, status: int = 200
) -> HttpResponse:
    target = found.target
    context: dict[str, Any] = {
        "revision": found,
        "who": writer_words(found.writer, found.via),
        "now": now,
        "then": then,
        "changes": change_rows(past.difference_shown(now, then)),
        "bytes_before": len(now.data or b""),
        "bytes_after": len(then.data or b""),
        "is_now": then.data == now.data,
        "flagged": past.newly_flagged(then, now),
        "forgotten": found.content is not None and found.content.forgotten,
        "url": address(request, "memory:revision", target, found.pk),
    }
    frame = past.frame(request, target, Today(now))
    return respond(request, "memoryhub/revision_restore.html", status=status, **frame, **context)
