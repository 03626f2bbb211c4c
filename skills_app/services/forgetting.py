"""Forgetting a text in what scans and dismissals keep: excerpts of findings, reasons, sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator

from django.db import transaction

from memoryhub.spellings import Spelling
from skills_app.models import Dismissal, Scan, Sighting


def scanned_count(spelling: Spelling) -> int:
    """How many scans, sightings and dismissals hold a text."""
    return sum(1 for _ in _scans(spelling)) + sum(1 for _ in _dismissals(spelling)) + sum(1 for _ in _seen(spelling))


def scanned_forget(spelling: Spelling) -> int:
    """Drop the scans that hold a text (a cache), cut it out of dismissals and sightings; how many held it."""
    with transaction.atomic():
        scans = list(_scans(spelling))
        Scan.objects.filter(pk__in=scans).delete()
        dismissals, seen = list(_dismissals(spelling)), list(_seen(spelling))
        for one in dismissals:
            one.reason, one.excerpt = spelling.cut_text(one.reason), spelling.cut_text(one.excerpt)
            one.save(update_fields=["reason", "excerpt"])
        for sighting in seen:
            sighting.reason = spelling.cut_text(sighting.reason)
            sighting.save(update_fields=["reason"])
    return len(scans) + len(dismissals) + len(seen)


def _scans(spelling: Spelling) -> Iterator[int]:
    for scan in Scan.objects.only("report", "reason").iterator(chunk_size=100):
        said = json.dumps([scan.report, scan.reason], ensure_ascii=False).encode("utf-8", "surrogatepass")
        if spelling.is_in_json(said):
            yield scan.pk


def _dismissals(spelling: Spelling) -> Iterator[Dismissal]:
    rows = Dismissal.objects.iterator(chunk_size=500)
    return (one for one in rows if spelling.is_in_text(one.reason) or spelling.is_in_text(one.excerpt))


def _seen(spelling: Spelling) -> Iterator[Sighting]:
    return (one for one in Sighting.objects.iterator(chunk_size=500) if spelling.is_in_text(one.reason))
