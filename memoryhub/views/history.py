"""The history of a memory file: the list, one state, two states compared, and bringing a state back."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memoryhub import chart, diffs
from memoryhub.entries import EntryRefused, MemoryFile
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import FILE_NAMES
from memoryhub.models import Revision, Writer
from memoryhub.services import history as past_states
from memoryhub.services import revisions, undo
from memoryhub.services.memory import PAGE
from memoryhub.services.sentences import change_words, notice_sentence, writer_words
from memoryhub.store import MemoryChanged
from memoryhub.views import past
from memoryhub.views.access import file_of, home_of, revision_or_404, target_or_404
from memoryhub.views.addresses import address
from memoryhub.views.changes import change_rows, shown
from memoryhub.views.drafts import refusal_words
from memoryhub.views.file_view import OTHER
from memoryhub.views.guard import guarded
from memoryhub.views.history_rows import revision_row
from memoryhub.views.parts import done
from memoryhub.views.past import Today
from memoryhub.web.htmx import respond

NOW = "now"


@require_safe
def history(request: HttpRequest, target: str) -> HttpResponse:
    """Every recorded state of a file, newest first, and its size over time."""
    home, today = home_of(request), past.today_of(request, target_or_404(target))
    writer = request.GET.get("writer", "")
    writer = writer if writer in Writer.values else ""
    before, after = _key(request, "before"), _key(request, "after")
    page = past_states.page(home, target, writer=writer, before=before, after=after)
    points = past_states.points(home, target)
    zone = timezone.get_current_timezone()
    context = {
        "rows": [revision_row(request, listed, today.memory) for listed in page.rows],
        "total": page.total,
        "recorded": len(points),
        "chart": chart.draw([chart.Series(target, points)], now=timezone.now(), zone=zone),
        "newer": page.newer and address(request, "memory:history", target, after=page.newer, writer=writer),
        "older": page.older and address(request, "memory:history", target, before=page.older, writer=writer),
        "writer": writer,
        "writers": _writer_links(request, target),
    }
    return respond(request, "memoryhub/history.html", **_frame(request, target, today), **context)


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


@require_safe
def history_diff(request: HttpRequest, target: str) -> HttpResponse:
    """Two states of a file compared; either may be the file as it now is."""
    target_or_404(target)
    old, new = (_state(request, target, request.GET.get(name, NOW)) for name in "ab")
    revealed = request.GET.get("show") == "secrets"
    difference = diffs.entries(old.memory.texts, new.memory.texts)
    keys = {"a": old.key, "b": new.key}
    context = {
        "old": old,
        "new": new,
        "changes": change_rows(difference, revealed=revealed),
        "only_masked": any(shown(before) == shown(after) for before, after in difference.replaced),
        "same_bytes": old.memory.data == new.memory.data,
        "revealed": revealed,
        "reveal_url": address(request, "memory:history_diff", target, **keys, show="" if revealed else "secrets"),
        "swap_url": address(request, "memory:history_diff", target, a=new.key, b=old.key),
        "has_secrets": _hides([*old.memory.texts, *new.memory.texts]),
        "steps": _steps(request, target, old, new),
    }
    return respond(request, "memoryhub/history_diff.html", **_frame(request, target, Today(None)), **context)


@require_http_methods(["GET", "HEAD", "POST"])
@guarded
def revision_restore(request: HttpRequest, target: str, number: int) -> HttpResponse:
    """Show what restoring a whole state would change; do it, to the byte, when the file is still the one compared."""
    found = revision_or_404(request, target, number)
    now, then = file_of(request, target), revisions.file_of(found)
    flagged = past.newly_flagged(then, now)
    if request.method != "POST":
        return _preview(request, found, now, then)
    if flagged and "allow_flagged" not in request.POST:
        messages.error(request, _("Not restored. Tick that the agent will not see the flagged entries."))
        return _preview(request, found, now, then, status=422)
    seen, reason = request.POST.get("digest", ""), request.POST.get("reason", "")[:500]
    try:
        saved = undo.revision_restore(home_of(request), found, via=PAGE, reason=reason, seen_digest=seen)
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
    older, newer = past_states.neighbours(found)
    entries = past.past_entries(then, today.memory, revealed=revealed)
    here = "memory:revision"
    context = {
        "revision": found,
        "who": writer_words(found.writer, found.via),
        "what": change_words(found.kind),
        "reason": shown(found.reason),
        "memory": then,
        "entries": entries,
        "is_now": today.memory is not None and then.digest == today.memory.digest,
        "notices": [notice_sentence(notice, FILE_NAMES[target]) for notice in then.notices],
        "forgotten": found.content is not None and found.content.forgotten,
        "older": older and address(request, here, target, older),
        "newer": newer and address(request, here, target, newer),
        "before_url": older and address(request, "memory:history_diff", target, a=older, b=found.pk),
        "now_url": address(request, "memory:history_diff", target, a=found.pk, b=NOW),
        "restore_url": address(request, "memory:revision_restore", target, found.pk),
        "entry_url": address(request, "memory:text_restore", target, found.pk),
        "revealed": revealed,
        "has_secrets": any(entry.has_secret for entry in entries),
        "reveal_url": address(request, here, target, found.pk, show="" if revealed else "secrets"),
    }
    return respond(request, "memoryhub/revision.html", status=status, **_frame(request, target, today), **context)


def _preview(
    request: HttpRequest, found: Revision, now: MemoryFile, then: MemoryFile, *, status: int = 200
) -> HttpResponse:
    target = found.target
    context = {
        "revision": found,
        "who": writer_words(found.writer, found.via),
        "now": now,
        "then": then,
        "changes": change_rows(diffs.entries(now.texts, then.texts)),
        "bytes_before": len(now.data or b""),
        "bytes_after": len(then.data or b""),
        "is_now": then.data == now.data,
        "flagged": past.newly_flagged(then, now),
        "forgotten": found.content is not None and found.content.forgotten,
        "url": address(request, "memory:revision", target, found.pk),
    }
    frame = _frame(request, target, Today(now))
    return respond(request, "memoryhub/revision_restore.html", status=status, **frame, **context)


def _frame(request: HttpRequest, target: str, today: Today) -> dict[str, object]:
    """What the head of every page of the history needs."""
    return {
        "target": target,
        "other": OTHER[target],
        "file_name": FILE_NAMES[target],
        "today": today,
        "history_url": address(request, "memory:history", target),
        "other_url": address(request, "memory:history", OTHER[target]),
        "backups_url": address(request, "memory:backups", target),
        "diff_action": address(request, "memory:history_diff", target),
    }


@dataclass(frozen=True)
class State:
    """One side of a comparison. ``key`` is what its address says; ``revision`` is None for the file as it now is."""

    key: int | str
    memory: MemoryFile
    revision: Revision | None
    who: str
    url: str


def _state(request: HttpRequest, target: str, key: str) -> State:
    if key == NOW:
        return State(NOW, file_of(request, target), None, "", address(request, "memory:files"))
    if not (key.isascii() and key.isdigit() and len(key) < 19):
        raise Http404(_("States are named by their number, or “now”."))
    found = revision_or_404(request, target, int(key))
    url = address(request, "memory:revision", target, found.pk)
    return State(found.pk, revisions.file_of(found), found, writer_words(found.writer, found.via), url)


def _steps(request: HttpRequest, target: str, old: State, new: State) -> dict[str, str]:
    """Where one step of either side leads, so that any two states can be reached from any comparison."""
    steps = {}
    for name, state, other in (("a", old, {"b": new.key}), ("b", new, {"a": old.key})):
        if state.revision is None:
            newest = revisions.latest(home_of(request), target)
            around: tuple[int | str | None, int | str | None] = (newest.pk if newest else None, None)
        else:
            older, newer = past_states.neighbours(state.revision)
            around = (older, newer or NOW)
        for word, key in zip(("older", "newer"), around, strict=True):
            if key is not None:
                steps[f"{name}_{word}"] = address(request, "memory:history_diff", target, **{**other, name: key})
    return steps


def _writer_links(request: HttpRequest, target: str) -> list[tuple[str, str, str]]:
    """(value, words, address) of each choice of the writer filter."""
    choices = [("", _("Everyone")), *((value, writer_words(value)) for value in Writer.values)]
    return [(value, words, address(request, "memory:history", target, writer=value)) for value, words in choices]


def _key(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def _hides(texts: list[str]) -> bool:
    return any(shown(text) != shown(text, revealed=True) for text in texts)
