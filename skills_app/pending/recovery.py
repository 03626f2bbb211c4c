"""After a crash: each claim that a dead process left is finished, or the record is put back. Never both, never neither.

What was to be written is compared with what is there. Written in part means: taken back, and the record waits again.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from memoryhub import entries
from memoryhub.hermes import files
from memoryhub.hermes.pending_count import SUBSYSTEMS
from skills_app.pending import claim, journal
from skills_app.pending.journal import Entry
from skills_app.writing import commit
from skills_app.writing.model import WriteRefused

_PREFIX: Final = {"memory": "memory", "skills": "skill"}
_PLENTY: Final = 1 << 40  # the limit does not matter for comparing entries


class Outcome(StrEnum):
    """What became of a claim that was left over."""

    APPLIED = "applied"  # it had been done: only the record was still there
    PUT_BACK = "put back"  # it had not, or only in part: the record waits again
    UNCLEAR = "unclear"  # put back, but somebody wrote the same place since


@dataclass(frozen=True)
class Recovered:
    """One left-over claim: ``entry`` is what it was about, None when it had not begun to write."""

    item: str
    outcome: Outcome
    entry: Entry | None
    foreign: tuple[str, ...] = ()


def recover(
    pending: Path,
    folder: Path,
    home: str,
    read_memory: Callable[[str], bytes | None],
    finished: Callable[[Entry], None],
) -> tuple[Recovered, ...]:
    """Repair what dead processes left in ``pending``; ``folder`` is the journal, ``home`` the home's key.

    ``finished`` is called for what had been applied, before its record is deleted; perhaps twice for one entry.
    """
    found = [held for subsystem in SUBSYSTEMS for held in claim.claims_in(pending / subsystem)]
    if not found:
        return ()
    with exclusive(folder):
        return tuple(r for held in found if (r := _recover(held, folder, home, read_memory, finished)) is not None)


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Let one writer of ours work at a time, whatever process it lives in. Raises files.FileProblem after a minute."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with files.locked(folder / "applying", 60.0):
        yield


def item_of(held: Path) -> str:
    """The id of a claimed record."""
    original = claim.original_of(held)
    return f"{_PREFIX[held.parent.name]}:{original.stem}"


def _recover(
    held: Path,
    folder: Path,
    home: str,
    read_memory: Callable[[str], bytes | None],
    finished: Callable[[Entry], None],
) -> Recovered | None:
    handle = claim.reopen(held)
    if handle is None:
        return None
    try:
        entry = journal.read(folder, home, item_of(held))
        if entry is not None and entry.sha256 != files.digest(_bytes(held)):
            entry = None  # of an older claim of the same id
        found = _judge(entry, item_of(held), read_memory)
        if found.outcome is Outcome.APPLIED and entry is not None:
            finished(entry)
            held.unlink(missing_ok=True)
        else:
            claim.put_back(held, claim.original_of(held))
        journal.remove(folder, home, item_of(held))
        return found
    finally:
        os.close(handle)


def _bytes(held: Path) -> bytes:
    return files.read_regular(held) or b""


def _judge(entry: Entry | None, item: str, read_memory: Callable[[str], bytes | None]) -> Recovered:
    """Compare what was to be written with what is there, and take back what was written in part."""
    if entry is None:
        return Recovered(item, Outcome.PUT_BACK, None)
    if entry.memory:
        return Recovered(item, memory_outcome(entry.memory, read_memory), entry)
    if not entry.skills:
        return Recovered(item, Outcome.APPLIED, entry)  # a rejection: the content is in our history
    try:
        commit.clear_up(entry.skills)
        if all(commit.is_made(change) for change in entry.skills):
            return Recovered(item, Outcome.APPLIED, entry)
        if all(commit.is_unmade(change) for change in entry.skills):
            return Recovered(item, Outcome.PUT_BACK, entry)
        foreign = commit.revert(entry.skills)
    except (WriteRefused, files.FileProblem) as problem:
        return Recovered(item, Outcome.UNCLEAR, entry, (str(problem),))
    return Recovered(item, Outcome.UNCLEAR if foreign else Outcome.PUT_BACK, entry, foreign)


def memory_outcome(
    expected: Mapping[str, tuple[bytes | None, bytes]], read_memory: Callable[[str], bytes | None]
) -> Outcome:
    """Whether the entries that were to come are there and those that were to go are not, whatever else was written."""
    outcomes = {_memory_outcome(read_memory(target), *sides) for target, sides in expected.items()}
    return outcomes.pop() if len(outcomes) == 1 else Outcome.UNCLEAR


def _memory_outcome(now: bytes | None, before: bytes | None, after: bytes) -> Outcome:
    if now == after:
        return Outcome.APPLIED
    if now == before:
        return Outcome.PUT_BACK
    old, new, is_there = (Counter(entries.parse(data, "memory", _PLENTY).texts) for data in (before, after, now))
    came, went = new - old, old - new
    is_made = [*(is_there[text] > 0 for text in came), *(is_there[text] == 0 for text in went)]
    if all(is_made):
        return Outcome.APPLIED
    return Outcome.UNCLEAR if any(is_made) else Outcome.PUT_BACK
