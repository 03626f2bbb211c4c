"""Links among and inside skills: followed inside the skills folders, never out of them, and never round in circles."""

from __future__ import annotations

import os
from pathlib import Path

from skills_app.library import FileKind
from tests.skills_app.builders import codes, listed, make_skill, only


def places(home: Path) -> list[str]:
    return [each.relative for each in listed(home).skills]


def test_a_skill_file_that_is_a_link_inside_the_skills_folder_is_read(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "tidy")
    (folder / "SKILL.md").rename(folder / "TEXT.md")
    (folder / "SKILL.md").symlink_to("TEXT.md")
    skill = only(tmp_path)
    assert (skill.description, codes(skill)) == ("Helps with a task", [])


def test_a_skill_file_that_is_a_link_out_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("---\nname: secret\ndescription: the secret\n---\nx\n")
    folder = make_skill(tmp_path, "tidy")
    (folder / "SKILL.md").unlink()
    (folder / "SKILL.md").symlink_to("../../secret.md")
    skill = only(tmp_path)
    assert codes(skill) == ["skill_file_link_out"]
    assert "secret" not in skill.description + skill.header_text + str(skill.header)
    assert "../../secret.md" in skill.problems[0].sentence


def test_a_link_back_to_a_folder_above_ends_the_walk(tmp_path: Path) -> None:
    make_skill(tmp_path, "host")
    make_skill(tmp_path, "zoo")
    (tmp_path / "skills" / "host" / "loop").symlink_to("..")
    (tmp_path / "skills" / "round").symlink_to(".")
    listing = listed(tmp_path)
    assert {each.relative: (each.category, codes(each)) for each in listing.skills} == {
        "host": ("", ["link_loop"]),
        "zoo": ("", []),
    }
    assert [each.code for each in listing.problems] == ["link_loop"]


def test_links_that_lead_to_one_another_in_a_circle(tmp_path: Path) -> None:
    make_skill(tmp_path, "one")
    make_skill(tmp_path, "two")
    (tmp_path / "skills" / "one" / "other").symlink_to("../two")
    (tmp_path / "skills" / "two" / "other").symlink_to("../one")
    found = {each.relative: codes(each) for each in listed(tmp_path).skills}
    assert found == {"one": ["also_linked"], "two": ["also_linked"]}


def test_a_second_way_to_a_folder_lists_it_once_at_its_real_place(tmp_path: Path) -> None:
    make_skill(tmp_path, "zoo")
    (tmp_path / "skills" / "a-link").symlink_to("zoo")
    skill = only(tmp_path)
    assert (skill.relative, skill.aliases, codes(skill)) == ("zoo", ("a-link",), ["also_linked"])


def test_a_folder_that_links_out_is_listed_and_never_entered(tmp_path: Path) -> None:
    make_skill(tmp_path / "elsewhere", "mine", description="from elsewhere")
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "mine").symlink_to("../elsewhere/skills/mine")
    skill = only(tmp_path)
    assert (codes(skill), skill.files, skill.description) == (["link_out"], (), "")
    assert str(tmp_path / "elsewhere" / "skills" / "mine") in skill.problems[0].sentence


def test_a_skill_behind_a_link_out_takes_no_name_from_another(tmp_path: Path) -> None:
    make_skill(tmp_path / "elsewhere", "tidy", name="what-nobody-read")
    make_skill(tmp_path, "zone/tidy")
    (tmp_path / "skills" / "tidy").symlink_to("../elsewhere/skills/tidy")
    assert {each.relative: codes(each) for each in listed(tmp_path).skills} == {"tidy": ["link_out"], "zone/tidy": []}


def test_a_link_to_a_folder_that_config_names_is_listed_there(tmp_path: Path) -> None:
    make_skill(tmp_path / "elsewhere", "mine")
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "mine").symlink_to("../elsewhere/skills/mine")
    (tmp_path / "config.yaml").write_text("skills:\n  external_dirs: [elsewhere/skills]\n")
    found = {(each.root.kind, each.relative): codes(each) for each in listed(tmp_path).skills}
    assert found == {("external", "mine"): []}


def test_a_link_into_the_archive_brings_the_skill_back_for_the_agent(tmp_path: Path) -> None:
    make_skill(tmp_path, ".archive/old")
    (tmp_path / "skills" / "old").symlink_to(".archive/old")
    listing = listed(tmp_path)
    assert [each.relative for each in listing.skills] == ["old"]
    assert listing.skills[0].loaded


def test_a_broken_link_among_the_skills_is_named(tmp_path: Path) -> None:
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "gone").symlink_to("../nowhere")
    skill = only(tmp_path)
    assert (codes(skill), skill.loaded) == (["broken_link"], False)


def test_a_link_to_a_plain_file_among_the_skills_is_none(tmp_path: Path) -> None:
    make_skill(tmp_path, "tidy")
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "skills" / "notes").symlink_to("../notes.txt")
    assert places(tmp_path) == ["tidy"]


def test_links_inside_a_skill_are_files_of_their_kind(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "linky", files={"references/real.md": "x"})
    (tmp_path / "outside").mkdir()
    (folder / "references" / "alias.md").symlink_to("real.md")
    (folder / "references" / "out.md").symlink_to("/etc/hostname")
    (folder / "data").symlink_to("../../outside")
    (folder / "gone").symlink_to("nowhere")
    (folder / "a").symlink_to("b")
    (folder / "b").symlink_to("a")
    (folder / "up").symlink_to("..")
    os.mkfifo(folder / "pipe")
    kinds = {each.path: each.kind for each in only(tmp_path).files}
    assert kinds == {
        "SKILL.md": FileKind.FILE,
        "a": FileKind.LOOP,
        "b": FileKind.LOOP,
        "data": FileKind.LINK_OUT,
        "gone": FileKind.BROKEN_LINK,
        "pipe": FileKind.OTHER,
        "references/alias.md": FileKind.LINK,
        "references/out.md": FileKind.LINK_OUT,
        "references/real.md": FileKind.FILE,
        "up": FileKind.LOOP,
    }


def test_a_sibling_whose_name_only_begins_alike_is_outside(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "linky")
    (tmp_path / "skills-private").mkdir()
    (tmp_path / "skills-private" / "secret.txt").write_text("x")
    (folder / "notes.txt").symlink_to("../../skills-private/secret.txt")
    assert only(tmp_path).files[1].kind is FileKind.LINK_OUT
