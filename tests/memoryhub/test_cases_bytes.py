"""Memory files with foreign bytes: marks, line ends, encodings (cases M01, M02, M04, M05, M41)."""

from __future__ import annotations

from contextlib import suppress

import pytest

from memoryhub.entries import EntryRefused
from memoryhub.hermes.home import Home
from memoryhub.services import memory, writes
from memoryhub.store import ReadOnly
from tests.memoryhub.cases import (
    PAGE,
    D,
    Put,
    codes,
    entry_id,
    kept_bytes,
    mend,
    texts,
)
from tests.samples.memory.kinds import KINDS

pytestmark = pytest.mark.django_db


# M01: a byte-order mark


@pytest.mark.parametrize("kind", ["bom", "bom_and_crlf"])
def test_the_mark_is_no_part_of_an_entry_and_is_told(home: Home, put: Put, kind: str) -> None:
    put(kind)
    file = writes.read(home, "memory")
    assert list(file.texts) == ["Router is a Turris", "Printer has no duplex"]
    assert "bom" in codes(file)
    assert file.agent_entries[0] == "\ufeffRouter is a Turris"


def test_one_repair_takes_the_mark_away_and_keeps_the_old_bytes(home: Home, put: Put) -> None:
    path = put("bom")
    mend(home, "tidy")
    assert path.read_bytes() == "Router is a Turris\n§\nPrinter has no duplex".encode()
    assert KINDS["bom"] in kept_bytes(home)


def test_the_entry_behind_the_mark_is_found_edited_and_deleted_by_its_visible_text(home: Home, put: Put) -> None:
    put("bom")
    memory.entry_replace(home, "memory", entry_id(home, "Router is a Turris"), "Router is an Omnia", **PAGE)
    assert texts(home) == ["Router is an Omnia", "Printer has no duplex"]
    put("bom")
    memory.entry_remove(home, "memory", entry_id(home, "Router is a Turris"), **PAGE)
    assert texts(home) == ["Printer has no duplex"]


def test_a_mark_before_a_text_never_becomes_a_mark_before_the_file(home: Home) -> None:
    with suppress(EntryRefused):
        memory.entry_add(home, "memory", "\ufeffPasted from a Windows editor", **PAGE)
        assert home.memory_path("memory").read_bytes() == b"Pasted from a Windows editor"
    memory.entry_add(home, "memory", "Second", **PAGE)
    assert texts(home)[-1] == "Second"


# M02: line ends


@pytest.mark.parametrize("kind", ["crlf", "cr_only", "mixed_line_ends"])
def test_foreign_line_ends_are_told_counted_as_one_and_never_mixed_by_a_write(home: Home, put: Put, kind: str) -> None:
    path = put(kind)
    file = writes.read(home, "memory")
    assert "line_ends" in codes(file)
    assert not any("\r" in text for text in file.texts)
    assert file.used == len(D.join(file.texts))
    memory.entry_replace(home, "memory", file.entries[-1].id, "Changed alone", **PAGE)
    assert path.read_bytes() == D.join([*file.texts[:-1], "Changed alone"]).encode()


# M04, M05: other encodings


@pytest.mark.parametrize(
    "kind", ["latin_1_byte", "latin_1_bytes_at_the_start", "cut_in_a_character", "utf_16_le", "utf_32_le"]
)
def test_bytes_that_are_not_utf8_are_shown_and_never_written_over(home: Home, put: Put, kind: str) -> None:
    path = put(kind)
    file = writes.read(home, "memory")
    assert len(file.entries) == 2
    assert not file.decodable
    for change in (
        lambda: memory.entry_add(home, "memory", "one more", **PAGE),
        lambda: memory.entry_remove(home, "memory", file.entries[0].id, **PAGE),
        lambda: memory.raw_save(home, "memory", "all new", seen_digest=file.digest, **PAGE),
    ):
        with pytest.raises(ReadOnly, match="UTF-8"):
            change()
    assert path.read_bytes() == KINDS[kind]


def test_a_windows_1252_byte_is_named_by_place_and_converted_on_demand(home: Home, put: Put) -> None:
    put("latin_1_byte")
    [notice] = [n for n in writes.read(home, "memory").notices if n.code == "not_utf8"]
    assert (notice.data["offset"], notice.data["byte"]) == (KINDS["latin_1_byte"].index(b"\xe9"), "E9")
    assert mend(home, "convert").texts == ("Builds with cmake", "Prefers the café around the corner")


@pytest.mark.parametrize("kind", ["utf_16_le", "utf_16_be", "utf_32_le"])
def test_wide_encodings_are_converted_and_leave_the_other_file_alone(home: Home, put: Put, kind: str) -> None:
    put("one")
    put(kind, "user")
    assert writes.read(home, "user").used == len("Lives in Graz" + D + "Two cats")
    memory.entry_add(home, "memory", "Other file works", **PAGE)
    assert mend(home, "convert", "user").texts == ("Lives in Graz", "Two cats")


# M41: exotic line breaks


def test_exotic_line_breaks_separate_nothing_and_stay_byte_for_byte(home: Home, put: Put) -> None:
    path = put("exotic_line_breaks")
    file = writes.read(home, "memory")
    assert len(file.entries) == 3
    memory.entry_replace(home, "memory", file.entries[1].id, "Changed", **PAGE)
    parts = KINDS["exotic_line_breaks"].split(D.encode())
    assert path.read_bytes() == D.encode().join([parts[0], b"Changed", parts[2]])
