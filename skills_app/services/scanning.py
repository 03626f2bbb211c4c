"""Scanning what changed: each content once by each version of the rules, in child processes, newest change first."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from pathlib import Path
from typing import Final, cast

from django.db import transaction
from django.utils import timezone

from memoryhub.hermes.home import Home
from skills_app import keeping
from skills_app.guard import RULES_VERSION
from skills_app.guard.child import scan_many
from skills_app.guard.model import Report
from skills_app.judging import count_severities
from skills_app.library import content_digest
from skills_app.library.model import Listing, Skill
from skills_app.models import KnownSkill, Scan, Sighting
from skills_app.services.known import known_digests
from skills_app.services.verdicts import unread_words

Reports = Generator[tuple[Path, Report], None, None]  # closing it ends the children
AT_ONCE: Final = 64  # skills a round: between two rounds the disk is looked at again


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
    done = 0
    with closing(cast(Reports, scan_many(list(by_path)))) as reports:
        for path, report in reports:
            for skill in by_path[path]:
                scan_keep(home, skill, report)
                done += 1
            if is_over():
                break
    return done


def scan_keep(home: Home, skill: Skill, report: Report) -> None:
    """Keep a report, what the skill's folder holds, and, when it is news, that the skill was seen so."""
    counts = count_severities(report.findings)
    with transaction.atomic():
        Scan.objects.update_or_create(
            scanner=Scan.OURS,
            version=report.rules_version,
            source="",
            digest=report.digest,
            defaults={
                "verdict": report.verdict.value,
                "coverage": report.coverage.value,
                "reason": report.reason,
                "report": keeping.to_plain(report),
                "created_at": timezone.now(),
                **{severity.value: count for severity, count in counts.items()},
            },
        )
        KnownSkill.objects.update_or_create(
            home=home.key,
            skill=skill.key,
            defaults={"signature": skill.signature, "digest": report.digest, "seen_at": timezone.now()},
        )
        _sighting_keep(home, skill, report)


def _sighting_keep(home: Home, skill: Skill, report: Report) -> None:
    last = Sighting.objects.filter(home=home.key, skill=skill.key).order_by("-id").first()
    said = (report.digest, report.verdict.value)
    if last is not None and (last.digest, last.verdict) == said:
        return
    Sighting.objects.create(
        home=home.key,
        skill=skill.key,
        digest=report.digest,
        files=_encodable(content_digest(skill).files),
        verdict=report.verdict.value,
        reason=report.reason,
        rules_version=report.rules_version,
    )


def _encodable(files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Paths as text that a database takes."""
    return {path.encode("utf-8", "replace").decode(): mark for path, mark in files}
