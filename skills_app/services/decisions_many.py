"""Deciding on several items in one go, with a result for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from memoryhub.hermes.agent_process import AgentProblem
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import Home
from memoryhub.services.memory import PAGE
from skills_app.models import Decision
from skills_app.pending.claim import ClaimProblem
from skills_app.pending.skill_effect import SkillEffect
from skills_app.services.decisions import Approval, Seen, approve, reject
from skills_app.services.decisions_look import Look, shelf_of
from skills_app.services.decisions_note import DISCARD, REJECT
from skills_app.services.decisions_problems import DecisionProblem, ItemChanged
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
    run = _Run()
    return [_attempt(item, partial(_approve_next, home, item, how, run)) for item, how in items]


def reject_many(
    home: Home, items: Sequence[tuple[str, str | None]], *, reason: str = "", via: str = PAGE
) -> list[Outcome]:
    """Reject (id, digest seen) one after the other; each succeeds or fails by itself."""
    return [_attempt(item, partial(reject, home, item, seen=seen, reason=reason, via=via)) for item, seen in items]


@dataclass
class _Run:
    """What is remembered from one item to the next: the files that were changed, and the skills as looked through."""

    touched: set[str] = field(default_factory=set)
    shelf: Shelf | None = None


def _approve_next(home: Home, item: str, how: Approval, run: _Run) -> Decision:
    if run.shelf is None and item.startswith("skill:"):
        run.shelf = shelf_of(home)
    try:
        decision = approve(home, item, how, run.shelf)
    except ItemChanged as changed:
        if changed.look is None or how.seen is None or not _is_follow_up(changed.look, how.seen, run.touched):
            raise
        decision = approve(home, item, replace(how, seen=Seen(how.seen.record, changed.look.seen)), run.shelf)
    run.touched.update(decision.files)
    if any(path.endswith("SKILL.md") for path in decision.files):  # a skill may have come or gone
        run.shelf = None
    return decision


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
