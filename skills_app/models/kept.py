"""The bytes that decisions were about: the record, and each file before and after. For undoing and showing."""

from __future__ import annotations

from django.db import models

from skills_app.models.decisions import Decision


class KeptBytes(models.Model):
    """Exact bytes, by their digest. ``forgotten``: a text was cut out of them on purpose, so they restore nothing."""

    digest = models.CharField(max_length=64, unique=True)
    data = models.BinaryField()
    forgotten = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.digest[:12]


class KeptFile(models.Model):
    """One file of one decision. ``role`` is what it was; ``place`` the skill's folder, ``path`` the file in it.

    A link is kept by where it led (``link``), without bytes. ``mode`` are permission bits, null where not known.
    """

    RECORD, BEFORE, AFTER = "record", "before", "after"

    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, related_name="kept")
    role = models.CharField(max_length=10)
    place = models.TextField(blank=True)
    path = models.TextField(blank=True)
    content = models.ForeignKey(KeptBytes, null=True, on_delete=models.PROTECT, related_name="uses")
    link = models.TextField(blank=True)
    mode = models.IntegerField(null=True)

    def __str__(self) -> str:
        return f"{self.role} {self.path}"
