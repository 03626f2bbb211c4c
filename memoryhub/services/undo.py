"""Taking back the person's last change, and restoring recorded states, without losing what others wrote since."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet

from memoryhub import merge, store
from memoryhub.entries import MemoryFile, parse
from memoryhub.hermes.home import Home
from memoryhub.models import EntryChange, Revision, Writer
from memoryhub.services import revisions, thinning, writes
from memoryhub.services.revisions import REDO, UNDO, Cause
from memoryhub.services.writes import Edit, Saved
from memoryhub.spellings import MARK


class NothingToUndo(Exception):
    """The person has made no change that still stands."""

    def __init__(self, sentence: str = "There is no change of yours left to undo.") -> None:
        super().__init__(sentence)


class UndoForgotten(NothingToUndo):
    """What the change took away was forgotten on purpose since, so it cannot come back."""

    def __init__(self) -> None:
        super().__init__("What this change took away was forgotten since, so it cannot be brought back.")


class UndoConflict(Exception):
    """Somebody has since changed the very entries that the undo would touch; ``texts`` are those entries."""

    def __init__(self, texts: Sequence[str], targets: Sequence[str] = ()) -> None:
        super().__init__("What you changed was changed again since, so the undo was not applied. Nothing was written.")
        self.texts = tuple(texts)
        self.targets = tuple(targets)


def last_undoable(home: Home, target: str | None = None) -> Revision | None:
    """The newest change of the person's that is neither undone nor itself an undo, and can still be taken back."""
    mine = _undoable(home).exclude(kind__in=[UNDO, revisions.FIRST])
    if target is not None:
        mine = mine.filter(target=target)
    forgotten = Q(kind=EntryChange.REMOVED, text__contains=MARK) | Q(old_text__contains=MARK)
    lost = EntryChange.objects.filter(forgotten, revision=OuterRef("pk"))
    last = mine.filter(~Exists(lost)).order_by("-id").first()
    return last if last is not None and _is_recent(last) else None


def change_undo(home: Home, *, via: str, target: str | None = None, operation: uuid.UUID | None = None) -> Saved:
    """Undo one operation: the given one, else the person's last in ``target``'s file or in either.

    What others added since stays. Undoing an undo brings the change back, as a change of its own. Raises NothingToUndo,
    UndoForgotten, UndoConflict, entries.EntryRefused (no room any more) and files.FileProblem.
    """
    last = last_undoable(home, target) if operation is None else _of_operation(home, operation)
    if last is None:
        raise NothingToUndo
    parts = list(Revision.objects.filter(home=home.key, operation=last.operation).select_related("content"))
    undoes = {part.target: part for part in reversed(parts)}  # a move: the entry is back before it goes from the other
    edits = {part.target: _undoing(part) for part in undoes.values()}
    kind = REDO if last.kind == UNDO else UNDO
    return writes.change(home, edits, Cause(via=via, kind=kind), undoes=undoes)


def revision_restore(
    home: Home,
    revision: Revision,
    *,
    via: str,
    reason: str = "",
    seen_digest: str | None = None,
    allow_flagged: bool = False,
) -> Saved:
    """Make a recorded state the present one, to the byte.

    With ``seen_digest`` only if the file is still the one that the preview compared with; else raises MemoryChanged.
    Raises entries.EntryRefused when an entry that comes back looks like an attack and that is not allowed.
    """
    data = revisions.data_of(revision) or b""
    then = revisions.file_of(revision).texts

    def edit(now: MemoryFile) -> bytes:
        if seen_digest is not None and now.digest != seen_digest:
            raise store.MemoryChanged(now, "")
        for text in dict.fromkeys(then):
            store.check_threats(text, allow_flagged or text in now.texts)
        return data

    return writes.change(home, {revision.target: edit}, Cause(via=via, kind="restore", reason=reason))


def _undoable(home: Home) -> QuerySet[Revision]:
    undone = Revision.objects.filter(undoes=OuterRef("pk"))
    mine = Revision.objects.filter(~Exists(undone), home=home.key, writer=Writer.YOU)
    return mine.exclude(via=revisions.DEMO)  # nobody made those changes


def _of_operation(home: Home, operation: uuid.UUID) -> Revision | None:
    found = _undoable(home).exclude(kind=revisions.FIRST).filter(operation=operation).order_by("-id").first()
    return found if found is not None and _is_recent(found) else None


def _is_recent(revision: Revision) -> bool:
    """Whether the state before this one is surely still there: thinning never touches the newest ones."""
    newer = Revision.objects.filter(home=revision.home, target=revision.target, id__gt=revision.pk).order_by("id")
    return not newer[thinning.NEWEST - 2 : thinning.NEWEST - 1].exists()


def _undoing(part: Revision) -> Edit:
    before, after = revisions.data_of(revisions.previous(part)), revisions.data_of(part)

    def edit(now: MemoryFile) -> Sequence[str] | bytes:
        base, wanted = parse(after, now.target, now.limit), parse(before, now.target, now.limit)
        if any(MARK in text for text in Counter(wanted.texts) - Counter(base.texts)):
            raise UndoForgotten
        if now.data == after:
            return before or b""
        return _merged(now, base, wanted)

    return edit


def _merged(now: MemoryFile, base: MemoryFile, wanted: MemoryFile) -> Sequence[str]:
    if not wanted.decodable:  # the bytes can come back as they were, but not be merged with what was written since
        raise UndoConflict([text for text in base.texts if text not in wanted.texts], [now.target])
    merged = merge.merge_entries(base.texts, now.texts, wanted.texts)
    if merged.conflicts:
        raise UndoConflict(merged.conflicts, [now.target])
    return merged.entries
