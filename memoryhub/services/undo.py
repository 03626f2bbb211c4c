"""Taking back the person's last change, and restoring recorded states, without losing what others wrote since."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db.models import Exists, OuterRef

from memoryhub import merge
from memoryhub.entries import MemoryFile, parse
from memoryhub.hermes.home import Home
from memoryhub.models import Revision, Writer
from memoryhub.services import revisions, writes
from memoryhub.services.revisions import Cause
from memoryhub.services.writes import Edit, Saved


class NothingToUndo(Exception):
    """The person has made no change that still stands."""

    def __init__(self) -> None:
        super().__init__("There is no change of yours left to undo.")


class UndoConflict(Exception):
    """Somebody has since changed the very entries that the undo would touch; ``texts`` are those entries."""

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__("What you changed was changed again since, so the undo was not applied. Nothing was written.")
        self.texts = tuple(texts)


def last_undoable(home: Home, target: str | None = None) -> Revision | None:
    """The newest change of the person's that is neither undone nor itself an undo."""
    undone = Revision.objects.filter(undoes=OuterRef("pk"))
    mine = Revision.objects.filter(home=home.key, writer=Writer.YOU).exclude(kind__in=["undo", revisions.FIRST])
    if target is not None:
        mine = mine.filter(target=target)
    return mine.filter(~Exists(undone)).order_by("-id").first()


def change_undo(home: Home, *, via: str, target: str | None = None, operation: uuid.UUID | None = None) -> Saved:
    """Undo one operation: the given one, else the person's last in ``target``'s file or in either.

    What others added since stays. Raises NothingToUndo, UndoConflict, entries.EntryRefused (no room any more) and
    files.FileProblem.
    """
    last = last_undoable(home, target) if operation is None else _of_operation(home, operation)
    if last is None:
        raise NothingToUndo
    parts = list(Revision.objects.filter(home=home.key, operation=last.operation).select_related("content"))
    undoes = {part.target: part for part in reversed(parts)}  # a move: the entry is back before it goes from the other
    edits = {part.target: _undoing(part) for part in undoes.values()}
    return writes.change(home, edits, Cause(via=via, kind="undo"), undoes=undoes)


def revision_restore(home: Home, revision: Revision, *, via: str, reason: str = "") -> Saved:
    """Make a recorded state the present one, to the byte."""
    data = revisions.data_of(revision) or b""
    return writes.change(home, {revision.target: lambda now: data}, Cause(via=via, kind="restore", reason=reason))


def _of_operation(home: Home, operation: uuid.UUID) -> Revision | None:
    undone = Revision.objects.filter(undoes=OuterRef("pk"))
    mine = Revision.objects.filter(home=home.key, writer=Writer.YOU, operation=operation)
    return mine.filter(~Exists(undone)).order_by("-id").first()


def _undoing(part: Revision) -> Edit:
    before, after = revisions.data_of(revisions.previous(part)), revisions.data_of(part)

    def edit(now: MemoryFile) -> Sequence[str] | bytes:
        if now.data == after:
            return before or b""
        return _merged(now, after, before)

    return edit


def _merged(now: MemoryFile, after: bytes | None, before: bytes | None) -> Sequence[str]:
    base = parse(after, now.target, now.limit).texts
    wanted = parse(before, now.target, now.limit).texts
    merged = merge.merge_entries(base, now.texts, wanted)
    if merged.conflicts:
        raise UndoConflict(merged.conflicts)
    return merged.entries
