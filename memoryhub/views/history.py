"""The history of a memory file: every state newest first, and any two of them compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memoryhub import chart, flags
from memoryhub.entries import MemoryFile
from memoryhub.hermes.home import Home
from memoryhub.models import Revision, Writer
from memoryhub.services import history as past_states
from memoryhub.services import revisions
from memoryhub.services.sentences import writer_words
from memoryhub.views import past
from memoryhub.views.access import file_of, home_of, revision_or_404, target_or_404
from memoryhub.views.addresses import address
from memoryhub.views.changes import change_rows, shown
from memoryhub.views.history_rows import revision_row
from memoryhub.views.past import Today
from memoryhub.views.pulse import page_state
from memoryhub.web.htmx import is_htmx, respond

PAGE, PART = "memoryhub/history.html", "memoryhub/_history_states.html"


@require_safe
def history(request: HttpRequest, target: str) -> HttpResponse:
    """Every recorded state of a file, newest first, and its size over time; 204 to a pulse when nothing changed."""
    home, state = home_of(request), page_state(home_of(request))
    if is_htmx(request) and request.GET.get("state") == state:
        return HttpResponse(status=204)
    today = past.today_of(request, target_or_404(target))
    writer = request.GET.get("writer", "")
    writer = writer if writer in Writer.values else ""
    before, after = _key(request, "before"), _key(request, "after")
    page = past_states.page(home, target, writer=writer, before=before, after=after)
    context: dict[str, Any] = {
        "rows": [revision_row(request, listed, today.memory) for listed in page.rows],
        "recorded": page.recorded,
        "chart": _chart(home, target) if page.newer is None else None,
        "newer": page.newer and address(request, "memory:history", target, after=page.newer, writer=writer),
        "older": page.older and address(request, "memory:history", target, before=page.older, writer=writer),
        "writer": writer,
        "writers": _writer_links(request, target),
        "pulse_url": address(request, "memory:history", target, before=before, after=after, writer=writer, state=state),
    }
    return respond(request, PAGE, part=PART, **past.frame(request, target, today), **context)


def _chart(home: Home, target: str) -> chart.Chart:
    series = chart.Series(target, past_states.points(home, target))
    return chart.draw([series], now=timezone.now(), zone=timezone.get_current_timezone())


@require_safe
def history_diff(request: HttpRequest, target: str) -> HttpResponse:
    """Two states of a file compared; either may be the file as it now is."""
    target_or_404(target)
    old, new = (_state(request, target, request.GET.get(name, past.NOW)) for name in "ab")
    revealed = request.GET.get("show") == "secrets"
    difference = past.difference_shown(old.memory, new.memory)
    keys = {"a": old.key, "b": new.key}
    context: dict[str, Any] = {
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
    return respond(request, "memoryhub/history_diff.html", **past.frame(request, target, Today(None)), **context)


@dataclass(frozen=True)
class State:
    """One side of a comparison. ``key`` is what its address says; ``revision`` is None for the file as it now is."""

    key: int | str
    memory: MemoryFile
    revision: Revision | None
    who: str
    url: str


def _state(request: HttpRequest, target: str, key: str) -> State:
    if key == past.NOW:
        return State(past.NOW, file_of(request, target), None, "", address(request, "memory:files"))
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
            around = (older, newer or past.NOW)
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
    return any(flags.secrets_in(text[: past.MOST_CHARS]) for text in texts)
