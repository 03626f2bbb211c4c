"""Scanning what changed: each content once by each version of the rules, in child processes, newest change first."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from django.db import transaction
from django.db.models import Max

from memoryhub.hermes.home import Home
from skills_app import keeping
from skills_app.guard import RULES_VERSION
from skills_app.guard.child import scan_many
from skills_app.guard.model import Report, Severity
from skills_app.judging import count_severities
from skills_app.library import content_digest
from skills_app.library.model import Listing, Skill
from skills_app.models import KnownSkill, Scan, Sighting
from skills_app.services.known import known_digests
from skills_app.services.verdicts import unread_words

Reports = Generator[tuple[Path, Report], None, None]  # closing it ends the children
AT_ONCE: Final = 64  # skills a round: between two rounds the disk is looked at again
_KEPT_AT_ONCE: Final = 16


def outdated(home: Home, listing: Listing) -> list[Skill]:
    """The skills whose present content was not scanned by the present rules, newest change first."""
    skills = [skill for skill in (*listing.skills, *listing.archived) if not unread_words(skill)]
    digests = known_digests(home, skills)
    scanned = set(Scan.objects.filter(scanner=Scan.OURS, version=RULES_VERSION).values_list("digest", flat=True))
    waiting = [skill for skill in skills if digests.get(skill.key) not in scanned]
    return sorted(waiting, key=lambda one: one.last_changed.timestamp() if one.last_changed else 0.0, reverse=True)


def scan_outdated(home: Home, skills: Iterable[Skill], is_over: Callable[[], bool] = lambda: False) -> int:
    """Scan these skills and keep what is said; ends early when ``is_over`` says so. How many were scanned."""
    by_path: dict[Path, list[Skill]] = {}
    for skill in skills:
        by_path.setdefault(skill.path, []).append(skill)
    done, said = 0, []
    with closing(cast(Reports, scan_many(list(by_path)))) as reports:
        for path, report in reports:
            said += [(skill, report) for skill in by_path[path]]
            if len(said) >= _KEPT_AT_ONCE:
                scans_keep(home, said)
                done, said = done + len(said), []
            if is_over():
                break
    scans_keep(home, said)
    return done + len(said)


def scans_keep(home: Home, said: Sequence[tuple[Skill, Report]]) -> None:
    """Keep reports, what the skills' folders hold, and, where it is news, that the skills were seen so."""
    said = [(skill, _named(skill, report)) for skill, report in said]
    by_digest = {report.digest: report for _, report in said}
    with transaction.atomic():
        Scan.objects.bulk_create(
            [_scan(report) for report in by_digest.values()],
            update_conflicts=True,
            unique_fields=["scanner", "version", "source", "digest"],
            update_fields=["verdict", "coverage", "reason", "report", "created_at", *Severity],
        )
        KnownSkill.objects.bulk_create(
            [
                KnownSkill(home=home.key, skill=skill.key, signature=skill.signature, digest=report.digest)
                for skill, report in said
            ],
            update_conflicts=True,
            unique_fields=["home", "skill"],
            update_fields=["signature", "digest", "seen_at"],
        )
        Sighting.objects.bulk_create(_news(home, said))


def _named(skill: Skill, report: Report) -> Report:
    """The report, bound to the folder's state where its bytes could not be read."""
    return report if report.digest else replace(report, digest=f"unread:{skill.signature}"[:64])


def _scan(report: Report) -> Scan:
    counts = {severity.value: count for severity, count in count_severities(report.findings).items()}
    return Scan(
        scanner=Scan.OURS,
        version=report.rules_version,
        digest=report.digest,
        verdict=report.verdict.value,
        coverage=report.coverage.value,
        reason=report.reason,
        report=keeping.to_plain(report),
        **counts,
    )


def _news(home: Home, said: Sequence[tuple[Skill, Report]]) -> list[Sighting]:
    """A sighting of each skill that was last seen with another content or verdict, or never."""
    keys = {skill.key for skill, _ in said}
    newest = Sighting.objects.filter(home=home.key, skill__in=keys).values("skill").annotate(id=Max("id")).values("id")
    last = {one.skill: (one.digest, one.verdict) for one in Sighting.objects.filter(id__in=newest)}
    return [
        Sighting(
            home=home.key,
            skill=skill.key,
            digest=report.digest,
            files=_encodable(content_digest(skill).files),
            verdict=report.verdict.value,
            reason=report.reason,
            rules_version=report.rules_version,
        )
        for skill, report in said
        if last.get(skill.key) != (report.digest, report.verdict.value)
    ]


def _encodable(files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Paths as text that a database takes."""
    return {path.encode("utf-8", "replace").decode(): mark for path, mark in files}
