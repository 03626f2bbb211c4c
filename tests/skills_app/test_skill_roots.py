"""Which folders hold skills: the home's, those that config.yaml names, trusted projects', and the archive."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skills_app.library import RootKind
from tests.skills_app.builders import codes, listed, make_skill


def kinds(home: Path, **options: dict[str, str]) -> list[tuple[str, str]]:
    return [(each.root.kind.value, each.relative) for each in listed(home, **options).skills]  # type: ignore[arg-type]


def test_external_folders_are_listed_after_the_home_and_never_written(tmp_path: Path) -> None:
    make_skill(tmp_path, "mine")
    make_skill(tmp_path / "shared", "team")
    make_skill(tmp_path / "shared", "mine", description="external copy")
    (tmp_path / "config.yaml").write_text("skills:\n  external_dirs: [shared/skills, does-not-exist]\n")
    listing = listed(tmp_path)
    mine, copy, team = listing.skills
    assert (mine.root.kind, mine.loaded, mine.is_read_only, codes(mine)) == (RootKind.HOME, True, False, ["same_name"])
    assert (copy.loaded, copy.is_read_only, codes(copy)) == (False, True, ["duplicate"])
    assert "Not loaded: mine has the same name" in copy.problems[0].sentence
    assert (team.loaded, team.is_read_only) == (True, True)
    (missing,) = listing.problems
    assert "does-not-exist does not exist" in missing.sentence
    assert "skills.external_dirs" in missing.advice


@pytest.mark.parametrize(
    "written",
    ["~/shared/skills", "${HERMES_HOME}/../shared/skills", "$WHERE/skills", "../shared/skills", "{absolute}"],
)
def test_a_folder_may_be_written_in_many_ways(tmp_path: Path, written: str) -> None:
    home = tmp_path / "hermes"
    make_skill(tmp_path / "shared", "team")
    home.mkdir()
    text = written.replace("{absolute}", str(tmp_path / "shared" / "skills"))
    (home / "config.yaml").write_text(f"skills:\n  external_dirs: {text}\n")
    environ = {"HOME": str(tmp_path), "WHERE": str(tmp_path / "shared")}
    assert kinds(home, environ=environ) == [("external", "team")]


def test_a_variable_that_is_not_set_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("skills:\n  external_dirs: ['$NOWHERE/skills']\n")
    assert "$NOWHERE/skills does not exist" in listed(tmp_path).problems[0].sentence


def test_a_folder_named_twice_or_the_home_itself_counts_once(tmp_path: Path) -> None:
    make_skill(tmp_path, "mine")
    make_skill(tmp_path / "shared", "team")
    (tmp_path / "link").symlink_to("shared/skills")
    (tmp_path / "config.yaml").write_text("skills:\n  external_dirs: [skills, shared/skills, link, ./skills/]\n")
    assert kinds(tmp_path) == [("home", "mine"), ("external", "team")]


def test_a_folder_inside_the_home_is_listed_as_external_only(tmp_path: Path) -> None:
    make_skill(tmp_path, "mine")
    make_skill(tmp_path, "team/theirs")
    (tmp_path / "config.yaml").write_text("skills:\n  external_dirs: [skills/team]\n")
    assert kinds(tmp_path) == [("home", "mine"), ("external", "theirs")]


def test_a_file_or_a_closed_folder_in_its_place_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "config.yaml").write_text('skills:\n  external_dirs: [file, pipe, "a\\0b", 7, [x], null]\n')
    sentences = [each.sentence for each in listed(tmp_path).problems]
    assert len(sentences) == 4
    assert "is not a folder" in sentences[0]
    assert "is not a folder" in sentences[1]


def test_new_skills_of_newer_agents_lie_where_config_says(tmp_path: Path) -> None:
    make_skill(tmp_path / "brain", "made")
    (tmp_path / "config.yaml").write_text("skills:\n  create_dir: brain/skills\n")
    assert kinds(tmp_path) == [("external", "made")]


def test_skills_of_trusted_projects_are_listed_and_stand_in_nobodys_way(tmp_path: Path) -> None:
    make_skill(tmp_path, "tidy")
    project = tmp_path / "repo"
    make_skill(project, project / ".hermes" / "skills" / "tidy", description="for this repo")  # type: ignore[arg-type]
    make_skill(project, project / ".agents" / "skills" / "other")  # type: ignore[arg-type]
    config = tmp_path / "config.yaml"
    config.write_text(f"skills:\n  trusted_project_dirs: [{project}, relative, {tmp_path / 'gone'}]\n")
    listing = listed(tmp_path)
    assert [(each.root.kind, each.name, each.loaded, codes(each)) for each in listing.skills] == [
        (RootKind.PROJECT, "tidy", True, []),
        (RootKind.PROJECT, "other", True, []),
        (RootKind.HOME, "tidy", True, []),
    ]
    assert listing.problems == ()
    config.write_text(f"skills:\n  project_discovery: false\n  trusted_project_dirs: [{project}]\n")
    assert kinds(tmp_path) == [("home", "tidy")]


def test_projects_that_nobody_trusts_are_not_looked_into(tmp_path: Path) -> None:
    make_skill(tmp_path, tmp_path / ".hermes" / "skills" / "stray")  # type: ignore[arg-type]
    assert kinds(tmp_path) == []


def test_archived_skills_have_a_list_of_their_own(tmp_path: Path) -> None:
    make_skill(tmp_path, "kept")
    make_skill(tmp_path, ".archive/old")
    make_skill(tmp_path, ".archive/old-20260102030405", name="old")
    make_skill(tmp_path, ".archive/group/older")
    make_skill(tmp_path, ".archive/old/inner")
    listing = listed(tmp_path)
    assert [each.relative for each in listing.skills] == ["kept"]
    assert [each.relative for each in listing.archived] == ["group/older", "old-20260102030405", "old"]
    assert {each.state for each in listing.archived} == {"archived"}
    assert not any(each.loaded for each in listing.archived)
