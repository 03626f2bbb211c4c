"""What can be done to a memory file, as pure functions from one state to the next list of entries.

Each returns the new texts and raises MemoryChanged when the entry a person saw is gone, or EntryRefused. Reading is
here too; writing is in services/writes.py, because a write and its revision belong together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memoryhub import entries, threats
from memoryhub.entries import Entry, EntryRefused, MemoryFile
from memoryhub.hermes import files
from memoryhub.hermes.config import Config
from memoryhub.hermes.home import Home, is_utf8


class MemoryChanged(Exception):
    """The entry that a person saw is not in the file any more. ``memory`` is the file as it now stands."""

    def __init__(self, memory: MemoryFile, entry_id: str) -> None:
        super().__init__("This entry was changed or removed meanwhile. Nothing was written.")
        self.memory = memory
        self.entry_id = entry_id


class ReadOnly(files.FileProblem):
    """The file is shown but not written; the text is the reason."""


@dataclass(frozen=True)
class Access:
    """Whether a file can be written: ``problem`` is the reason why not; ``leads_to`` is where a link goes."""

    problem: str = ""
    leads_to: Path | None = None
    needs_consent: bool = False


def load(home: Home, target: str, config: Config) -> MemoryFile:
    """Read a memory file fresh from disk. Raises files.FileProblem."""
    return entries.parse(files.read_regular(home.memory_path(target)), target, config.limit(target))


def access(home: Home, target: str, consented: Path | None, owner_home: Path) -> Access:
    """Say whether ``target``'s file may be written, without touching it.

    A link that leaves both the Hermes home and ``owner_home`` needs the owner's consent to that very destination.
    """
    path = home.memory_path(target)
    leads_to = files.link_target(path)
    if leads_to and not is_utf8(leads_to):
        return Access(f"{path.name} is a link to a path that is not UTF-8, so it is only shown.")
    if leads_to and leads_to != consented and not any(files.contained(path, r) for r in (home.root, owner_home)):
        return Access(f"{path.name} is a link that leads out of your home, to {leads_to}.", leads_to, True)
    return Access(files.write_problem(path), leads_to)


def check_threats(text: str, allow_flagged: bool) -> None:
    """Refuse a text that Hermes would hide, or that hides something, unless its owner has said so."""
    found = () if allow_flagged else threats.scan(text)
    if found:
        raise EntryRefused(
            "threat",
            "The agent would not see this entry, because it looks like an attack: "
            + ", ".join(threat.id for threat in found)
            + ".",
            threats=found,
        )


def require(memory: MemoryFile, entry_id: str) -> Entry:
    """The entry with this id. Raises MemoryChanged."""
    entry = memory.find(entry_id)
    if entry is None:
        raise MemoryChanged(memory, entry_id)
    return entry


def adding(memory: MemoryFile, text: str, *, at: int | None = None) -> list[str]:
    """The entries with ``text`` added, at the end (the newest place) or at index ``at``."""
    stored = entries.clean(text)
    _refuse_copy(memory.texts, stored)
    texts = list(memory.texts)
    texts.insert(len(texts) if at is None else at, stored)
    return texts


def replacing(memory: MemoryFile, entry_id: str, text: str) -> list[str]:
    """The entries with one replaced in its place."""
    entry = require(memory, entry_id)
    stored = entries.clean(text)
    texts = list(memory.texts)
    del texts[entry.index]
    if stored != entry.text:
        _refuse_copy(texts, stored)
    texts.insert(entry.index, stored)
    return texts


def removing(memory: MemoryFile, entry_id: str) -> list[str]:
    """The entries without one; further copies of it stay."""
    entry = require(memory, entry_id)
    return [text for index, text in enumerate(memory.texts) if index != entry.index]


def placing(memory: MemoryFile, entry_id: str, place: int) -> list[str]:
    """The entries with one moved to index ``place`` (clamped); order is age, the oldest first."""
    entry = require(memory, entry_id)
    texts = removing(memory, entry_id)
    texts.insert(max(0, min(place, len(texts))), entry.text)
    return texts


def merging(memory: MemoryFile, entry_ids: Sequence[str], text: str) -> list[str]:
    """The entries with several replaced by one ``text``, at the place of the first of them."""
    chosen = {require(memory, entry_id).index for entry_id in entry_ids}
    if len(chosen) < 2:
        raise EntryRefused("merge_needs_two", "Choose at least two entries to merge.")
    stored = entries.clean(text)
    rest = [t for index, t in enumerate(memory.texts) if index not in chosen]
    _refuse_copy(rest, stored)
    texts = [t for index, t in enumerate(memory.texts) if index not in chosen or index == min(chosen)]
    texts[min(chosen)] = stored
    return texts


def from_raw(text: str) -> list[str]:
    """The entries that a whole file typed as text would hold. Raises EntryRefused when one of them cannot be stored."""
    normal = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    return [entries.clean(piece) for piece in entries.split(normal)]


def _refuse_copy(texts: Sequence[str], stored: str) -> None:
    if stored in texts:
        place = list(texts).index(stored) + 1
        raise EntryRefused("duplicate", f"Entry {place} already says exactly this.", place=place)
