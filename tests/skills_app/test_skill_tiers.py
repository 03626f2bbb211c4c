"""How far a skill is trusted and what that rests on: records, bytes, names that are anybody's, traces of the agent."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoryhub.hermes.skill_calls import SkillCall
from skills_app.guard.model import Tier
from skills_app.library import Authorship, Skill, authorship_of, shipped_md5, trust_of
from skills_app.library.usage import USAGE_FILE
from tests.skills_app.builders import hub_record, library_of, listed, make_skill, only, write_json, write_lock


def ship(home: Path, *skills: Skill, **md5: str) -> None:
    lines = [f"{each.name}:{shipped_md5(each)}" for each in skills] + [f"{name}:{md5[name]}" for name in md5]
    (home / "skills" / ".bundled_manifest").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("source", "tier"),
    [
        ("official", Tier.BUILTIN),
        ("agent-created", Tier.AGENT_CREATED),
        ("openai/skills", Tier.TRUSTED),
        ("anthropics/skills/pdf", Tier.TRUSTED),
        ("skills-sh/huggingface/skills/x", Tier.TRUSTED),
        ("skils.sh/NVIDIA/skills", Tier.TRUSTED),
        ("nvidia/skills", Tier.COMMUNITY),
        ("openai/skills-more", Tier.COMMUNITY),
        ("official/x", Tier.COMMUNITY),
        ("", Tier.COMMUNITY),
    ],
)
def test_a_source_is_resolved_as_the_agent_does(source: str, tier: Tier) -> None:
    assert trust_of(source) is tier


@pytest.mark.parametrize(
    ("fields", "tier"),
    [
        ({"source": "official", "identifier": "official/x", "trust_level": "builtin"}, Tier.BUILTIN),
        ({"source": "github", "identifier": "anthropics/skills/skills/pdf", "trust_level": "trusted"}, Tier.TRUSTED),
        ({"source": "openai/skills", "identifier": "", "trust_level": "trusted"}, Tier.TRUSTED),
        ({"source": "github", "identifier": "someone/things", "trust_level": "community"}, Tier.COMMUNITY),
        ({"source": "github", "identifier": "someone/things", "trust_level": "trusted"}, Tier.COMMUNITY),
        ({"source": "github", "identifier": "official", "trust_level": "builtin"}, Tier.COMMUNITY),
        ({"source": "clawhub", "identifier": "agent-created", "trust_level": "agent-created"}, Tier.COMMUNITY),
    ],
)
def test_an_install_record_gives_the_tier_of_its_source(tmp_path: Path, fields: dict[str, str], tier: Tier) -> None:
    make_skill(tmp_path, "pdf")
    write_lock(tmp_path, pdf=hub_record("pdf", **fields))
    skill = only(tmp_path)
    assert skill.tier is tier
    assert "its record in .hub/lock.json" in skill.evidence[0]
    assert (len(skill.evidence) == 2) is (fields["trust_level"] != tier)


def test_a_shipped_skill_is_builtin_and_marked_when_changed(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "docs/pdf", files={"scripts/a.py": "x"})
    ship(tmp_path, only(tmp_path))
    assert (only(tmp_path).tier, only(tmp_path).is_modified) == (Tier.BUILTIN, False)
    (folder / "scripts" / "a.py").write_text("y")
    changed = only(tmp_path)
    assert (changed.tier, changed.is_modified) == (Tier.BUILTIN, True)
    assert changed.evidence[1] == "Its files differ from what was shipped."
    ship(tmp_path, pdf="")
    assert (only(tmp_path).tier, only(tmp_path).is_modified) == (Tier.BUILTIN, None)


def test_without_install_records_only_the_shipped_bytes_are_builtin(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "pdf")
    ship(tmp_path, only(tmp_path))
    write_lock(tmp_path).write_text("{")
    assert (only(tmp_path).tier, only(tmp_path).is_modified) == (Tier.BUILTIN, False)
    (folder / "SKILL.md").write_text((folder / "SKILL.md").read_text() + "more\n")
    assert (only(tmp_path).tier, only(tmp_path).is_modified) == (Tier.UNKNOWN, None)


def test_a_shipped_skill_that_links_out_cannot_be_compared(tmp_path: Path) -> None:
    folder = make_skill(tmp_path, "pdf")
    ship(tmp_path, only(tmp_path))
    (folder / "notes").symlink_to("/etc/hostname")
    assert (only(tmp_path).tier, only(tmp_path).is_modified) == (Tier.BUILTIN, None)


def test_bearing_a_shipped_name_does_not_make_another_skill_shipped(tmp_path: Path) -> None:
    make_skill(tmp_path, "docs/pdf")
    ship(tmp_path, only(tmp_path))
    make_skill(tmp_path, "aaa/pdf", body="something else\n")
    twin, real = listed(tmp_path).skills
    assert (real.relative, real.tier) == ("docs/pdf", Tier.BUILTIN)
    assert (twin.tier, twin.is_modified) == (Tier.LOCAL, None)


def test_several_that_bear_a_shipped_name_and_none_as_shipped_are_unknown(tmp_path: Path) -> None:
    make_skill(tmp_path, "docs/pdf")
    make_skill(tmp_path, "aaa/pdf", body="something else\n")
    ship(tmp_path, pdf="0" * 32)
    assert [each.tier for each in listed(tmp_path).skills] == [Tier.UNKNOWN, Tier.UNKNOWN]
    assert "none is as it was shipped" in listed(tmp_path).skills[0].evidence[0]


def test_what_was_installed_stays_so_under_a_shipped_name(tmp_path: Path) -> None:
    make_skill(tmp_path, "pdf")
    ship(tmp_path, only(tmp_path))
    write_lock(tmp_path, pdf=hub_record("pdf"))
    assert only(tmp_path).tier is Tier.COMMUNITY


def test_external_skills_rest_on_no_record_of_the_home(tmp_path: Path) -> None:
    make_skill(tmp_path / "shared", "pdf")
    make_skill(tmp_path, "other")
    (tmp_path / "config.yaml").write_text("skills:\n  external_dirs: [shared/skills]\n")
    ship(tmp_path, pdf="")
    write_lock(tmp_path, pdf=hub_record("pdf"))
    write_json(tmp_path, USAGE_FILE, {"pdf": {"created_by": "agent"}})
    assert listed(tmp_path).find("other") is not None
    assert [each.tier for each in listed(tmp_path).skills] == [Tier.LOCAL, Tier.LOCAL]


def test_a_skill_inside_an_installed_one_came_with_it_when_the_record_lists_it(tmp_path: Path) -> None:
    make_skill(tmp_path, "host")
    make_skill(tmp_path, "host/sub")
    make_skill(tmp_path, "host/later")
    write_lock(tmp_path, host=hub_record("host", files=["SKILL.md", "sub/SKILL.md"]))
    tiers = {each.relative: each.tier for each in listed(tmp_path).skills}
    assert tiers == {"host": Tier.COMMUNITY, "host/sub": Tier.COMMUNITY, "host/later": Tier.LOCAL}


def test_a_skill_inside_a_shipped_one_is_shipped_until_something_there_changes(tmp_path: Path) -> None:
    make_skill(tmp_path, "host")
    make_skill(tmp_path, "host/sub")
    ship(tmp_path, next(each for each in listed(tmp_path).skills if each.relative == "host"))
    assert {each.tier for each in listed(tmp_path).skills} == {Tier.BUILTIN}
    make_skill(tmp_path, "host/planted")
    tiers = {each.relative: each.tier for each in listed(tmp_path).skills}
    assert tiers == {"host": Tier.BUILTIN, "host/sub": Tier.LOCAL, "host/planted": Tier.LOCAL}


@pytest.mark.parametrize("record", [{"created_by": "agent"}, {"agent_created": True}])
def test_a_usage_record_says_that_the_agent_made_it(tmp_path: Path, record: dict[str, object]) -> None:
    make_skill(tmp_path, "made")
    write_json(tmp_path, USAGE_FILE, {"made": record})
    skill = only(tmp_path)
    assert skill.tier is Tier.AGENT_CREATED
    assert "usage record" in skill.evidence[0]


def test_nothing_known_is_local_and_says_so(tmp_path: Path) -> None:
    make_skill(tmp_path, "made")
    write_json(tmp_path, USAGE_FILE, {"made": {"created_by": None}})
    skill = only(tmp_path)
    assert skill.tier is Tier.LOCAL
    assert skill.evidence[0].startswith("Nothing says who wrote it")


def call(name: str, action: str = "create", succeeded: bool | None = True) -> SkillCall:
    return SkillCall("s1", 1, datetime(2026, 3, 4, tzinfo=UTC), name, action, "", succeeded)


def test_a_tool_call_is_evidence_of_the_agent(tmp_path: Path) -> None:
    make_skill(tmp_path, "devops/deploy")
    authorship = authorship_of([call("deploy", "patch"), call("devops/deploy"), call("other")])
    skill = only(tmp_path, authorship=authorship)
    assert skill.tier is Tier.AGENT_CREATED
    assert skill.evidence == ('The agent changed it on 2026-03-04, in session "s1" (skill_manage patch).',)


@pytest.mark.parametrize("made", [call("made", "delete"), call("made", succeeded=False), call("made", "view")])
def test_calls_that_wrote_nothing_are_none(tmp_path: Path, made: SkillCall) -> None:
    make_skill(tmp_path, "made")
    assert only(tmp_path, authorship=authorship_of([made])).tier is Tier.LOCAL


def test_a_staged_background_write_is_evidence_too(tmp_path: Path) -> None:
    make_skill(tmp_path, "made")
    skill = only(tmp_path, authorship=Authorship(staged={"made": "The agent staged it by itself on 2026-03-04."}))
    assert (skill.tier, skill.evidence) == (Tier.AGENT_CREATED, ("The agent staged it by itself on 2026-03-04.",))


def test_an_archived_skill_keeps_its_tier(tmp_path: Path) -> None:
    make_skill(tmp_path, ".archive/made")
    write_json(tmp_path, USAGE_FILE, {"made": {"created_by": "agent", "state": "archived"}})
    (skill,) = library_of(tmp_path).archived
    assert skill.tier is Tier.AGENT_CREATED


def test_an_installed_skill_that_was_moved_stays_installed(tmp_path: Path) -> None:
    make_skill(tmp_path, "elsewhere/pdf")
    write_lock(tmp_path, pdf=hub_record("docs/pdf"))
    assert only(tmp_path).tier is Tier.COMMUNITY
    make_skill(tmp_path, "docs/pdf")
    tiers = {each.relative: each.tier for each in listed(tmp_path).skills}
    assert tiers == {"docs/pdf": Tier.COMMUNITY, "elsewhere/pdf": Tier.LOCAL}
