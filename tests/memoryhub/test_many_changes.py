"""A state with very many changes: its bytes are kept whole, its rows are bounded, and the pages say how many more."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from django.test import Client

from memoryhub.entries import entry_digest, parse, serialize
from memoryhub.hermes import files
from memoryhub.hermes.home import Home
from memoryhub.models import EntryChange, Intent, Revision
from memoryhub.services import revisions, thinning, writes
from memoryhub.services.revisions import MOST_CHANGES, Cause
from memoryhub.services.watch import Watcher

pytestmark = pytest.mark.django_db

Put = Callable[..., Path]
MANY = MOST_CHANGES + 500


def record(home: Home, texts: Sequence[str]) -> Revision:
    return revisions.record(home, parse(serialize(texts), "memory", 2200), Cause(writer="you", kind="replace"))


def numbered(count: int, word: str = "entry") -> list[str]:
    return [f"{word} {number}" for number in range(count)]


def test_the_bytes_are_kept_whole_and_the_rows_are_bounded(home: Home) -> None:
    record(home, ["zzz"])
    revision = record(home, numbered(MANY))
    assert revisions.file_of(revision).texts == tuple(numbered(MANY))
    assert revision.changes.count() == MOST_CHANGES
    assert revision.entry_count == MANY
    assert Revision.objects.get(pk=revision.pk).left_out == MANY + 1 - MOST_CHANGES


def test_what_stands_in_the_file_has_its_rows_before_what_is_gone(home: Home) -> None:
    record(home, numbered(MANY))
    revision = record(home, ["something else entirely"])
    gone = record(home, [])
    assert set(revision.changes.values_list("kind", flat=True)) == {EntryChange.ADDED, EntryChange.REMOVED}
    stamp = revisions.stamps(home, revisions.file_of(revision))[entry_digest("something else entirely")]
    assert stamp.writer == "you"
    assert (gone.left_out, gone.changes.count()) == (0, 1)


def test_the_history_counts_all_that_came_and_went(client: Client, home: Home, put: Put) -> None:
    for data in (b"zzz", serialize(numbered(MANY))):
        put(data)
        writes.read(home, "memory")
    page = client.get("/memory/memory/history/")
    assert f"{MANY + 1 - 8} more changes" in page.content.decode().replace(",", "")


def test_a_revision_folded_into_the_next_hands_on_what_it_left_out(home: Home) -> None:
    for texts in (["first"], numbered(MANY), [*numbered(MANY), "one more"], ["last"]):
        record(home, texts)
    before = sum(Revision.objects.values_list("left_out", flat=True))
    thinning.thin(home.key, "memory", kept=3, newest=1, step=0)
    assert Revision.objects.count() == 3
    assert sum(Revision.objects.values_list("left_out", flat=True)) == before > 0


def test_what_was_about_to_be_the_first_state_and_never_was_leaves_no_note(home: Home) -> None:
    files.lock_path(home.memory_path("memory")).touch()
    Intent.objects.create(
        home=home.key, target="memory", digest=files.digest(b"new"), via="page", kind="add",
        operation="11111111-2222-3333-4444-555555555555",
    )  # fmt: skip
    Watcher(home).look()
    assert (Intent.objects.count(), Revision.objects.count()) == (0, 0)
