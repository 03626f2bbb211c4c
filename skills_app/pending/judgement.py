"""What a staged write would mean: the guard's verdict on each skill as it would be, findings new and old, and threats.

The same text is judged once: what was found is remembered by content and rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from memoryhub.flags import secrets_in, threats_in
from skills_app.guard import RULES_VERSION
from skills_app.guard.model import Finding, Report, Severity, Verdict
from skills_app.guard.scanner import scan_texts
from skills_app.pending.memory_effect import MemoryEffect
from skills_app.pending.preview import Effect
from skills_app.writing.model import SkillChange, SkillState

_REMEMBERED: Final = 512


@dataclass(frozen=True)
class JudgedSkill:
    """One skill as it would be on disk; ``new`` findings are those that it does not have now."""

    name: str
    report: Report
    new: tuple[Finding, ...]
    old: tuple[Finding, ...]
    gone: tuple[Finding, ...]


@dataclass(frozen=True)
class Judgement:
    """What is to be known before approving. ``ticks`` name what must be ticked: findings by fingerprint, threats by id.

    ``verdict`` is None for what writes nothing that could be judged (a delete, a removal).
    """

    verdict: Verdict | None = None
    skills: tuple[JudgedSkill, ...] = ()
    threats: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    ticks: frozenset[str] = frozenset()
    rules_version: str = RULES_VERSION

    @property
    def is_dangerous(self) -> bool:
        return self.verdict is Verdict.DANGEROUS


def judge(effect: Effect | None) -> Judgement:
    """Judge what an effect would leave behind. Slow for a skill that was not judged yet: run it beside the page."""
    if effect is None:
        return Judgement()
    if isinstance(effect, MemoryEffect):
        return _judge_texts([step.added for step in effect.steps if step.added], effect)
    skills = tuple(_judge_skill(change) for change in effect.changes if change.after is not None and change.after.files)
    if not skills:
        return Judgement()
    worst = max((each.report.verdict for each in skills), key=lambda verdict: verdict.rank)
    ticks = {f.fingerprint or f"{f.rule}:{f.file}" for s in skills for f in s.new if f.severity is Severity.CRITICAL}
    return Judgement(worst, skills, ticks=frozenset(ticks))


def _judge_texts(texts: list[str], effect: MemoryEffect) -> Judgement:
    if effect.refusal is not None and effect.refusal.code == "threat":
        found = {threat.id for threat in effect.refusal.data.get("threats", ())}
    else:
        found = {threat.id for text in texts for threat in threats_in(text)}
    hidden = {secret.kind for text in texts for secret in secrets_in(text)}
    if not texts and not found:
        return Judgement()
    verdict = Verdict.DANGEROUS if found else Verdict.CAUTION if hidden else Verdict.SAFE
    ticks = frozenset(f"threat:{each}" for each in found)
    return Judgement(verdict, threats=tuple(sorted(found)), secrets=tuple(sorted(hidden)), ticks=ticks)


def _judge_skill(change: SkillChange) -> JudgedSkill:
    assert change.after is not None
    after, before = _scan(_frozen(change.after)), _scan(_frozen(change.before))
    known, stays = {f.fingerprint for f in before.findings}, {f.fingerprint for f in after.findings}
    return JudgedSkill(
        change.name,
        after,
        new=tuple(f for f in after.findings if f.fingerprint not in known),
        old=tuple(f for f in after.findings if f.fingerprint in known),
        gone=tuple(f for f in before.findings if f.fingerprint not in stays),
    )


class _Content:
    """Files to scan, equal by their digest, so that remembering them compares no bytes."""

    def __init__(self, state: SkillState) -> None:
        self.files: Mapping[str, bytes] = MappingProxyType(dict(state.files))
        self.digest = state.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Content) and other.digest == self.digest


def _frozen(state: SkillState | None) -> _Content:
    return _Content(state or SkillState({}))


@lru_cache(maxsize=_REMEMBERED)
def _scan(content: _Content) -> Report:
    return scan_texts(content.files)
