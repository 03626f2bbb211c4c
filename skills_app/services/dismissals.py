"""Dismissing findings: recorded with a reason, an author and a date; taken back by a record of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db.models import QuerySet

from memoryhub.hermes.home import Home
from skills_app.guard.model import Finding
from skills_app.judging import Dismissed, Scope
from skills_app.models import Dismissal


class AlreadyWithdrawn(Exception):
    """The dismissal was taken back before."""


def standing(home: Home) -> QuerySet[Dismissal]:
    """The dismissals of a home that were not taken back, oldest first."""
    mine = Dismissal.objects.filter(home=home.key, withdraws__isnull=True, withdrawn__isnull=True)
    return mine.order_by("id")


def by_skill(home: Home) -> Mapping[str, Sequence[Dismissed]]:
    """What stands, for matching, by skill."""
    found: defaultdict[str, list[Dismissed]] = defaultdict(list)
    for one in standing(home):
        found[one.skill].append(for_matching(one))
    return found


def for_matching(one: Dismissal) -> Dismissed:
    """A record as the judge takes it."""
    return Dismissed(one.pk, Scope(one.scope), one.rule, one.path, one.fingerprint, one.digest)


def finding_dismiss(home: Home, skill: str, digest: str, finding: Finding, *, scope: Scope, reason: str) -> Dismissal:
    """Record that a finding is fine, as far as ``scope`` reaches."""
    return Dismissal.objects.create(
        home=home.key,
        skill=skill,
        scope=scope.value,
        rule=finding.rule,
        path=finding.file,
        fingerprint=finding.fingerprint,
        digest=digest,
        excerpt=finding.excerpt,
        reason=reason,
    )


def dismissal_withdraw(dismissal: Dismissal, *, reason: str = "") -> Dismissal:
    """Take a dismissal back: the finding counts again. Raises AlreadyWithdrawn."""
    record, created = Dismissal.objects.get_or_create(
        withdraws=dismissal,
        defaults={
            **{name: getattr(dismissal, name) for name in ("home", "skill", "scope", "rule", "path", "fingerprint")},
            "digest": dismissal.digest,
            "excerpt": dismissal.excerpt,
            "reason": reason,
        },
    )
    if not created:
        raise AlreadyWithdrawn
    return record
