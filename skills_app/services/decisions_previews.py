"""What lists show of staged writes, computed beside the pages and remembered by the record and what it would change.

A page asks for what is known and shows "checking" for the rest. While nobody fills the memory beside it (no ``serve``),
asking fills it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memoryhub.hermes.config import read_config
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import TARGETS, Home
from skills_app.guard import RULES_VERSION
from skills_app.library.model import Listing, RootKind
from skills_app.pending.memory_effect import MemoryEffect
from skills_app.pending.records import PendingMemory, PendingSkill, Record, Unreadable, list_records
from skills_app.pending.refusal import Refusal
from skills_app.services import catalogue
from skills_app.services.decisions_look import Look, look, read_memory
from skills_app.writing.shelf import Shelf

AT_ONCE: Final = 32  # records between two looks at whether to end
_SEARCHED: Final = (RootKind.HOME, RootKind.EXTERNAL)
Key = tuple[object, ...]


@dataclass(frozen=True)
class Summary:
    """What a list needs of a look; the whole is computed again where one item is shown.

    ``seen`` binds a decision made from the list. ``verdict`` is "" where nothing could be judged; ``ticks`` name what a
    person must open and tick before approving.
    """

    seen: str
    verdict: str
    is_dangerous: bool
    refusal: Refusal | None
    ticks: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    problem: str = ""
    changes_nothing: bool = False

    @property
    def is_stale(self) -> bool:
        """Whether it cannot be applied as it is."""
        return bool(self.problem) or self.refusal is not None


class _Memory:
    """What is remembered of one home."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.known: dict[str, tuple[Key, Summary]] = {}
        self.workers = 0


_memories: dict[str, _Memory] = {}
_memories_lock = threading.Lock()


def summaries(home: Home, records: Sequence[Record]) -> dict[str, Summary | None]:
    """The summary of each record by its id; None while it is being computed. Never slow while somebody fills."""
    memory = _memory(home)
    if not memory.workers:
        fill(home, records)
    keys = _keys(home, records)
    with memory.lock:
        found = {record.id: memory.known.get(record.id) for record in records}
    return {item: kept[1] if kept is not None and kept[0] == keys[item] else None for item, kept in found.items()}


def fill(home: Home, records: Sequence[Record] | None = None, is_over: Callable[[], bool] = lambda: False) -> int:
    """Compute what is not known yet, the newest first; how many were computed. Ends early when ``is_over`` says so."""
    found = list_records(home.pending) if records is None else records
    memory, keys = _memory(home), _keys(home, found)
    with memory.lock:
        missing = [r for r in found if (kept := memory.known.get(r.id)) is None or kept[0] != keys[r.id]]
        if records is None:
            memory.known = {item: kept for item, kept in memory.known.items() if item in keys}
    shelf = _shelf(home, missing)
    for place, record in enumerate(missing):
        if place % AT_ONCE == 0 and is_over():
            return place
        summary = summary_of(look(home, record, shelf=shelf))
        with memory.lock:
            memory.known[record.id] = (keys[record.id], summary)
    return len(missing)


def filling(home: Home, by: int) -> None:
    """Say that somebody began (1) or ceased (-1) to fill the memory of this home beside the pages."""
    _memory(home).workers += by


def summary_of(now: Look) -> Summary:
    """What a list shows of a look."""
    verdict, effect = now.judgement.verdict, now.effect
    return Summary(
        seen=now.seen,
        verdict=verdict.value if verdict else "",
        is_dangerous=now.judgement.is_dangerous,
        refusal=now.refusal,
        ticks=now.judgement.ticks,
        notes=() if effect is None or isinstance(effect, MemoryEffect) else effect.notes,
        problem=now.record.reason if isinstance(now.record, Unreadable) else now.problem,
        changes_nothing=isinstance(effect, MemoryEffect) and effect.changes_nothing,
    )


def _memory(home: Home) -> _Memory:
    with _memories_lock:
        return _memories.setdefault(home.key, _Memory())


def _keys(home: Home, records: Iterable[Record]) -> dict[str, Key]:
    """What each summary depends on: the record, the rules, and the memory file or the skills that it names."""
    listing = catalogue.current(home).listing
    signatures: dict[str, list[str]] = {}
    for skill in listing.skills:
        signatures.setdefault(skill.folder_name, []).append(f"{skill.path} {skill.signature} {skill.pinned}")
    files = {target: _file_mark(home, target) for target in TARGETS}
    return {record.id: _key(record, files, signatures) for record in records}


def _key(record: Record, files: Mapping[str, str], signatures: Mapping[str, list[str]]) -> Key:
    if isinstance(record, PendingMemory):
        return (record.sha256, RULES_VERSION, files[record.target])
    if isinstance(record, PendingSkill):
        names = {name for write in record.steps for name in (write.name, (write.absorbed_into or "").strip())}
        return (record.sha256, RULES_VERSION, *(tuple(signatures.get(name, ())) for name in sorted(names)))
    return (record.sha256,)


def _file_mark(home: Home, target: str) -> str:
    try:
        memory = read_memory(home, target)
    except FileProblem as problem:
        return str(problem)
    return f"{memory.digest} {memory.limit} {read_config(home.config_file).limit(target)}"


def _shelf(home: Home, records: Iterable[Record]) -> Shelf | None:
    if not any(isinstance(record, PendingSkill) for record in records):
        return None
    return shelf_from(home, catalogue.current(home).listing)


def shelf_from(home: Home, listing: Listing) -> Shelf:
    """The skills of a home for planning, from a listing that is there already: no walk."""
    found = [skill for skill in listing.skills if skill.root.kind in _SEARCHED]
    others = [root.path for root in listing.roots if root.kind is RootKind.EXTERNAL and not root.problem]
    return Shelf.from_known([home.skills, *others], [(skill.path, skill.root.path) for skill in found])
