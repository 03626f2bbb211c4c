"""The one way in which MemoryHub writes memory files.

Take Hermes' lock, read again, record what was found, make the change, check it, note the intent, replace the file,
record the revision: nobody can write in between, and a crash at any point leaves the old or the new state, explained.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from django.db import transaction

from memoryhub import entries, store
from memoryhub.entries import MemoryFile
from memoryhub.hermes import files
from memoryhub.hermes.config import Config, read_config
from memoryhub.hermes.home import FILE_NAMES, TARGETS, Home
from memoryhub.models import Intent, Revision, Writer
from memoryhub.services import links, revisions
from memoryhub.services.revisions import Cause

GLANCE: Final = 0.1  # seconds that only looking waits for the lock

Edit = Callable[[MemoryFile], Sequence[str] | bytes]
"""From the file as it now stands to its next entries, or to its next exact bytes."""
Plan = tuple[MemoryFile, bytes]
Written = tuple[MemoryFile, Revision | None]


@dataclass(frozen=True)
class Saved:
    """What a change led to: the files as they now stand and the revisions written, both by target."""

    operation: uuid.UUID
    files: Mapping[str, MemoryFile]
    revisions: Mapping[str, Revision | None]


def change(
    home: Home,
    edits: Mapping[str, Edit],
    cause: Cause,
    *,
    undoes: Mapping[str, Revision] | None = None,
) -> Saved:
    """Apply ``edits`` (by target) to one home, all of them or none, and record them as one operation.

    Files are written in the order of ``edits``. Raises what an edit raises (EntryRefused, MemoryChanged),
    files.FileProblem (LockBusy, NotWritable, store.ReadOnly …); then nothing was written.
    """
    cause = replace(cause, writer=Writer.YOU)
    config = read_config(home.config_file)
    _make_folder(home)
    _await_database()
    with ExitStack() as locks:
        for target in TARGETS:
            if target in edits:
                locks.enter_context(files.locked(home.memory_path(target)))
        plans = {target: _plan(home, target, config, edit, cause.kind) for target, edit in edits.items()}
        saved = _write_all(home, plans, cause, undoes or {})
    return Saved(
        cause.operation, {t: memory for t, (memory, _) in saved.items()}, {t: rev for t, (_, rev) in saved.items()}
    )


def read(home: Home, target: str) -> MemoryFile:
    """The file as it now stands, recorded first if somebody else wrote it. Raises files.FileProblem."""
    memory = store.load(home, target, read_config(home.config_file))
    newest = revisions.latest(home, target)
    known = "" if newest is None or newest.content is None else newest.content.digest
    if known == memory.digest:
        return memory
    return observe(home, target)


def observe(home: Home, target: str) -> MemoryFile:
    """Record a change that was noticed on disk, under the lock where there is one; return the file.

    While somebody keeps writing the file is only returned, and recorded the next time it is looked at.
    """
    path = home.memory_path(target)
    _await_database()
    is_locked = files.has_lock_file(path)  # never made only to look
    with ExitStack() as locks:
        if is_locked:
            try:
                locks.enter_context(files.locked(path, GLANCE))
            except files.FileProblem:
                return store.load(home, target, read_config(home.config_file))
        memory = store.load(home, target, read_config(home.config_file))
        with transaction.atomic():  # once this began, a first writer's record comes after ours
            if files.has_lock_file(path) == is_locked:
                revisions.adopt(home, memory)
    return memory


def _await_database() -> None:
    """Wait for whoever writes our own database now: while we hold Hermes' lock, the agent would wait with us."""
    with transaction.atomic():
        pass


def _make_folder(home: Home) -> None:
    if not home.exists:
        return
    try:
        home.memories.mkdir(mode=0o700)
    except FileExistsError:
        return
    except OSError as error:
        raise files.NotWritable(
            home.memories, f"The folder {home.memories} cannot be made ({error.strerror})."
        ) from error


def _plan(home: Home, target: str, config: Config, edit: Edit, kind: str) -> Plan:
    """The file as found under the lock, and the bytes it is to hold."""
    files.remove_strays(home.memory_path(target))
    before = store.load(home, target, config)
    revisions.adopt(home, before)
    _require_access(home, target)
    outcome = edit(before)
    if isinstance(outcome, bytes):
        if kind != revisions.UNDO:  # what one's own last change took away may always come back
            entries.check_fits(before, entries.parse(outcome, target, before.limit).texts)
        return before, outcome
    if not before.decodable:
        raise store.ReadOnly(home.memory_path(target), "The file is not UTF-8; convert it first. Nothing was changed.")
    entries.check_fits(before, outcome)
    return before, entries.checked_bytes(outcome)


def _require_access(home: Home, target: str) -> None:
    access = store.access(home, target, links.consented(home, target), Path.home())
    if access.problem:
        raise store.ReadOnly(home.memory_path(target), f"{access.problem} Nothing was changed.")


def _write_all(
    home: Home, plans: Mapping[str, Plan], cause: Cause, undoes: Mapping[str, Revision]
) -> dict[str, Written]:
    """Write one file after the other; when one cannot be written, take back those before it."""
    saved: dict[str, Written] = {}
    for target, (before, data) in plans.items():
        try:
            saved[target] = _write(home, before, data, replace(cause, undoes=undoes.get(target)))
        except files.FileProblem as problem:
            for other, (after, revision) in saved.items():
                back = Cause(cause.writer, cause.via, revisions.UNDO, undoes=revision)
                try:
                    _write(home, after, plans[other][0].data or b"", back)
                except files.FileProblem:
                    sentence = f"{FILE_NAMES[other]} was saved, but {FILE_NAMES[target]} could not be. Nothing is lost."
                    raise files.NotWritable(problem.path, sentence) from problem
            raise
    return saved


def _write(home: Home, before: MemoryFile, data: bytes, cause: Cause) -> Written:
    after = entries.parse(data, before.target, before.limit)
    if after.digest == before.digest or (before.data is None and not after.entries):
        return before, revisions.latest(home, before.target)
    intent = _note_intent(home, after, cause)
    try:
        files.write_atomic(home.memory_path(before.target), data, before.data)
    except files.FileProblem:
        intent.delete()
        raise
    with transaction.atomic():
        revision = revisions.record(home, after, cause)
        intent.delete()
    return after, revision


def _note_intent(home: Home, after: MemoryFile, cause: Cause) -> Intent:
    facts = {
        "digest": after.digest,
        "via": cause.via,
        "kind": cause.kind,
        "reason": cause.reason,
        "operation": cause.operation,
        "undoes": cause.undoes,
        "pairs": [list(pair) for pair in cause.pairs],
    }
    return Intent.objects.update_or_create(home=home.key, target=after.target, defaults=facts)[0]
