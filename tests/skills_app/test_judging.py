"""What is left of a report when findings are dismissed, and which of two verdicts decides."""

from __future__ import annotations

import dataclasses

import pytest

from skills_app.guard.model import (
    Capabilities,
    Category,
    Coverage,
    FileRead,
    Finding,
    Kind,
    Place,
    Read,
    Report,
    Role,
    Severity,
    Verdict,
)
from skills_app.judging import Choice, Dismissed, Scope, decide, judge, verdict_of
from skills_app.keeping import NotAReport, from_plain, to_plain


def finding(rule: str = "pipe", severity: Severity = Severity.CRITICAL, **facts: object) -> Finding:
    given = {"file": "SKILL.md", "line": 3, "excerpt": "curl x | sh", "description": "d", "fingerprint": f"{rule}-1"}
    return Finding(rule, severity, Category.SUPPLY_CHAIN, **{**given, **facts})


def report(*findings: Finding, verdict: Verdict | None = None, digest: str = "one") -> Report:
    said = verdict or verdict_of(each.severity for each in findings)
    return Report("v", digest, said, "because", findings, (), Coverage.FULL)


def dismissed(scope: Scope, **facts: object) -> Dismissed:
    given = {"rule": "pipe", "path": "SKILL.md", "fingerprint": "pipe-1", "digest": "one"}
    return Dismissed(1, scope, **{**given, **facts})


@pytest.mark.parametrize(
    ("one", "file", "digest", "is_covered"),
    [
        (dismissed(Scope.DIGEST), "SKILL.md", "one", True),
        (dismissed(Scope.DIGEST), "SKILL.md", "two", False),
        (dismissed(Scope.DIGEST, fingerprint="pipe-2"), "SKILL.md", "one", False),
        (dismissed(Scope.PATH), "SKILL.md", "two", True),
        (dismissed(Scope.PATH), "other.sh", "one", False),
        (dismissed(Scope.SKILL), "other.sh", "two", True),
        (dismissed(Scope.SKILL, rule="other"), "SKILL.md", "one", False),
    ],
)
def test_a_dismissal_reaches_exactly_as_far_as_its_scope(
    one: Dismissed, file: str, digest: str, is_covered: bool
) -> None:
    judged = judge(report(finding(file=file), digest=digest), [one])
    assert judged.verdict is (Verdict.SAFE if is_covered else Verdict.DANGEROUS)
    assert bool(judged.open) is not is_covered


def test_what_is_left_decides_and_the_rest_informs() -> None:
    found = (finding(), finding("own", Severity.HIGH), finding("low", Severity.LOW))
    assert judge(report(*found), []).deciding == (found[0],)
    left = judge(report(*found), [dismissed(Scope.SKILL)])
    assert (left.verdict, left.deciding) == (Verdict.CAUTION, (found[1],))
    assert judge(report(found[2]), []).deciding == ()


def test_a_verdict_that_no_finding_explains_cannot_be_dismissed() -> None:
    unread = report(finding("own", Severity.LOW), verdict=Verdict.CAUTION)
    failed = report(verdict=Verdict.DANGEROUS)
    assert judge(unread, [dismissed(Scope.SKILL, rule="own")]).verdict is Verdict.CAUTION
    assert judge(failed, []).verdict is Verdict.DANGEROUS


@pytest.mark.parametrize(
    ("choice", "ours", "theirs", "decided"),
    [
        (Choice.OURS, Verdict.SAFE, Verdict.DANGEROUS, Verdict.SAFE),
        (Choice.HERMES, Verdict.SAFE, Verdict.DANGEROUS, Verdict.DANGEROUS),
        (Choice.STRICTER, Verdict.SAFE, Verdict.CAUTION, Verdict.CAUTION),
        (Choice.STRICTER, Verdict.DANGEROUS, Verdict.SAFE, Verdict.DANGEROUS),
        (Choice.HERMES, Verdict.CAUTION, None, Verdict.CAUTION),
        (Choice.OURS, None, Verdict.SAFE, Verdict.SAFE),
        (Choice.STRICTER, None, None, None),
    ],
)
def test_the_chosen_verdict_decides_and_a_missing_one_does_not(
    choice: Choice, ours: Verdict | None, theirs: Verdict | None, decided: Verdict | None
) -> None:
    assert decide(choice, ours, theirs) is decided


def test_a_report_kept_as_plain_data_comes_back_as_it_was() -> None:
    found = finding(before=("a", "b"), after=("c",), place=Place(Kind.SCRIPT, Role.CODE, "bash"), decoded="x", start=2)
    files = (FileRead("a.bin", 3, Read.NOT_SCANNABLE, "a program", True),)
    whole = dataclasses.replace(report(found), files=files, capabilities=Capabilities(commands=("curl",)))
    assert from_plain(to_plain(whole)) == whole


def test_a_name_that_is_no_text_is_kept_as_one_that_is() -> None:
    assert from_plain(to_plain(report(finding(file="a\udc80.sh")))).findings[0].file == "a?.sh"


@pytest.mark.parametrize("damage", [{"verdict": "fine"}, {"findings": [{}]}, {"files": None}])
def test_what_is_no_report_is_said_to_be_none(damage: dict[str, object]) -> None:
    with pytest.raises(NotAReport):
        from_plain({**to_plain(report()), **damage})
