"""Usage figures: read tolerantly, changed under Hermes' lock with every other key kept."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memoryhub.hermes import files
from skills_app.guard.model import Tier
from skills_app.library import UsageRefused, mark_agent_created, set_pinned, set_state
from skills_app.library.usage import USAGE_FILE, forget, read_usage
from tests.skills_app.builders import listed, make_skill, only, write_json


def test_usage_is_joined_by_the_agents_name_then_the_folders(tmp_path: Path) -> None:
    make_skill(tmp_path, "folder-a", name="beta")
    write_json(tmp_path, USAGE_FILE, {"folder-a": {"created_by": "agent", "view_count": 9}, "beta": {"use_count": 4}})
    usage = only(tmp_path).usage
    assert usage is not None
    assert (usage.name, usage.use_count, usage.view_count, usage.created_by) == ("beta", 4, 0, "agent")
    assert only(tmp_path).tier is Tier.AGENT_CREATED


def test_odd_usage_figures_are_taken_for_none(tmp_path: Path) -> None:
    write_json(
        tmp_path,
        USAGE_FILE,
        {
            "a": {
                "use_count": -3,
                "view_count": "7",
                "patch_count": 2.5,
                "state": "lost",
                "pinned": "yes",
                "created_by": 7,
            },
            "b": [1],
            "c": {"agent_created": True, "use_count": 10**30, "last_used_at": "never", "last_viewed_at": 1767225600},
        },
    )
    (tmp_path / "skills" / USAGE_FILE).write_text(
        (tmp_path / "skills" / USAGE_FILE).read_text().replace('"patch_count": 2.5', '"patch_count": NaN')
    )
    usage, problem = read_usage(tmp_path / "skills")
    assert (problem, set(usage)) == ("", {"a", "c"})
    a, c = usage["a"], usage["c"]
    assert (a.use_count, a.view_count, a.patch_count, a.state, a.pinned, a.created_by) == (0, 0, 0, "active", False, "")
    assert (c.created_by, c.use_count, c.last_used_at) == ("agent", 10**12, None)
    assert c.last_activity == datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("data", [b"{", b"[]", b"caf\xe9", b"null"])
def test_usage_that_cannot_be_read_is_a_sentence_and_is_never_written(tmp_path: Path, data: bytes) -> None:
    make_skill(tmp_path, "a")
    path = tmp_path / "skills" / USAGE_FILE
    path.write_bytes(data)
    assert [each.code for each in listed(tmp_path).problems] == ["records"]
    with pytest.raises(UsageRefused, match="nothing was changed"):
        set_pinned(path.parent, "a", True)
    assert path.read_bytes() == data


def usage_of(home: Path) -> dict[str, Any]:
    tree: dict[str, Any] = json.loads((home / "skills" / USAGE_FILE).read_text())
    return tree


def test_pinning_keeps_every_key_that_we_do_not_know(tmp_path: Path) -> None:
    before = {"a": {"use_count": 3, "patch_generation": 7, "é": ["x"]}, "b": [1], "z": {"pinned": True}}
    write_json(tmp_path, USAGE_FILE, before)
    set_pinned(tmp_path / "skills", "a", True)
    set_pinned(tmp_path / "skills", "z", False)
    assert usage_of(tmp_path) == {
        "a": {**before["a"], "pinned": True},  # type: ignore[dict-item]
        "b": [1],
        "z": {"pinned": False},
    }


def test_a_skill_without_a_record_gets_one(tmp_path: Path) -> None:
    make_skill(tmp_path, "a")
    set_pinned(tmp_path / "skills", "a", True)
    record = usage_of(tmp_path)["a"]
    assert (record["pinned"], record["created_by"], record["use_count"], record["state"]) == (True, None, 0, "active")
    assert only(tmp_path).pinned


def test_states_carry_the_time_that_hermes_keeps(tmp_path: Path) -> None:
    make_skill(tmp_path, "a")
    skills = tmp_path / "skills"
    set_state(skills, "a", "archived")
    assert usage_of(tmp_path)["a"]["archived_at"]
    set_state(skills, "a", "stale")
    assert (only(tmp_path).state, usage_of(tmp_path)["a"]["archived_at"] is None) == ("stale", False)
    set_state(skills, "a", "active")
    assert usage_of(tmp_path)["a"]["archived_at"] is None
    mark_agent_created(skills, "a")
    assert only(tmp_path).tier is Tier.AGENT_CREATED
    with pytest.raises(UsageRefused, match="not a state"):
        set_state(skills, "a", "gone")
    assert (forget(skills, "a"), forget(skills, "a"), usage_of(tmp_path)) == (True, False, {})


def test_half_characters_in_a_record_survive_a_change(tmp_path: Path) -> None:
    make_skill(tmp_path, "a")
    path = tmp_path / "skills" / USAGE_FILE
    path.write_text('{"\\ud83d": {"note": "\\udc00"}}')
    set_pinned(path.parent, "a", True)
    assert usage_of(tmp_path)["\ud83d"] == {"note": "\udc00"}


def test_a_change_waits_for_the_agents_lock(tmp_path: Path) -> None:
    make_skill(tmp_path, "a")
    path = tmp_path / "skills" / USAGE_FILE
    with files.locked(path):
        done = threading.Thread(target=set_pinned, args=(path.parent, "a", True))
        done.start()
        done.join(0.1)
        assert not path.exists()
    done.join()
    assert usage_of(tmp_path)["a"]["pinned"]


def test_writers_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    make_skill(tmp_path, "a")
    threads = [
        threading.Thread(target=set_pinned, args=(tmp_path / "skills", f"skill-{number}", True)) for number in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(usage_of(tmp_path)) == 12


def test_what_a_killed_writer_left_is_cleared_away(tmp_path: Path) -> None:
    make_skill(tmp_path, "a")
    stray = tmp_path / "skills" / f".mem_mh-{USAGE_FILE}-123-abcd.tmp"
    stray.write_text("{")
    set_pinned(tmp_path / "skills", "a", True)
    assert not stray.exists()
