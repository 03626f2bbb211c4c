"""Whether an open page is out of date: a short state of the home that costs a few file times and one statement."""

from __future__ import annotations

import hashlib
from contextlib import suppress

from django.db.models import Count, Max, Q

from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import TARGETS, Home
from memoryhub.models import EntryChange
from memoryhub.services import writes
from memoryhub.services.watch import signature


def page_state(home: Home) -> str:
    """A short text that changes when a file, its limits, or what is known about its entries' writers changes.

    What is on disk is recorded first, so that recording it does not count as a change; taken before a page is made,
    so that what changes meanwhile is noticed by its first pulse.
    """
    for target in TARGETS:
        with suppress(FileProblem):  # the page says what is wrong
            writes.read(home, target)
    paths = [*(home.memory_path(target) for target in TARGETS), home.config_file]
    known = EntryChange.objects.filter(home=home.key).aggregate(
        newest=Max("id"), explained=Count("id", filter=~Q(session_id=""))
    )
    facts = repr([[signature(path) for path in paths], known["newest"], known["explained"]])
    return hashlib.sha256(facts.encode()).hexdigest()[:16]
