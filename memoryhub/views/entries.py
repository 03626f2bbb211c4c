"""One entry: add, edit, delete, move, put in another place, merge. Each view checks, calls one service, answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memoryhub import flags, store
from memoryhub.entries import EntryRefused, MemoryFile
from memoryhub.forms import EntryForm, MergeForm
from memoryhub.hermes.files import FileProblem
from memoryhub.services import memory as service
from memoryhub.services.memory import PAGE
from memoryhub.services.writes import Saved
from memoryhub.views import conflict, file_view
from memoryhub.views.access import file_of, home_of, target_or_404
from memoryhub.views.drafts import draft_context, refusal_status, show_refusal
from memoryhub.views.guard import guarded
from memoryhub.views.parts import changed_ids, done, refused
from memoryhub.web.htmx import is_htmx, respond

ADD = ("memoryhub/entry_add.html", "memoryhub/_entry_add.html")
EDIT = ("memoryhub/entry_edit.html", "memoryhub/_entry_edit.html")
MERGE = ("memoryhub/merge.html", "memoryhub/_merge.html")
PROBLEMS = (EntryRefused, FileProblem)


@require_http_methods(["GET", "HEAD", "POST"])
@guarded
def entry_add(request: HttpRequest, target: str) -> HttpResponse:
    """Add an entry to a file."""
    memory = file_of(request, target)
    form = EntryForm(request.POST or None, prefix_id=f"add-{target}")
    context = draft_context(memory, form)
    if request.method != "POST":
        return respond(request, ADD[0], part=ADD[1], **context)
    if not form.is_valid():
        return refused(request, *ADD, 422, context)
    try:
        saved = service.entry_add(home_of(request), target, via=PAGE, **_typed(form))
    except PROBLEMS as problem:
        return refused(request, *ADD, refusal_status(problem), context | show_refusal(form, problem))
    return done(request, saved, _("Entry added."), main=" ", changed=_changed(saved, memory))


@require_http_methods(["GET", "HEAD", "POST"])
@guarded
def entry_edit(request: HttpRequest, target: str, entry_id: str) -> HttpResponse:
    """Edit one entry in its place."""
    memory = file_of(request, target)
    entry = memory.find(entry_id)
    if request.method != "POST":
        if entry is None:
            raise _not_there()
        form = EntryForm(prefix_id=f"edit-{target}-{entry_id}", initial={"text": entry.text, "seen_text": entry.text})
        return respond(request, EDIT[0], part=EDIT[1], **draft_context(memory, form, entry=entry))
    form = EntryForm(request.POST, prefix_id=f"edit-{target}-{entry_id}")
    if entry is None:
        return conflict.show(request, memory, entry_id, form)
    context = draft_context(memory, form, entry=entry)
    if not form.is_valid():
        return refused(request, *EDIT, 422, context)
    try:
        saved = service.entry_replace(home_of(request), target, entry_id, via=PAGE, **_typed(form))
    except store.MemoryChanged as changed:
        return conflict.show(request, changed.memory, entry_id, form)
    except PROBLEMS as problem:
        return refused(request, *EDIT, refusal_status(problem), context | show_refusal(form, problem))
    return done(request, saved, _("Entry saved."), changed=_changed(saved, memory))


@require_POST
@guarded
def entry_remove(request: HttpRequest, target: str, entry_id: str) -> HttpResponse:
    """Delete one entry; the message that says so holds its Undo."""
    target_or_404(target)
    return _act(
        request,
        target,
        entry_id,
        lambda: service.entry_remove(home_of(request), target, entry_id, via=PAGE),
        _("Entry deleted."),
    )


@require_POST
@guarded
def entry_move(request: HttpRequest, target: str, entry_id: str) -> HttpResponse:
    """Move one entry to the other file."""
    target_or_404(target)
    words = _("Entry moved to USER.md.") if target == "memory" else _("Entry moved to MEMORY.md.")
    return _act(
        request, target, entry_id, lambda: service.entry_move(home_of(request), target, entry_id, via=PAGE), words
    )


@require_POST
@guarded
def entry_place(request: HttpRequest, target: str, entry_id: str, way: str) -> HttpResponse:
    """Put one entry earlier or later; order is age."""
    memory = file_of(request, target)
    entry = memory.find(entry_id)
    if entry is None:
        return conflict.gone(request, target)
    place = {"earlier": entry.index - 1, "later": entry.index + 1, "first": 0, "last": len(memory.entries)}.get(way)
    if place is None:
        raise Http404(_("An entry can be put earlier, later, first or last."))
    return _act(
        request,
        target,
        entry_id,
        lambda: service.entry_place(home_of(request), target, entry_id, place, via=PAGE),
        _("Entry moved within the file."),
        keep_focus=True,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@guarded
def merge(request: HttpRequest, target: str) -> HttpResponse:
    """Merge several entries into one: their texts beside the draft."""
    memory = file_of(request, target)
    chosen = [memory.find(entry_id) for entry_id in (request.POST or request.GET).getlist("entry")]
    if None in chosen:
        return conflict.gone(request, target)
    entries = [entry for entry in memory.entries if entry in chosen]
    ids = [entry.id for entry in entries]
    options: dict[str, Any] = {"prefix_id": f"merge-{target}", "entry_ids": [entry.id for entry in memory.entries]}
    if request.method != "POST":
        draft = {"text": "\n".join(entry.text for entry in entries), "entry": ids}
        form = MergeForm(initial=draft, **options)
        return respond(request, MERGE[0], part=MERGE[1], **draft_context(memory, form, merged=entries))
    form = MergeForm(request.POST, **options)
    context = draft_context(memory, form, merged=entries)
    if not form.is_valid():
        return refused(request, *MERGE, 422, context)
    try:
        saved = service.entries_merge(home_of(request), target, ids, via=PAGE, **_typed(form))
    except store.MemoryChanged:
        return conflict.gone(request, target)
    except PROBLEMS as problem:
        return refused(request, *MERGE, refusal_status(problem), context | show_refusal(form, problem))
    return done(request, saved, _("Entries merged."), main=" ", changed=_changed(saved, memory))


@require_safe
def entry_show(request: HttpRequest, target: str, entry_id: str) -> HttpResponse:
    """One card again: after cancelling an edit, with its secret shown, or with its Markdown rendered."""
    memory = file_of(request, target)
    entry = memory.find(entry_id)
    if entry is None and is_htmx(request):  # an edit is cancelled whose entry is gone: so goes its place
        return HttpResponse("")
    if entry is None:
        raise _not_there()
    shown = request.GET.get("show", "")
    view = file_view.build(home_of(request), target, revealed={entry_id} if shown == "secret" else ())
    card = next((card for card in view.cards if card.entry_id == entry_id), None)
    if card is None:  # changed between the two looks, or too many to show
        raise _not_there()
    context: dict[str, Any] = {
        "file": view,
        "card": card,
        "rendered": file_view.rendered(entry.text) if shown == "rendered" else "",
    }
    return respond(request, "memoryhub/entry_show.html", part="memoryhub/_card.html", **context)


@require_safe
def cancel(request: HttpRequest, target: str) -> HttpResponse:
    """An empty place where the form for a new entry was."""
    target_or_404(target)
    return HttpResponse("")


@require_POST
def entry_check(request: HttpRequest, target: str) -> HttpResponse:
    """What would be said about a text, while it is typed: threats, secrets, likenesses. Writes nothing."""
    memory = file_of(request, target)
    text = request.POST.get("text", "").strip()
    seen = request.POST.get("seen_text", "")
    others = [entry.text for entry in memory.entries if entry.text != seen]
    found = file_view.flag_views(flags.check_draft(text, others))
    return render(request, "memoryhub/_draft_check.html", {"flags": found})


def _act(
    request: HttpRequest,
    target: str,
    entry_id: str,
    work: Callable[[], Saved],
    sentence: str,
    *,
    keep_focus: bool = False,
) -> HttpResponse:
    """Do something to one entry that needs no form; say what stands in the way."""
    before = file_of(request, target)
    try:
        saved = work()
    except store.MemoryChanged:
        return conflict.gone(request, target)
    except EntryRefused as problem:
        return conflict.say(request, str(problem), 422, target)
    except FileProblem as problem:
        return conflict.say(request, str(problem), 503, target)
    changed = {target: {entry_id}} if keep_focus else _changed(saved, before)
    return done(request, saved, sentence, changed=changed)


def _changed(saved: Saved, before: MemoryFile) -> dict[str, set[str]]:
    known = {before.target: [entry.id for entry in before.entries]}
    others = {t: [e.id for e in file.entries[:-1]] for t, file in saved.files.items() if t != before.target}
    return changed_ids(saved, known | others)


def _typed(form: EntryForm) -> dict[str, Any]:
    return {name: form.cleaned_data[name] for name in ("text", "reason", "allow_flagged")}


def _not_there() -> Http404:
    return Http404(_("This entry is not in the file any more. Nothing was lost: see the file's history."))
