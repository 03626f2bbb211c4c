"""Recording: every state once, with its writer and what came and went; stamps that follow an entry."""

import sqlite3
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection

from memoryhub import store
from memoryhub.diffs import lists
from memoryhub.entries import MemoryFile, entry_digest, parse
from memoryhub.hermes import files
from memoryhub.hermes.home import Home
from memoryhub.models import Content, EntryChange, Intent, Revision
from memoryhub.services import memory, revisions, writes
from memoryhub.services.watch import Watcher
from tests.memoryhub.cases import PAGE, D, entry_id, kept_bytes, texts
from tests.samples.memory.kinds import KINDS

pytestmark = pytest.mark.django_db

Put = Callable[..., Path]


def kinds(home: Home) -> list[str]:
    return list(Revision.objects.filter(home=home.key).order_by("id").values_list("kind", flat=True))


def changes(number: int) -> list[tuple[str, str, str]]:
    revision = Revision.objects.order_by("id")[number]
    return [(row.kind, row.text, row.old_text) for row in revision.changes.order_by("id")]


def test_the_first_look_records_what_is_there_without_claiming_to_know_when(home: Home, put: Put) -> None:
    put(f"one{D}two".encode())
    memory_file = writes.read(home, "memory")
    assert kinds(home) == ["first"]
    stamp = revisions.stamps(home, memory_file)[entry_digest("one")]
    assert (stamp.at, stamp.writer, stamp.born_at) == (None, "", None)


def test_the_same_state_is_recorded_once(home: Home, put: Put) -> None:
    for _time in range(3):
        put(b"one")
        writes.read(home, "memory")
    assert Revision.objects.count() == 1


def test_a_state_that_comes_back_is_a_revision_and_no_new_bytes(home: Home, put: Put) -> None:
    for data in (b"one", b"two", b"one"):
        put(data)
        writes.read(home, "memory")
    assert Revision.objects.count() == 3
    assert Content.objects.count() == 2


@pytest.mark.parametrize("kind", KINDS)
def test_the_bytes_of_every_odd_kind_are_kept(home: Home, put: Put, kind: str) -> None:
    put(kind)
    writes.read(home, "memory")
    assert kept_bytes(home) == [KINDS[kind]]


def test_a_change_of_others_is_recorded_as_theirs_with_what_came_and_went(home: Home, put: Put) -> None:
    put(f"stays{D}the server runs on port 22{D}goes".encode())
    writes.read(home, "memory")
    put(f"stays{D}the server runs on port 2222{D}completely new thing".encode())
    writes.read(home, "memory")
    assert Revision.objects.latest("id").writer == "outside"
    assert changes(1) == [
        ("removed", "goes", ""),
        ("added", "completely new thing", ""),
        ("replaced", "the server runs on port 2222", "the server runs on port 22"),
    ]


def test_a_deleted_file_is_a_state_too(home: Home, put: Put) -> None:
    put(b"one").unlink()
    assert Revision.objects.count() == 0
    put(b"one")
    writes.read(home, "memory")
    home.memory_path("memory").unlink()
    writes.read(home, "memory")
    last = Revision.objects.latest("id")
    assert (last.content, last.used, last.entry_count) == (None, 0, 0)
    assert changes(1) == [("removed", "one", "")]


def test_our_own_changes_are_the_persons_with_their_reason(home: Home) -> None:
    memory.entry_add(home, "memory", "one", via="shell", reason="because")
    row = Revision.objects.get()
    assert (row.writer, row.via, row.kind, row.reason, row.used, row.limit) == (
        "you",
        "shell",
        "add",
        "because",
        3,
        2200,
    )


def test_a_reworded_entry_keeps_its_birth_and_counts_its_versions(home: Home) -> None:
    memory.entry_add(home, "memory", "first wording", **PAGE)
    born = Revision.objects.get().created_at
    for old, new in (("first wording", "wholly other words"), ("wholly other words", "third")):
        memory.entry_replace(home, "memory", entry_id(home, old), new, **PAGE)
    stamp = revisions.stamps(home, writes.read(home, "memory"))[entry_digest("third")]
    assert (stamp.born_at, stamp.versions, stamp.born_writer) == (born, 3, "you")
    assert stamp.at == Revision.objects.latest("id").created_at


def test_an_entry_moved_to_the_other_file_keeps_its_birth(home: Home) -> None:
    memory.entry_add(home, "memory", "one", **PAGE)
    born = Revision.objects.get().created_at
    memory.entry_move(home, "memory", entry_id(home, "one"), **PAGE)
    stamp = revisions.stamps(home, writes.read(home, "user"))[entry_digest("one")]
    assert stamp.born_at == born


def test_stamps_take_one_statement_however_many_entries(
    home: Home, put: Put, django_assert_num_queries: Callable[..., object]
) -> None:
    put(D.join(f"fact {number}" for number in range(150)).encode())
    file = writes.read(home, "memory")
    with django_assert_num_queries(1):  # type: ignore[attr-defined]
        assert len(revisions.stamps(home, file)) == 150


# A process of ours that died between its write and its record


def note_intent(home: Home, data: bytes) -> None:
    Intent.objects.create(
        home=home.key,
        target="memory",
        digest=files.digest(data),
        via="page",
        kind="replace",
        reason="the port changed",
        operation="11111111-2222-3333-4444-555555555555",
        pairs=[["zzz old", "new words"]],
    )


def test_a_write_whose_process_died_before_the_record_is_adopted_with_its_reason(home: Home, put: Put) -> None:
    put(b"zzz old")
    writes.read(home, "memory")
    note_intent(home, b"new words")
    put(b"new words")
    writes.read(home, "memory")
    row = Revision.objects.latest("id")
    assert (row.writer, row.via, row.kind, row.reason) == ("you", "page", "replace", "the port changed")
    assert str(row.operation) == "11111111-2222-3333-4444-555555555555"
    assert changes(1) == [("replaced", "new words", "zzz old")]
    assert Intent.objects.count() == 0


def test_an_intent_that_was_never_written_leaves_no_trace(home: Home, put: Put) -> None:
    put(b"zzz old")
    writes.read(home, "memory")
    note_intent(home, b"new words")
    put(b"by somebody else")
    writes.read(home, "memory")
    assert Revision.objects.latest("id").writer == "outside"
    assert Intent.objects.count() == 0


def test_a_move_that_fails_half_way_leaves_both_files_as_they_were(
    home: Home, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(f"one{D}two".encode())
    put(b"three", target="user")
    monkeypatch.setattr(files, "write_atomic", refusing("MEMORY.md"))
    with pytest.raises(files.NotWritable, match="disk is full"):
        memory.entry_move(home, "memory", entry_id(home, "one"), **PAGE)
    assert (texts(home), texts(home, "user")) == (["one", "two"], ["three"])
    assert list(Revision.objects.filter(target="user").values_list("kind", flat=True)) == ["first", "move", "undo"]
    assert Intent.objects.count() == 0


def test_a_move_that_cannot_be_taken_back_says_which_file_was_saved(
    home: Home, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(f"one{D}two".encode())
    monkeypatch.setattr(files, "write_atomic", refusing("MEMORY.md", after=1))
    with pytest.raises(files.NotWritable, match=r"USER\.md was saved, but MEMORY\.md could not be"):
        memory.entry_move(home, "memory", entry_id(home, "one"), **PAGE)
    assert (texts(home), texts(home, "user")) == (["one", "two"], ["one"])


def refusing(name: str, *, after: int = 99) -> Callable[..., None]:
    """write_atomic, but the file called ``name`` cannot be written, nor any other once ``after`` were."""
    written: list[Path] = []

    def write(path: Path, data: bytes, seen: bytes | None) -> None:
        if path.name == name or len(written) >= after:
            raise files.NotWritable(path, "The disk is full.")
        written.append(path)
        path.write_bytes(data)

    return write


def test_a_look_without_a_lock_records_nothing_once_the_first_writer_came(
    home: Home, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(b"old")
    load = store.load

    def overtaken(*arguments: Any) -> MemoryFile:
        found = load(*arguments)
        monkeypatch.setattr(store, "load", load)
        memory.entry_add(home, "memory", "mine", **PAGE)
        return found

    monkeypatch.setattr(store, "load", overtaken)
    writes.observe(home, "memory")
    assert list(Revision.objects.order_by("id").values_list("kind", "writer")) == [("first", "outside"), ("add", "you")]


def test_a_start_finishes_what_a_killed_writer_left(home: Home, put: Put) -> None:
    put(b"zzz old")
    writes.read(home, "memory")
    files.lock_path(home.memory_path("memory")).touch()
    note_intent(home, b"new words")
    stray = home.memories / ".mem_mh-MEMORY.md-77-abcd.tmp"
    stray.write_bytes(b"new wo")
    Watcher(home).look()
    assert not stray.exists()
    assert Intent.objects.count() == 0
    assert Revision.objects.count() == 1
    assert texts(home) == ["zzz old"]


def test_the_watcher_looks_again_at_a_file_it_could_not_record(
    home: Home, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(b"one")
    watcher = Watcher(home)
    watcher.look()
    path = put(b"two")
    files.lock_path(path).touch()
    monkeypatch.setattr(files, "LOCK_WAIT", 0)
    monkeypatch.setattr(files.locked.__wrapped__, "__defaults__", (0.0,))
    with files.locked(path):
        watcher.look()
    assert kept_bytes(home) == [b"one"]
    watcher.look()
    assert kept_bytes(home) == [b"one", b"two"]


def test_a_look_records_every_profile(home: Home) -> None:
    other = home.path / "profiles" / "work" / "memories"
    other.mkdir(parents=True)
    (other / "USER.md").write_text("works at night")
    Watcher(home).look()
    assert EntryChange.objects.get().home == str((home.path / "profiles" / "work").resolve())


def test_a_look_at_unchanged_files_asks_the_database_only_for_the_explainer(
    home: Home, put: Put, django_assert_max_num_queries: Callable[..., object]
) -> None:
    put(b"one")
    watcher = Watcher(home)
    for _time in range(2):
        watcher.look()
    with django_assert_max_num_queries(0):  # type: ignore[attr-defined]
        watcher.look()


def test_a_recorded_state_is_read_with_the_limit_of_its_time(home: Home, put: Put) -> None:
    put(b"x" * 50)
    home.config_file.write_text("memory:\n  memory_char_limit: 20\n")
    writes.read(home, "memory")
    home.config_file.write_text("memory:\n  memory_char_limit: 500\n")
    assert revisions.file_of(Revision.objects.get()) == parse(b"x" * 50, "memory", 20)


def test_one_endless_entry_is_not_compared_with_each_of_the_many_that_follow_it(
    home: Home, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[int] = []
    share = lists._share
    monkeypatch.setattr(lists, "_share", lambda *arguments: compared.append(1) or share(*arguments))
    put(" ".join(f"w{number}" for number in range(5_000)).encode())
    writes.read(home, "memory")
    put(D.join(f"entry {number} of many" for number in range(500)).encode())
    writes.read(home, "memory")
    assert Revision.objects.latest("id").changes.count() == 501
    assert not compared


@pytest.mark.django_db(transaction=True)
def test_the_lock_is_not_taken_while_our_own_database_is_busy(
    home: Home, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(b"one")
    files.lock_path(home.memory_path("memory")).touch()
    connection.cursor().execute("PRAGMA busy_timeout = 100")
    taken: list[Path] = []
    monkeypatch.setattr(files, "locked", lambda path, *_: taken.append(path) or nullcontext())
    busy = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    busy.execute("BEGIN IMMEDIATE")
    for look in (lambda: writes.observe(home, "memory"), lambda: memory.entry_add(home, "memory", "mine", **PAGE)):
        with pytest.raises(OperationalError, match="locked"):
            look()
    busy.close()
    connection.close()
    assert taken == []
    assert home.memory_path("memory").read_bytes() == b"one"
