"""What scans say as SARIF 2.1.0, the format that code hosts and editors show beside the lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from skills_app.guard.model import Finding, Rule, Severity
from skills_app.guard.policy import is_missed
from skills_app.guard.report import Scanned, plain
from skills_app.guard.version import RULES_VERSION

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Final = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
}
_SCORES: Final = {Severity.CRITICAL: "9.5", Severity.HIGH: "7.5", Severity.MEDIUM: "5.0", Severity.LOW: "2.0"}
Suppressed = Callable[[Scanned, Finding], str]


def to_sarif(scanned: Sequence[Scanned], rules: Iterable[Rule], suppressed: Suppressed | None = None) -> dict[str, Any]:
    """One SARIF log with one run. ``suppressed`` gives the reason for which a person dismissed a finding, else ""."""
    used = {finding.rule for one in scanned for finding in one.report.findings}
    rows = [rule for rule in rules if rule.id in used]
    order = {rule.id: index for index, rule in enumerate(rows)}
    bases = {f"SKILL{index}": one for index, one in enumerate(scanned)}
    results = [
        _result(base, one, finding, order, suppressed(one, finding) if suppressed else "")
        for base, one in bases.items()
        for finding in one.report.findings
    ]
    run = {
        "tool": {"driver": {"name": "MemoryHub skills guard", "version": RULES_VERSION, "rules": [*map(_rule, rows)]}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {base: {"uri": _folder_uri(one.path)} for base, one in bases.items()},
        "invocations": [_invocation(bases)],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why or rule.title},
        "help": {"text": f"{rule.why} Harmless: {rule.harmless} Check: {rule.check}"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"security-severity": _SCORES[rule.severity], "tags": ["security", rule.category.value]},
    }


def _result(base: str, one: Scanned, finding: Finding, order: dict[str, int], reason: str) -> dict[str, Any]:
    said = finding.description + (f" {finding.weakened}" if finding.weakened else "")
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": plain(said)},
        "locations": [{"physicalLocation": _location(base, finding)}],
        "partialFingerprints": {"memoryhubFinding/v1": f"{plain(one.name)}:{finding.fingerprint}"},
        "properties": {"severity": finding.severity.value, "skill": plain(one.name), "trust": one.tier.value},
    }
    if finding.rule in order:
        result["ruleIndex"] = order[finding.rule]
    if finding.decoded:
        result["properties"]["decoded"] = plain(finding.decoded)
    if reason:
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": plain(reason)}]
    return result


def _location(base: str, finding: Finding) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(plain(finding.file)), "uriBaseId": base}}
    if finding.line:
        length = max(finding.end - finding.start, 1)
        place["region"] = {
            "startLine": finding.line,
            "startColumn": finding.column,
            "endLine": finding.line,
            "endColumn": finding.column + length,
            "snippet": {"text": plain(finding.excerpt)},
        }
    return place


def _invocation(bases: dict[str, Scanned]) -> dict[str, Any]:
    """Files that could not be read, as notifications."""
    missed = [
        {
            "level": "warning",
            "message": {"text": plain(f"{file.path}: {file.reason or file.read}")},
            "locations": [
                {"physicalLocation": {"artifactLocation": {"uri": quote(plain(file.path)), "uriBaseId": base}}}
            ],
        }
        for base, one in bases.items()
        for file in one.report.files
        if is_missed(file)
    ]
    return {"executionSuccessful": True, "toolExecutionNotifications": missed}


def _folder_uri(path: str) -> str:
    return Path(plain(path)).absolute().as_uri() + "/"
