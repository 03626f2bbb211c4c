"""Reading and writing beside a running agent: odd file kinds, Hermes' lock, atomic replacement."""

import errno
import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from memoryhub.hermes import files


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "MEMORY.md"
    path.write_bytes(b"old")
    return path


def names(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


def test_a_missing_file_reads_as_none(tmp_path: Path) -> None:
    assert files.read_regular(tmp_path / "none.md") is None


def test_a_folder_or_a_pipe_in_place_of_the_file_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").mkdir()
    os.mkfifo(tmp_path / "USER.md")
    with pytest.raises(files.NotAFile, match="MEMORY.md is a folder, not a file"):
        files.read_regular(tmp_path / "MEMORY.md")
    with pytest.raises(files.NotAFile, match="USER.md is a pipe"):
        files.read_regular(tmp_path / "USER.md")


def test_a_dangling_link_reads_as_none_and_is_written_through(tmp_path: Path) -> None:
    link = tmp_path / "MEMORY.md"
    link.symlink_to("elsewhere.md")
    assert files.read_regular(link) is None
    files.write_atomic(link, b"new", None)
    assert link.is_symlink()
    assert (tmp_path / "elsewhere.md").read_bytes() == b"new"


def test_a_link_that_leads_to_itself_is_a_sentence(tmp_path: Path) -> None:
    link = tmp_path / "MEMORY.md"
    link.symlink_to("MEMORY.md")
    with pytest.raises(files.FileProblem, match="cannot be read"):
        files.read_regular(link)


def test_a_file_beyond_the_cap_is_not_read(path: Path) -> None:
    with pytest.raises(files.TooLarge):
        files.read_regular(path, max_bytes=2)


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664])
def test_writing_keeps_the_mode(path: Path, mode: int) -> None:
    path.chmod(mode)
    files.write_atomic(path, b"new", b"old")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == mode


def test_a_new_file_is_private(tmp_path: Path) -> None:
    files.write_atomic(tmp_path / "USER.md", b"new", None)
    assert (tmp_path / "USER.md").stat().st_mode & 0o777 == 0o600


def test_a_link_stays_a_link_and_its_target_is_replaced_in_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles/MEMORY.md").write_bytes(b"old")
    link = tmp_path / "MEMORY.md"
    link.symlink_to("dotfiles/MEMORY.md")
    files.write_atomic(link, b"new", b"old")
    assert link.is_symlink()
    assert (tmp_path / "dotfiles/MEMORY.md").read_bytes() == b"new"
    assert names(tmp_path / "dotfiles") == {"MEMORY.md"}


def test_a_write_protected_file_is_left_alone_and_leaves_nothing_behind(path: Path) -> None:
    path.chmod(0o444)
    assert files.write_problem(path) == "MEMORY.md is write-protected."
    with pytest.raises(files.NotWritable, match="Nothing was changed"):
        files.write_atomic(path, b"new", b"old")
    assert path.read_bytes() == b"old"
    assert names(path.parent) == {"MEMORY.md"}


def test_a_folder_that_cannot_be_written_is_said_beforehand(path: Path) -> None:
    path.parent.chmod(0o555)
    try:
        assert "write-protected" in files.write_problem(path)
    finally:
        path.parent.chmod(0o755)


def test_a_file_that_goes_while_one_looks_forbids_nothing(path: Path) -> None:
    done = threading.Event()

    def come_and_go() -> None:
        while not done.is_set():
            path.unlink(missing_ok=True)
            path.touch()

    other = threading.Thread(target=come_and_go)
    other.start()
    try:
        problems = {files.write_problem(path) for _ in range(2_000)}
    finally:
        done.set()
        other.join()
    assert "" in problems


def test_a_failing_replacement_removes_its_temporary_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(files.NotWritable, match="No space left"):
        files.write_atomic(path, b"new", b"old")
    assert path.read_bytes() == b"old"
    assert names(path.parent) == {"MEMORY.md"}


@pytest.mark.parametrize("seen", [b"what was read", None])
def test_what_an_editor_without_the_lock_saved_is_not_written_over(path: Path, seen: bytes | None) -> None:
    with pytest.raises(files.Overtaken, match="Nothing was changed"):
        files.write_atomic(path, b"new", seen)
    assert path.read_bytes() == b"old"
    assert names(path.parent) == {"MEMORY.md"}


def test_a_lock_file_left_behind_locks_nothing(path: Path) -> None:
    files.lock_path(path).write_bytes(b"")
    with files.locked(path, wait=0):
        pass
    assert files.lock_path(path).exists()


def test_a_held_lock_is_waited_for_and_then_said(path: Path) -> None:
    with files.lock_path(path).open("a") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with pytest.raises(files.LockBusy, match="try again"), files.locked(path, wait=0.05):
            pass


def test_a_lock_that_is_released_in_time_is_taken(path: Path) -> None:
    holder = files.lock_path(path).open("a")
    fcntl.flock(holder, fcntl.LOCK_EX)
    timer = threading.Timer(0.1, holder.close)
    timer.start()
    with files.locked(path, wait=10):
        pass
    timer.join()


def test_a_lock_keeps_other_processes_out(path: Path) -> None:
    code = "import sys; from pathlib import Path; from memoryhub.hermes import files\n"
    code += "try:\n  with files.locked(Path(sys.argv[1]), wait=0): print('got it')\n"
    code += "except files.LockBusy: print('busy')"
    with files.locked(path):
        answer = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "busy"


def test_strays_of_this_file_are_removed_and_nothing_else(path: Path) -> None:
    stray = path.with_name(".mem_mh-MEMORY.md-123-abcd.tmp")
    others = [path.with_name(".mem_abcd1234.tmp"), path.with_name(".mem_mh-USER.md-1-ab.tmp")]
    for each in (stray, *others):
        each.write_bytes(b"")
    assert files.remove_strays(path) == 1
    assert not stray.exists()
    assert all(each.exists() for each in others)


def test_contained_follows_links_before_it_compares(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (inside / "link").symlink_to(outside)
    assert files.contained(inside / "a", inside)
    assert not files.contained(inside / "link/a", inside)
    assert not files.contained(tmp_path / "in-other", inside)
