"""The memory page: both files, what changes on it while it is open, the whole file as text, and repairs."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memoryhub import diffs, repair, store
from memoryhub.entries import EntryRefused, MemoryFile
from memoryhub.forms import RawForm
from memoryhub.hermes.files import FileProblem, link_target
from memoryhub.hermes.home import FILE_NAMES, TARGETS
from memoryhub.services import links, snapshots
from memoryhub.services import memory as service
from memoryhub.services.memory import PAGE
from memoryhub.services.sentences import repair_words
from memoryhub.views import conflict, file_view
from memoryhub.views.access import file_of, home_of, target_or_404
from memoryhub.views.changes import change_rows
from memoryhub.views.drafts import refusal_status, refusal_words, threat_views
from memoryhub.views.guard import guarded
from memoryhub.views.parts import done, file_parts
from memoryhub.views.pulse import page_state
from memoryhub.web.htmx import respond


@require_safe
def files(request: HttpRequest) -> HttpResponse:
    """Both memory files."""
    home = home_of(request)
    state = page_state(home)
    views = [file_view.build(home, target) for target in TARGETS]
    return respond(
        request,
        "memoryhub/memory.html",
        files=views,
        state=state,
        stale=snapshots.stale_sessions(home),
    )


@require_safe
def pulse(request: HttpRequest) -> HttpResponse:
    """What changed since the page was made; 204 when nothing did."""
    state = page_state(home_of(request))
    if request.GET.get("state") == state:
        return HttpResponse(status=204)
    element = render(request, "memoryhub/_pulse.html", {"state": state}).content.decode()
    return HttpResponse(element + file_parts(request))


@require_http_methods(["GET", "HEAD", "POST"])
@guarded
def raw(request: HttpRequest, target: str) -> HttpResponse:
    """The whole file as text: first a preview of what it parses to, then, when that is confirmed, the save."""
    memory = file_of(request, target)
    if request.method != "POST":
        text = (memory.data or b"").decode("utf-8", "replace").removeprefix("\ufeff")
        form = RawForm(initial={"text": text, "digest": memory.digest})
        return respond(request, "memoryhub/raw.html", **_raw_context(memory, form))
    form = RawForm(request.POST)
    if not form.is_valid():
        return respond(request, "memoryhub/raw.html", status=422, **_raw_context(memory, form))
    try:
        texts = store.from_raw(form.cleaned_data["text"])
    except EntryRefused as refused:
        form.add_error("text", refusal_words(refused))
        return respond(request, "memoryhub/raw.html", status=422, **_raw_context(memory, form))
    if "save" not in request.POST:
        return respond(request, "memoryhub/raw.html", **_raw_context(memory, form, texts))
    return _raw_save(request, memory, form, texts)


def _raw_save(request: HttpRequest, memory: MemoryFile, form: RawForm, texts: list[str]) -> HttpResponse:
    typed = form.cleaned_data
    try:
        saved = service.raw_save(
            home_of(request),
            memory.target,
            typed["text"],
            seen_digest=typed["digest"],
            via=PAGE,
            reason=typed["reason"],
            allow_flagged=typed["allow_flagged"],
        )
    except store.MemoryChanged as changed:
        context = _raw_context(changed.memory, form, texts) | {"changed": True}
        return respond(request, "memoryhub/raw.html", status=409, **context)
    except EntryRefused as refused:
        form.add_error("text", refusal_words(refused))
        flagged = [view for text in texts for view in threat_views(text)] if refused.code == "threat" else []
        context = _raw_context(memory, form, texts) | {"threats": flagged}
        return respond(request, "memoryhub/raw.html", status=422, **context)
    except FileProblem as problem:
        context = _raw_context(memory, form, texts) | {"errors": [str(problem)]}
        return respond(request, "memoryhub/raw.html", status=refusal_status(problem), **context)
    return done(request, saved, _("File saved."))


def _raw_context(memory: MemoryFile, form: RawForm, texts: list[str] | None = None) -> dict[str, Any]:
    preview = change_rows(diffs.entries(memory.texts, texts)) if texts is not None else None
    return {
        "memory": memory,
        "target": memory.target,
        "file_name": FILE_NAMES[memory.target],
        "form": form,
        "texts": texts,
        "preview": preview,
        "fresh_digest": memory.digest,
    }


@require_http_methods(["GET", "HEAD", "POST"])
@guarded
def file_repair(request: HttpRequest, target: str, code: str) -> HttpResponse:
    """Preview a repair; apply it as previewed."""
    memory = file_of(request, target)
    found = repair.find(memory, code)
    if request.method == "POST":
        try:
            saved = service.file_repair(
                home_of(request), target, code, seen_digest=request.POST.get("digest", ""), via=PAGE
            )
        except store.MemoryChanged:
            return conflict.say(request, _("The file changed meanwhile. Look at the repair again."), 409, target)
        except EntryRefused as refused:
            return conflict.say(request, refusal_words(refused), 422, target)
        except FileProblem as problem:
            return conflict.say(request, str(problem), 503, target)
        return done(request, saved, _("File repaired. The bytes before it are kept in the history."))
    if found is None:
        raise Http404(_("This file needs no such repair."))
    context: dict[str, Any] = {
        "memory": memory,
        "target": target,
        "file_name": FILE_NAMES[target],
        "repair": found,
        "words": repair_words(code),
        "changes": change_rows(diffs.entries(memory.texts, found.texts)),
        "bytes_before": len(memory.data or b""),
        "bytes_after": len(found.data),
    }
    return respond(request, "memoryhub/repair.html", **context)


@require_POST
@guarded
def link_consent(request: HttpRequest, target: str) -> HttpResponse:
    """Agree that this file is written through its link, to the destination that was shown."""
    home = home_of(request)
    leads_to = link_target(home.memory_path(target_or_404(target)))
    if leads_to is None or request.POST.get("destination") != str(leads_to):
        return conflict.say(request, _("The link leads elsewhere now. Look at it again."), 409, target)
    links.consent(home, target, leads_to)
    return conflict.say(request, _("Changes will be written through the link."), 200, target)
