"""A staged write as it is now: what it asks for, what it would do, what that would mean. Looks and writes nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from memoryhub import store
from memoryhub.entries import MemoryFile
from memoryhub.hermes.agent_process import AgentProblem
from memoryhub.hermes.config import read_config
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import Home
from memoryhub.services import agents
from skills_app.library.model import RootKind
from skills_app.library.roots import roots_of
from skills_app.pending import memory_effect, shapes, skill_effect
from skills_app.pending.judgement import Judgement, judge
from skills_app.pending.preview import Effect
from skills_app.pending.records import PendingMemory, PendingSkill, Record, Unreadable
from skills_app.pending.refusal import Refusal
from skills_app.pending.skill_effect import SkillEffect
from skills_app.services.decisions_problems import CannotApply
from skills_app.writing import agent
from skills_app.writing.shelf import Shelf

OURS: Final = "memoryhub"
_SEARCHED: Final = (RootKind.HOME, RootKind.EXTERNAL)


@dataclass(frozen=True)
class Look:
    """One item at one moment. ``seen`` is what a page shows it by and a decision is bound to, beside ``record.sha256``.

    ``problem`` says why the effect could not be computed (a memory file that cannot be read).
    """

    record: Record
    effect: Effect | None
    judgement: Judgement
    problem: str = ""

    @property
    def seen(self) -> str:
        return self.effect.seen if self.effect else ""

    @property
    def refusal(self) -> Refusal | None:
        return self.effect.refusal if self.effect else None

    @property
    def is_stale(self) -> bool:
        """Whether it cannot be applied as it is."""
        return self.effect is None or self.effect.refusal is not None


def shelf_of(home: Home) -> Shelf:
    """The skills of a home as Hermes' own writes find them: its own folder, then the external ones. One walk."""
    roots = roots_of(home, read_config(home.config_file).skills, os.environ)
    found = [root.path for root in roots if root.kind in _SEARCHED and root.path != home.skills and not root.problem]
    return Shelf.of([home.skills, *found])


def look(
    home: Home,
    record: Record,
    *,
    payload: Mapping[str, Any] | None = None,
    shelf: Shelf | None = None,
    allow_flagged: bool = False,
) -> Look:
    """What ``record``, or another ``payload`` in its place, would do now. Raises CannotApply for a bad payload."""
    record = record if payload is None else with_payload(record, payload)
    try:
        effect = _effect(home, record, shelf, allow_flagged)
    except FileProblem as problem:
        return Look(record, None, Judgement(), str(problem))
    return Look(record, effect, judge(effect))


def with_payload(record: Record, payload: Mapping[str, Any]) -> Record:
    """The record as if it had been staged with this payload. Raises CannotApply."""
    try:
        if isinstance(record, PendingMemory):
            target, steps = shapes.memory_steps(payload)
            return replace(record, action=payload["action"], target=target, steps=steps, payload=payload)
        if isinstance(record, PendingSkill):
            name, writes = shapes.skill_steps(payload)
            return replace(record, action=payload["action"], name=name, steps=writes, payload=payload)
    except shapes.BadRecord as bad:
        raise CannotApply(Refusal("bad_payload", str(bad))) from bad
    return record


def read_memory(home: Home, target: str) -> MemoryFile:
    """A memory file as it stands. Raises files.FileProblem."""
    return store.load(home, target, read_config(home.config_file))


def _effect(home: Home, record: Record, shelf: Shelf | None, allow_flagged: bool) -> Effect | None:
    if isinstance(record, Unreadable):
        return None
    if isinstance(record, PendingMemory):
        return memory_effect.preview(read_memory(home, record.target), record.steps, allow_flagged=allow_flagged)
    shelf = shelf or shelf_of(home)
    effect = skill_effect.preview(shelf, record.steps)
    python = agents.hermes_python() if effect.needs_hermes else None
    return effect if python is None else _rehearsed(python, shelf, record, effect)


def _rehearsed(python: Path, shelf: Shelf, record: PendingSkill, effect: SkillEffect) -> SkillEffect:
    """What the installed Hermes' tolerant matching makes of a patch that exact matching does not find."""
    try:
        (found,) = agent.rehearse(python, shelf, [record.steps])
    except AgentProblem:
        return effect
    if found.refused or effect.refusal is None:
        return effect
    notes = skill_effect.notes_of(shelf, record.steps, found.changes)
    return SkillEffect(found.changes, None, notes, needs_hermes=True)


def looks(home: Home, records: Sequence[Record]) -> list[Look]:
    """Looks at many records, the disk walked once."""
    shelf = shelf_of(home) if any(isinstance(record, PendingSkill) for record in records) else None
    return [look(home, record, shelf=shelf) for record in records]
