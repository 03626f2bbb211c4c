"""What a report says once a person's dismissals are taken into account, and which of two verdicts decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from skills_app.guard.model import Finding, Report, Severity, Verdict

WAITING: Final = "waiting"  # the value of an unknown verdict in addresses and facets


class Scope(StrEnum):
    """How far a dismissal reaches."""

    DIGEST = "digest"  # this finding, while the skill's bytes stay exactly as they are
    SKILL = "skill"  # this rule, anywhere in this skill, also in what is written later
    PATH = "path"  # this rule, in this file of the skill, also in what is written later


class Choice(StrEnum):
    """Whose verdict decides."""

    OURS = "ours"
    HERMES = "hermes"
    STRICTER = "stricter"


@dataclass(frozen=True, slots=True)
class Dismissed:
    """One standing dismissal of a skill, as far as matching needs it; ``id`` names the record."""

    id: int
    scope: Scope
    rule: str
    path: str
    fingerprint: str
    digest: str


@dataclass(frozen=True, slots=True)
class Judged:
    """The findings of a report, each with the dismissal that covers it or None, and what the open ones say."""

    findings: tuple[tuple[Finding, Dismissed | None], ...]
    verdict: Verdict

    @property
    def open(self) -> tuple[Finding, ...]:
        """The findings that nobody dismissed."""
        return tuple(finding for finding, dismissed in self.findings if dismissed is None)

    @property
    def deciding(self) -> tuple[Finding, ...]:
        """The open findings that make the verdict what it is; none when it is safe."""
        return tuple(one for one in self.open if verdict_of([one.severity]) is self.verdict is not Verdict.SAFE)


def judge(report: Report, dismissals: Sequence[Dismissed]) -> Judged:
    """Take the dismissed findings away and say what the rest leads to.

    A verdict that is worse than its findings explain (unread code, an error, a time limit) stays.
    """
    pairs = tuple((finding, find_dismissal(finding, report.digest, dismissals)) for finding in report.findings)
    explained = verdict_of([finding.severity for finding in report.findings])
    floor = report.verdict if report.verdict.rank > explained.rank else Verdict.SAFE
    left = verdict_of([finding.severity for finding, dismissed in pairs if dismissed is None])
    return Judged(pairs, max(left, floor, key=lambda one: one.rank))


def find_dismissal(finding: Finding, digest: str, dismissals: Iterable[Dismissed]) -> Dismissed | None:
    """The first dismissal that covers a finding in a skill with this digest."""
    return next((one for one in dismissals if covers(one, finding, digest)), None)


def covers(one: Dismissed, finding: Finding, digest: str) -> bool:
    """Whether a dismissal is about this finding."""
    if one.rule != finding.rule:
        return False
    if one.scope is Scope.DIGEST:
        return one.digest == digest and one.fingerprint == finding.fingerprint
    return one.scope is Scope.SKILL or one.path == finding.file


def verdict_of(severities: Iterable[Severity]) -> Verdict:
    """Any critical is dangerous, any high caution, else safe."""
    worst = min((severity.rank for severity in severities), default=Severity.LOW.rank)
    return {Severity.CRITICAL.rank: Verdict.DANGEROUS, Severity.HIGH.rank: Verdict.CAUTION}.get(worst, Verdict.SAFE)


def decide(choice: Choice, ours: Verdict | None, theirs: Verdict | None) -> Verdict | None:
    """The verdict that counts. Where the chosen one is missing, the other one does."""
    if choice is Choice.STRICTER and ours is not None and theirs is not None:
        return max(ours, theirs, key=lambda one: one.rank)
    return (theirs or ours) if choice is Choice.HERMES else (ours or theirs)


def count_severities(findings: Iterable[Finding]) -> Mapping[Severity, int]:
    """How many findings there are of each severity; zero for none."""
    counted = Counter(finding.severity for finding in findings)
    return {severity: counted[severity] for severity in Severity}
