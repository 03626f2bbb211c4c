"""Carrying out an approved write under its claim: by our one write path for memory, by Hermes or our code for skills.

What is about to be written is noted first; what was written is read back before anybody calls it applied.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memoryhub import entries
from memoryhub.entries import EntryRefused, MemoryFile
from memoryhub.hermes.agent_process import AgentMissing, AgentProblem
from memoryhub.hermes.config import read_config
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import Home
from memoryhub.services import agents, writes
from memoryhub.services.revisions import Cause
from memoryhub.store import MemoryChanged
from skills_app.pending import memory_effect
from skills_app.pending.memory_effect import MemoryEffect
from skills_app.pending.records import PendingMemory, PendingSkill
from skills_app.pending.refusal import Refusal
from skills_app.pending.skill_effect import SkillEffect
from skills_app.services.decisions_look import OURS, read_memory
from skills_app.services.decisions_problems import CannotApply, ItemChanged, NotVerified
from skills_app.writing import agent, commit, usage
from skills_app.writing.agent import Talk
from skills_app.writing.commit import TargetChanged
from skills_app.writing.model import WriteRefused

APPROVE: Final = "approve"


@dataclass(frozen=True)
class Way:
    """How an approved write is carried out: by which door, why, and with which permissions of the person's."""

    via: str
    reason: str
    operation: uuid.UUID
    allow_flagged: bool = False
    handle: int | None = None  # the open claim, kept by a child that works for us
    talk: Talk | None = None  # with a Hermes that was started already


@dataclass(frozen=True)
class Done:
    """Who carried a write out (``memoryhub`` or ``hermes <version>``), and whether its guard was passed for it."""

    applied_by: str
    past_guard: bool = False

    @property
    def details(self) -> dict[str, Any]:
        return {"applied_by": self.applied_by, "past_guard": self.past_guard}


def memory_sides(home: Home, record: PendingMemory, effect: MemoryEffect) -> tuple[bytes | None, bytes]:
    """The bytes of the file before and after, as the write path will write them."""
    before = read_memory(home, record.target)
    if before.digest != effect.digest or effect.after is None:
        raise ItemChanged
    if effect.changes_nothing:
        return before.data, before.data or b""
    return before.data, entries.checked_bytes(effect.after)


def apply_memory(home: Home, record: PendingMemory, effect: MemoryEffect, way: Way) -> Done:
    """Write the entries through the one write path, so that its history shows the write, and read them back."""
    assert effect.after is not None
    if effect.changes_nothing:
        return Done(OURS)

    def edit(now: MemoryFile) -> Sequence[str]:
        if now.digest != effect.digest:
            raise MemoryChanged(now, "")
        return memory_effect.apply(now, record.steps, allow_flagged=way.allow_flagged)

    cause = Cause(via=way.via, kind=APPROVE, reason=way.reason, operation=way.operation, pairs=effect.pairs)
    try:
        saved = writes.change(home, {record.target: edit}, cause)
    except MemoryChanged as changed:
        raise ItemChanged from changed
    except EntryRefused as refused:
        raise CannotApply(Refusal(refused.code, str(refused), refused.data)) from refused
    if saved.files[record.target].texts != effect.after:
        raise NotVerified
    return Done(OURS)


def apply_skill(home: Home, record: PendingSkill, effect: SkillEffect, way: Way) -> Done:
    """Have the installed Hermes make the write, or make it ourselves where there is none; read it back."""
    python = agents.hermes_python()
    if python is None:
        return _by_ourselves(home, record, effect)
    try:
        return _by_hermes(home, python, record, effect, way)
    except AgentMissing:
        if effect.needs_hermes:
            raise
        return _by_ourselves(home, record, effect)


def _by_ourselves(home: Home, record: PendingSkill, effect: SkillEffect) -> Done:
    try:
        commit.commit(effect.changes)
    except TargetChanged as changed:
        raise ItemChanged from changed
    except WriteRefused as refused:
        raise CannotApply(Refusal(refused.code, str(refused), refused.data)) from refused
    for write in record.steps:
        usage.record_write(home.skills, write, by_agent=record.is_background)
    return Done(OURS)


def _by_hermes(home: Home, python: Path, record: PendingSkill, effect: SkillEffect, way: Way) -> Done:
    if not all(commit.holds(change.folder, change.before) for change in effect.changes):
        raise ItemChanged
    past_guard = read_config(home.config_file).guard_agent_created
    try:
        applied = agent.apply(
            python,
            home.path,
            record.steps,
            by_agent=record.is_background,
            past_guard=past_guard,
            keep=way.handle,
            talk=way.talk,
        )
    except AgentMissing:
        raise
    except AgentProblem as problem:  # it may have written before it failed
        if _is_made(effect):
            return Done("hermes", past_guard)
        _take_back(effect, str(problem))
    if not (applied.ok and _is_made(effect)):
        _take_back(effect, "" if applied.ok else applied.said)
    return Done(f"hermes {applied.version}".strip(), applied.past_guard)


def _is_made(effect: SkillEffect) -> bool:
    try:
        return all(commit.is_made(change) for change in effect.changes)
    except (WriteRefused, FileProblem):
        return False


def _take_back(effect: SkillEffect, said: str) -> None:
    commit.revert(effect.changes)
    raise NotVerified(said)
