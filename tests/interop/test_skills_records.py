"""Digests, tiers, usage and the archive beside the real Hermes': either reads what the other wrote."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

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
from tests.interop.skills import Asked, asked, clear
from tests.skills_app.builders import hub_record, listed, make_skill, write_json, write_lock

pytestmark = pytest.mark.interop


@pytest.fixture(scope="module")
def hermes(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    with asked(hermes_python, tmp_path_factory.mktemp("hermes")) as both:
        yield both


@pytest.fixture
def empty(hermes: Asked) -> Asked:
    clear(hermes[1])
    return hermes


def test_digests_equal_hermes_on_a_generated_library(empty: Asked) -> None:
    real, home = empty
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
    theirs = real.ask("digests", folders=[str(each.path) for each in ours])["digests"]
    for skill, (short, full, md5) in zip(ours, theirs, strict=True):
        found = hermes_digests(skill)
        assert found is not None
        assert (found.by_parts[:23], found.by_parts) == (short, full)
        assert found.matches(short)
        assert shipped_md5(skill) == md5


def test_tiers_of_sources_equal_hermes(hermes: Asked) -> None:
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


def test_where_skills_came_from_agrees_with_hermes(empty: Asked) -> None:
    real, home = empty
    for where in ("shipped", "tools/installed", "own", "folder-x"):
        make_skill(home, where, name="header-x" if where == "folder-x" else None)
    shipped = next(each for each in listed(home).skills if each.name == "shipped")
    (home / "skills" / ".bundled_manifest").write_text(f"shipped:{shipped_md5(shipped)}\n")
    (home / "skills" / ".curator_suppressed").write_text("pruned\n")
    write_lock(home, installed=hub_record("tools/installed"), **{"folder-x": hub_record("folder-x")})
    ours = listed(home).skills
    origin = {Tier.BUILTIN: "bundled", Tier.COMMUNITY: "hub", Tier.LOCAL: "agent"}
    theirs = real.ask("origins", names=[each.name for each in ours])["origins"]
    assert [origin[each.tier] for each in ours] == theirs
    records = read_records(home / "skills")
    assert real.ask("manifest") == {"shipped": dict(records.shipped), "suppressed": sorted(records.suppressed)}


def test_usage_written_by_either_is_read_by_the_other(empty: Asked) -> None:
    real, home = empty
    make_skill(home, "tidy")
    write_json(home, USAGE_FILE, {"tidy": {"use_count": 2, "from_tomorrow": [1]}})
    for what in ("bump_use", "bump_view", "bump_patch", "mark_agent_created"):
        assert "error" not in real.ask("change", what=what, name="tidy")
    usage = skill_of(home).usage
    assert usage is not None
    assert (usage.use_count, usage.view_count, usage.patch_count, usage.created_by) == (3, 1, 1, "agent")
    assert usage.last_activity is not None
    set_pinned(home / "skills", "tidy", True)
    set_state(home / "skills", "tidy", "stale")
    record = real.ask("usage", name="tidy")["one"]
    assert (record["pinned"], record["state"], record["from_tomorrow"]) == (True, "stale", [1])
    real.ask("change", what="set_pinned", name="tidy", value=False)
    real.ask("change", what="set_state", name="tidy", value="active")
    assert (skill_of(home).pinned, skill_of(home).state) == (False, "active")


def test_a_record_that_we_begin_has_the_fields_that_hermes_begins_with(empty: Asked) -> None:
    real, home = empty
    make_skill(home, "one")
    make_skill(home, "two")
    mark_agent_created(home / "skills", "one")
    real.ask("change", what="mark_agent_created", name="two")
    ours, theirs = (real.ask("usage")["all"][name] for name in ("one", "two"))
    assert ours.keys() == theirs.keys()
    assert {key: type(value) for key, value in ours.items()} == {key: type(value) for key, value in theirs.items()}


def test_what_hermes_archives_we_bring_back_and_the_other_way_round(empty: Asked) -> None:
    real, home = empty
    make_skill(home, "devops/tidy", files={"scripts/a.sh": "x"})
    mark_agent_created(home / "skills", "tidy")
    assert real.ask("archive", name="tidy")["done"]
    listing = listed(home)
    (archived,) = listing.archived
    assert (listing.skills, archived.name, archived.state) == ((), "tidy", "archived")
    restore(home / "skills", archived, read_records(home / "skills"))
    assert real.ask("skills")["listed"] == ["tidy"]
    assert real.ask("usage", name="tidy")["one"]["state"] == "active"
    assert real.ask("archive", name="tidy")["done"]
    assert real.ask("bring_back", name="tidy") == {
        "done": True,
        "said": f"restored to {home / 'skills' / 'tidy'}",
        "archived": [],
    }
    assert skill_of(home).state == "active"


def test_of_two_archived_copies_each_can_be_brought_back(empty: Asked) -> None:
    real, home = empty
    for _ in range(2):
        make_skill(home, "tidy")
        mark_agent_created(home / "skills", "tidy")
        assert real.ask("archive", name="tidy")["done"]
    stamped = max(listed(home).archived, key=lambda each: len(each.folder_name))
    restore(home / "skills", stamped, read_records(home / "skills"))
    assert real.ask("skills")["listed"] == ["tidy"]
    assert not real.ask("bring_back", name="tidy")["done"]


def skill_of(home: Path) -> Skill:
    (skill,) = listed(home).skills
    return skill
