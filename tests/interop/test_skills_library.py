"""Our listing beside the real Hermes': the same skills and names, the same digests, records and ways back."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryhub.hermes.config_edit import set_disabled
from skills_app.guard.model import Tier
from skills_app.library import (
    Skill,
    hermes_digests,
    mark_agent_created,
    read_records,
    restore,
    set_pinned,
    set_state,
    shipped_md5,
    trust_of,
)
from skills_app.library.usage import USAGE_FILE
from tests.interop.hermes import Hermes, running
from tests.skills_app.builders import hub_record, listed, make_skill, write_json, write_lock

pytestmark = pytest.mark.interop

DRIVER = Path(__file__).with_name("skills_driver.py")


@pytest.fixture(scope="module")
def hermes(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Hermes, Path]]:
    home = tmp_path_factory.mktemp("hermes")
    with running(hermes_python, home, DRIVER) as asked:
        assert asked.ask("home") == {"home": str(home)}
        yield asked, home


@pytest.fixture
def empty(hermes: tuple[Hermes, Path]) -> tuple[Hermes, Path]:
    """The real Hermes and its home, with nothing in it."""
    clear(hermes[1])
    return hermes


def clear(home: Path) -> None:
    for each in home.iterdir():
        shutil.rmtree(each) if each.is_dir() and not each.is_symlink() else each.unlink()
    (home / "skills").mkdir()


def assert_same(asked: Hermes, home: Path) -> None:
    """Hermes lists the skills that we call loaded, in the order and with the categories and descriptions we show."""
    theirs = asked.ask("skills")
    assert "error" not in theirs, theirs
    ours = listed(home, environ={"HOME": str(home), "HERMES_HOME": str(home)}).skills
    loaded = [each for each in ours if each.loaded]
    assert [each.name for each in loaded] == theirs["listed"]
    every = {each.name: each for each in ours if not any(problem.keeps_out for problem in each.problems)}
    assert set(every) == {name for name, _, _ in theirs["found"]}
    for name, description, category in theirs["found"]:
        skill = every[name]
        assert (skill.category or None) == category
        if skill.description and not {"description_too_long", "header_beyond_reach"} & {p.code for p in skill.problems}:
            assert skill.description == description.strip()


HEADERS = (
    "name: {name}\ndescription: Does a thing\n",
    "name: {name}\ndescription: Does a thing\nplatforms: [linux, macos]\n",
    "name: {name}\ndescription: Only there\nplatforms: [macos]\n",
    "name: {name}\ndescription: Only there\nplatforms: windows\n",
    "name: {name}\n",
    "description: without a name\n",
    "name: 2048\ndescription: d\n",
    "name: yes\ndescription: d\n",
    "name: 2026-01-05\ndescription: d\n",
    "name:\ndescription: d\n",
    "name: {name}\ndescription: 42\n",
    "name: {name}\ndescription: true\n",
    "name: {name}\ndescription: 0\n",
    "name: {name}\ndescription: a: b: c\n",
    "name: '{name}'\ndescription: \"quoted: text\"\n",
    "name: {name}\nname: {name}-again\ndescription: d\n",
    "name: {name}\n\tdescription: tab\n",
    "- a\n- list\n",
    "just words\n",
    "",
    "name: " + "n" * 80 + "\ndescription: d\n",
    "name: {name}\ndescription: " + "d" * 1500 + "\n",
    "name: {name}\ndescription: d\nnote: " + "x" * 4100 + "\n",
    "name: Some Words {name}\ndescription: d\n",
    "name: {name}\ndescription: !!python/object/apply:os.getcwd []\n",
    "name: {name}\ndescription: d\na: &a [x, x]\nb: [*a, *a]\n",
    "name: {name}\ndescription: >-\n  folded\n  text\n",
    "name: [a, b]\ndescription: d\n",
    "name: {{a: b}}\ndescription: d\n",
    "name: {name}\ndescription: é “ü” 日本\n",
)
FRAMES = (
    "---\n{header}---\n\n# Body\n\nProse.\n",
    "---\r\n{header}---\r\n\r\n# Body\r\n",
    "\ufeff---\n{header}---\nProse.\n",
    "\n---\n{header}---\nProse.\n",
    "---\n{header}# never closed\n",
    "---\n{header}---",
    "--- \n{header}---  \nProse.\n",
    "---\n{header}---\n",
    "# Heading\n\nProse first.\n",
    "---\n{header}\n----\nProse.\n",
)
ENCODINGS = ("utf-8",) * 8 + ("utf-16", "cp1252")
FOLDERS = ("", "", "devops/", "devops/cloud/", "zeta/", ".hidden/", "references/", "tidy-1/", "tidy-2/sub/")
PLACES = st.tuples(st.sampled_from(FOLDERS), st.sampled_from(["tidy-1", "tidy-2", "a.b", "A", "a-b", "x.bak"]))
TEXTS = st.tuples(st.sampled_from(HEADERS), st.sampled_from(FRAMES[:1] * 6 + FRAMES), st.sampled_from(ENCODINGS))


def written(header: str, frame: str, encoding: str, name: str) -> bytes:
    return frame.format(header=header.format(name=name)).encode(encoding, "replace")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    library=st.dictionaries(PLACES, TEXTS, max_size=14),
    other=st.dictionaries(PLACES, TEXTS, max_size=4),
    data=st.data(),
)
def test_a_generated_library_is_listed_alike(
    empty: tuple[Hermes, Path], library: dict[Any, Any], other: dict[Any, Any], data: st.DataObject
) -> None:
    asked, home = empty
    clear(home)
    for (folder, name), text in library.items():
        make_skill(home, f"{folder}{name}", raw=written(*text, name))
    for (folder, name), text in other.items():
        make_skill(home / "shared", f"{folder}{name}", raw=written(*text, name))
    off = data.draw(st.lists(st.sampled_from(["tidy-1", "tidy-2", "a.b", "2048"]), max_size=2))
    (home / "config.yaml").write_text(
        f"skills:\n  external_dirs: [shared/skills, nowhere]\n  disabled: [{', '.join(off)}]\n"
    )
    assert_same(asked, home)


def test_every_kind_of_header_is_listed_alike(empty: tuple[Hermes, Path]) -> None:
    asked, home = empty
    for number, header in enumerate(HEADERS):
        for frame_number, frame in enumerate(FRAMES):
            for encoding in sorted(set(ENCODINGS)):
                name = f"s-{number:02}-{frame_number}-{encoding}"
                make_skill(home, name, raw=written(header, frame, encoding, name))
    assert_same(asked, home)


def test_places_that_hold_no_skills_are_passed_over_alike(empty: tuple[Hermes, Path]) -> None:
    asked, home = empty
    make_skill(home, "host")
    for inner in ("references", "templates", "assets", "scripts", "examples", "docs", ".git", "node_modules", "venv"):
        make_skill(home, f"host/{inner}", name=f"in-{inner.strip('.')}")
        make_skill(home, f"{inner}/other", name=f"under-{inner.strip('.')}")
    make_skill(home, ".archive/old")
    make_skill(home, ".hub/quarantine/new")
    make_skill(home, ".", name="root")
    (make_skill(home, "lower") / "SKILL.md").rename(home / "skills" / "lower" / "skill.md")
    (home / "skills" / "folder" / "SKILL.md").mkdir(parents=True)
    (home / "skills" / "linked").symlink_to("host")
    (home / "skills" / "gone").symlink_to("nowhere")
    assert_same(asked, home)


@pytest.mark.parametrize(
    "text", ["disabled: [a, ' b ', 2048, yes, null]", "disabled: a", "disabled:", "disabled: {a: 1}"]
)
def test_the_list_of_disabled_skills_is_read_alike(empty: tuple[Hermes, Path], text: str) -> None:
    asked, home = empty
    make_skill(home, "a")
    (home / "config.yaml").write_text(f"skills:\n  {text}\n")
    theirs = asked.ask("skills")
    ours = listed(home).skills[0]
    assert ours.is_disabled == ("a" in theirs["disabled"])
    assert ours.loaded == ("a" in theirs["listed"])


def test_what_we_switch_off_hermes_does_not_load_and_back(empty: tuple[Hermes, Path]) -> None:
    asked, home = empty
    make_skill(home, "tidy")
    make_skill(home, "other")
    (home / "config.yaml").write_text("# mine\nskills:\n  external_dirs: []  # none\n")
    set_disabled(home / "config.yaml", "tidy", True)
    assert asked.ask("skills")["listed"] == ["other"]
    assert not asked.ask("view", name="tidy")["success"]
    assert_same(asked, home)
    set_disabled(home / "config.yaml", "tidy", False)
    assert asked.ask("skills")["listed"] == ["other", "tidy"]
    assert asked.ask("view", name="tidy")["success"]


@pytest.mark.parametrize(
    "text", ["shared/skills", "[~/shared/skills]", "['${HERMES_HOME}/shared/skills', skills, '']", "{a: b}"]
)
def test_external_folders_are_found_alike(empty: tuple[Hermes, Path], text: str) -> None:
    asked, home = empty
    make_skill(home / "shared", "team")
    (home / "config.yaml").write_text(f"skills:\n  external_dirs: {text}\n")
    roots = listed(home, environ={"HOME": str(home)}).roots
    ours = [str(each.real) for each in roots if each.kind == "external" and not each.problem]
    assert ours == asked.ask("roots")["external"]
    assert_same(asked, home)


def test_digests_equal_hermes_on_a_generated_library(empty: tuple[Hermes, Path]) -> None:
    asked, home = empty
    chance = random.Random(7)
    names = ["a", "a-b", "a.b", "A", "a/b", "a/b/c", "a/.h", "z/é", "__pycache__/x.pyc", ".git/HEAD", "a b"]
    for number in range(60):
        files = {each: chance.randbytes(chance.choice([0, 1, 5000])) for each in chance.sample(names, 6)}
        files = {path: data for path, data in files.items() if not any(other.startswith(f"{path}/") for other in files)}
        folder = make_skill(home, f"skill-{number}", files=files)
        if number % 3 == 0:
            (folder / "link").symlink_to("SKILL.md")
            (folder / "broken").symlink_to("nowhere")
            (folder / "scripts").mkdir()
            (folder / "scripts" / "up").symlink_to("..")
    ours = listed(home).skills
    theirs = asked.ask("digests", folders=[str(each.path) for each in ours])["digests"]
    for skill, (short, full, md5) in zip(ours, theirs, strict=True):
        found = hermes_digests(skill)
        assert found is not None
        assert (found.by_parts[:23], found.by_parts) == (short, full)
        assert found.matches(short)
        assert shipped_md5(skill) == md5


def test_tiers_of_sources_equal_hermes(hermes: tuple[Hermes, Path]) -> None:
    bases = [
        "openai/skills",
        "anthropics/skills",
        "huggingface/skills",
        "NVIDIA/skills",
        "official",
        "agent-created",
        "x/y",
        "",
    ]
    sources = [
        f"{prefix}{base}{suffix}"
        for base in [*bases, "OpenAI/skills", "openai/skill", "trusted", "builtin"]
        for prefix in ("", "skills-sh/", "skills.sh/", "skils-sh/", "skils.sh/", "skills-sh/skills-sh/", " ")
        for suffix in ("", "/pdf", "-more", "/")
    ]
    assert [trust_of(each).value for each in sources] == hermes[0].ask("trust", sources=sources)["levels"]


def test_where_skills_came_from_agrees_with_hermes(empty: tuple[Hermes, Path]) -> None:
    asked, home = empty
    for where in ("shipped", "tools/installed", "own", "folder-x"):
        make_skill(home, where, name="header-x" if where == "folder-x" else None)
    shipped = next(each for each in listed(home).skills if each.name == "shipped")
    (home / "skills" / ".bundled_manifest").write_text(f"shipped:{shipped_md5(shipped)}\n")
    (home / "skills" / ".curator_suppressed").write_text("pruned\n")
    write_lock(home, installed=hub_record("tools/installed"), **{"folder-x": hub_record("folder-x")})
    ours = listed(home).skills
    origin = {Tier.BUILTIN: "bundled", Tier.COMMUNITY: "hub", Tier.LOCAL: "agent"}
    theirs = asked.ask("origins", names=[each.name for each in ours])["origins"]
    assert [origin[each.tier] for each in ours] == theirs
    records = read_records(home / "skills")
    assert asked.ask("manifest") == {"shipped": dict(records.shipped), "suppressed": sorted(records.suppressed)}


def test_usage_written_by_either_is_read_by_the_other(empty: tuple[Hermes, Path]) -> None:
    asked, home = empty
    make_skill(home, "tidy")
    write_json(home, USAGE_FILE, {"tidy": {"use_count": 2, "from_tomorrow": [1]}})
    for what in ("bump_use", "bump_view", "bump_patch", "mark_agent_created"):
        assert "error" not in asked.ask("change", what=what, name="tidy")
    usage = skill_of(home).usage
    assert usage is not None
    assert (usage.use_count, usage.view_count, usage.patch_count, usage.created_by) == (3, 1, 1, "agent")
    assert usage.last_activity is not None
    set_pinned(home / "skills", "tidy", True)
    set_state(home / "skills", "tidy", "stale")
    record = asked.ask("usage", name="tidy")["one"]
    assert (record["pinned"], record["state"], record["from_tomorrow"]) == (True, "stale", [1])
    asked.ask("change", what="set_pinned", name="tidy", value=False)
    asked.ask("change", what="set_state", name="tidy", value="active")
    assert (skill_of(home).pinned, skill_of(home).state) == (False, "active")


def test_a_record_that_we_begin_has_the_fields_that_hermes_begins_with(empty: tuple[Hermes, Path]) -> None:
    asked, home = empty
    make_skill(home, "one")
    make_skill(home, "two")
    mark_agent_created(home / "skills", "one")
    asked.ask("change", what="mark_agent_created", name="two")
    ours, theirs = (asked.ask("usage")["all"][name] for name in ("one", "two"))
    assert ours.keys() == theirs.keys()
    assert {key: type(value) for key, value in ours.items()} == {key: type(value) for key, value in theirs.items()}


def test_what_hermes_archives_we_bring_back_and_the_other_way_round(empty: tuple[Hermes, Path]) -> None:
    asked, home = empty
    make_skill(home, "devops/tidy", files={"scripts/a.sh": "x"})
    mark_agent_created(home / "skills", "tidy")
    assert asked.ask("archive", name="tidy")["done"]
    listing = listed(home)
    (archived,) = listing.archived
    assert (listing.skills, archived.name, archived.state) == ((), "tidy", "archived")
    restore(home / "skills", archived, read_records(home / "skills"))
    assert asked.ask("skills")["listed"] == ["tidy"]
    assert asked.ask("usage", name="tidy")["one"]["state"] == "active"
    assert asked.ask("archive", name="tidy")["done"]
    assert asked.ask("bring_back", name="tidy") == {
        "done": True,
        "said": f"restored to {home / 'skills' / 'tidy'}",
        "archived": [],
    }
    assert skill_of(home).state == "active"


def test_of_two_archived_copies_each_can_be_brought_back(empty: tuple[Hermes, Path]) -> None:
    asked, home = empty
    for _ in range(2):
        make_skill(home, "tidy")
        mark_agent_created(home / "skills", "tidy")
        assert asked.ask("archive", name="tidy")["done"]
    stamped = max(listed(home).archived, key=lambda each: len(each.folder_name))
    restore(home / "skills", stamped, read_records(home / "skills"))
    assert asked.ask("skills")["listed"] == ["tidy"]
    assert not asked.ask("bring_back", name="tidy")["done"]


def skill_of(home: Path) -> Skill:
    (skill,) = listed(home).skills
    return skill
