"""The library of a home with its verdicts, kept in memory and looked at again as often as it is cheap to.

While nothing on disk and in our database changes, a page costs a few file times and one statement, however many skills
there are.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Min

from memoryhub.hermes.home import Home
from skills_app.judging import Choice
from skills_app.library.model import Listing, Skill
from skills_app.models import Dismissal, KnownSkill, Scan
from skills_app.services.choices import current_choice
from skills_app.services.reading import read_listing
from skills_app.services.verdicts import rows_of
from skills_app.shelf import Row

_Stamp = tuple[Any, ...]


@dataclass(frozen=True)
class Catalogue:
    """All skills of a home at one moment. ``state`` is a short text that changes whenever something shown does."""

    listing: Listing
    rows: tuple[Row, ...]
    archived: tuple[Row, ...]
    choice: Choice
    state: str
    scanned_at: datetime | None

    @property
    def waiting(self) -> int:
        """Skills that will be scanned and are not yet."""
        return sum(1 for row in (*self.rows, *self.archived) if row.ours is None and not row.unread)

    def find(self, key: str) -> Row | None:
        """The row of a skill, archived ones too."""
        return next((row for row in (*self.rows, *self.archived) if row.skill.key == key), None)


class _Shelf:
    """What is remembered of one home."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.listing: Listing | None = None
        self.watchers = 0
        self.catalogue: Catalogue | None = None
        self.stamp: _Stamp = ()


_shelves: dict[str, _Shelf] = {}
_shelves_lock = threading.Lock()


def current(home: Home) -> Catalogue:
    """The library as it is now; as the watcher last saw it while ``serve`` runs, else looked at anew."""
    shelf = _shelf(home)
    if shelf.listing is None or not shelf.watchers:
        look(home)
    with shelf.lock:
        return _catalogue(home, shelf)


def look(home: Home) -> Listing:
    """Look at the disk now. Nobody who asks for pages waits for it."""
    shelf = _shelf(home)
    listing = read_listing(home)
    with shelf.lock:
        if listing != shelf.listing:
            shelf.listing, shelf.catalogue = listing, None
    return listing


def watched(home: Home, by: int) -> None:
    """Say that somebody began (1) or ceased (-1) to watch this home."""
    shelf = _shelf(home)
    with shelf.lock:
        shelf.watchers += by


def _shelf(home: Home) -> _Shelf:
    with _shelves_lock:
        return _shelves.setdefault(home.key, _Shelf())


def _catalogue(home: Home, shelf: _Shelf) -> Catalogue:
    assert shelf.listing is not None
    choice = current_choice()
    stamp = _stamp(home, choice)
    if shelf.catalogue is None or shelf.stamp != stamp:
        rows = rows_of(home, shelf.listing, choice)
        shelf.catalogue = _made(shelf.listing, rows, choice, stamp)
        shelf.stamp = stamp
    return shelf.catalogue


def _made(listing: Listing, rows: Mapping[str, Row], choice: Choice, stamp: _Stamp) -> Catalogue:
    facts = repr((stamp, [_shown(skill) for skill in (*listing.skills, *listing.archived)], listing.problems))
    return Catalogue(
        listing=listing,
        rows=tuple(rows[skill.key] for skill in listing.skills),
        archived=tuple(rows[skill.key] for skill in listing.archived),
        choice=choice,
        state=hashlib.sha256(facts.encode("utf-8", "replace")).hexdigest()[:16],
        scanned_at=stamp[-1],
    )


def _shown(skill: Skill) -> tuple[object, ...]:
    return (skill.key, skill.signature, skill.is_disabled, skill.disabled_on, skill.usage, skill.tier, skill.problems)


def _stamp(home: Home, choice: Choice) -> _Stamp:
    """What rows depend on beside the disk; the last part is when a skill of this home was last scanned."""
    scans = Scan.objects.aggregate(newest=Max("id"), oldest=Min("id"), count=Count("id"), at=Max("created_at"))
    known = KnownSkill.objects.filter(home=home.key).aggregate(at=Max("seen_at"), count=Count("id"))
    dismissed = Dismissal.objects.filter(home=home.key).aggregate(newest=Max("id"))
    said = (scans["newest"], scans["oldest"], scans["count"], scans["at"], known["count"], dismissed["newest"])
    return (choice.value, *said, known["at"])
