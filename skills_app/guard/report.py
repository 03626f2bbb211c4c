"""What scans say as text for a person and as JSON for a program (the contract of ``memoryhub scan``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from skills_app.guard.model import Coverage, Finding, Report, Severity, Tier, Verdict
from skills_app.guard.policy import decide
from skills_app.guard.version import RULES_VERSION

SCANNER: Final = f"memoryhub {RULES_VERSION}"
_CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e0fff]"
)
_LISTED: Final = 20  # findings of one skill that the text shows; JSON and SARIF hold all


@dataclass(frozen=True, slots=True)
class Scanned:
    """One scanned skill: what it is called, where it is, how far it is trusted, and what the scan says."""

    name: str
    path: str
    tier: Tier
    report: Report


def to_json(scanned: Iterable[Scanned]) -> dict[str, Any]:
    """The document of ``memoryhub scan --json``."""
    return {"scanner": SCANNER, "skills": [_skill(one) for one in scanned]}


def to_text(scanned: Sequence[Scanned]) -> str:
    """The same for a person: each skill with its verdict and why, the gravest findings first, and a sum."""
    parts = [_paragraph(one) for one in sorted(scanned, key=lambda one: -one.report.verdict.rank)]
    counts = {verdict: sum(1 for one in scanned if one.report.verdict is verdict) for verdict in Verdict}
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in reversed(Verdict))
    noun = "skill" if len(scanned) == 1 else "skills"
    return "\n".join([*parts, f"{len(scanned)} {noun}: {said}. Scanner: {SCANNER}"])


def _skill(one: Scanned) -> dict[str, Any]:
    report = one.report
    return {
        "name": plain(one.name),
        "path": plain(one.path),
        "trust": one.tier.value,
        "verdict": report.verdict.value,
        "coverage": report.coverage.value,
        "policy": decide(one.tier, report.verdict).value,
        "digest": report.digest,
        "findings": [_finding(finding) for finding in report.findings],
    }


def _finding(finding: Finding) -> Mapping[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "category": finding.category.value,
        "file": plain(finding.file),
        "line": finding.line,
        "excerpt": plain(finding.excerpt),
        "description": plain(finding.description),
    }


def _paragraph(one: Scanned) -> str:
    report = one.report
    policy = decide(one.tier, report.verdict)
    lines = [f"{visible(one.name)} ({one.tier}, {policy}): {visible(report.reason)}"]
    if report.coverage is not Coverage.FULL:
        lines.append(f"  Not everything was read ({report.coverage}).")
    shown = [finding for finding in report.findings if finding.severity is not Severity.LOW][:_LISTED]
    for finding in shown:
        where = f"{visible(finding.file)}:{finding.line}" if finding.line else visible(finding.file)
        lines.append(f"  {finding.severity:<8}  {finding.rule}  {where}  {visible(finding.description)}")
        if finding.excerpt:
            lines.append(f"            {visible(finding.excerpt.strip())}")
    if len(report.findings) > len(shown):
        lines.append(f"  and {len(report.findings) - len(shown)} more (--json lists all)")
    return "\n".join(lines)


def plain(text: str) -> str:
    """A text that can be encoded."""
    return text.encode("utf-8", "replace").decode()


def visible(text: str) -> str:
    """A text that cannot move a terminal's cursor or hide what it says."""
    return plain(_CONTROLS.sub(lambda match: f"<U+{ord(match[0]):04X}>", text))
