"""Taking back: the person's last change, or the one that a message names."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memoryhub.entries import EntryRefused
from memoryhub.hermes.home import FILE_NAMES, TARGETS
from memoryhub.models import Revision
from memoryhub.services import undo as service
from memoryhub.services.memory import PAGE
from memoryhub.services.revisions import REDO, UNDO
from memoryhub.services.sentences import change_words
from memoryhub.services.writes import Saved
from memoryhub.views.access import home_of
from memoryhub.views.addresses import address, page_to_return_to
from memoryhub.views.changes import shown
from memoryhub.views.drafts import refusal_words
from memoryhub.views.guard import guarded
from memoryhub.views.parts import done, refused, say_done, shows_files
from memoryhub.web.htmx import HubRequest, redirect_to

CONFLICT = ("memoryhub/undo_conflict.html", "memoryhub/_undo_conflict.html")


@require_POST
@guarded
def undo(request: HubRequest) -> HttpResponse:
    """Take back the person's last change that still stands."""
    return _undo(request, None)


@require_POST
@guarded
def undo_operation(request: HubRequest, operation: uuid.UUID) -> HttpResponse:
    """Take back one change, in all files that it touched; undoing an undo brings the change back."""
    return _undo(request, operation)


def _undo(request: HubRequest, operation: uuid.UUID | None) -> HttpResponse:
    try:
        saved = service.change_undo(home_of(request), via=PAGE, operation=operation)
    except service.NothingToUndo as nothing:
        return _nothing(request, nothing, operation)
    except service.UndoConflict as conflict:
        return _refused(request, 409, _conflict_words(), conflict.texts, conflict.targets)
    except EntryRefused as problem:
        return _refused(request, 422, _("The undo would not fit.") + " " + refusal_words(problem), (), TARGETS)
    sentence = _done_words(saved)
    if shows_files(request):
        response = done(request, saved, sentence)
        response.content = response.content.decode() + _fresh_form(request)
        return response
    kinds = {revision.kind for revision in saved.revisions.values() if revision is not None}
    say_done(request, sentence, saved.operation, was_undo=UNDO in kinds)
    return redirect_to(request, page_to_return_to(request))


def _nothing(request: HubRequest, nothing: service.NothingToUndo, operation: uuid.UUID | None) -> HttpResponse:
    if isinstance(nothing, service.UndoForgotten):
        sentence = _("What this change took away was forgotten since, so it cannot be brought back.")
    elif operation is not None:
        sentence = _("This change was taken back already, or too much has happened since. Look at the history.")
    else:
        sentence = _("There is no change of yours left to undo.")
    messages.info(request, sentence)
    if not shows_files(request):
        return redirect_to(request, page_to_return_to(request))
    response = HttpResponse(render_to_string("_messages_oob.html", {}, request) + _fresh_form(request))
    response.headers["HX-Reswap"] = "none"
    return response


def _refused(
    request: HubRequest, status: int, sentence: str, texts: tuple[str, ...], targets: tuple[str, ...]
) -> HttpResponse:
    context = {
        "sentence": sentence,
        "texts": [shown(text) for text in texts],
        "histories": [(FILE_NAMES[target], address(request, "memory:history", target)) for target in targets],
        "files_url": address(request, "memory:files"),
    }
    return refused(request, *CONFLICT, status, context)


def _conflict_words() -> str:
    return _("What you changed was changed again since, so the undo was not applied. Nothing was written.")


def _done_words(saved: Saved) -> str:
    """What was taken back, and in which file."""
    made = [revision for revision in saved.revisions.values() if revision is not None]
    if not made or made[0].operation != saved.operation:
        return _("Nothing was left to take back; the file is as it was.")
    first: Revision = made[0]
    names = ", ".join(FILE_NAMES[target] for target in saved.files)
    if first.kind == REDO:
        return _("%s: what was undone is brought back.") % names
    what = change_words(first.undoes.kind) if first.undoes else ""
    return _("%(file)s: “%(what)s” is undone.") % {"file": names, "what": what}


def _fresh_form(request: HttpRequest) -> str:
    """The page's undo form with a new one-use id, out of band."""
    return render(request, "memoryhub/_undo_form.html", {"live": True, "oob": True}).content.decode()
