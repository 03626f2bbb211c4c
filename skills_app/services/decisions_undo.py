"""Taking a decision back: the previous bytes return, also of a deleted skill, and the record waits again."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any, Final

from django.db import transaction

from memoryhub.entries import EntryRefused
from memoryhub.hermes.files import NotWritable, write_atomic
from memoryhub.hermes.home import Home
from memoryhub.hermes.pending_count import SUBSYSTEMS
from memoryhub.models import Revision
from memoryhub.services import undo
from memoryhub.services.memory import PAGE
from skills_app.models import Decision
from skills_app.pending import recovery
from skills_app.services import decisions, decisions_disk
from skills_app.services.decisions_kept import changes_of, record_bytes
from skills_app.services.decisions_note import APPROVE, DISCARD, EDIT, HOLD, PARTLY, REJECT
from skills_app.services.decisions_problems import CannotUndo
from skills_app.writing import commit, usage

UNDO: Final = "undo"
UNDOABLE: Final = (APPROVE, EDIT, PARTLY, REJECT, DISCARD, HOLD)


def is_undone(decision: Decision) -> bool:
    """Whether it was taken back, here or on the memory page."""
    if Decision.objects.filter(undoes=decision).exists():
        return True
    operation = decision.details.get("claim")
    return bool(operation) and Revision.objects.filter(home=decision.home, undoes__operation=operation).exists()


def decision_undo(home: Home, decision: Decision, *, reason: str = "", via: str = PAGE) -> Decision:
    """Take a decision back and put its record among those that wait; recorded as a decision of its own.

    Raises CannotUndo (undone already, changed since, forgotten), undo.UndoConflict, entries.EntryRefused and
    files.FileProblem; then nothing was changed.
    """
    if decision.home != home.key or decision.action not in UNDOABLE:
        raise CannotUndo("This decision cannot be taken back.")
    with recovery.exclusive(decisions.journal_folder()):
        if is_undone(decision):
            raise CannotUndo("This decision was taken back already.")
        if decision.item.startswith(decisions_disk.PREFIX):
            decisions_disk.take_back(home, decision)
        elif decision.action not in (REJECT, DISCARD):
            _take_back(home, decision, via)
        restored = _put_back(home, decision)
        return _recorded(decision, reason, via, restored)


def _take_back(home: Home, decision: Decision, via: str) -> None:
    if decision.details.get("subsystem") == "memory":
        _undo_memory(home, decision, via)
        return
    changes = changes_of(decision)
    if changes is None:
        raise CannotUndo("A text in it was forgotten since, so the old bytes are not there any more.")
    if not all(commit.is_made(change) for change in changes):
        raise CannotUndo("What this decision wrote was changed since, so taking it back would lose that.")
    commit.revert(changes)
    if not all(commit.is_unmade(change) for change in changes):
        raise CannotUndo("The old bytes could not be brought back whole. Look at the skill.")
    for name, part in decision.details.get("usage", {}).items():
        usage.put(home.skills, name, part)


def _undo_memory(home: Home, decision: Decision, via: str) -> None:
    operation = uuid.UUID(decision.details["claim"])
    if not Revision.objects.filter(home=home.key, operation=operation).exists():
        return  # the file said it already: nothing was written
    try:
        undo.change_undo(home, via=via, operation=operation)
    except undo.NothingToUndo as nothing:
        raise CannotUndo(str(nothing)) from nothing
    except EntryRefused as refused:
        raise CannotUndo(str(refused)) from refused


def _put_back(home: Home, decision: Decision) -> str:
    """Put the record where it lay; "" when its content was forgotten or another lies there now."""
    subsystem, name = decision.details.get("subsystem"), str(decision.details.get("file", ""))
    if subsystem not in SUBSYSTEMS or not name or Path(name).name != name:
        return ""
    path = home.pending / subsystem / name
    aside = decision.details.get("set_aside")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if aside:
            path.with_name(aside).rename(path)
            return name
        data = record_bytes(decision)
        if data is None:
            return ""
        write_atomic(path, data, None)
    except OSError as error:
        raise NotWritable(path, f"The record cannot be put back ({error.strerror}).") from error
    return name


def _recorded(decision: Decision, reason: str, via: str, restored: str) -> Decision:
    details: dict[str, Any] = {"undid": decision.action, "restored": restored}
    with transaction.atomic():
        return Decision.objects.create(
            home=decision.home,
            item=decision.item,
            skill=decision.skill,
            action=UNDO,
            digest=decision.digest,
            reason=reason,
            via=via,
            undoes=decision,
            details=details,
        )
