"""What is a skill and what is not, on every kind of disk: nested, hidden, unreadable, lost."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from skills_app.library import FileKind
from skills_app.library.walk import find_skills
from tests.growth import assert_linear
from tests.skills_app.builders import codes, listed, make_skill, only


def places(home: Path) -> list[str]:
    return [each.relative for each in listed(home).skills]


def test_a_home_without_skills_has_an_empty_listing(tmp_path: Path) -> None:
    listing = listed(tmp_path)
    assert (listing.skills, listing.archived, listing.problems) == ((), (), ())


def test_skills_are_found_at_any_depth_with_their_category(tmp_path: Path) -> None:
    for where in ("plain", "devops/deploy", "devops/cloud/aws"):
        make_skill(tmp_path, where)
    found = {each.relative: each.category for each in listed(tmp_path).skills}
    assert found == {"plain": "", "devops/deploy": "devops", "devops/cloud/aws": "devops"}


def test_support_folders_of_a_skill_and_passed_over_folders_hold_no_skills(tmp_path: Path) -> None:
    make_skill(tmp_path, "host")
    for inner in ("references", "templates", "assets", "scripts", "node_modules", ".git", "venv", "__pycache__"):
        make_skill(tmp_path, f"host/{inner}/old")
    make_skill(tmp_path, ".hub/quarantine/bad")
    make_skill(tmp_path, "host/sub")
    make_skill(tmp_path, "host/examples/one")
    assert places(tmp_path) == ["host", "host/examples/one", "host/sub"]
    assert [codes(each) for each in listed(tmp_path).skills] == [[], ["nested"], ["nested"]]


def test_a_category_may_be_called_like_a_support_folder(tmp_path: Path) -> None:
    make_skill(tmp_path, "scripts/tidy")
    assert places(tmp_path) == ["scripts/tidy"]


def test_a_hidden_folder_is_loaded_by_the_agent_and_said_to_be(tmp_path: Path) -> None:
    make_skill(tmp_path, ".mine/tidy")
    skill = only(tmp_path)
    assert codes(skill) == ["hidden_folder"]
    assert skill.loaded


def test_a_copy_that_an_update_left_is_said_to_be_one(tmp_path: Path) -> None:
    make_skill(tmp_path, "tidy.bak", name="tidy")
    assert codes(only(tmp_path)) == ["name_differs", "left_over"]


def test_a_skill_file_in_the_skills_folder_itself(tmp_path: Path) -> None:
    make_skill(tmp_path, ".", name="all")
    make_skill(tmp_path, "tidy", files={"references/a.md": "a"})
    root, tidy = listed(tmp_path).skills
    assert (root.relative, root.name, codes(root)) == (".", "all", ["in_the_root"])
    assert [each.path for each in root.files] == ["SKILL.md"]
    assert codes(tidy) == ["nested"]


@pytest.mark.parametrize("name", ["skill.md", "Skill.md", "SKILL.MD"])
def test_other_letters_in_the_files_name_keep_it_out(tmp_path: Path, name: str) -> None:
    folder = make_skill(tmp_path, "tidy")
    (folder / "SKILL.md").rename(folder / name)
    skill = only(tmp_path)
    assert (codes(skill), skill.loaded, skill.skill_file) == (["skill_file_case"], False, name)
    assert skill.description == "Helps with a task"


def test_beside_a_real_one_another_spelling_is_just_a_file(tmp_path: Path) -> None:
    make_skill(tmp_path, "tidy", files={"skill.md": "x"})
    assert codes(only(tmp_path)) == []


def test_a_folder_that_lost_its_skill_file_is_listed_once(tmp_path: Path) -> None:
    (tmp_path / "skills" / "ghost" / "references" / "deep").mkdir(parents=True)
    (tmp_path / "skills" / "ghost" / "references" / "deep" / "notes.md").write_text("x")
    (tmp_path / "skills" / "empty").mkdir()
    make_skill(tmp_path, "group/tidy")
    (tmp_path / "skills" / "group" / "DESCRIPTION.md").write_text("about the group")
    (tmp_path / "skills" / "group" / "notes.txt").write_text("x")
    (tmp_path / "skills" / "group" / "scripts").mkdir()
    (tmp_path / "skills" / "group" / "scripts" / "a.sh").write_text("x")
    found = {each.relative: codes(each) for each in listed(tmp_path).skills}
    assert found == {"ghost": ["no_skill_file"], "group/tidy": []}


def as_folder(path: Path) -> None:
    path.mkdir()


def as_pipe(path: Path) -> None:
    os.mkfifo(path)


def as_link_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def as_link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def as_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))


@pytest.mark.parametrize("put", [as_folder, as_pipe, as_link_to_nothing, as_link_to_itself, as_socket])
def test_something_else_in_place_of_the_file(
    tmp_path: Path, put: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    folder = make_skill(tmp_path, "tidy")
    (folder / "SKILL.md").unlink()
    put(folder / "SKILL.md")
    skill = only(tmp_path)
    assert (codes(skill), skill.loaded) == (["not_a_file"], False)


@contextmanager
def another_account() -> Iterator[None]:
    """Permissions do not stop root: act as another account where we are root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_home() -> Iterator[Path]:
    """A home that other accounts can enter (tmp_path is ours alone)."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_what_may_not_be_opened_is_listed_beside_the_rest(open_home: Path) -> None:
    for name in ("open", "shut-file", "shut-folder"):
        make_skill(open_home, name, files={"references/a.md": "x"})
    (open_home / "skills" / "shut-file" / "SKILL.md").chmod(0)
    (open_home / "skills" / "open" / "references").chmod(0)
    (open_home / "skills" / "shut-folder").chmod(0)
    listed(open_home)  # imports what it needs: the other account may not read Python itself
    with another_account():
        found = {each.relative: each for each in listed(open_home).skills}
    for name in ("open/references", "shut-folder"):
        (open_home / "skills" / name).chmod(0o755)
    expected = {"open": [], "shut-file": ["unreadable"], "shut-folder": ["unreadable_folder"]}
    assert {name: codes(each) for name, each in found.items()} == expected
    assert [each.loaded for each in found.values()] == [True, False, False]
    assert [(each.path, each.kind) for each in found["open"].files][1] == ("references", FileKind.UNREADABLE)


def test_a_skills_folder_that_may_not_be_opened_is_a_sentence(open_home: Path) -> None:
    make_skill(open_home, "tidy")
    (open_home / "skills").chmod(0)
    with another_account():
        listing = listed(open_home)
    (open_home / "skills").chmod(0o755)
    assert listing.skills == ()
    assert any("cannot be opened" in each.sentence for each in listing.problems)


def test_names_that_are_no_text_are_listed(tmp_path: Path) -> None:
    make_skill(tmp_path, "good")
    folder = os.fsencode(tmp_path / "skills") + b"/caf\xe9 <b>\n"
    Path(os.fsdecode(folder)).mkdir()
    Path(os.fsdecode(folder + b"/SKILL.md")).write_text("---\nname: odd\ndescription: d\n---\nx\n")
    Path(os.fsdecode(folder + b"/n\xff.txt")).write_text("x")
    odd, good = sorted(listed(tmp_path).skills, key=lambda each: each.name == "good")
    assert good.name == "good"
    assert odd.folder_name == "caf\ufffd <b>\n"
    assert [each.shown for each in odd.files] == ["SKILL.md", "n?.txt"]
    for text in (odd.key, odd.name, odd.folder_name, *(each.sentence for each in odd.problems)):
        text.encode()
        assert "\n" not in text or text == odd.folder_name


def test_more_folders_than_are_looked_at_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skills_app.library.walk.MOST_FOLDERS", 3)
    for name in "abcde":
        make_skill(tmp_path, name)
    listing = listed(tmp_path)
    assert len(listing.skills) == 2
    assert [each.code for each in listing.problems] == ["too_many_folders"]


def test_the_walk_takes_as_long_as_there_are_skills(tmp_path: Path) -> None:
    def walking(size: int) -> Callable[[], object]:
        home = tmp_path / str(size)
        for number in range(size):
            make_skill(home, f"group/skill-{number}")
        return lambda: find_skills(home / "skills", [home / "skills"])

    assert_linear(walking, 60)
