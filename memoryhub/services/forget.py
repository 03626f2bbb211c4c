"""Forgetting a text: removing it from every copy that MemoryHub keeps, and saying where else it still stands.

All homes of our database are looked through: a secret is one wherever it was copied to.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db import OperationalError, connection, transaction

from memoryhub.entries import DELIMITER_LINE, entry_digest
from memoryhub.hermes.home import Home
from memoryhub.models import Content, EntryChange, Intent, Revision
from memoryhub.services import hooks
from memoryhub.services.forget_files import Copies, copies_of
from memoryhub.spellings import MARK, MIN_LENGTH, Spelling

__all__ = ["MARK", "ForgetRefused", "Forgotten", "Places", "StillThere", "text_forget", "text_places"]


class ForgetRefused(ValueError):
    """The text cannot be forgotten as it was given; ``code`` is ``short`` or ``separator``."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class StillThere(Exception):
    """The text stands in a memory file, from where it would be recorded again at once."""

    def __init__(self, places: Places) -> None:
        super().__init__("This text still stands in a memory file. Take it out there first; nothing was forgotten.")
        self.places = places


@dataclass(frozen=True)
class Places:
    """Where a text stands: counts of what we keep, and files that are not ours to cut."""

    revisions: int
    changes: int
    reasons: int
    copies: Copies
    kept: int = 0  # by other apps: decisions and what they were about

    @property
    def ours(self) -> int:
        return self.revisions + self.changes + self.reasons + self.kept


@dataclass(frozen=True)
class Forgotten:
    """Where the text had been. ``is_scrubbed``: the database file was rewritten, so its bytes are gone from it too."""

    places: Places
    is_scrubbed: bool


def text_places(home: Home, text: str) -> Places:
    """Count where ``text`` stands. Raises ForgetRefused."""
    spelling = _checked(text)
    contents = [content.pk for content in _contents(spelling)]
    return Places(
        revisions=Revision.objects.filter(content__in=contents).count(),
        changes=sum(1 for _change in _changes(spelling)),
        reasons=sum(1 for _revision in _reasons(spelling)),
        copies=copies_of(home, spelling, Revision.objects.order_by("home").values_list("home", flat=True).distinct()),
        kept=hooks.kept(spelling),
    )


def text_forget(home: Home, text: str) -> Forgotten:
    """Replace ``text`` by a mark in everything we keep; return where it had been.

    The live memory files are not touched: taking the text out there is the person's own step before this. Raises
    StillThere while one holds it, and ForgetRefused.
    """
    places = text_places(home, text)
    if places.copies.live:
        raise StillThere(places)
    spelling = _checked(text)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete = ON")
    with transaction.atomic():
        for content in list(_contents(spelling)):
            _cut_content(content, spelling)
        for change in list(_changes(spelling)):
            _cut_change(change, spelling)
        for revision in list(_reasons(spelling)):
            revision.reason = spelling.cut_text(revision.reason)
            revision.save(update_fields=["reason"])
        hooks.forget(spelling)
        Intent.objects.filter(pk__in=[intent.pk for intent in _intents(spelling)]).delete()
    return Forgotten(places, _scrub_database())


def _checked(text: str) -> Spelling:
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(text) < MIN_LENGTH:
        raise ForgetRefused("short", f"Give at least {MIN_LENGTH} characters, so that only this text is forgotten.")
    if any(line.strip() == DELIMITER_LINE for line in text.split("\n")):
        raise ForgetRefused("separator", "Give one entry at a time: a line with only § separates entries.")
    return Spelling(text)


# Looked through here and not by SQL: its LIKE folds case and stops at a NUL.
def _contents(spelling: Spelling) -> Iterator[Content]:
    return (content for content in Content.objects.iterator(chunk_size=50) if spelling.is_in(bytes(content.data)))


def _changes(spelling: Spelling) -> Iterator[EntryChange]:
    rows = EntryChange.objects.only("text", "old_text").iterator(chunk_size=500)
    return (row for row in rows if spelling.is_in_text(row.text) or spelling.is_in_text(row.old_text))


def _reasons(spelling: Spelling) -> Iterator[Revision]:
    rows = Revision.objects.exclude(reason="").only("reason").iterator(chunk_size=500)
    return (row for row in rows if spelling.is_in_text(row.reason))


def _intents(spelling: Spelling) -> Iterable[Intent]:
    def texts(intent: Intent) -> Iterator[str]:
        yield intent.reason
        for pair in intent.pairs:
            yield from pair

    return [intent for intent in Intent.objects.all() if any(spelling.is_in_text(text) for text in texts(intent))]


def _cut_content(content: Content, spelling: Spelling) -> None:
    data = spelling.cut(bytes(content.data))
    digest = hashlib.sha256(data).hexdigest()
    same = Content.objects.filter(digest=digest).first()
    if same is not None:
        Revision.objects.filter(content=content).update(content=same)
        content.delete()
        Content.objects.filter(pk=same.pk).update(forgotten=True)
        return
    content.data, content.digest, content.forgotten = data, digest, True
    content.save()


def _cut_change(change: EntryChange, spelling: Spelling) -> None:
    """Cut the texts, and with them their digests: of a short text those could be guessed."""
    change.text, change.old_text = spelling.cut_text(change.text), spelling.cut_text(change.old_text)
    change.digest = entry_digest(change.text)
    change.old_digest = entry_digest(change.old_text) if change.old_text else ""
    change.save(update_fields=["text", "old_text", "digest", "old_digest"])


def _scrub_database() -> bool:
    """Have SQLite rewrite its file without what it has let go, and empty its log; False while that cannot be done."""
    if connection.in_atomic_block:
        return False
    try:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            row = cursor.fetchone()
    except OperationalError:  # somebody else is using the file
        return False
    return row is None or row[0] == 0
