"""Memory files of foreign shape: damaged delimiters, blanks, hand-written notes (M07, M08, M10, M11, M13, M14)."""

from __future__ import annotations

from contextlib import suppress

import pytest

from memoryhub.entries import EntryRefused
from memoryhub.hermes.home import Home
from memoryhub.services import memory, writes
from tests.memoryhub.cases import (
    PAGE,
    D,
    Put,
    codes,
    entry_id,
    hub,
    mend,
    texts,
    words,
)
from tests.samples.memory.kinds import KINDS, REFUSED

pytestmark = pytest.mark.django_db


# M07, M08: delimiter lines in a text


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_a_text_that_would_not_stay_one_entry_is_refused_at_every_door(home: Home, put: Put, text: str) -> None:
    path = put("two")
    first = entry_id(home, "Uses fish as shell")
    for change in (
        lambda: memory.entry_add(home, "memory", text, **PAGE),
        lambda: memory.entry_replace(home, "memory", first, text, **PAGE),
        lambda: memory.entries_merge(home, "memory", [first, entry_id(home, "Deploys on Thursdays")], text, **PAGE),
    ):
        with pytest.raises(EntryRefused):
            change()
    assert path.read_bytes() == KINDS["two"]


def test_the_shell_refuses_a_delimiter_line_with_a_sentence_and_status_1(home: Home, put: Put) -> None:
    put("two")
    status, answer = hub("memory", "add", "--target", "memory", "odd\n§")
    assert (status, answer["ok"]) == (1, False)
    assert "§" in answer["message"]
    assert answer["used"] == len(KINDS["two"].decode())


# M10: a delimiter with blanks


@pytest.mark.parametrize(
    "kind",
    [
        "delimiter_with_trailing_blank",
        "delimiter_with_leading_blank",
        "delimiter_with_tab",
        "delimiter_with_ideographic_blank",
    ],
)
def test_a_delimiter_with_blanks_is_one_entry_as_for_the_agent_until_it_is_repaired(
    home: Home, put: Put, kind: str
) -> None:
    put(kind)
    file = writes.read(home, "memory")
    assert len(file.entries) == len(file.agent_entries) == 1
    [notice] = [n for n in file.notices if n.code == "delimiter_with_blanks"]
    assert notice.data["lines"] == [2]
    assert mend(home, "tidy").texts == ("Pays with card", "Rides a bike")


def test_rewording_one_half_of_a_welded_entry_keeps_the_other(home: Home, put: Put) -> None:
    put("delimiter_with_trailing_blank")
    [entry] = writes.read(home, "memory").entries
    with suppress(EntryRefused):
        memory.entry_replace(home, "memory", entry.id, entry.text.replace("card", "cash"), **PAGE)
    assert "Rides a bike" in D.join(texts(home))


# M11: blank entries


@pytest.mark.parametrize(
    "kind", ["blank_entry", "blank_entry_of_blanks", "delimiter_at_the_end", "blank_line_before_delimiter"]
)
def test_blank_entries_are_told_and_tidied_by_the_next_edit_without_backups(home: Home, put: Put, kind: str) -> None:
    path = put(kind)
    file = writes.read(home, "memory")
    assert list(file.texts) == ["Pays with card", "Rides a bike"]
    assert file.drift
    assert codes(file) & {"blank_entries", "blank_lines"}
    memory.entry_replace(home, "memory", entry_id(home, "Rides a bike"), "Rides a tram", **PAGE)
    assert path.read_bytes() == "Pays with card\n§\nRides a tram".encode()
    assert not list(home.memories.glob("*.bak*"))


# M13, M14: hand-written files


@pytest.mark.parametrize("kind", ["hand_written", "hand_written_numbered", "hand_written_paragraphs"])
def test_a_hand_written_file_is_one_entry_that_can_be_split_without_losing_a_word(
    home: Home, put: Put, kind: str
) -> None:
    put(kind)
    file = writes.read(home, "memory")
    assert len(file.entries) == 1
    assert "document" in codes(file)
    split = mend(home, "split")
    assert len(split.entries) >= 3
    signs = {"§".encode(), b"-"}  # a delimiter takes the place of a bullet's sign
    assert words(D.join(split.texts).encode()) - signs == words(KINDS[kind]) - signs


def test_one_changed_word_of_a_hand_written_file_changes_that_word(home: Home, put: Put) -> None:
    path = put("hand_written")
    [entry] = writes.read(home, "memory").entries
    memory.entry_replace(home, "memory", entry.id, entry.text.replace("four", "five"), **PAGE)
    assert path.read_bytes().strip() == KINDS["hand_written"].strip().replace(b"four", b"five")


def test_an_over_full_file_may_shrink_step_by_step_and_never_grow(home: Home, put: Put) -> None:
    put("hand_written_long")
    file = writes.read(home, "memory")
    [entry] = file.entries
    assert file.used > file.limit == 2200
    memory.entry_replace(home, "memory", entry.id, entry.text[:-100].strip(), **PAGE)
    shorter = writes.read(home, "memory")
    assert shorter.limit < shorter.used < file.used
    with pytest.raises(EntryRefused) as refused:
        memory.entry_replace(home, "memory", shorter.entries[0].id, shorter.texts[0] + " and more", **PAGE)
    assert refused.value.data["over"] == shorter.used + len(" and more") - 2200


def test_an_entry_over_the_limit_beside_others_can_be_deleted(home: Home, put: Put) -> None:
    put("one_over_long_entry")
    assert "oversize_entry" in codes(writes.read(home, "memory"))
    memory.entry_remove(home, "memory", entry_id(home, "o" * 2201), **PAGE)
    assert texts(home) == ["Short one", "Another short one"]
