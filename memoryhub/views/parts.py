"""What the memory pages answer after something was done: the changed parts for htmx, a redirect for plain browsers."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import reswap

from memoryhub.hermes.home import TARGETS
from memoryhub.services import door, snapshots
from memoryhub.services.writes import Saved
from memoryhub.views import file_view
from memoryhub.views.access import home_of
from memoryhub.views.open_forms import open_forms, stranded
from memoryhub.web.htmx import is_asked_from, is_htmx, redirect_to


def with_profile(request: HttpRequest, url: str) -> str:
    """``url`` for the profile that the page shows."""
    home = home_of(request)
    if home == door.current_instance().home:
        return url
    return f"{url}?{urlencode({'profile': home.name})}"


def say_done(request: HttpRequest, sentence: str, operation: uuid.UUID | None, *, was_undo: bool = False) -> None:
    """Tell that something was done, with its Undo beside it; beside an undo that is a Redo."""
    if operation and snapshots.running(home_of(request)).sessions:
        sentence = f"{sentence} {_('Running sessions keep the text they started with until a new one begins.')}"
    undo = with_profile(request, reverse("memory:undo_operation", args=[operation])) if operation else ""
    tags = [f"undo={undo}", "redo" if was_undo else ""] if undo else []
    messages.success(request, sentence, extra_tags=" ".join(tags).strip())


def changed_ids(saved: Saved, before: Mapping[str, Collection[str]]) -> dict[str, set[str]]:
    """Ids of the entries that are new in each saved file."""
    return {
        target: {entry.id for entry in memory.entries} - set(before.get(target, ()))
        for target, memory in saved.files.items()
    }


def done(
    request: HttpRequest, saved: Saved, sentence: str, *, main: str = "", changed: Mapping[str, Collection[str]] = {}
) -> HttpResponse:
    """Answer a change that was made: parts and messages for htmx (``main`` fills the target), else back to the page.

    Only the memory page has places for the parts; any other page is led there.
    """
    kinds = {one.kind for one in saved.revisions.values() if one is not None and one.operation == saved.operation}
    say_done(request, sentence, saved.operation if kinds else None, was_undo="undo" in kinds)
    if not shows_files(request):
        return redirect_to(request, with_profile(request, reverse("memory:files")) + _fragment(saved, changed))
    response = HttpResponse(main + file_parts(request, saved.files, changed))
    return response if main else reswap(response, "none")


def shows_files(request: HttpRequest) -> bool:
    """Whether the answer goes into the memory page as parts."""
    return is_htmx(request) and is_asked_from(request, reverse("memory:files"))


def file_parts(
    request: HttpRequest, targets: Iterable[str] = TARGETS, changed: Mapping[str, Collection[str]] = {}
) -> str:
    """The parts of these files' sections and the messages, each to be swapped into its own place."""
    home, opened = home_of(request), open_forms(request)
    built = [file_view.build(home, target, changed=changed.get(target, ())) for target in targets]
    files = [replace(file, stranded=stranded(home, file.target, file.memory, opened)) for file in built]
    context: dict[str, Any] = {"files": files, "open": opened, "oob": True}
    return render_to_string("memoryhub/_file_parts.html", context, request)


def refused(request: HttpRequest, template: str, part: str, status: int, context: dict[str, Any]) -> HttpResponse:
    """Show a form again, in its place for htmx, as a page otherwise."""
    return render(request, part if is_htmx(request) else template, context, status=status)


def _fragment(saved: Saved, changed: Mapping[str, Collection[str]]) -> str:
    for target in saved.files:
        for entry_id in changed.get(target, ()):
            return f"#entry-{target}-{entry_id}"
    return f"#file-{next(iter(saved.files))}"
