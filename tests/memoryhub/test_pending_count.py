"""Counting what Hermes staged for approval, by file names only."""

from pathlib import Path

from memoryhub.hermes.pending_count import PendingCount, count_pending


def test_a_home_without_staged_writes_has_none(tmp_path: Path) -> None:
    assert count_pending(tmp_path / "pending") == PendingCount(memory=0, skills=0)
    (tmp_path / "pending").write_text("a file where the folder should be")
    assert count_pending(tmp_path / "pending") == PendingCount(memory=0, skills=0)


def test_only_names_of_records_count(tmp_path: Path) -> None:
    memory, skills = tmp_path / "memory", tmp_path / "skills"
    memory.mkdir()
    skills.mkdir()
    for name in ("0a1b2c3d.json", "ffffffff.json"):
        (memory / name).write_text("{")
    (skills / "00000000.json").touch()
    for name in ("0A1B2C3D.json", "0a1b2c3.json", "0a1b2c3d.json.tmp", "0a1b2c3d.json.claimed-7", "keep-me.json"):
        (memory / name).touch()
    (memory / "0a1b2c3d.json\n").touch()
    (memory / "12345678.json").mkdir()
    assert count_pending(tmp_path) == PendingCount(memory=2, skills=1)


def test_a_folder_that_cannot_be_read_is_not_called_empty(tmp_path: Path) -> None:
    (tmp_path / "memory").symlink_to("memory")  # a link that leads to itself
    assert count_pending(tmp_path) == PendingCount(memory=None, skills=0)
