"""Keeping the history of a file bounded: at most 5,000 revisions, thinned by age, never the newest 500.

What a thinned revision changed is folded into the one after it, so no entry loses its stamp.
"""

from __future__ import annotations

from typing import Final

from django.db.models import Q
from django.utils import timezone

from memoryhub.models import Content, EntryChange, Revision

KEPT: Final = 5000
NEWEST: Final = 500
_STEP: Final = 100


def thin(home_key: str, target: str, *, kept: int = KEPT, newest: int = NEWEST, step: int = _STEP) -> int:
    """Delete the least telling old revisions of a file once there are more than ``kept``; return how many."""
    mine = Revision.objects.filter(home=home_key, target=target)
    if mine.count() <= kept:
        return 0
    rows = list(mine.order_by("id").values_list("id", "created_at"))
    now = timezone.now()
    old = rows[: len(rows) - newest]
    gaps = []
    for (_, earlier), (middle, at), (_, later) in zip(old, old[1:], [*old[2:], rows[len(old)]], strict=False):
        span = (later - earlier).total_seconds()
        gaps.append((span / max(1.0, (now - at).total_seconds()), middle))
    victims = [middle for _, middle in sorted(gaps)[: len(rows) - kept + step]]
    for victim in sorted(victims):
        _fold(home_key, target, victim)
    return len(victims)


def _fold(home_key: str, target: str, victim: int) -> None:
    """Delete one revision; what it changed and still stands after the next one counts as the next one's change."""
    following = Revision.objects.filter(home=home_key, target=target, id__gt=victim).order_by("id").first()
    if following is None:
        return
    standing = {entry_digest(text) for text in revisions.file_of(following).texts}
    changes = EntryChange.objects.filter(revision_id=victim)
    changes.filter(Q(digest__in=standing) | Q(kind=EntryChange.REMOVED)).update(revision=following)
    content_id = Revision.objects.values_list("content_id", flat=True).get(id=victim)
    Revision.objects.filter(id=victim).delete()
    if content_id and not Revision.objects.filter(content_id=content_id).exists():
        Content.objects.filter(id=content_id).delete()
