"""Deciding on staged writes: approve (as it is, edited, in part), reject; each bound to the bytes that were shown.

Whoever decides holds a claim, so no other tab, process or chat command can; a crash leaves the record waiting or done.
Several at once: decisions_many.py. Taking decisions back: decisions_undo.py.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from memoryhub.hermes import files
from memoryhub.hermes.home import Home
from memoryhub.models import Preference
from memoryhub.services.memory import PAGE, SHELL
from skills_app.models import Decision
from skills_app.pending import claim, journal, recovery
from skills_app.pending.claim import Claim
from skills_app.pending.journal import Entry
from skills_app.pending.memory_effect import MemoryEffect
from skills_app.pending.records import BACKGROUND, PendingMemory, PendingSkill, Record, Unreadable, find_record
from skills_app.pending.refusal import Refusal
from skills_app.pending.skill_effect import SkillEffect
from skills_app.services import decisions_apply, decisions_discard, decisions_disk, decisions_settle
from skills_app.services.decisions_apply import Way
from skills_app.services.decisions_kept import decision_record
from skills_app.services.decisions_look import Look, look, shelf_of
from skills_app.services.decisions_note import APPROVE, DISCARD, FROM_SHELL, REJECT, note_of
from skills_app.services.decisions_problems import (
    CannotApply,
    ItemChanged,
    ItemGone,
    NotAcknowledged,
    ShellRefused,
)
from skills_app.writing import usage
from skills_app.writing.agent import Talk
from skills_app.writing.model import SkillWrite
from skills_app.writing.shelf import Shelf

__all__ = ["PAGE", "SHELL", "Approval", "Seen", "approve", "recover", "reject"]

ELSEWHERE: Final = "elsewhere"  # Hermes applied it in a chat while we were about to


@dataclass(frozen=True)
class Seen:
    """What a person had before them: the digest of the record's bytes, and of what it would change (``Look.seen``)."""

    record: str
    effect: str


@dataclass(frozen=True)
class Approval:
    """How to approve one item. ``payload`` replaces the staged one (``action`` says "edit" or "partly" then).

    ``ticks`` are what the person ticked of ``Judgement.ticks``. Without ``seen`` the item is taken as it is now, which
    only a shell does.
    """

    seen: Seen | None = None
    payload: Mapping[str, Any] | None = None
    action: str = APPROVE
    ticks: Collection[str] = ()
    reason: str = ""
    via: str = PAGE


def journal_folder() -> Path:
    """Where we note what is about to be applied."""
    return Path(settings.DATA_DIR) / "claims"


@dataclass(frozen=True)
class Ready:
    """What several approvals share, so that each costs less.

    The skills as looked through, a Hermes that was started, and records that were claimed before, with what each would
    have done then (None: look anew).
    """

    shelf: Shelf | None = None
    talk: Talk | None = None
    claims: Mapping[str, tuple[Record, Look | None, Claim]] = field(default_factory=dict)


def approve(home: Home, item: str, how: Approval, ready: Ready = Ready()) -> Decision:
    """Apply one staged write and record the decision.

    Raises ItemGone, ItemChanged, CannotApply, NotAcknowledged, ShellRefused, NotVerified (all DecisionProblem),
    claim.ClaimProblem, files.FileProblem and agent_process.AgentProblem; then nothing is applied and the record waits.
    """
    if item.startswith(decisions_disk.PREFIX):
        return decisions_disk.disk_approve(home, item, how)
    with recovery.exclusive(journal_folder()):
        found, before, early = ready.claims.get(item) or (_require(home, item), None, None)
        if early is not None and not early.is_open:
            raise ItemGone(item)
        shelf = ready.shelf or (shelf_of(home) if isinstance(found, PendingSkill) else None)
        first = before or look(home, found, payload=how.payload, shelf=shelf)
        if early is None and decisions_settle.settle(found, first.effect):
            first = look(home, found, payload=how.payload, shelf=shelf)
        first = _allowed(home, found, how, first)
        with _claimed(home, found, early) as taken:
            decisions_settle.let_others_finish(found, taken)
            if decisions_settle.was_done_elsewhere(first):
                return _finish(home, _entry(home, first, how, taken), taken, applied_by=ELSEWHERE)
            now = _allowed(home, found, how, look(home, found, payload=how.payload, shelf=shelf))
            if now.seen != first.seen:
                raise ItemChanged(now)
            return _carry_out(home, now, how, taken, ready.talk)


def reject(home: Home, item: str, *, seen: str | None = None, reason: str = "", via: str = PAGE) -> Decision:
    """Take a record away without applying it; its bytes stay in our history. Also for what is unreadable.

    ``seen`` is the digest of the record that was shown. Raises ItemGone, ItemChanged, CannotApply (a folder cannot be
    discarded), claim.ClaimProblem and files.FileProblem.
    """
    if item.startswith(decisions_disk.PREFIX):
        return decisions_disk.disk_reject(home, item, seen=seen, reason=reason, via=via)
    with recovery.exclusive(journal_folder()):
        found = _require(home, item)
        if seen is not None and seen != found.sha256:
            raise ItemChanged
        if isinstance(found, Unreadable) and decisions_discard.is_special(found):
            return decisions_discard.set_aside(home, found, reason, via)
        with _claimed(home, found) as taken:
            action = DISCARD if isinstance(found, Unreadable) else REJECT
            entry = Entry(home.key, item, taken.sha256, note=note_of(found, taken, action, reason, via))
            journal.write(journal_folder(), entry)
            return _finish(home, entry, taken)


def recover(home: Home) -> tuple[recovery.Recovered, ...]:
    """Repair what a process that died in the middle of a decision left behind. Cheap when there is nothing."""

    def read(target: str) -> bytes | None:
        return files.read_regular(home.memory_path(target))

    def finished(entry: Entry) -> None:
        decision = decision_record(entry, recovered=True)
        by_agent = decision.details.get("origin") == BACKGROUND
        for action, name in entry.note.get("writes", ()):
            if action in ("create", "delete"):  # noting these twice is noting them once
                usage.record_write(home.skills, SkillWrite(action, name), by_agent=by_agent)

    return recovery.recover(home.pending, journal_folder(), home.key, read, finished)


def _require(home: Home, item: str) -> Record:
    found = find_record(home.pending, item)
    if found is None:
        raise ItemGone(item)
    return found


@contextmanager
def _claimed(home: Home, record: Record, early: Claim | None = None) -> Iterator[Claim]:
    """Claim a record; when deciding fails, forget what was noted and put it back (an early one its taker puts back)."""
    try:
        with nullcontext(early) if early else claim.taken(record.path, record.sha256) as taken:
            try:
                yield taken
            finally:
                if taken.is_open:
                    journal.remove(journal_folder(), home.key, record.id)
    except claim.RecordGone as gone:
        raise ItemGone(record.id) from gone
    except claim.RecordChanged as changed:
        raise ItemChanged from changed


def _allowed(home: Home, record: Record, how: Approval, now: Look) -> Look:
    """The look, if it may be carried out; flagged texts pass where they were ticked. Raises why not."""
    if how.seen is not None and (how.seen.record, how.seen.effect) != (record.sha256, now.seen):
        raise ItemChanged(now)
    _check_danger(now, how)
    if now.refusal is not None and now.refusal.code == "threat":
        now = look(home, record, payload=how.payload, allow_flagged=True)
    if isinstance(record, Unreadable):
        raise CannotApply(Refusal("unreadable", record.reason), now)
    if now.effect is None:
        raise CannotApply(Refusal("unreadable", now.problem), now)
    if now.refusal is not None:
        raise CannotApply(now.refusal, now)
    return now


def _check_danger(now: Look, how: Approval) -> None:
    if not now.judgement.is_dangerous or (now.refusal is not None and now.refusal.code != "threat"):
        return
    if how.via == SHELL:
        if not Preference.objects.filter(key=FROM_SHELL, value="yes").exists():
            raise ShellRefused
        missing: Collection[str] = ()
    else:
        missing = now.judgement.ticks - set(how.ticks)
    if missing or not how.reason.strip():
        raise NotAcknowledged(missing, now)


def _carry_out(home: Home, now: Look, how: Approval, taken: Claim, talk: Talk | None) -> Decision:
    entry = _entry(home, now, how, taken)
    journal.write(journal_folder(), entry)
    way = Way(how.via, how.reason, uuid.UUID(entry.note["claim"]), now.judgement.is_dangerous, taken.handle, talk)
    if isinstance(now.record, PendingMemory) and isinstance(now.effect, MemoryEffect):
        done = decisions_apply.apply_memory(home, now.record, now.effect, way)
    else:
        assert isinstance(now.record, PendingSkill)
        assert isinstance(now.effect, SkillEffect)
        done = decisions_apply.apply_skill(home, now.record, now.effect, way)
        decisions_settle.remember(now.effect)
    return _finish(home, entry, taken, **done.details)


def _entry(home: Home, now: Look, how: Approval, taken: Claim) -> Entry:
    """What is about to be written, and all that will have to be known of it."""
    record, effect = now.record, now.effect
    note = note_of(record, taken, how.action, how.reason, how.via, now)
    if isinstance(record, PendingMemory) and isinstance(effect, MemoryEffect):
        sides = decisions_apply.memory_sides(home, record, effect)
        return Entry(home.key, record.id, taken.sha256, memory={record.target: sides}, note=note)
    assert isinstance(record, PendingSkill)
    assert isinstance(effect, SkillEffect)
    note["writes"] = [[write.action, write.name] for write in record.steps]
    note["usage"] = {change.name: usage.part(home.skills, change.name) for change in effect.changes}
    return Entry(home.key, record.id, taken.sha256, skills=effect.changes, note=note)


def _finish(home: Home, entry: Entry, taken: Claim, **details: Any) -> Decision:
    decision = decision_record(entry, **details)
    taken.finish()
    journal.remove(journal_folder(), home.key, entry.item)
    return decision
