"""What people decided about skills. Rows are only ever added; taking something back adds a row that names it."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Dismissal(models.Model):
    """A person says that a finding is fine: in exactly these bytes, in this skill, or in one file of it.

    A row with ``withdraws`` set takes an earlier one back. Whatever the scope, ``digest``, ``rule``, ``path`` and
    ``fingerprint`` are those of the finding that was looked at.
    """

    DIGEST, SKILL, PATH = "digest", "skill", "path"

    home = models.TextField()
    skill = models.TextField()
    scope = models.CharField(max_length=10)
    rule = models.CharField(max_length=80)
    path = models.TextField()
    fingerprint = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    excerpt = models.TextField(blank=True)
    reason = models.TextField()
    author = models.CharField(max_length=10, default="you")
    via = models.CharField(max_length=10, default="page")
    created_at = models.DateTimeField(default=timezone.now)
    withdraws = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="withdrawn")

    class Meta:
        indexes = [models.Index(fields=["home", "skill"], name="dismissal_by_skill")]

    def __str__(self) -> str:
        return f"{'withdrawn' if self.withdraws_id else 'dismissed'}: {self.rule} in {self.skill}"


class Decision(models.Model):
    """What a person decided, about which bytes, with which verdict before them, why, and what came of it.

    ``item`` names what was decided on ("disk:<key>"); ``action`` what was done ("disable", "enable", …); ``files``
    maps paths to digests; ``result`` is "applied" or the sentence that says why not; ``details`` what undoing needs.
    """

    home = models.TextField()
    item = models.TextField()
    skill = models.TextField(blank=True)
    action = models.CharField(max_length=20)
    digest = models.CharField(max_length=64, blank=True)
    files = models.JSONField(default=dict)
    verdict = models.CharField(max_length=10, blank=True)
    rules_version = models.CharField(max_length=80, blank=True)
    author = models.CharField(max_length=10, default="you")
    via = models.CharField(max_length=10, default="page")
    reason = models.TextField(blank=True)
    result = models.TextField(default="applied")
    details = models.JSONField(default=dict)
    undoes = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="undone_by")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["home", "skill", "-id"], name="decision_by_skill")]

    def __str__(self) -> str:
        return f"{self.action} {self.item} ({self.author})"
