"""Recording what a memory file was: revisions, the entries that came and went, and their first wordings.

Called with Hermes' lock held by whoever wrote, so that a state is recorded before anybody can write the next one.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from memoryhub import diffs
from memoryhub.entries import MemoryFile, entry_digest, parse
from memoryhub.hermes.home import Home
from memoryhub.models import Content, EntryChange, Intent, Revision, Writer
from memoryhub.services import thinning

FIRST, FOUND, UNDO, REDO = "first", "found", "undo", "redo"
MOST_CHANGES: Final = 1_000  # rows for one revision; its bytes are kept whole, and nobody's database waits for the rest
DEMO = "demo"  # the door by which nobody came: changes in the made-up past of the demo home


@dataclass(frozen=True)
class Cause:
    """Why a file changed: who, by which door, what kind of change, and a reason if one was given.

    ``pairs`` are (old, new) texts that the writer knows to belong together; ``at`` is None for now.
    """

    writer: str = Writer.OUTSIDE
    via: str = ""
    kind: str = FOUND
    reason: str = ""
    operation: uuid.UUID = field(default_factory=uuid.uuid4)
    undoes: Revision | None = None
    pairs: tuple[tuple[str, str], ...] = ()
    at: datetime | None = None


def latest(home: Home, target: str) -> Revision | None:
    """The newest revision of a file, its content fetched with it."""
    return Revision.objects.filter(home=home.key, target=target).select_related("content").order_by("-id").first()


def previous(revision: Revision) -> Revision | None:
    """The revision before this one, of the same file."""
    same_file = Revision.objects.filter(home=revision.home, target=revision.target, id__lt=revision.id)
    return same_file.select_related("content").order_by("-id").first()


def data_of(revision: Revision | None) -> bytes | None:
    """The exact bytes of a recorded state; None when there was no file."""
    if revision is None or revision.content is None:
        return None
    return bytes(revision.content.data)


def file_of(revision: Revision) -> MemoryFile:
    """A recorded state, read with the limit of its time."""
    return parse(data_of(revision), revision.target, revision.limit)


@transaction.atomic
def record(home: Home, memory: MemoryFile, cause: Cause) -> Revision:
    """Record ``memory`` as the newest state and return its revision; the newest state is not recorded twice."""
    before = latest(home, memory.target)
    if before is not None and _digest(before) == memory.digest:
        return before
    if before is None:
        cause = replace(cause, kind=FIRST) if cause.kind == FOUND else cause
    revision = Revision.objects.create(
        home=home.key,
        target=memory.target,
        content=_content(memory),
        created_at=cause.at or timezone.now(),
        writer=cause.writer,
        via=cause.via,
        kind=cause.kind,
        reason=cause.reason,
        operation=cause.operation,
        undoes=cause.undoes,
        used=memory.used,
        limit=memory.limit,
        entry_count=len(memory.entries),
    )
    _record_changes(revision, diffs.entries(file_of(before).texts if before else (), memory.texts, cause.pairs))
    thinning.thin(home.key, memory.target)
    return revision


def adopt(home: Home, memory: MemoryFile) -> Revision | None:
    """Record a state found on disk: as ours when a writer of ours died before it could, else as somebody else's.

    The caller holds the lock, so an intent that is still there has no living writer. A file that is not there and never
    was is no state.
    """
    intent = Intent.objects.filter(home=home.key, target=memory.target).select_related("undoes").first()
    cause = Cause()
    if intent is not None and intent.digest == memory.digest:
        pairs = tuple((old, new) for old, new in intent.pairs)
        cause = Cause(Writer.YOU, intent.via, intent.kind, intent.reason, intent.operation, intent.undoes, pairs)
    with transaction.atomic():
        is_state = memory.data is not None or latest(home, memory.target) is not None
        revision = record(home, memory, cause) if is_state else None
        if intent is not None:
            intent.delete()
    return revision


def _digest(revision: Revision) -> str:
    return "" if revision.content is None else revision.content.digest


def _content(memory: MemoryFile) -> Content | None:
    if memory.data is None:
        return None
    return Content.objects.get_or_create(digest=memory.digest, defaults={"data": memory.data})[0]


def _record_changes(revision: Revision, found: diffs.EntryDiff) -> None:
    change = _first_of(found)
    left_out = sum(len(getattr(found, kind)) - len(getattr(change, kind)) for kind in ("added", "removed", "replaced"))
    if left_out:
        revision.left_out = left_out
        revision.save(update_fields=["left_out"])
    past = _last_changes(revision.home, [*change.added, *(before for before, _ in change.replaced)])
    rows = [_change(revision, EntryChange.REMOVED, text, past=None) for text in change.removed]
    rows += [_change(revision, EntryChange.ADDED, text, past=past.get(entry_digest(text))) for text in change.added]
    rows += [
        _change(revision, EntryChange.REPLACED, after, old_text=before, past=past.get(entry_digest(before)))
        for before, after in change.replaced
    ]
    EntryChange.objects.bulk_create(rows)


def _first_of(change: diffs.EntryDiff) -> diffs.EntryDiff:
    """The first changes: what stands in the file now before what is gone, since stamps and reasons hang on it."""
    replaced = change.replaced[:MOST_CHANGES]
    added = change.added[: MOST_CHANGES - len(replaced)]
    removed = change.removed[: MOST_CHANGES - len(replaced) - len(added)]
    return diffs.EntryDiff(added, removed, replaced, change.moved)


def _change(revision: Revision, kind: str, text: str, *, old_text: str = "", past: EntryChange | None) -> EntryChange:
    known = revision.kind != FIRST
    change = EntryChange(
        revision=revision,
        home=revision.home,
        target=revision.target,
        kind=kind,
        digest=entry_digest(text),
        text=text,
        old_text=old_text,
        old_digest=entry_digest(old_text) if old_text else "",
        at=revision.created_at if known else None,
        writer=revision.writer if known else "",
        via=revision.via,
        born_at=revision.created_at if known else None,
        born_writer=revision.writer if known else "",
    )
    if past is not None:  # restored, moved between the files, or reworded: it is older than this change
        change.born_at, change.born_writer = past.born_at, past.born_writer
        change.session_id, change.message_id = past.session_id, past.message_id
        change.versions = past.versions + (kind == EntryChange.REPLACED)
    return change


def _last_changes(home_key: str, texts: Iterable[str]) -> dict[str, EntryChange]:
    digests = {entry_digest(text) for text in texts}
    rows = EntryChange.objects.filter(home=home_key, digest__in=digests).order_by("id")
    return {row.digest: row for row in rows.exclude(kind=EntryChange.REMOVED)}


@dataclass(frozen=True)
class Stamp:
    """When and by whom an entry was written first and changed last; None and "" where that is not known."""

    at: datetime | None
    writer: str
    via: str
    born_at: datetime | None
    born_writer: str
    versions: int
    session_id: str
    message_id: int | None


def stamps(home: Home, memory: MemoryFile) -> dict[str, Stamp]:
    """The stamp of each entry of ``memory``, by the digest of its text. One statement."""
    digests = {entry_digest(text) for text in memory.texts}
    rows = EntryChange.objects.filter(home=home.key, target=memory.target, digest__in=digests).order_by("id")
    values = rows.exclude(kind=EntryChange.REMOVED).values_list("digest", *(each.name for each in fields(Stamp)))
    return {digest: Stamp(*facts) for digest, *facts in values}
