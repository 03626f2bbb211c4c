"""Bringing archived skills back: moved, never over anything, with Hermes' records, or refused with a sentence."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoryhub.hermes import files
from skills_app.library import (
    RestoreRefused,
    Skill,
    UsageRefused,
    put_away,
    put_away_problem,
    read_records,
    restore,
    restore_problem,
    restored_name,
)
from skills_app.library.usage import USAGE_FILE
from tests.skills_app.builders import hub_record, library_of, listed, make_skill, write_json, write_lock


def archived(home: Path) -> Skill:
    (skill,) = library_of(home).archived
    return skill


def bring_back(home: Path) -> Path:
    return restore(home / "skills", archived(home), read_records(home / "skills"))


def test_a_skill_comes_back_with_all_its_files_and_is_active(tmp_path: Path) -> None:
    make_skill(tmp_path, ".archive/old", files={"scripts/a.sh": "x"})
    write_json(tmp_path, USAGE_FILE, {"old": {"state": "archived", "archived_at": "2026-01-01", "use_count": 3}})
    assert bring_back(tmp_path) == tmp_path / "skills" / "old"
    (skill,) = library_of(tmp_path).skills
    assert (skill.name, skill.state, skill.loaded) == ("old", "active", True)
    assert [each.path for each in skill.files] == ["SKILL.md", "scripts/a.sh"]
    record = json.loads((tmp_path / "skills" / USAGE_FILE).read_text())["old"]
    assert (record["archived_at"], record["use_count"]) == (None, 3)
    assert library_of(tmp_path).archived == ()


@pytest.mark.parametrize(
    ("folder", "name", "back"),
    [
        ("old-20260102030405", "old", "old"),
        ("old-2026010203040", "old", "old-2026010203040"),
        ("report-20260102030405", "report-20260102030405", "report-20260102030405"),
        ("group/old", "old", "old"),
    ],
)
def test_the_time_that_the_archive_added_goes(tmp_path: Path, folder: str, name: str, back: str) -> None:
    make_skill(tmp_path, f".archive/{folder}", name=name)
    assert restored_name(archived(tmp_path)) == back
    assert bring_back(tmp_path).name == back


def test_a_shipped_skill_that_comes_back_is_no_longer_left_out(tmp_path: Path) -> None:
    make_skill(tmp_path, ".archive/old")
    (tmp_path / "skills" / ".curator_suppressed").write_bytes(b"# pruned\r\nolder\nold\nlast")
    bring_back(tmp_path)
    assert (tmp_path / "skills" / ".curator_suppressed").read_bytes() == b"# pruned\r\nolder\nlast"


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    make_skill(tmp_path, ".archive/old", description="archived")
    make_skill(tmp_path, "old", description="new")
    with pytest.raises(RestoreRefused, match="nothing is overwritten"):
        bring_back(tmp_path)
    assert archived(tmp_path).description == "archived"
    assert library_of(tmp_path).skills[0].description == "new"


def test_not_even_a_link_or_an_empty_folder_is(tmp_path: Path) -> None:
    make_skill(tmp_path, ".archive/old")
    (tmp_path / "skills" / "old").symlink_to("nowhere")
    with pytest.raises(RestoreRefused, match="nothing is overwritten"):
        bring_back(tmp_path)
    (tmp_path / "skills" / "old").unlink()
    skill, records = archived(tmp_path), read_records(tmp_path / "skills")
    (tmp_path / "skills" / "old").mkdir()
    with pytest.raises(RestoreRefused):
        restore(tmp_path / "skills", skill, records)


def test_an_installed_skill_is_not_shadowed(tmp_path: Path) -> None:
    make_skill(tmp_path, ".archive/old")
    write_lock(tmp_path, old=hub_record("tools/old"))
    with pytest.raises(RestoreRefused, match="installed from the hub"):
        bring_back(tmp_path)


def test_what_is_no_skill_or_not_archived_is_refused(tmp_path: Path) -> None:
    make_skill(tmp_path, "here")
    (tmp_path / "skills" / ".archive" / "lost" / "references").mkdir(parents=True)
    records = read_records(tmp_path / "skills")
    (here,) = library_of(tmp_path).skills
    assert "not in the archive" in restore_problem(tmp_path / "skills", here, records)
    assert "no folder with a SKILL.md" in restore_problem(tmp_path / "skills", archived(tmp_path), records)


def test_when_the_record_cannot_be_written_the_skill_stays_archived(tmp_path: Path) -> None:
    make_skill(tmp_path, ".archive/old")
    (tmp_path / "skills" / USAGE_FILE).write_text("{")
    with pytest.raises(UsageRefused):
        bring_back(tmp_path)
    assert archived(tmp_path).relative == "old"
    (tmp_path / "skills" / USAGE_FILE).unlink()
    (tmp_path / "skills" / USAGE_FILE).mkdir()
    with pytest.raises(files.FileProblem):
        bring_back(tmp_path)
    assert archived(tmp_path).relative == "old"
    assert not (tmp_path / "skills" / "old").exists()


def test_a_skill_that_went_meanwhile_is_a_sentence(tmp_path: Path) -> None:
    make_skill(tmp_path, ".archive/old")
    skill, records = archived(tmp_path), read_records(tmp_path / "skills")
    skill.path.rename(tmp_path / "elsewhere")
    with pytest.raises(RestoreRefused, match="Nothing was changed"):
        restore(tmp_path / "skills", skill, records)
    assert not (tmp_path / "skills" / "old").exists()


NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


def first(home: Path) -> Skill:
    return library_of(home).skills[0]


def test_a_skill_goes_into_the_archive_and_comes_back(tmp_path: Path) -> None:
    make_skill(tmp_path, "devops/tidy", files={"a.md": "x"})
    assert put_away(tmp_path / "skills", first(tmp_path), NOW) == tmp_path / "skills" / ".archive" / "tidy"
    assert (library_of(tmp_path).skills, archived(tmp_path).name) == ((), "tidy")
    record = json.loads((tmp_path / "skills" / USAGE_FILE).read_text())["tidy"]
    assert (record["state"], bool(record["archived_at"])) == ("archived", True)
    bring_back(tmp_path)
    assert [each.path for each in first(tmp_path).files] == ["SKILL.md", "a.md"]


def test_a_taken_name_gets_the_time(tmp_path: Path) -> None:
    make_skill(tmp_path, "tidy")
    make_skill(tmp_path, ".archive/tidy")
    assert put_away(tmp_path / "skills", first(tmp_path), NOW).name == "tidy-20260304050607"


def test_an_update_leaves_out_a_shipped_skill_that_was_put_away(tmp_path: Path) -> None:
    make_skill(tmp_path, "tidy")
    (tmp_path / "skills" / ".bundled_manifest").write_text("tidy:\n")
    (tmp_path / "skills" / ".curator_suppressed").write_text("other")
    put_away(tmp_path / "skills", first(tmp_path), NOW)
    assert (tmp_path / "skills" / ".curator_suppressed").read_text() == "other\ntidy\n"


def test_only_the_homes_own_folders_are_put_away(tmp_path: Path) -> None:
    make_skill(tmp_path / "shared", "team")
    make_skill(tmp_path, "got")
    make_skill(tmp_path, ".", name="all")
    (tmp_path / "config.yaml").write_text("skills:\n  external_dirs: [shared/skills]\n")
    write_lock(tmp_path, got=hub_record("got"))
    problems = [put_away_problem(each) for each in listed(tmp_path).skills]
    for words, problem in zip(("no folder of its own", "from the hub", "of the home itself"), problems, strict=True):
        assert words in problem
    with pytest.raises(RestoreRefused):
        put_away(tmp_path / "skills", first(tmp_path), NOW)


def test_when_its_record_cannot_be_written_a_skill_stays_where_it_is(tmp_path: Path) -> None:
    make_skill(tmp_path, "tidy")
    (tmp_path / "skills" / USAGE_FILE).write_text("[]")
    with pytest.raises(UsageRefused):
        put_away(tmp_path / "skills", first(tmp_path), NOW)
    assert first(tmp_path).relative == "tidy"
