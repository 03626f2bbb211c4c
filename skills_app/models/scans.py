"""What scans said: a cache by content, what each folder held when it was last read, and the verdicts over time."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Scan(models.Model):
    """What one scanner says about one content. Made again at any time; deleting all of them loses nothing.

    ``version`` is that of the rules (ours) or of the installed Hermes (theirs), ``source`` what theirs was told about
    the origin, ``report`` the whole report as JSON. The numbers beside it are what lists show.
    """

    OURS, HERMES = "memoryhub", "hermes"

    scanner = models.CharField(max_length=10)
    version = models.CharField(max_length=80)
    source = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64)
    verdict = models.CharField(max_length=10)
    coverage = models.CharField(max_length=10, blank=True)
    critical = models.IntegerField(default=0)
    high = models.IntegerField(default=0)
    medium = models.IntegerField(default=0)
    low = models.IntegerField(default=0)
    reason = models.TextField(blank=True)
    report = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scanner", "version", "source", "digest"], name="one_scan_per_content")
        ]

    def __str__(self) -> str:
        return f"{self.verdict} by {self.scanner} {self.version}: {self.digest[:12]}"


class KnownSkill(models.Model):
    """What a skill's folder held when it was last read: while its signature stays, its digest does. A cache."""

    home = models.TextField()
    skill = models.TextField()
    signature = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["home", "skill"], name="one_reading_per_skill")]

    def __str__(self) -> str:
        return f"{self.skill}: {self.digest[:12]}"


class Sighting(models.Model):
    """A skill was first seen with this content, or judged anew by other rules. Rows are only ever added.

    ``files`` maps each path to the digest of its bytes, so that a later state can name what changed.
    """

    home = models.TextField()
    skill = models.TextField()
    digest = models.CharField(max_length=64)
    files = models.JSONField(default=dict)
    verdict = models.CharField(max_length=10)
    reason = models.TextField(blank=True)
    rules_version = models.CharField(max_length=80)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["home", "skill", "-id"], name="sighting_by_skill")]

    def __str__(self) -> str:
        return f"{self.skill} {self.digest[:12]}: {self.verdict}"
