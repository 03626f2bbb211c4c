"""Rows of the library: each skill with what our scan, Hermes' own guard and the person's dismissals say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryhub.hermes.home import Home
from skills_app.guard import RULES_VERSION
from skills_app.guard.hermes_guard import source_of
from skills_app.guard.model import Coverage, Report, Severity, Verdict
from skills_app.guard.policy import decide as policy_of
from skills_app.judging import Choice, Dismissed, count_severities, decide, judge
from skills_app.keeping import NotAReport, from_plain
from skills_app.library.model import Listing, Skill
from skills_app.models import Scan
from skills_app.services import dismissals, hermes_verdicts
from skills_app.services.known import known_digests
from skills_app.shelf import Row, search_text

_COUNTS = ("critical", "high", "medium", "low")


@dataclass(frozen=True, slots=True)
class _Figures:
    verdict: Verdict
    coverage: Coverage
    counts: Mapping[Severity, int]
    dismissed: int = 0


def rows_of(home: Home, listing: Listing, choice: Choice) -> dict[str, Row]:
    """The row of every skill, archived ones too, by key. A handful of statements, however many skills there are."""
    skills = (*listing.skills, *listing.archived)
    digests = known_digests(home, skills)
    ours, theirs = _ours(), hermes_verdicts.verdicts()
    dismissed = dismissals.by_skill(home)
    reports = _reports({digests[skill.key] for skill in skills if skill.key in dismissed and skill.key in digests})
    found = {}
    for skill in skills:
        digest = digests.get(skill.key, "")
        figures = ours.get(digest)
        if figures is not None and skill.key in dismissed and digest in reports:
            figures = _without(reports[digest], dismissed[skill.key])
        found[skill.key] = _row(skill, digest, figures, theirs.get((digest, source_of(skill.tier))), choice)
    return found


def unread_words(skill: Skill) -> str:
    """Why a skill cannot be scanned, as a sentence; empty for every other one."""
    codes = {"link_out", "no_skill_file", "broken_link", "unreadable_folder"}
    return next((each.sentence for each in skill.problems if each.code in codes and not skill.files), "")


def _ours() -> dict[str, _Figures]:
    rows = Scan.objects.filter(scanner=Scan.OURS, version=RULES_VERSION)
    return {
        digest: _Figures(Verdict(verdict), Coverage(coverage), dict(zip(Severity, counts, strict=True)))
        for digest, verdict, coverage, *counts in rows.values_list("digest", "verdict", "coverage", *_COUNTS)
    }


def _reports(digests: set[str]) -> dict[str, Report]:
    rows = Scan.objects.filter(scanner=Scan.OURS, version=RULES_VERSION, digest__in=digests) if digests else ()
    found = {}
    for row in rows:
        try:
            found[row.digest] = from_plain(row.report)
        except NotAReport:  # of an older form: scanned again
            continue
    return found


def _without(report: Report, dismissed: Sequence[Dismissed]) -> _Figures:
    """The figures of a report without its dismissed findings."""
    judged = judge(report, dismissed)
    gone = len(judged.findings) - len(judged.open)
    return _Figures(judged.verdict, report.coverage, count_severities(judged.open), gone)


def _row(skill: Skill, digest: str, figures: _Figures | None, theirs: Verdict | None, choice: Choice) -> Row:
    verdict = decide(choice, figures.verdict if figures else None, theirs)
    return Row(
        skill=skill,
        digest=digest,
        ours=figures.verdict if figures else None,
        theirs=theirs,
        verdict=verdict,
        policy=policy_of(skill.tier, verdict) if verdict is not None else None,
        coverage=figures.coverage if figures else None,
        counts=figures.counts if figures else {},
        dismissed=figures.dismissed if figures else 0,
        unread="" if figures else unread_words(skill),
        text=search_text(skill),
    )


@dataclass(frozen=True)
class KeptScan:
    """Our report on a content, and when it was made."""

    report: Report
    at: datetime


def find_scan(digest: str) -> KeptScan | None:
    """Our report on this content by the present rules; None when it was not scanned yet."""
    row = Scan.objects.filter(scanner=Scan.OURS, version=RULES_VERSION, digest=digest).first() if digest else None
    if row is None:
        return None
    try:
        return KeptScan(from_plain(row.report), row.created_at)
    except NotAReport:
        return None
