"""Planned changes made real: all of them or none, nothing behind a link, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memoryhub.hermes import files
from memoryhub.hermes.home import Home
from skills_app.writing import commit, plan, usage
from skills_app.writing.model import SkillChange, SkillWrite, WriteRefused
from skills_app.writing.shelf import Shelf, read_usage
from tests.skills_app.staged import document, make_skill


@pytest.fixture
def deploy(home: Home) -> Path:
    folder = make_skill(home.path, "ops/deploy", references__hosts_md="alpha\n", scripts__run_sh="echo\n")
    (folder / "scripts" / "run.sh").chmod(0o755)
    return folder


def planned(home: Home, *writes: SkillWrite) -> tuple[SkillChange, ...]:
    return plan.plan(Shelf.of([home.skills]), writes)


def write(action: str, name: str = "deploy", **call: Any) -> SkillWrite:
    return SkillWrite(action, name, **call)


def tree(home: Home) -> dict[str, tuple[bytes, int]]:
    every = (p for p in home.skills.rglob("*") if p.is_file())
    return {p.relative_to(home.skills).as_posix(): (p.read_bytes(), p.stat().st_mode & 0o777) for p in every}


WRITES: Sequence[tuple[SkillWrite, ...]] = (
    (write("create", "fresh", content=document("fresh"), category="new"),),
    (write("edit", content=document("deploy", "New.\n")),),
    (write("write_file", file_path="scripts/a/b.sh", file_content="x"),),
    (write("write_file", file_path="scripts/run.sh", file_content="x"),),
    (write("remove_file", file_path="references/hosts.md"),),
    (write("remove_file", file_path="SKILL.md"),),
    (write("delete"),),
    (
        write("create", "fresh", content=document("fresh")),
        write("patch", old_string="Do this.", new_string="x"),
        write("remove_file", file_path="scripts/run.sh"),
    ),
)


@pytest.mark.parametrize("writes", WRITES, ids=lambda writes: " ".join(w.action for w in writes))
def test_what_was_planned_stands_on_disk_and_can_be_taken_back_to_the_byte(
    home: Home, deploy: Path, writes: tuple[SkillWrite, ...]
) -> None:
    before = tree(home)
    changes = planned(home, *writes)
    assert all(commit.is_unmade(change) for change in changes)
    commit.commit(changes)
    assert all(commit.is_made(change) and commit.holds(change.folder, change.after) for change in changes)
    assert commit.revert(changes) == ()
    assert tree(home) == before


def test_a_deleted_skill_leaves_nothing_behind_and_its_empty_category_goes(home: Home, deploy: Path) -> None:
    (deploy / ".SKILL.md.tmp.x1").write_text("half")
    commit.commit(planned(home, write("delete")))
    assert list(home.skills.iterdir()) == []


def test_a_mode_is_kept_when_a_file_is_overwritten(home: Home, deploy: Path) -> None:
    commit.commit(planned(home, write("write_file", file_path="scripts/run.sh", file_content="x")))
    assert (deploy / "scripts" / "run.sh").stat().st_mode & 0o777 == 0o755


def test_a_deleted_skill_comes_back_with_its_links_and_modes(home: Home, deploy: Path) -> None:
    (deploy / "assets").mkdir()
    (deploy / "assets" / "run").symlink_to("../scripts/run.sh")
    before, changes = tree(home), planned(home, write("delete"))
    commit.commit(changes)
    assert not deploy.exists()
    commit.revert(changes)
    assert tree(home) == before
    assert str((deploy / "assets" / "run").readlink()) == "../scripts/run.sh"


def test_a_skill_that_was_changed_meanwhile_is_not_written(home: Home, deploy: Path) -> None:
    changes = planned(home, write("edit", content=document("deploy", "New.\n")))
    (deploy / "references" / "hosts.md").write_text("other\n")
    before = tree(home)
    with pytest.raises(commit.TargetChanged):
        commit.commit(changes)
    assert tree(home) == before


def test_when_one_change_fails_those_before_it_are_taken_back(home: Home, deploy: Path) -> None:
    no_name = f"scripts/{'x' * 300}"  # more than a file system takes
    changes = planned(
        home,
        write("create", "fresh", content=document("fresh")),
        write("edit", content=document("deploy", "New.\n")),
        write("write_file", file_path=no_name, file_content="x"),
    )
    before = tree(home)
    with pytest.raises(files.FileProblem):
        commit.commit(changes)
    assert tree(home) == before
    assert not (home.skills / "fresh").exists()


def test_a_file_in_the_way_takes_everything_back(home: Home, deploy: Path) -> None:
    changes = planned(
        home, write("edit", content=document("deploy", "New.\n")), write("create", "fresh", content=document("fresh"))
    )
    before = tree(home)
    (home.skills / "fresh").write_text("in the way")
    with pytest.raises(WriteRefused):
        commit.commit(changes)
    (home.skills / "fresh").unlink()
    assert tree(home) == before


def test_a_folder_that_became_a_link_is_not_written_through(home: Home, deploy: Path, tmp_path: Path) -> None:
    changes = planned(home, write("write_file", file_path="assets/new.md", file_content="x"))
    (tmp_path / "outside").mkdir()
    (deploy / "assets").symlink_to(tmp_path / "outside")
    with pytest.raises(WriteRefused):
        commit.commit(changes)
    assert list((tmp_path / "outside").iterdir()) == []


def test_taking_back_leaves_what_others_wrote_since(home: Home, deploy: Path) -> None:
    changes = planned(
        home,
        write("edit", content=document("deploy", "New.\n")),
        write("write_file", file_path="scripts/run.sh", file_content="x"),
    )
    commit.commit(changes)
    (deploy / "scripts" / "run.sh").write_text("theirs")
    assert commit.revert(changes) == ("deploy/scripts/run.sh",)
    assert (deploy / "scripts" / "run.sh").read_text() == "theirs"
    assert (deploy / "SKILL.md").read_text() == document("deploy")


@pytest.mark.parametrize("stopped_after", [0, 1, 2, 3])
def test_a_change_that_was_made_in_part_can_be_taken_back(home: Home, deploy: Path, stopped_after: int) -> None:
    before, changes = tree(home), planned(home, write("delete"))
    gone = [deploy / "SKILL.md", deploy / "references" / "hosts.md", deploy / "scripts" / "run.sh"]
    for path in gone[:stopped_after]:
        path.unlink()
    assert commit.revert(changes) == ()
    assert tree(home) == before


def test_usage_is_noted_as_hermes_notes_it_and_unknown_keys_stay(home: Home, deploy: Path) -> None:
    (home.skills / ".usage.json").write_text('{"deploy": {"patch_count": 2, "mine": "kept"}, "odd": 5}')
    assert usage.record_write(home.skills, write("edit"), by_agent=False)
    assert usage.record_write(home.skills, write("create", "fresh"), by_agent=True)
    known = read_usage(home.skills)
    assert (known["deploy"]["patch_count"], known["deploy"]["mine"], known["odd"]) == (3, "kept", 5)
    assert known["fresh"]["created_by"] == "agent"
    usage.record_write(home.skills, write("delete"), by_agent=False)
    assert set(read_usage(home.skills)) == {"fresh", "odd"}


def test_a_damaged_usage_record_is_left_as_it_is(home: Home, deploy: Path) -> None:
    (home.skills / ".usage.json").write_text("{ half")
    assert not usage.record_write(home.skills, write("edit"), by_agent=False)
    assert (home.skills / ".usage.json").read_text() == "{ half"
