"""Forms that may be sent once: a double click, a second tab or the back button does one thing, not two.

A form carries a one-use id. What is kept is a hash of the id *and* of what was sent, so that the same form sent again
with another text is another wish, and is fulfilled.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import IntegrityError
from django.http import HttpRequest
from django.utils import timezone

from memoryhub.models import Submission

KEPT: Final = timedelta(days=7)
ABANDONED: Final = timedelta(seconds=30)
WAIT: Final = 3.0
_PAUSE: Final = 0.05


@dataclass(frozen=True)
class Earlier:
    """The same form was sent before. ``location`` is where it led; ``is_finished`` is False while it is worked on."""

    is_finished: bool
    location: str


def submission_key(request: HttpRequest) -> str:
    """What identifies one wish: the form's id, the address and every field but the token; empty without an id."""
    given = request.POST.get("submission", "")
    if not given:
        return ""
    fields = sorted((name, values) for name, values in request.POST.lists() if name != "csrfmiddlewaretoken")
    said = json.dumps([request.get_full_path(), fields], ensure_ascii=True)
    return hashlib.sha256(said.encode()).hexdigest()


def submission_claim(key: str) -> Earlier | None:
    """Take the id: None for the first to come, who must finish or free it; else what became of the first.

    Waits up to three seconds for a first one that is still being worked on. One that was left half-done by a crash is
    taken over: what it wanted is checked against the file again, so nothing is applied twice.
    """
    Submission.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
    deadline = time.monotonic() + WAIT
    while True:
        if _create(key) or _take_over(key):
            return None
        earlier = Submission.objects.filter(pk=key).first()
        if earlier is not None and (earlier.finished_at or time.monotonic() > deadline):
            return Earlier(earlier.finished_at is not None, earlier.location)
        time.sleep(_PAUSE)


def submission_finish(key: str, location: str) -> None:
    """Remember that the wish was fulfilled, and where that led."""
    Submission.objects.filter(pk=key).update(finished_at=timezone.now(), location=location)


def submission_free(key: str) -> None:
    """Give the id back after a refusal, so that the corrected form can be sent."""
    Submission.objects.filter(pk=key).delete()


def _create(key: str) -> bool:
    now = timezone.now()
    try:
        _, created = Submission.objects.get_or_create(pk=key, defaults={"created_at": now})
    except IntegrityError:
        return False
    return created


def _take_over(key: str) -> bool:
    now = timezone.now()
    abandoned = Submission.objects.filter(pk=key, finished_at__isnull=True, created_at__lt=now - ABANDONED)
    return abandoned.update(created_at=now) == 1
