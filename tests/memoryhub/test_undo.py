"""Taking changes back: exactly where nobody wrote since, by merging where somebody did, never at others' cost."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memoryhub import store
from memoryhub.entries import EntryRefused
from memoryhub.hermes.home import Home
from memoryhub.models import Revision
from memoryhub.services import memory, revisions, thinning, undo, writes
from tests.memoryhub.cases import PAGE, D, entry_id, texts

pytestmark = pytest.mark.django_db

Put = Callable[..., Path]


def add(home: Home, *new: str, target: str = "memory") -> None:
    for text in new:
        memory.entry_add(home, target, text, **PAGE)


def test_an_undo_brings_the_bytes_back(home: Home, put: Put) -> None:
    path = put(b"\xef\xbb\xbfone\r\n\xc2\xa7\r\ntwo\r\n")
    before = path.read_bytes()
    memory.entry_remove(home, "memory", entry_id(home, "two"), **PAGE)
    assert path.read_bytes() == b"one"
    undo.change_undo(home, **PAGE)
    assert path.read_bytes() == before


def test_undos_go_back_one_change_at_a_time(home: Home) -> None:
    add(home, "a", "b", "c")
    for left in (["a", "b"], ["a"], []):
        undo.change_undo(home, **PAGE)
        assert texts(home) == left
    with pytest.raises(undo.NothingToUndo):
        undo.change_undo(home, **PAGE)


def test_an_undo_can_be_undone_and_then_taken_back_again(home: Home) -> None:
    add(home, "a", "b")
    undone = undo.change_undo(home, **PAGE)
    again = undo.change_undo(home, **PAGE, operation=undone.operation)
    assert texts(home) == ["a", "b"]
    assert again.revisions["memory"].kind == undo.REDO
    undo.change_undo(home, **PAGE)
    assert texts(home) == ["a"]
    undo.change_undo(home, **PAGE)
    assert texts(home) == []


def test_one_operation_is_undone_once(home: Home) -> None:
    add(home, "a")
    saved = memory.entry_add(home, "memory", "b", **PAGE)
    undo.change_undo(home, **PAGE, operation=saved.operation)
    with pytest.raises(undo.NothingToUndo):
        undo.change_undo(home, **PAGE, operation=saved.operation)
    assert texts(home) == ["a"]


def test_a_move_is_undone_in_both_files_at_once(home: Home) -> None:
    add(home, "a", "b")
    memory.entry_move(home, "memory", entry_id(home, "a"), **PAGE)
    assert (texts(home), texts(home, "user")) == (["b"], ["a"])
    undo.change_undo(home, **PAGE)
    assert (texts(home), texts(home, "user")) == (["a", "b"], [])


def test_an_undo_of_one_file_passes_over_changes_of_the_other(home: Home) -> None:
    add(home, "a")
    add(home, "u", target="user")
    undo.change_undo(home, **PAGE, target="memory")
    assert (texts(home), texts(home, "user")) == ([], ["u"])


def test_what_the_agent_added_since_stays(home: Home, put: Put) -> None:
    add(home, "a", "b")
    memory.entry_remove(home, "memory", entry_id(home, "a"), **PAGE)
    put(f"b{D}from the agent".encode())
    undo.change_undo(home, **PAGE)
    assert texts(home) == ["a", "b", "from the agent"]


def test_an_entry_that_was_reworded_since_is_a_conflict_and_nothing_is_written(home: Home, put: Put) -> None:
    add(home, "the server is called amber")
    memory.entry_replace(
        home, "memory", entry_id(home, "the server is called amber"), "the server is called blue", **PAGE
    )
    path = put(b"the server is called green")
    with pytest.raises(undo.UndoConflict) as conflict:
        undo.change_undo(home, **PAGE)
    assert conflict.value.texts == ("the server is called blue",)
    assert conflict.value.targets == ("memory",)
    assert path.read_bytes() == b"the server is called green"


def test_an_undo_that_no_longer_fits_is_refused(home: Home, put: Put) -> None:
    add(home, "a" * 1500)
    memory.entry_remove(home, "memory", entry_id(home, "a" * 1500), **PAGE)
    path = put(b"b" * 1500)
    with pytest.raises(EntryRefused) as refused:
        undo.change_undo(home, **PAGE)
    assert refused.value.code == "too_long_by"
    assert path.read_bytes() == b"b" * 1500


def test_a_state_that_cannot_be_decoded_comes_back_to_the_byte_or_not_at_all(home: Home, put: Put) -> None:
    before = "café notes".encode("latin-1")
    path = put(before)
    now = writes.read(home, "memory")
    converted = memory.file_repair(home, "memory", "convert", seen_digest=now.digest, **PAGE)
    undo.change_undo(home, **PAGE)
    assert path.read_bytes() == before
    undo.change_undo(home, **PAGE, operation=Revision.objects.latest("id").operation)
    assert path.read_bytes() == "café notes".encode()
    put(f"café notes{D}from the agent".encode())
    with pytest.raises(undo.UndoConflict):
        undo.change_undo(home, **PAGE)
    assert path.read_bytes() == f"café notes{D}from the agent".encode()
    assert converted.files["memory"].texts == ("café notes",)


def test_others_changes_are_not_the_persons_to_undo(home: Home, put: Put) -> None:
    put(b"first")
    writes.read(home, "memory")
    put(b"second")
    writes.read(home, "memory")
    with pytest.raises(undo.NothingToUndo):
        undo.change_undo(home, **PAGE)


def test_a_change_is_undone_only_while_the_state_before_it_is_surely_kept(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinning, "NEWEST", 4)
    first = memory.entry_add(home, "memory", "0", **PAGE)
    add(home, "1", "2")
    undo.change_undo(home, **PAGE, operation=first.operation)
    assert texts(home) == ["1", "2"]
    second = Revision.objects.order_by("id")[1]
    add(home, "3")
    with pytest.raises(undo.NothingToUndo):
        undo.change_undo(home, **PAGE, operation=second.operation)


def test_a_whole_state_is_restored_to_the_byte_and_the_restore_can_be_undone(home: Home, put: Put) -> None:
    odd = b"one\r\n\xc2\xa7 \r\ntwo\r\n\r\n"
    path = put(odd)
    writes.read(home, "memory")
    put(b"three")
    writes.read(home, "memory")
    undo.revision_restore(home, Revision.objects.order_by("id")[0], **PAGE, reason="it was better")
    assert path.read_bytes() == odd
    newest = revisions.latest(home, "memory")
    assert newest is not None
    assert (newest.kind, newest.writer, newest.reason) == ("restore", "you", "it was better")
    undo.change_undo(home, **PAGE)
    assert path.read_bytes() == b"three"


def test_a_restore_whose_preview_is_old_is_refused(home: Home, put: Put) -> None:
    path = put(b"one")
    seen = writes.read(home, "memory").digest
    put(b"two")
    with pytest.raises(store.MemoryChanged):
        undo.revision_restore(home, Revision.objects.get(), **PAGE, seen_digest=seen)
    assert path.read_bytes() == b"two"


def test_the_state_without_a_file_is_restored_as_an_empty_one(home: Home, put: Put) -> None:
    path = put(b"one")
    writes.read(home, "memory")
    path.unlink()
    writes.read(home, "memory")
    put(b"two")
    writes.read(home, "memory")
    undo.revision_restore(home, Revision.objects.order_by("id")[1], **PAGE)
    assert path.read_bytes() == b""
