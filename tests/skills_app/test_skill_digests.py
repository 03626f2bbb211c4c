"""Digests: every byte, name, mode and link counts, nothing outside is read, and Hermes' own are told from them."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skills_app.library import (
    Digest,
    FileGone,
    content_digest,
    digest_entries,
    file_mark,
    hermes_digests,
    link_mark,
    read_file,
    shipped_md5,
)
from skills_app.library.skill_files import looks_like_text, read_inside
from tests.skills_app.builders import make_skill, only


def digest_of(home: Path) -> Digest:
    return content_digest(only(home))


def test_every_kind_of_change_changes_the_digest(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "tidy", files={"scripts/a.sh": "echo a\n", "b.txt": "b"})
    seen = [digest_of(tmp_path)]
    os.utime(folder / "b.txt", (1, 1))
    assert digest_of(tmp_path) == seen[0]
    (folder / "b.txt").write_text("c")
    seen.append(digest_of(tmp_path))
    (folder / "b.txt").rename(folder / "c.txt")
    seen.append(digest_of(tmp_path))
    (folder / "c.txt").chmod(0o755)
    seen.append(digest_of(tmp_path))
    (folder / "link").symlink_to("c.txt")
    seen.append(digest_of(tmp_path))
    (folder / "link").unlink()
    (folder / "link").symlink_to("scripts/a.sh")
    seen.append(digest_of(tmp_path))
    (folder / ".hidden").write_text("")
    seen.append(digest_of(tmp_path))
    assert len({each.sha256 for each in seen}) == len(seen)
    assert all(each.is_complete for each in seen)


def test_a_digest_names_the_files_that_changed(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "tidy", files={"a.md": "a", "b.md": "b"})
    before = digest_of(tmp_path)
    (folder / "a.md").write_text("A")
    (folder / "b.md").rename(folder / "c.md")
    assert before.changes(digest_of(tmp_path)) == (("c.md",), ("a.md",), ("b.md",))


def test_the_digest_of_bytes_that_are_not_on_disk_is_the_same(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "tidy", files={"a.sh": "x"})
    (folder / "a.sh").chmod(0o700)
    (folder / "link").symlink_to("a.sh")
    entries = [
        ("a.sh", file_mark(b"x", executable=True)),
        ("link", link_mark("a.sh")),
        ("SKILL.md", file_mark((folder / "SKILL.md").read_bytes())),
    ]
    assert digest_entries(entries) == digest_of(tmp_path)


PATHS = st.text("ab./", min_size=1, max_size=6)


@given(
    st.lists(st.tuples(PATHS, st.binary(max_size=4)), max_size=5),
    st.lists(st.tuples(PATHS, st.binary(max_size=4)), max_size=5),
)
def test_different_files_have_different_digests(one: list[tuple[str, bytes]], other: list[tuple[str, bytes]]) -> None:
    first, second = ([(path, file_mark(data)) for path, data in dict(each).items()] for each in (one, other))
    assert (digest_entries(first).sha256 == digest_entries(second).sha256) == (dict(one) == dict(other))


def test_a_link_out_is_counted_by_its_target_and_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("one")
    folder = make_skill(tmp_path, "tidy")
    (folder / "notes.txt").symlink_to("../../secret.txt")
    before = digest_of(tmp_path)
    secret.write_text("two")
    assert digest_of(tmp_path) == before
    assert hermes_digests(only(tmp_path)) is None
    assert shipped_md5(only(tmp_path)) is None


def test_what_cannot_be_read_leaves_the_digest_incomplete(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "tidy", files={"a.md": "a"})
    skill = only(tmp_path)
    (folder / "a.md").unlink()
    found = content_digest(skill)
    assert not found.is_complete
    assert dict(found.files)["a.md"] == "?:unread"


def test_hermes_digests_are_told_from_a_recorded_one(tmp_path: Path) -> None:
    make_skill(tmp_path, "tidy", files={"a/b": "1", "a-b": "2"})
    found = hermes_digests(only(tmp_path))
    assert found is not None
    assert found.by_parts != found.by_text
    parts = [b"SKILL.md\0" + (tmp_path / "skills/tidy/SKILL.md").read_bytes(), b"a\x00", b"a/b\x001", b"a-b\x002"]
    assert found.by_parts == f"sha256:{hashlib.sha256(parts[0] + parts[2] + parts[3]).hexdigest()}"
    assert found.matches(found.by_parts[:23])
    assert found.matches(found.by_text)
    assert not found.matches(found.by_text[:30])
    assert not found.matches("")


def test_the_md5_of_a_shipped_skill_is_remembered_until_it_changes(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "tidy")
    data = (folder / "SKILL.md").read_bytes()
    assert shipped_md5(only(tmp_path)) == hashlib.md5(b"SKILL.md" + data).hexdigest()
    (folder / "SKILL.md").write_bytes(data + b"more")
    assert shipped_md5(only(tmp_path)) == hashlib.md5(b"SKILL.md" + data + b"more").hexdigest()


def test_a_file_is_read_by_its_listed_path_only(tmp_path: Path) -> None:
    make_skill(tmp_path, "tidy", files={"references/a.md": "abc"})
    (tmp_path / "skills" / "secret.txt").write_text("x")
    skill = only(tmp_path)
    assert read_file(skill, "references/a.md").data == b"abc"
    cut = read_file(skill, "references/a.md", max_bytes=2)
    assert (cut.data, cut.size, cut.is_complete) == (b"ab", 3, False)
    for path in ("../secret.txt", "/etc/hostname", "references", "references/../references/a.md", "", "a\0b"):
        with pytest.raises(FileGone, match="no such file"):
            read_file(skill, path)


def test_no_link_is_followed_even_when_it_came_after_the_listing(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "tidy", files={"references/a.md": "abc"})
    skill = only(tmp_path)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.md").write_text("secret")
    (folder / "references" / "a.md").unlink()
    (folder / "references" / "a.md").symlink_to("../../../outside/a.md")
    with pytest.raises(FileGone):
        read_file(skill, "references/a.md")
    (folder / "references" / "a.md").unlink()
    (folder / "references").rmdir()
    (folder / "references").symlink_to("../../outside")
    with pytest.raises(FileGone):
        read_file(skill, "references/a.md")


@pytest.mark.parametrize("path", ["pipe", "folder", "gone", "link"])
def test_only_regular_files_are_opened(tmp_path: Path, path: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    with pytest.raises(FileGone):
        read_inside(tmp_path, path)


@pytest.mark.parametrize(
    ("data", "is_text"),
    [
        (b"", True),
        (b"plain\r\n\ttext\x0c", True),
        ("é".encode("latin-1") * 20, True),
        ("wide".encode("utf-16"), True),
        (b"\x7fELF\x02\x01\x00", False),
        (bytes(range(1, 32)) * 4, False),
        (b"\x1b[31mred\x1b[0m", True),
    ],
)
def test_text_is_told_by_its_bytes(data: bytes, is_text: bool) -> None:
    assert looks_like_text(data) is is_text
