"""The overview: how full the files are, who changed them last, and what needs a look."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from memoryhub.hermes.config import read_config
from memoryhub.hermes.home import TARGETS, Home, profiles
from memoryhub.hermes.pending_count import count_pending
from memoryhub.models import Revision
from memoryhub.services import hooks, revisions, snapshots
from memoryhub.services.hooks import Attention
from memoryhub.services.status import state_counts
from memoryhub.views import file_view
from memoryhub.views.access import home_of
from memoryhub.views.file_view import FileView
from memoryhub.views.parts import with_profile
from memoryhub.web.htmx import respond

RECENT = 8


@dataclass(frozen=True)
class ProfileRow:
    """Another profile's two files, small."""

    home: Home
    files: tuple[FileView, ...]
    url: str


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """The chosen profile's gauges, the other profiles' small ones, recent changes, what needs attention."""
    home = home_of(request)
    files = [file_view.build(home, target) for target in TARGETS]
    return respond(
        request,
        "memoryhub/overview.html",
        files=files,
        attention=[*hooks.attention(request), *_of_files(request, files), *_of_home(request, home)],
        others=[_row(other) for other in profiles(home) if other != home],
        recent=_recent(home),
        counts=state_counts(home),
    )


def _row(home: Home) -> ProfileRow:
    files = tuple(file_view.build(home, target) for target in TARGETS)
    return ProfileRow(home, files, f"{reverse('memory:files')}?{urlencode({'profile': home.name})}")


def _recent(home: Home) -> list[Revision]:
    mine = Revision.objects.filter(home=home.key).exclude(kind=revisions.FIRST)
    return list(mine.order_by("-id").prefetch_related("changes")[:RECENT])


def _of_files(request: HttpRequest, files: list[FileView]) -> list[Attention]:
    found = []
    page = with_profile(request, reverse("memory:files"))
    for file in files:
        here = f"{page}#file-{file.target}"
        if file.problem:
            found.append(Attention("red", file.problem, here))
        if file.access.problem:
            found.append(Attention("amber", file.access.problem, here))
        if file.gauge is not None and file.gauge.state == "over":
            sentence = _("%(file)s is %(over)s characters over its limit.")
            found.append(Attention("red", sentence % {"file": file.name, "over": file.gauge.over_by}, here))
        if file.memory is not None and file.memory.entries and not file.is_enabled:
            found.append(Attention("amber", _("%s is stored, but not given to the model.") % file.name, here))
        found += [Attention("amber", sentence, here) for sentence in file.notices]
        found += [
            Attention(
                "red" if card.tone == "danger" else "amber",
                _("%(file)s, entry %(number)s: %(flags)s")
                % {
                    "file": file.name,
                    "number": card.number,
                    "flags": ", ".join(flag.word for flag in card.flags if flag.tone),
                },
                f"{page}#entry-{card.id}",
            )
            for card in file.cards
            if card.tone
        ]
    return found


def _of_home(request: HttpRequest, home: Home) -> list[Attention]:
    found = []
    if problem := read_config(home.config_file).problem:
        found.append(Attention("amber", problem, with_profile(request, reverse("settings"))))
    if stale := {each.session.id for each in snapshots.stale_sessions(home)}:
        sentence = ngettext(
            "%s running session still sees an older memory.",
            "%s running sessions still see an older memory.",
            len(stale),
        )
        url = with_profile(request, reverse("memory:prompt", args=["memory"]))
        found.append(Attention("", sentence % len(stale), f"{url}#running"))
    pending = count_pending(home.pending)
    waiting = (pending.memory or 0) + (pending.skills or 0)
    if waiting:
        sentence = ngettext(
            "%s proposed write waits for a decision; type /memory pending or /skills pending in Hermes.",
            "%s proposed writes wait for a decision; type /memory pending or /skills pending in Hermes.",
            waiting,
        )
        found.append(Attention("amber", sentence % waiting, with_profile(request, reverse("settings"))))
    return found
