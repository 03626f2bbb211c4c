"""The list of revisions as rows: who did what, what came and went, and where each leads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryhub.entries import MemoryFile
from memoryhub.models import EntryChange, Revision
from memoryhub.services import history, revisions
from memoryhub.services.history import Listed
from memoryhub.services.sentences import change_words, writer_words
from memoryhub.views.addresses import address
from memoryhub.views.changes import ChangeRow, shown, word_pieces


@dataclass(frozen=True)
class RevisionRow:
    """One revision, ready to show. ``change`` is of used characters; ``more`` counts changes not shown here."""

    id: int
    at: datetime
    writer: str
    who: str
    what: str
    reason: str
    used: int
    change: int | None
    changes: tuple[ChangeRow, ...]
    more: int
    note: str
    is_now: bool
    forgotten: bool
    is_unreadable: bool
    url: str
    before_url: str
    now_url: str
    restore_url: str


def revision_row(request: HttpRequest, listed: Listed, now: MemoryFile | None) -> RevisionRow:
    """One row of the history page."""
    revision = listed.revision
    target, is_first = revision.target, revision.kind == revisions.FIRST
    changes = () if is_first else tuple(_change_row(change) for change in listed.changes)
    is_now = now is not None and listed.digest == now.digest
    return RevisionRow(
        id=revision.pk,
        at=revision.created_at,
        writer=revision.writer,
        who=writer_words(revision.writer, revision.via),
        what=change_words(revision.kind),
        reason=shown(revision.reason),
        used=revision.used,
        change=None if listed.used_before is None else revision.used - listed.used_before,
        changes=changes,
        more=0 if is_first else listed.change_count - len(changes),
        note=_note(revision, listed.change_count),
        is_now=is_now,
        forgotten=listed.forgotten,
        is_unreadable=listed.is_readable is False,
        url=address(request, "memory:revision", target, revision.pk),
        before_url=_diff(request, target, listed.before, revision.pk) if listed.before else "",
        now_url="" if is_now else _diff(request, target, revision.pk, "now"),
        restore_url="" if is_now else address(request, "memory:revision_restore", target, revision.pk),
    )


def _diff(request: HttpRequest, target: str, a: int | str, b: int | str) -> str:
    return address(request, "memory:history_diff", target, a=a, b=b)


def _note(revision: Revision, change_count: int) -> str:
    if revision.kind == revisions.FIRST:
        count = revision.entry_count
        said = ngettext("%s entry was already there.", "%s entries were already there.", count)
        return said % count
    if change_count:
        return ""
    if revision.content_id is None:
        return _("The file was deleted.")
    return _("No entry came or went; only their order or the bytes around them changed.")


def _change_row(change: EntryChange) -> ChangeRow:
    text, old = _cut(change.text), _cut(change.old_text)
    if change.kind == EntryChange.REPLACED:
        return ChangeRow(change.kind, shown(text), word_pieces(old, text))
    return ChangeRow(change.kind, shown(text))


def _cut(text: str) -> str:
    return text if len(text) <= history.MOST_CHARS else text[: history.MOST_CHARS] + " …"
