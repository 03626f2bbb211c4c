"""What skill writes would do, seen without a byte being written. The table against the real Hermes is in interop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memoryhub.hermes.home import Home
from skills_app.pending import skill_effect
from skills_app.pending.skill_effect import NESTED, OUTSIDE, PINNED, UNCHECKED, VANISHES, SkillEffect
from skills_app.writing import plan
from skills_app.writing.model import FileKind, SkillWrite, WriteRefused
from skills_app.writing.shelf import Shelf
from tests.skills_app.staged import document, make_skill


@pytest.fixture
def deploy(home: Home) -> Path:
    return make_skill(home.path, "deploy", references__hosts_md="alpha\nbeta\n")


def write(action: str, name: str = "deploy", **call: Any) -> SkillWrite:
    return SkillWrite(action, name, **call)


def effect(home: Home, *writes: SkillWrite, roots: tuple[Path, ...] = ()) -> SkillEffect:
    before = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in home.path.rglob("*") if p.is_file()}
    found = skill_effect.preview(Shelf.of([home.skills, *roots]), writes)
    assert {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in home.path.rglob("*") if p.is_file()} == before
    return found


def code(found: SkillEffect) -> str:
    assert found.refusal is not None
    return found.refusal.code


def test_a_new_skill_is_shown_whole(home: Home) -> None:
    found = effect(home, write("create", "fresh", content=document("fresh"), category="ops"))
    (change,) = found.changes
    assert (change.before, change.folder) == (None, home.skills / "ops" / "fresh")
    assert found.after == {"fresh": {"SKILL.md": document("fresh").encode()}}
    assert [(f.path, f.kind) for f in change.files] == [("SKILL.md", FileKind.ADDED)]


def test_a_change_shows_the_whole_skill_as_it_would_be(home: Home, deploy: Path) -> None:
    found = effect(home, write("patch", old_string="Do this.", new_string="Do it."))
    assert set(found.after["deploy"]) == {"SKILL.md", "references/hosts.md"}
    ((_, file),) = found.files
    assert (file.kind, file.before, file.after) == (
        FileKind.CHANGED,
        document("deploy").encode(),
        document("deploy", "Do it.\nThen that.\n").encode(),
    )


def test_a_delete_shows_all_that_is_lost(home: Home, deploy: Path) -> None:
    (change,) = effect(home, write("delete")).changes
    assert change.is_delete
    assert {f.path: f.before for f in change.lost} == {
        "SKILL.md": document("deploy").encode(),
        "references/hosts.md": b"alpha\nbeta\n",
    }


def test_a_batch_is_planned_step_on_step_and_fails_as_one(home: Home, deploy: Path) -> None:
    steps = (
        write("create", "fresh", content=document("fresh")),
        write("write_file", "fresh", file_path="scripts/a.sh", file_content="echo\n"),
        write("delete", absorbed_into="fresh"),
    )
    found = effect(home, *steps)
    assert {change.name: change.is_delete for change in found.changes} == {"fresh": False, "deploy": True}
    refused = effect(home, *steps, write("edit", content=document("deploy")))
    assert (code(refused), refused.changes) == ("no_skill", ())
    assert refused.refusal is not None
    assert refused.refusal.step == 4


def test_an_edit_to_the_same_text_changes_nothing(home: Home, deploy: Path) -> None:
    found = effect(home, write("edit", content=document("deploy")))
    assert (found.changes, found.refusal) == ((), None)


@pytest.mark.parametrize(
    "path",
    ["../../.env", "references/../../../.env", "/etc/passwd", "..", "scripts/..", "../deploy/SKILL.md"],
)
def test_a_path_that_leaves_the_skill_is_refused_and_nothing_outside_is_shown(
    home: Home, deploy: Path, path: str
) -> None:
    (home.path / ".env").write_text("SECRET=marker-value-outside\n")
    for found in (
        effect(home, write("write_file", file_path=path, file_content="x")),
        effect(home, write("patch", file_path=path, old_string="marker", new_string="x")),
        effect(home, write("remove_file", file_path=path)),
    ):
        assert code(found) == "path_leaves"
        assert "marker-value" not in repr(found)


@pytest.mark.parametrize("path", ["references/link/x", "references/link", "assets/out.md"])
def test_nothing_is_read_or_written_through_a_link(home: Home, deploy: Path, tmp_path: Path, path: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x").write_text("marker-value")
    (deploy / "references" / "link").symlink_to(outside)
    (deploy / "assets").mkdir()
    (deploy / "assets" / "out.md").symlink_to(outside / "x")
    for found in (
        effect(home, write("write_file", file_path=path, file_content="x")),
        effect(home, write("patch", file_path=path, old_string="marker", new_string="x")),
        effect(home, write("remove_file", file_path=path)),
    ):
        assert code(found) == "link"
        assert "marker-value" not in repr(found)


def test_a_skill_that_is_a_link_is_not_found(home: Home, tmp_path: Path) -> None:
    make_skill(tmp_path / "other", "deploy")
    home.skills.mkdir()
    (home.skills / "deploy").symlink_to(tmp_path / "other" / "skills" / "deploy")
    assert code(effect(home, write("delete"))) == "no_skill"


def test_a_category_that_leads_out_is_refused(home: Home, tmp_path: Path) -> None:
    home.skills.mkdir()
    (home.skills / "ops").symlink_to(tmp_path)
    assert code(effect(home, write("create", "fresh", content=document("fresh"), category="ops"))) == "path_leaves"


def test_two_skills_of_one_folder_name_are_not_guessed_between(home: Home, deploy: Path) -> None:
    make_skill(home.path, "ops/deploy")
    found = effect(home, write("delete"))
    assert code(found) == "two_skills"
    assert found.refusal is not None
    assert len(found.refusal.data["folders"]) == 2


def test_a_skill_of_another_root_is_found_and_said_to_be_outside(home: Home, tmp_path: Path) -> None:
    make_skill(tmp_path / "shared", "deploy")
    home.skills.mkdir()
    found = effect(home, write("delete"), roots=(tmp_path / "shared" / "skills",))
    assert OUTSIDE in found.notes
    assert code(effect(home, write("create", content=document("deploy")), roots=(tmp_path / "shared" / "skills",))) == (
        "name_taken"
    )


@pytest.mark.parametrize(
    ("call", "note"),
    [
        ({"action": "write_file", "file_path": "inner/SKILL.md", "file_content": "x"}, NESTED),
        ({"action": "write_file", "file_path": "SKILL.md", "file_content": "no header"}, UNCHECKED),
        ({"action": "remove_file", "file_path": "SKILL.md"}, VANISHES),
    ],
    ids=str,
)
def test_what_hermes_lets_pass_is_warned_of(home: Home, deploy: Path, call: dict[str, str], note: str) -> None:
    found = effect(home, SkillWrite(name="deploy", **call))  # type: ignore[arg-type]
    assert found.refusal is None
    assert note in found.notes


def test_a_pinned_skill_is_not_deleted_and_a_change_of_it_is_warned_of(home: Home, deploy: Path) -> None:
    (home.skills / ".usage.json").write_text('{"deploy": {"pinned": true}, "x": 5}')
    assert code(effect(home, write("delete"))) == "pinned"
    assert PINNED in effect(home, write("edit", content=document("deploy", "New.\n"))).notes


@pytest.mark.parametrize("text", ["{", "[]", "null", "", '{"deploy": [1]}'])
def test_a_damaged_usage_record_pins_nothing(home: Home, deploy: Path, text: str) -> None:
    (home.skills / ".usage.json").write_text(text)
    assert effect(home, write("delete")).refusal is None


def test_only_hermes_can_say_when_exact_matching_finds_nothing(home: Home, deploy: Path) -> None:
    assert effect(home, write("patch", old_string="Do  this.", new_string="x")).needs_hermes
    assert not effect(home, write("patch", old_string="th", new_string="x")).needs_hermes
    assert not effect(home, write("edit", "gone", content=document("gone"))).needs_hermes


def test_what_was_seen_changes_with_the_file_and_not_with_its_neighbours(home: Home, deploy: Path) -> None:
    change = write("patch", old_string="beta", new_string="gamma", file_path="references/hosts.md")
    seen = effect(home, change).seen
    (deploy / "SKILL.md").write_text(document("deploy", "Other.\n"))
    assert effect(home, change).seen == seen
    (deploy / "references" / "hosts.md").write_text("beta\n")
    assert effect(home, change).seen != seen


def test_temporary_files_of_writers_are_no_part_of_a_skill(home: Home, deploy: Path) -> None:
    for name in (".SKILL.md.tmp.abc", ".mem_mh-SKILL.md-1-2.tmp"):
        (deploy / name).write_text("half")
    assert set(Shelf.of([home.skills]).find("deploy").before.files) == {"SKILL.md", "references/hosts.md"}  # type: ignore[union-attr]


def test_skills_in_folders_that_hermes_passes_over_are_not_found(home: Home) -> None:
    make_skill(home.path, ".archive/deploy")
    make_skill(home.path, "other")
    make_skill(home.path, "other/references/deploy")
    assert Shelf.of([home.skills]).find("deploy") is None


def test_an_unknown_action_is_refused(home: Home) -> None:
    home.skills.mkdir()
    with pytest.raises(WriteRefused, match="no action"):
        plan.plan(Shelf.of([home.skills]), [write("publish")])
