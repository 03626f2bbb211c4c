"""The history of memory files: every state we saw, who wrote it, and what came and went."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone


class Writer(models.TextChoices):
    """Who wrote a state: the person, the agent (a tool call explains it), or something else."""

    YOU = "you", "you"
    AGENT = "agent", "the agent"
    OUTSIDE = "outside", "outside"


class Content(models.Model):
    """The exact bytes of one state of a file, kept once however often the file was in it."""

    digest = models.CharField(max_length=64, unique=True)
    data = models.BinaryField()
    forgotten = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.digest[:12]


class Revision(models.Model):
    """One recorded state of a memory file. ``content`` is null when there was no file.

    ``left_out`` counts the changes that have no row of their own, because there were too many.
    """

    home = models.TextField()
    target = models.CharField(max_length=10)
    content = models.ForeignKey(Content, null=True, on_delete=models.PROTECT, related_name="revisions")
    created_at = models.DateTimeField(default=timezone.now)
    writer = models.CharField(max_length=10, choices=Writer)
    via = models.CharField(max_length=10, blank=True)
    kind = models.CharField(max_length=12)
    reason = models.TextField(blank=True)
    operation = models.UUIDField(default=uuid.uuid4)
    undoes = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="undone_by")
    used = models.IntegerField()
    limit = models.IntegerField()
    entry_count = models.IntegerField()
    left_out = models.IntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["home", "target", "-id"], name="revision_by_file"),
            models.Index(fields=["operation"], name="revision_by_operation"),
        ]

    def __str__(self) -> str:
        return f"{self.target} revision {self.pk}"


class EntryChange(models.Model):
    """One entry that came, went or was reworded in a revision.

    ``at`` and ``writer`` are its own, since thinning folds older revisions into newer ones; ``born_*`` tell of the
    first wording, null when it was there before we looked; ``session_id`` and ``message_id`` name the tool call that
    explains it.
    """

    ADDED, REMOVED, REPLACED = "added", "removed", "replaced"

    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="changes")
    home = models.TextField()
    target = models.CharField(max_length=10)
    kind = models.CharField(max_length=10)
    digest = models.CharField(max_length=10)
    text = models.TextField()
    old_digest = models.CharField(max_length=10, blank=True)
    old_text = models.TextField(blank=True)
    at = models.DateTimeField(null=True)
    writer = models.CharField(max_length=10, blank=True)
    via = models.CharField(max_length=10, blank=True)
    born_at = models.DateTimeField(null=True)
    born_writer = models.CharField(max_length=10, blank=True)
    versions = models.IntegerField(default=1)
    session_id = models.TextField(blank=True)
    message_id = models.BigIntegerField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["home", "digest"], name="change_by_entry"),
            models.Index(fields=["home", "target", "-id"], name="change_by_file"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.digest}"


class Intent(models.Model):
    """What a writer of ours was about to do: noted before the file is replaced, gone once the revision stands.

    One that is found under the lock belongs to a process that died in between.
    """

    home = models.TextField()
    target = models.CharField(max_length=10)
    digest = models.CharField(max_length=64)
    via = models.CharField(max_length=10)
    kind = models.CharField(max_length=12)
    reason = models.TextField(blank=True)
    operation = models.UUIDField()
    undoes = models.ForeignKey(Revision, null=True, on_delete=models.SET_NULL)
    pairs = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["home", "target"], name="one_intent_per_file")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.target}"
