"""Deciding on several items in one go, with a result for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from memoryhub.hermes.agent_process import AgentProblem
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import Home
from memoryhub.services import agents
from memoryhub.services.memory import PAGE
from skills_app.models import Decision
from skills_app.pending import claim
from skills_app.pending.claim import Claim, ClaimProblem
from skills_app.pending.records import Record, find_record
from skills_app.pending.skill_effect import SkillEffect
from skills_app.services import decisions_settle
from skills_app.services.decisions import Approval, Ready, Seen, approve, reject
from skills_app.services.decisions_look import Look, look, shelf_of
from skills_app.services.decisions_note import DISCARD, REJECT
from skills_app.services.decisions_problems import DecisionProblem, ItemChanged
from skills_app.writing import agent
from skills_app.writing.agent import Talk
from skills_app.writing.model import WriteRefused
from skills_app.writing.shelf import Shelf

PROBLEMS: Final = (DecisionProblem, ClaimProblem, FileProblem, AgentProblem, WriteRefused)


@dataclass(frozen=True)
class Outcome:
    """What became of one item of several. ``problem`` is None when it was carried out."""

    item: str
    ok: bool
    message: str
    decision: Decision | None = None
    problem: Exception | None = None


def approve_many(home: Home, items: Sequence[tuple[str, Approval]]) -> list[Outcome]:
    """Approve one after the other; each succeeds or fails by itself.

    What an earlier one of these changed does not count as changed by somebody else: a later one that was not refused
    when it was seen, is not refused now and became no more dangerous goes on.
    """
    with ExitStack() as stack:
        run = _Run(home, stack)
        if len(items) > 1:
            run.claim_early(items)
        return [_attempt(item, partial(run.approve_next, item, how)) for item, how in items]


def reject_many(
    home: Home, items: Sequence[tuple[str, str | None]], *, reason: str = "", via: str = PAGE
) -> list[Outcome]:
    """Reject (id, digest seen) one after the other; each succeeds or fails by itself."""
    return [_attempt(item, partial(reject, home, item, seen=seen, reason=reason, via=via)) for item, seen in items]


@dataclass
class _Run:
    """What is kept from one item to the next: the files that were changed, the skills as looked through, Hermes."""

    home: Home
    stack: ExitStack
    touched: set[str] = field(default_factory=set)
    shelf: Shelf | None = None
    talk: Talk | None = None
    claims: dict[str, tuple[Record, Look | None, Claim]] = field(default_factory=dict)

    def claim_early(self, items: Sequence[tuple[str, Approval]]) -> None:
        """Claim what has to wait a moment once it is claimed, so that all of it waits together."""
        for item, how in items:
            record = find_record(self.home.pending, item)
            if record is None or not decisions_settle.fits_twice(record) or item in self.claims or how.payload:
                continue
            now = look(self.home, record, shelf=self._shelf())
            with suppress(ClaimProblem):
                if decisions_settle.is_settled(now.effect):
                    taken = self.stack.enter_context(claim.taken(record.path, record.sha256))
                    self.claims[item] = (record, now, taken)

    def approve_next(self, item: str, how: Approval) -> Decision:
        """Approve one; once more with what it is now, when only what went before made it another."""
        ready = self._ready() if item.startswith("skill:") else Ready()
        try:
            decision = approve(self.home, item, how, ready)
        except ItemChanged as changed:
            seen, now = how.seen or _seen_in(self.claims.get(item)), changed.look
            if now is None or seen is None or not _is_follow_up(now, seen, self.touched):
                raise
            if item in self.claims:
                record, _, taken = self.claims[item]
                self.claims[item] = (record, None, taken)
            decision = approve(self.home, item, replace(how, seen=Seen(seen.record, now.seen)), self._ready())
        self.touched.update(decision.files)
        if any(path.endswith("SKILL.md") for path in decision.files):  # a skill may have come or gone
            self.shelf = None
        return decision

    def _ready(self) -> Ready:
        return Ready(self._shelf(), self._hermes(), self.claims)

    def _shelf(self) -> Shelf:
        self.shelf = self.shelf or shelf_of(self.home)
        return self.shelf

    def _hermes(self) -> Talk | None:
        """A Hermes that was started for all of them; None where there is none, or none can be started."""
        python = agents.hermes_python()
        if python is not None and (self.talk is None or not self.talk.is_open):
            try:
                self.talk = self.stack.enter_context(agent.talking(python, self.home.path))
            except AgentProblem:  # applying one says why
                self.talk = None
        return self.talk


def _seen_in(early: tuple[Record, Look | None, Claim] | None) -> Seen | None:
    """What a record that was claimed early would have done then."""
    return Seen(early[0].sha256, early[1].seen) if early is not None and early[1] is not None else None


def _is_follow_up(now: Look, seen: Seen, touched: set[str]) -> bool:
    """Whether only what was approved just before makes this one another than it was seen."""
    if now.record.sha256 != seen.record or now.judgement.is_dangerous or not isinstance(now.effect, SkillEffect):
        return False
    changed = {f"{change.name}/{file.path}" for change, file in now.effect.files}
    return now.refusal is None and bool(changed & touched)


def _attempt(item: str, act: Callable[[], Decision]) -> Outcome:
    try:
        decision = act()
    except PROBLEMS as problem:
        return Outcome(item, False, str(problem), problem=problem)
    return Outcome(item, True, done_words(decision), decision)


def done_words(decision: Decision) -> str:
    """What a decision did, as a sentence."""
    if decision.action in (REJECT, DISCARD):
        return "Rejected. Its content is kept, so it can be brought back."
    return "Applied." if decision.details.get("applied_by", "memoryhub") == "memoryhub" else "Applied by the agent."
