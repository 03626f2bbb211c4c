"""What a staged skill write would do to the files of a home's skills, or why it would be refused. Reads, never writes.

Only what lies in the skill itself is read; a path that leaves it is refused before anything is opened.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from skills_app.pending.refusal import Refusal
from skills_app.writing import plan
from skills_app.writing.model import FileChange, SkillChange, SkillWrite, WriteRefused
from skills_app.writing.rules import SKILL_FILE
from skills_app.writing.shelf import Shelf

NESTED: Final = "nested_skill"  # a SKILL.md inside another skill: Hermes would take it for a skill of its own
UNCHECKED: Final = "unchecked_header"  # SKILL.md written as a supporting file: Hermes does not look at its header
VANISHES: Final = "skill_vanishes"  # without SKILL.md the folder stays and nobody sees it
PINNED: Final = "pinned"  # a pinned skill is changed; Hermes only refuses to delete one
OUTSIDE: Final = "outside_home"  # the skill lies in a folder that other homes or programs may share


@dataclass(frozen=True)
class SkillEffect:
    """The skills that change, before and after; empty with a ``refusal``. ``seen`` binds a decision to it.

    ``needs_hermes`` says that only the installed Hermes can tell: its patch matching is more tolerant than ours.
    """

    changes: tuple[SkillChange, ...] = field(repr=False)
    refusal: Refusal | None
    notes: tuple[str, ...] = ()
    needs_hermes: bool = False

    @property
    def seen(self) -> str:
        """SHA-256 of each file that changes, before and after; of a refusal, its code."""
        return seen_digest(self.changes) if self.refusal is None else f"refused:{self.refusal.code}"

    @property
    def files(self) -> tuple[tuple[SkillChange, FileChange], ...]:
        """Each file that comes, changes or goes, with its skill."""
        return tuple((change, file) for change in self.changes for file in change.files)

    @property
    def after(self) -> Mapping[str, Mapping[str, bytes]]:
        """The whole of each skill as it would be on disk, by name: ``{relative path: bytes}``; deleted ones empty."""
        return {change.name: change.after.files if change.after else {} for change in self.changes}


def preview(shelf: Shelf, writes: Sequence[SkillWrite]) -> SkillEffect:
    """What the writes would do together. Never raises."""
    try:
        changes = plan.plan(shelf, writes)
    except WriteRefused as refused:
        return refusal_effect(refused, writes)
    return SkillEffect(changes, None, notes_of(shelf, writes, changes))


def refusal_effect(refused: WriteRefused, writes: Sequence[SkillWrite]) -> SkillEffect:
    """The effect of a write that is refused."""
    data = dict(refused.data)
    step = data.pop("step", None)
    fuzzy = refused.code in ("text_gone", "two_matches") and any(write.action == "patch" for write in writes)
    return SkillEffect(
        (),
        Refusal(refused.code, str(refused), data, step if len(writes) > 1 else None),
        needs_hermes=fuzzy and refused.code == "text_gone",
    )


def seen_digest(changes: Iterable[SkillChange]) -> str:
    """Each file that changes, with what it held and would hold, in one digest: the same when applied as when seen."""
    whole = hashlib.sha256()
    for change in sorted(changes, key=lambda each: str(each.folder)):
        whole.update(
            f"{change.folder}\0{change.before is None}{change.after is None}\n".encode("utf-8", "surrogateescape")
        )
        for file in change.files:
            sides = [b"-" if side is None else hashlib.sha256(side).digest() for side in (file.before, file.after)]
            whole.update(file.path.encode("utf-8", "surrogateescape") + b"\0" + b"\0".join(sides))
    return whole.hexdigest()


def notes_of(shelf: Shelf, writes: Sequence[SkillWrite], changes: Sequence[SkillChange]) -> tuple[str, ...]:
    """What a person should know before approving, beside the verdict."""
    paths = {(write.action, write.file_path) for write in writes if write.file_path}
    notes = []
    if any(path.endswith(f"/{SKILL_FILE}") for _, path in paths):
        notes.append(NESTED)
    if any(path == SKILL_FILE and action in ("write_file", "patch") for action, path in paths):
        notes.append(UNCHECKED)
    if any(c.after is not None and SKILL_FILE not in c.after.files and c.before is not None for c in changes):
        notes.append(VANISHES)
    if any(change.name in shelf.pinned() for change in changes):
        notes.append(PINNED)
    if any(change.root != shelf.own for change in changes):
        notes.append(OUTSIDE)
    return tuple(notes)
