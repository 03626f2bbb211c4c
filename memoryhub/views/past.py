"""A state of the past as pages show it: its entries, what became of each, and bringing one of them back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from memoryhub import diffs, flags, store
from memoryhub.diffs import EntryDiff, Piece
from memoryhub.entries import Entry, EntryRefused, MemoryFile
from memoryhub.flags import Checked
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import FILE_NAMES
from memoryhub.services import memory as service
from memoryhub.services import writes
from memoryhub.services.memory import PAGE
from memoryhub.services.sentences import flag_words, notice_sentence
from memoryhub.views.access import home_of
from memoryhub.views.addresses import address
from memoryhub.views.changes import word_pieces
from memoryhub.views.drafts import refusal_words
from memoryhub.views.file_view import OTHER, TONES, FlagView, masked_runs
from memoryhub.views.parts import say_done
from memoryhub.visible import Run
from memoryhub.web.htmx import redirect_to

HERE, REWORDED, GONE, UNKNOWN = "here", "reworded", "gone", ""
NOW = "now"
MOST_CHARS = 100_000
MOST_ENTRIES = 1_000


@dataclass(frozen=True)
class PastEntry:
    """One entry of a past state. ``status`` says what became of it; ``pieces`` how today's wording differs."""

    id: str
    number: int
    runs: tuple[Run, ...]
    chars: int
    not_shown: int
    status: str
    pieces: tuple[Piece, ...]
    flags: tuple[FlagView, ...]
    has_secret: bool
    can_return: bool


@dataclass(frozen=True)
class Today:
    """The file as it now stands, or the sentence that says why it cannot be read."""

    memory: MemoryFile | None
    problem: str = ""


def frame(request: HttpRequest, target: str, today: Today) -> dict[str, Any]:
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


def today_of(request: HttpRequest, target: str) -> Today:
    """Read the file as it now stands; a page about the past must not fail with it."""
    try:
        return Today(writes.read(home_of(request), target))
    except FileProblem as problem:
        return Today(None, str(problem))


def past_entries(then: MemoryFile, now: MemoryFile | None, *, revealed: bool = False) -> list[PastEntry]:
    """The entries of a state (the first MOST_ENTRIES), compared with today's file if that can be read."""
    difference = diffs.entries(then.texts, now.texts) if now else None
    reworded = dict(difference.replaced) if difference else {}
    present = set(now.texts) if now else set()
    return [
        _past_entry(entry, _status(entry.text, present, reworded, now), reworded.get(entry.text, ""), then, revealed)
        for entry in then.entries[:MOST_ENTRIES]
    ]


def notices(then: MemoryFile, file_name: str) -> list[str]:
    """What is odd about a state, as sentences, and that not all of it is shown."""
    found = [notice_sentence(notice, file_name) for notice in then.notices]
    if len(then.entries) > MOST_ENTRIES:
        facts = {"most": f"{MOST_ENTRIES:,}", "count": f"{len(then.entries):,}"}
        found.append(_("Only the first %(most)s of its %(count)s entries are shown.") % facts)
    return found


def restore_one(
    request: HttpRequest, then: MemoryFile, *, back: str, show: Callable[[int], HttpResponse], reason: str = ""
) -> HttpResponse:
    """Bring back the entry that the form names, then lead ``back``; ``show`` the page again with what was refused."""
    entry = then.find(request.POST.get("entry", ""))
    if entry is None:
        raise Http404(_("This entry is not in that state of the file."))
    try:
        store.check_threats(entry.text, entry.id in request.POST.getlist("allow"))
        saved = service.text_restore(home_of(request), then.target, entry.text, via=PAGE, reason=reason)
    except EntryRefused as problem:
        messages.error(request, _("Not restored.") + " " + refusal_words(problem))
        return show(422)
    except FileProblem as problem:
        messages.error(request, str(problem))
        return show(503)
    say_done(request, _("Entry restored to %s.") % FILE_NAMES[then.target], saved.operation)
    return redirect_to(request, back)


def difference_shown(old: MemoryFile, new: MemoryFile) -> EntryDiff:
    """How two states differ, texts of more than MOST_CHARS cut: no person reads on, and no browser likes it."""
    found = diffs.entries(old.texts, new.texts)
    return EntryDiff(
        tuple(text[:MOST_CHARS] for text in found.added),
        tuple(text[:MOST_CHARS] for text in found.removed),
        tuple((before[:MOST_CHARS], after[:MOST_CHARS]) for before, after in found.replaced),
        tuple(text[:MOST_CHARS] for text in found.moved),
    )


def newly_flagged(then: MemoryFile, now: MemoryFile) -> list[Entry]:
    """Entries of a past state that the agent would not see, or that hide something, and that the file lacks now."""
    return [entry for entry in then.entries if entry.text not in now.texts and flags.threats_in(entry.text)]


def _past_entry(entry: Entry, status: str, now: str, then: MemoryFile, revealed: bool) -> PastEntry:
    start = entry.text[:MOST_CHARS]
    found = Checked((), flags.threats_in(start), flags.secrets_in(start))
    said = [(flag, flag_words(flag)) for flag in map(flags.threat_flag, found.threats)]
    return PastEntry(
        id=entry.id,
        number=entry.index + 1,
        runs=masked_runs(start, found, revealed=revealed),
        chars=entry.chars,
        not_shown=entry.chars - len(start),
        status=status,
        pieces=word_pieces(start, now[:MOST_CHARS], revealed=revealed) if now else (),
        flags=tuple(FlagView(words.label, words.sentence, TONES[flag.tone]) for flag, words in said),
        has_secret=bool(found.secrets) and not revealed,
        can_return=status in (GONE, REWORDED) and (then.decodable or "\ufffd" not in entry.text),
    )


def _status(text: str, present: set[str], reworded: dict[str, str], now: MemoryFile | None) -> str:
    if now is None:
        return UNKNOWN
    if text in present:
        return HERE
    return REWORDED if text in reworded else GONE
