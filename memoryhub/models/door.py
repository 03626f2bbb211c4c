"""What the door remembers: open links, forms that were sent, and a few preferences."""

from django.db import models


class OpenToken(models.Model):
    """A one-time link to the dashboard; only its hash is kept."""

    token_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"open link until {self.expires_at:%Y-%m-%d %H:%M}"


class Submission(models.Model):
    """One form as it was sent once: its one-use id together with what it said.

    ``finished_at`` is empty while the first one is still being worked on; ``location`` is where it led.
    """

    id = models.CharField(max_length=64, primary_key=True)
    created_at = models.DateTimeField(db_index=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    location = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"form sent {self.created_at:%Y-%m-%d %H:%M:%S}"


class Preference(models.Model):
    """One choice of the person, made on a page."""

    key = models.CharField(max_length=64, primary_key=True)
    value = models.TextField()

    def __str__(self) -> str:
        return f"{self.key} = {self.value}"
