"""Keeping the history of a file bounded: at most 5,000 revisions, thinned by age, never the newest 500.

What a thinned revision changed is folded into the one after it, so no entry loses its stamp and each revision still
tells what came and went since the one before it.
"""

from __future__ import annotations

from typing import Final

from django.db.models import F, Subquery
from django.utils import timezone

from memoryhub.entries import entry_digest, parse
from memoryhub.models import Content, EntryChange, Revision

KEPT: Final = 5000
NEWEST: Final = 500
_STEP: Final = 10  # how many more go at once: few, since somebody waits for the lock meanwhile


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
    """Delete one revision; what it changed and still shows after the next one counts as the next one's change."""
    later = Revision.objects.filter(home=home_key, target=target, id__gt=victim).select_related("content")
    following = later.order_by("id").first()
    if following is None:
        return
    standing = _standing(following)
    theirs = list(following.changes.all())
    for change in EntryChange.objects.filter(revision_id=victim):
        if change.kind != EntryChange.REMOVED and change.digest not in standing:
            _pass_on(change, theirs)
        elif change.kind != EntryChange.REMOVED or not any(_is_back(change, other) for other in theirs):
            EntryChange.objects.filter(pk=change.pk).update(revision=following)
    left_out = Revision.objects.values("left_out").filter(pk=victim)
    Revision.objects.filter(pk=following.pk).update(left_out=F("left_out") + Subquery(left_out))
    _delete(victim)


def _pass_on(change: EntryChange, theirs: list[EntryChange]) -> None:
    """Let what became of a text that is gone again begin where ``change`` began."""
    for other in theirs:
        if other.kind == EntryChange.REPLACED and other.old_digest == change.digest:
            other.kind = EntryChange.REPLACED if change.old_digest else EntryChange.ADDED
            other.old_digest, other.old_text = change.old_digest, change.old_text
            other.save(update_fields=["kind", "old_digest", "old_text"])
            return
        if other.kind == EntryChange.REMOVED and other.digest == change.digest:
            if change.old_digest:
                other.digest, other.text = change.old_digest, change.old_text
                other.save(update_fields=["digest", "text"])
            else:
                other.delete()
            theirs.remove(other)
            return


def _is_back(removed: EntryChange, other: EntryChange) -> bool:
    return other.kind == EntryChange.ADDED and other.digest == removed.digest


def _standing(revision: Revision) -> set[str]:
    data = bytes(revision.content.data) if revision.content else None
    return {entry_digest(text) for text in parse(data, revision.target, revision.limit).texts}


def _delete(revision_id: int) -> None:
    content_id = Revision.objects.values_list("content_id", flat=True).get(id=revision_id)
    Revision.objects.filter(id=revision_id).delete()
    if content_id and not Revision.objects.filter(content_id=content_id).exists():
        Content.objects.filter(id=content_id).delete()
