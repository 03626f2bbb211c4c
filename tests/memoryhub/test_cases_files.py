"""Locks, links, modes and things that are no files (cases M28, M29, M31, M32)."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

import pytest

from memoryhub.hermes import files
from memoryhub.hermes.home import Home
from memoryhub.services import links, memory, writes
from memoryhub.store import ReadOnly
from tests.growth import that_ends
from tests.memoryhub.cases import (
    PAGE,
    D,
    Put,
    texts,
)
from tests.samples.memory.kinds import KINDS

pytestmark = pytest.mark.django_db


# M28: the lock


def test_a_lock_file_that_was_left_behind_means_nothing(home: Home, put: Put) -> None:
    put("two")
    files.lock_path(home.memory_path("memory")).touch()
    memory.entry_add(home, "memory", "Saved at once", **PAGE)
    assert texts(home)[-1] == "Saved at once"


def test_a_held_lock_refuses_after_a_moment_and_lets_the_next_try_through(home: Home, put: Put) -> None:
    path = put("two")
    with files.lock_path(path).open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with that_ends(), pytest.raises(files.LockBusy, match="try again"):
            memory.entry_add(home, "memory", "Not yet", **PAGE)
        assert path.read_bytes() == KINDS["two"]
    memory.entry_add(home, "memory", "Now", **PAGE)
    assert texts(home)[-1] == "Now"


def test_a_file_system_without_locks_is_a_sentence(home: Home, put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    path = put("two")
    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(files.NotWritable, match="No locks available"):
        memory.entry_add(home, "memory", "Not here", **PAGE)
    assert path.read_bytes() == KINDS["two"]


def test_what_the_system_does_not_let_us_see_is_not_there(tmp_path: Path) -> None:
    unseen = tmp_path / ("x" * 300)  # a name too long for the file system: refused for every account, root too
    assert not Home("default", unseen, unseen).exists
    assert not files.has_lock_file(unseen)
    assert files.link_target(unseen) is None


# M29: links


def test_a_memories_folder_that_is_a_link_to_nothing_is_a_sentence(home: Home) -> None:
    home.memories.rmdir()
    home.memories.symlink_to("nowhere")
    with pytest.raises(files.NotWritable, match="cannot be locked"):
        memory.entry_add(home, "memory", "Where to", **PAGE)


@pytest.mark.parametrize("relative", [True, False])
def test_a_link_inside_the_home_stays_a_link_and_its_target_gets_the_entry(home: Home, relative: bool) -> None:
    target = home.path / "dotfiles" / "MEMORY.md"
    target.parent.mkdir()
    target.write_text("Kept in git")
    link = home.memory_path("memory")
    link.symlink_to("../dotfiles/MEMORY.md" if relative else target)
    memory.entry_add(home, "memory", "One more", **PAGE)
    assert link.is_symlink()
    assert target.read_text() == "Kept in git" + D + "One more"
    assert [p.name for p in target.parent.iterdir()] == ["MEMORY.md"]


def test_a_link_to_nothing_yet_gets_its_target(home: Home) -> None:
    home.memory_path("memory").symlink_to(home.path / "later.md")
    memory.entry_add(home, "memory", "First", **PAGE)
    assert (home.path / "later.md").read_text() == "First"


def test_a_link_out_of_the_home_is_read_and_written_only_with_consent_to_that_place(home: Home, tmp_path: Path) -> None:
    away = tmp_path / "away" / "shared.md"
    away.parent.mkdir()
    away.write_text("Shared fact")
    home.memory_path("memory").symlink_to(away)
    assert texts(home) == ["Shared fact"]
    with pytest.raises(ReadOnly, match="away"):
        memory.entry_add(home, "memory", "Mine", **PAGE)
    links.consent(home, "memory", away)
    memory.entry_add(home, "memory", "Mine", **PAGE)
    assert away.read_text() == "Shared fact" + D + "Mine"


def test_a_link_to_a_path_that_no_page_could_show_is_only_read(home: Home, tmp_path: Path) -> None:
    away = tmp_path / os.fsdecode(b"away\xff")
    away.write_text("Shared fact")
    home.memory_path("memory").symlink_to(away)
    assert texts(home) == ["Shared fact"]
    with pytest.raises(ReadOnly, match="not UTF-8") as refused:
        memory.entry_add(home, "memory", "Mine", **PAGE)
    str(refused.value).encode()


# M31: modes


@pytest.mark.parametrize("mode", [0o664, 0o600, 0o640])
def test_a_write_keeps_the_mode(home: Home, put: Put, mode: int) -> None:
    path = put("one")
    path.chmod(mode)
    memory.entry_add(home, "memory", "More", **PAGE)
    assert path.stat().st_mode & 0o777 == mode


def test_a_new_file_is_private(home: Home) -> None:
    memory.entry_add(home, "memory", "First", **PAGE)
    assert home.memory_path("memory").stat().st_mode & 0o777 == 0o600


def test_a_write_protected_file_is_left_alone_with_the_reason(home: Home, put: Put) -> None:
    path = put("one")
    path.chmod(0o444)
    with pytest.raises(ReadOnly, match="write-protected"):
        memory.entry_add(home, "memory", "More", **PAGE)
    assert path.read_bytes() == KINDS["one"]
    assert not list(home.memories.glob(".mem_*"))


def test_a_write_protected_folder_is_left_alone_with_the_reason(home: Home, put: Put) -> None:
    put("one")
    home.memories.chmod(0o555)
    try:
        with pytest.raises(files.FileProblem, match=r"protected|cannot be"):
            memory.entry_add(home, "memory", "More", **PAGE)
    finally:
        home.memories.chmod(0o755)
    assert texts(home) == ["Uses fish as shell"]


# M32: not a file


def test_a_folder_in_place_of_the_file_is_named_and_the_other_file_works(home: Home) -> None:
    home.memory_path("memory").mkdir()
    for use in (lambda: writes.read(home, "memory"), lambda: memory.entry_add(home, "memory", "x", **PAGE)):
        with pytest.raises(files.NotAFile, match=r"MEMORY\.md is a folder"):
            use()
    memory.entry_add(home, "user", "Works", **PAGE)
    assert texts(home, "user") == ["Works"]


def test_a_pipe_in_place_of_the_file_does_not_stop_anybody(home: Home) -> None:
    os.mkfifo(home.memory_path("memory"))
    with that_ends(), pytest.raises(files.NotAFile, match="pipe"):
        writes.read(home, "memory")
