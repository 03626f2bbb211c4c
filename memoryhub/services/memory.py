"""What a person can do to their agent's memory; pages and commands call the same functions.

Each applies one change under Hermes' lock and returns what was saved. All raise entries.EntryRefused (the text or the
size), store.MemoryChanged (the entry is not there any more) and files.FileProblem (locked, protected, damaged).
"""

from __future__ import annotations

from collections.abc import Sequence

from memoryhub import entries, repair, store
from memoryhub.entries import EntryRefused, MemoryFile
from memoryhub.hermes.home import Home
from memoryhub.services import writes
from memoryhub.services.revisions import Cause
from memoryhub.services.writes import Saved

PAGE, SHELL = "page", "shell"


def entry_add(home: Home, target: str, text: str, *, via: str, reason: str = "", allow_flagged: bool = False) -> Saved:
    """Add an entry at the newest place."""
    store.check_threats(entries.clean(text), allow_flagged)
    return writes.change(home, {target: lambda now: store.adding(now, text)}, Cause(via=via, kind="add", reason=reason))


def entry_replace(
    home: Home, target: str, entry_id: str, text: str, *, via: str, reason: str = "", allow_flagged: bool = False
) -> Saved:
    """Reword one entry in its place; the others stay byte for byte."""
    stored = entries.clean(text)
    store.check_threats(stored, allow_flagged)
    old = _seen(home, target, entry_id)
    cause = Cause(via=via, kind="replace", reason=reason, pairs=((old, stored),))
    return writes.change(home, {target: lambda now: store.replacing(now, entry_id, text)}, cause)


def entry_remove(home: Home, target: str, entry_id: str, *, via: str, reason: str = "") -> Saved:
    """Remove one entry; further exact copies stay."""
    return writes.change(
        home, {target: lambda now: store.removing(now, entry_id)}, Cause(via=via, kind="remove", reason=reason)
    )


def entry_move(home: Home, target: str, entry_id: str, *, via: str, reason: str = "") -> Saved:
    """Move one entry to the other file's newest place; it is written there before it is removed here."""
    other = "user" if target == "memory" else "memory"
    text = _seen(home, target, entry_id)
    edits = {other: lambda now: _with_moved(now, text), target: lambda now: store.removing(now, entry_id)}
    return writes.change(home, edits, Cause(via=via, kind="move", reason=reason))


def entry_place(home: Home, target: str, entry_id: str, place: int, *, via: str) -> Saved:
    """Move one entry to index ``place`` of its file; order is age, the oldest first."""
    return writes.change(
        home, {target: lambda now: store.placing(now, entry_id, place)}, Cause(via=via, kind="reorder")
    )


def entries_merge(
    home: Home,
    target: str,
    entry_ids: Sequence[str],
    text: str,
    *,
    via: str,
    reason: str = "",
    allow_flagged: bool = False,
) -> Saved:
    """Replace several entries by one text."""
    stored = entries.clean(text)
    store.check_threats(stored, allow_flagged)
    olds = [_seen(home, target, entry_id) for entry_id in entry_ids]
    cause = Cause(via=via, kind="merge", reason=reason, pairs=tuple((old, stored) for old in olds[:1]))
    return writes.change(home, {target: lambda now: store.merging(now, entry_ids, text)}, cause)


def raw_save(
    home: Home, target: str, text: str, *, seen_digest: str, via: str, reason: str = "", allow_flagged: bool = False
) -> Saved:
    """Replace the whole file by what ``text`` parses to. Raises MemoryChanged when the file is not the one seen."""
    texts = store.from_raw(text)

    def edit(now: MemoryFile) -> Sequence[str]:
        if now.digest != seen_digest:
            raise store.MemoryChanged(now, "")
        for each in set(texts) - set(now.texts):
            store.check_threats(each, allow_flagged)
        return texts

    return writes.change(home, {target: edit}, Cause(via=via, kind="raw", reason=reason))


def file_repair(home: Home, target: str, code: str, *, seen_digest: str, via: str) -> Saved:
    """Apply a repair as it was previewed. Raises MemoryChanged when the file is not the one seen."""

    def edit(now: MemoryFile) -> bytes:
        found = repair.find(now, code)
        if now.digest != seen_digest or found is None:
            raise store.MemoryChanged(now, "")
        return found.data

    return writes.change(home, {target: edit}, Cause(via=via, kind=code, reason=""))


def text_restore(home: Home, target: str, text: str, *, via: str, reason: str = "") -> Saved:
    """Bring one entry back, from a revision, a backup or the archive, at the newest place."""
    return writes.change(
        home, {target: lambda now: store.adding(now, text)}, Cause(via=via, kind="restore", reason=reason)
    )


def _seen(home: Home, target: str, entry_id: str) -> str:
    """The text of the entry with this id, read before the lock is taken; the edit checks it again."""
    return store.require(writes.read(home, target), entry_id).text


def _with_moved(now: MemoryFile, text: str) -> list[str]:
    if text in now.texts:
        raise EntryRefused(
            "duplicate", f"The other file already says exactly this (entry {now.texts.index(text) + 1}).", place=0
        )
    return store.adding(now, text)
