"""The listing as a whole: one name twice, switched off, for other systems, keys, and noticing change unread."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.hermes.config import SkillsConfig
from memoryhub.hermes.home import resolve_home
from skills_app.library import RESERVED, Root, RootKind, glance, roots_of, signature_of
from skills_app.library.keys import key_of, longer_key
from tests.skills_app.builders import codes, library_of, listed, make_skill, only


def test_folder_and_header_name_may_differ_and_both_are_known(tmp_path: Path) -> None:
    make_skill(tmp_path, "folder-a", name="beta")
    skill = only(tmp_path)
    assert (skill.name, skill.header_name, skill.folder_name, skill.key) == ("beta", "beta", "folder-a", "folder-a")
    assert codes(skill) == ["name_differs"]
    listing = listed(tmp_path)
    assert listing.named("beta") == listing.named("folder-a") == (skill,)


def test_of_one_name_the_first_is_loaded_and_the_others_say_so(tmp_path: Path) -> None:
    for where in ("cat2/twin", "cat1/twin", "cat3/other"):
        make_skill(tmp_path, where, name="twin")
    found = {each.relative: (each.loaded, codes(each)[-1]) for each in listed(tmp_path).skills}
    assert found == {
        "cat1/twin": (True, "same_name"),
        "cat2/twin": (False, "duplicate"),
        "cat3/other": (False, "duplicate"),
    }


def test_one_that_cannot_be_loaded_stands_in_nobodys_way(tmp_path: Path) -> None:
    make_skill(tmp_path, "a", name="twin", header="platforms: [macos]\n")
    make_skill(tmp_path, "b", raw=b"---\nname: twin\ndescription: 42\n---\nx\n")
    make_skill(tmp_path, "c", name="twin")
    assert [each.loaded for each in listed(tmp_path).skills] == [False, False, True]
    assert [each.loaded for each in listed(tmp_path, system="darwin").skills] == [True, False, False]


def test_the_agents_order_is_by_the_whole_path(tmp_path: Path) -> None:
    for where in ("a-b/twin", "a/twin", "a.c/twin"):
        make_skill(tmp_path, where)
    assert [each.relative for each in listed(tmp_path).skills] == ["a-b/twin", "a.c/twin", "a/twin"]


def test_switched_off_skills_are_listed_as_such(tmp_path: Path) -> None:
    make_skill(tmp_path, "folder", name="tidy")
    (tmp_path / "config.yaml").write_text(
        "skills:\n  disabled: [tidy]\n  platform_disabled: {telegram: [tidy, x], cli: []}\n"
    )
    skill = only(tmp_path)
    assert (skill.is_disabled, skill.disabled_on, skill.loaded) == (True, ("telegram",), False)
    (tmp_path / "config.yaml").write_text("skills:\n  disabled: [folder]\n")
    assert not only(tmp_path).is_disabled


def test_what_the_header_says_is_at_hand(tmp_path: Path) -> None:
    header = "version: 1.2\nlicense: MIT\nauthor: me\nrelated_skills: [a]\nplatforms: [linux]\n"
    make_skill(tmp_path, "tidy", header=header)
    skill = only(tmp_path)
    assert (skill.version, skill.license, skill.author, skill.related_skills) == ("1.2", "MIT", "me", ("a",))
    assert skill.platforms == ("linux",)
    assert skill.header_text.startswith("name: tidy\ndescription: Helps with a task\nversion: 1.2")


ROOT = Root(RootKind.HOME, Path("/h"), Path("/h"), "home")
ELSEWHERE = Root(RootKind.EXTERNAL, Path("/e"), Path("/e"), "shared.1a2b3c")


@pytest.mark.parametrize(
    ("root", "relative", "key"),
    [
        (ROOT, "tidy", "tidy"),
        (ROOT, "devops/deploy", "devops~deploy"),
        (ROOT, "Tidy_2.0", "Tidy_2.0"),
        (ELSEWHERE, "team", "team@shared.1a2b3c"),
    ],
)
def test_a_usual_folder_is_its_own_key(root: Root, relative: str, key: str) -> None:
    assert key_of(root, relative) == key


@pytest.mark.parametrize(
    "relative",
    ["rules", "a b", "é", "..", "a/../b", "-x", "x" * 300, "a\nb", "a~b", "a@home", "%2e", "?", "#", ".", ""],
)
def test_any_other_gets_a_digest_and_stays_safe_in_an_address(relative: str) -> None:
    key = key_of(ROOT, relative)
    assert "~~" in key
    assert set(key) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-~@")
    assert key.partition("~~")[0] not in ("", ".", "..")
    assert key not in RESERVED


@given(st.lists(st.text(st.characters(exclude_characters="\0"), min_size=1, max_size=12), min_size=2, max_size=8))
def test_different_folders_have_different_keys(folders: list[str]) -> None:
    names = sorted(set(folders))
    for root in (ROOT, ELSEWHERE):
        assert len({key_of(root, name) for name in names}) == len(names)
        assert len({longer_key(root, name) for name in names}) == len(names)


def test_a_folder_named_like_another_ones_key_gets_a_longer_one(tmp_path: Path) -> None:
    make_skill(tmp_path, "a b")
    (first,) = listed(tmp_path).skills
    make_skill(tmp_path, first.key)
    keys = {each.key for each in listed(tmp_path).skills}
    assert len(keys) == 2
    assert first.key in keys


def test_a_key_is_looked_up_and_never_a_path(tmp_path: Path) -> None:
    make_skill(tmp_path, "tidy")
    make_skill(tmp_path, ".archive/old")
    listing = listed(tmp_path)
    assert listing.find("tidy") is listing.skills[0]
    assert listing.find("old@archive") is listing.archived[0]
    assert listing.find("../tidy") is None


def test_a_skill_stays_the_same_until_one_of_its_files_changes(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "tidy", files={"scripts/x.txt": "echo a"})
    home = resolve_home(tmp_path, {})
    roots = roots_of(home, SkillsConfig(), {})

    def looks() -> tuple[str, str, str]:
        listing = library_of(tmp_path)
        return listing.skills[0].signature, signature_of(listing), glance(roots, [home.config_file])

    seen = [looks()]
    assert looks() == seen[0]
    (folder / "scripts" / "x.txt").rename(folder / "scripts" / "x.sh")
    seen.append(looks())
    before = (folder / "scripts" / "x.sh").stat()
    (folder / "scripts" / "x.sh").write_text("echo b")
    os.utime(folder / "scripts" / "x.sh", ns=(before.st_atime_ns, before.st_mtime_ns))
    seen.append(looks())
    (folder / "scripts" / "x.sh").chmod(0o755)
    seen.append(looks())
    (folder / "link").symlink_to("SKILL.md")
    seen.append(looks())
    for each in zip(*seen, strict=True):
        assert len(set(each)) == len(seen)


def test_a_skill_file_that_changed_within_the_same_moment_is_read_again(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "tidy", description="first")
    stamp = (folder / "SKILL.md").stat()
    assert only(tmp_path).description == "first"
    (folder / "SKILL.md").write_text((folder / "SKILL.md").read_text().replace("first", "secnd"))
    os.utime(folder / "SKILL.md", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert only(tmp_path).description == "secnd"


def test_times_that_no_calendar_holds_are_no_times(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "tidy")
    os.utime(folder / "SKILL.md", (0, 0))
    assert only(tmp_path).last_changed is None
    os.utime(folder / "SKILL.md", (1.7e9, 1.7e9))
    assert only(tmp_path).last_changed.timestamp() == 1.7e9  # type: ignore[union-attr]
