"""Copies beside a memory file: found by listing, read carefully, lines of the archive in whatever shape they come."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.backups import ARCHIVE, archived_for, find_backup, find_backups, parse_archive, read_backup
from memoryhub.hermes import files


def names(folder: Path, target: str = "memory") -> list[str]:
    return [backup.name for backup in find_backups(folder, target)]


def test_copies_are_listed_newest_first_with_the_time_of_their_name(tmp_path: Path) -> None:
    for name in ("MEMORY.md.bak.1767225600", "MEMORY.md.bak.1767312000", "MEMORY.md.bak.old", "MEMORY.md.bak"):
        (tmp_path / name).write_text("one")
    found = find_backups(tmp_path, "memory")
    assert [(backup.name, backup.at) for backup in found[:2]] == [
        ("MEMORY.md.bak.1767312000", datetime(2026, 1, 2, tzinfo=UTC)),
        ("MEMORY.md.bak.1767225600", datetime(2026, 1, 1, tzinfo=UTC)),
    ]
    assert {backup.name for backup in found[2:]} == {"MEMORY.md.bak.old", "MEMORY.md.bak"}
    assert found[0].size == 3


def test_other_files_of_the_folder_are_no_copies(tmp_path: Path) -> None:
    for name in ("MEMORY.md", "MEMORY.md.lock", ".mem_ab12cd34.tmp", "USER.md.bak.1767225600", "MEMORY.md.bakery", "x"):
        (tmp_path / name).write_text("one")
    assert names(tmp_path) == []
    assert names(tmp_path, "user") == ["USER.md.bak.1767225600"]


def test_the_archive_stands_first_and_belongs_to_both_files(tmp_path: Path) -> None:
    (tmp_path / "USER.md.bak.1767225600").write_text("one")
    (tmp_path / ARCHIVE).write_text("")
    assert names(tmp_path, "user") == [ARCHIVE, "USER.md.bak.1767225600"]
    assert names(tmp_path) == [ARCHIVE]


def test_without_a_folder_there_are_none(tmp_path: Path) -> None:
    assert find_backups(tmp_path / "memories", "memory") == ()


@pytest.mark.parametrize("name", ["../MEMORY.md.bak.1", "MEMORY.md.bak.1/../x", "/etc/hostname", "", ".", "MEMORY.md"])
def test_a_name_that_is_not_listed_is_not_found(tmp_path: Path, name: str) -> None:
    memories = tmp_path / "memories"
    memories.mkdir()
    (tmp_path / "MEMORY.md.bak.1").write_text("outside")
    (memories / "MEMORY.md").write_text("one")
    (memories / "MEMORY.md.bak.1").write_text("one")
    assert find_backup(memories, "memory", name) is None


def test_a_name_that_no_address_can_carry_is_left_out(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/MEMORY.md.bak.\xff")).write_text("one")
    assert names(tmp_path) == []


def test_links_folders_pipes_and_huge_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    outside = tmp_path / "secret"
    outside.write_text("secret")
    folder = tmp_path / "memories"
    folder.mkdir()
    (folder / "MEMORY.md.bak.1").symlink_to(outside)
    (folder / "MEMORY.md.bak.2").mkdir()
    os.mkfifo(folder / "MEMORY.md.bak.3")
    with (folder / "MEMORY.md.bak.4").open("wb") as file:
        file.truncate(files.MAX_BYTES + 1)
    found = find_backups(folder, "memory")
    assert len(found) == 4
    for backup in found:
        with pytest.raises(files.FileProblem) as refused:
            read_backup(backup)
        assert str(refused.value).endswith(".")


def test_a_copy_that_vanished_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md.bak.1"
    path.write_text("one")
    (backup,) = find_backups(tmp_path, "memory")
    path.unlink()
    with pytest.raises(files.Unreadable):
        read_backup(backup)


@pytest.mark.parametrize(
    ("line", "target", "text"),
    [
        ({"content": "one"}, "", "one"),
        ({"text": " one\r\ntwo\n", "target": "user"}, "user", "one\ntwo"),
        ({"entry": "one", "target": "memory"}, "memory", "one"),
        ({"entry": {"content": "one"}, "file": "USER.md"}, "user", "one"),
        ({"target": "memory", "content": "one", "text": "two"}, "memory", "one"),
        ({"memory": "one", "store": "MEMORY"}, "memory", "one"),
        ({"content": 7, "text": "one"}, "", "one"),
        ({"target": ["user"], "content": "one"}, "", "one"),
        ("one", "", "one"),
        ("half \ud800", "", "half ?"),
        ({"content": "half \ud800"}, "", "half ?"),
    ],
)
def test_a_line_is_read_in_any_likely_shape(line: object, target: str, text: str) -> None:
    (found,) = parse_archive(json.dumps(line).encode())
    assert (found.target, found.text) == (target, text)


@pytest.mark.parametrize(
    "line", ["{", "null", "7", "[]", '{"x": 1}', '{"content": ""}', "plain words", "[" * 5000, "\x00"]
)
def test_a_line_of_an_unknown_shape_is_kept_as_it_stands(line: str) -> None:
    (found,) = parse_archive(line.encode())
    assert (found.text, found.raw) == (None, line)


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({"archived_at": 1767225600}, datetime(2026, 1, 1, tzinfo=UTC)),
        ({"timestamp": 1767225600.5}, datetime(2026, 1, 1, 0, 0, 0, 500000, tzinfo=UTC)),
        ({"ts": 1767225600000}, datetime(2026, 1, 1, tzinfo=UTC)),
        ({"time": "2026-01-01T01:00:00+01:00"}, datetime(2026, 1, 1, tzinfo=UTC)),
        ({"at": "2026-01-01T00:00:00"}, datetime(2026, 1, 1, tzinfo=UTC)),
        ({"evicted_at": "yesterday", "created_at": "1767225600"}, datetime(2026, 1, 1, tzinfo=UTC)),
        ({"at": True}, None),
        ({"at": 1e308}, None),
        ({"at": float("nan")}, None),
        ({"at": -5}, None),
        ({"at": "٣"}, None),
    ],
)
def test_the_time_of_a_line_is_read_where_there_is_one(fields: dict[str, object], at: datetime | None) -> None:
    (found,) = parse_archive(json.dumps({"content": "one", **fields}).encode())
    assert found.at == at


def test_lines_come_newest_first_with_their_numbers_and_blank_ones_are_passed_over() -> None:
    data = b'\xef\xbb\xbf{"content": "one"}\r\n\n{"content": "two", "target": "user"}\n\xff\xfe\n'
    assert [(line.line, line.text) for line in parse_archive(data)] == [(4, None), (3, "two"), (1, "one")]
    assert [line.line for line in archived_for(parse_archive(data), "memory")] == [4, 1]


@given(st.binary())
def test_no_bytes_break_the_archive(data: bytes) -> None:
    for line in parse_archive(data):
        assert line.raw.strip()


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.integers(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["content", "text", "entry", "target", "at"]), inner)
    ),
)


@given(JSON)
def test_no_json_breaks_the_archive(value: object) -> None:
    for line in parse_archive(json.dumps(value).encode()):
        assert line.text is None or line.text.encode("utf-8")
