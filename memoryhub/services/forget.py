"""Forgetting a text: removing it from every copy that MemoryHub keeps, and saying where else it still stands."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db import connection, transaction

from memoryhub.hermes import files
from memoryhub.hermes.home import FILE_NAMES, Home
from memoryhub.models import Content, EntryChange, Intent, Revision

MARK: Final = "[forgotten]"
MIN_LENGTH: Final = 4
_ENCODINGS: Final = ("utf-8", "utf-16-le", "utf-16-be", "cp1252")


class TooShort(ValueError):
    """Forgetting so short a text would cut into every word that holds it."""

    def __init__(self) -> None:
        super().__init__(f"Give at least {MIN_LENGTH} characters, so that only this text is forgotten.")


@dataclass(frozen=True)
class Places:
    """Where a text stands: revisions and their states in our database, and files of Hermes' that are not ours to cut."""

    revisions: int
    changes: int
    reasons: int
    files: tuple[str, ...]

    @property
    def ours(self) -> int:
        return self.revisions + self.changes + self.reasons


def text_places(home: Home, text: str) -> Places:
    """Count where ``text`` stands. Raises TooShort."""
    text = _checked(text)
    contents = [content.pk for content in _contents(home, text)]
    return Places(
        revisions=Revision.objects.filter(home=home.key, content__in=contents).count(),
        changes=_changes(home, text).count(),
        reasons=Revision.objects.filter(home=home.key, reason__contains=text).count(),
        files=tuple(_files_with(home, text)),
    )


def text_forget(home: Home, text: str) -> Places:
    """Replace ``text`` by a mark in everything we keep about ``home``; return where it had been.

    The live memory files are not touched: removing the entry there is the person's own, undoable step before this.
    """
    text = _checked(text)
    places = text_places(home, text)
    with transaction.atomic():
        for content in _contents(home, text):
            _cut_content(content, text)
        for change in _changes(home, text):
            change.text = change.text.replace(text, MARK)
            change.old_text = change.old_text.replace(text, MARK)
            change.save(update_fields=["text", "old_text"])
        for revision in Revision.objects.filter(home=home.key, reason__contains=text):
            revision.reason = revision.reason.replace(text, MARK)
            revision.save(update_fields=["reason"])
        Intent.objects.filter(home=home.key).delete()
    _scrub_database()
    return places


def _checked(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(text) < MIN_LENGTH:
        raise TooShort
    return text


def _changes(home: Home, text: str) -> Iterable[EntryChange]:
    mine = EntryChange.objects.filter(home=home.key)
    return mine.filter(text__contains=text) | mine.filter(old_text__contains=text)


def _contents(home: Home, text: str) -> Iterable[Content]:
    needles = _needles(text)
    mine = Content.objects.filter(revisions__home=home.key).distinct()
    return (content for content in mine.iterator() if any(needle in bytes(content.data) for needle in needles))


def _needles(text: str) -> set[bytes]:
    """The text as any file that we can show may hold it: each encoding, each kind of line end."""
    needles = set()
    for encoding in _ENCODINGS:
        for line_end in ("\n", "\r\n", "\r"):
            try:
                needles.add(text.replace("\n", line_end).encode(encoding))
            except UnicodeEncodeError:
                continue
    return needles


def _cut_content(content: Content, text: str) -> None:
    data = bytes(content.data)
    for needle in sorted(_needles(text), key=len, reverse=True):
        encoding = "utf-16-le" if b"\x00" in needle and needle[1:2] == b"\x00" else "utf-8"
        data = data.replace(needle, MARK.encode(encoding))
    digest = hashlib.sha256(data).hexdigest()
    same = Content.objects.filter(digest=digest).first()
    if same is not None:
        Revision.objects.filter(content=content).update(content=same)
        content.delete()
        return
    content.data, content.digest, content.forgotten = data, digest, True
    content.save()


def _files_with(home: Home, text: str) -> Iterable[str]:
    """Names of files in the memories folder that hold the text: Hermes' own, so only named."""
    needles = _needles(text)
    try:
        names = sorted(path.name for path in home.memories.iterdir())
    except OSError:
        return
    for name in names:
        if name.startswith(tuple(FILE_NAMES.values())) or name == "ARCHIVE.jsonl":
            try:
                data = files.read_regular(home.memories / name) or b""
            except files.FileProblem:
                continue
            if any(needle in data for needle in needles):
                yield name


def _scrub_database() -> None:
    """Have SQLite overwrite what it has let go, in the file and in its log."""
    with connection.cursor() as cursor:
        if not connection.in_atomic_block:  # in a test everything is one transaction
            cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
