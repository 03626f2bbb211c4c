"""Forms that stay open while others write: each keeps its place on the page, even when its entry is gone."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from dataclasses import dataclass

from django.http import HttpRequest

from memoryhub.entries import Entry, MemoryFile, entry_digest
from memoryhub.hermes.home import Home
from memoryhub.models import EntryChange

_ALIKE = 0.6
_MOST_STEPS = 20


@dataclass(frozen=True)
class Stranded:
    """An open form whose entry is not in the file any more. ``after`` is the card it stands below, empty for none."""

    id: str
    after: str


def open_forms(request: HttpRequest) -> set[str]:
    """Ids of the cards whose forms hold typed text on the page, and so must survive the swap."""
    return set(request.GET.getlist("open") + request.POST.getlist("open"))


def stranded(home: Home, target: str, memory: MemoryFile | None, opened: Collection[str]) -> tuple[Stranded, ...]:
    """The open forms of a file that no card of it holds; each stands below what became of its entry."""
    ids = sorted(one.removeprefix(f"{target}-") for one in opened if one.startswith(f"{target}-"))
    return tuple(_stranded(home, target, memory, one) for one in ids if memory is None or memory.find(one) is None)


def _stranded(home: Home, target: str, memory: MemoryFile | None, entry_id: str) -> Stranded:
    now = find_successor(home, memory, entry_id, "") if memory else None
    return Stranded(f"{target}-{entry_id}", f"{target}-{now.id}" if now else "")


def find_successor(home: Home, memory: MemoryFile, entry_id: str, base: str) -> Entry | None:
    """What became of an entry: the text that replaced it, as recorded, else the one most like ``base``."""
    digest = entry_id.split("-")[0] or entry_digest(base)
    changes = EntryChange.objects.filter(home=home.key, target=memory.target)
    for _step in range(_MOST_STEPS):
        later = changes.filter(old_digest=digest).order_by("-id").first()
        if later is None:
            break
        digest = later.digest
        if (entry := memory.find(digest)) is not None:
            return entry
    scored = [(_likeness(base, entry.text), entry) for entry in memory.entries]
    likeness, best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    return best if likeness >= _ALIKE else None


def _likeness(one: str, other: str) -> float:
    matcher = difflib.SequenceMatcher(None, one, other)
    return matcher.ratio() if matcher.quick_ratio() >= _ALIKE else 0.0
