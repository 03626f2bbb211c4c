"""What lists show of staged writes: remembered while nothing changes, computed again when what they touch does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from memoryhub.hermes.home import Home
from memoryhub.services import memory
from skills_app.pending.records import Record, list_records
from skills_app.services import decisions, decisions_many
from skills_app.services import decisions_previews as previews
from skills_app.services.decisions import Approval, Seen
from tests.builders import make_home
from tests.skills_app.staged import document, make_skill, put, stage_memory, stage_skill

pytestmark = pytest.mark.django_db


@pytest.fixture
def pile(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("PATH", "/nowhere")  # no Hermes
    make_home(home.path, memory=["Likes tea."], user=["Ann."])
    make_skill(home.path, "deploy")
    make_skill(home.path, "other")
    stage_memory(home.path, "00000001", "add", content="New.")
    stage_memory(home.path, "00000002", "add", target="user", content="New.")
    stage_skill(home.path, "00000003", "patch", "deploy", old_string="Do this.", new_string="Do it.")
    stage_skill(home.path, "00000004", "delete", "other")
    put(home.path, "skills", "00000005.json", "{")
    return home


@pytest.fixture
def filler(pile: Home) -> Iterator[Home]:
    """A home whose memory is filled beside the pages."""
    previews.filling(pile, 1)
    yield pile
    previews.filling(pile, -1)


def missing(home: Home) -> set[str]:
    return {item[-1] for item, found in previews.summaries(home, list_records(home.pending)).items() if found is None}


def test_without_a_worker_everything_is_known_at_once(pile: Home) -> None:
    found = previews.summaries(pile, list_records(pile.pending))
    assert {item: (one.verdict, one.is_stale) for item, one in found.items() if one} == {
        "memory:00000001": ("safe", False),
        "memory:00000002": ("safe", False),
        "skill:00000003": ("safe", False),
        "skill:00000004": ("", False),
        "unreadable:00000005.json": ("", True),
    }


def test_a_page_does_not_wait_for_what_is_not_known_yet(filler: Home) -> None:
    assert missing(filler) == {"1", "2", "3", "4", "n"}
    assert previews.fill(filler) == 5
    assert missing(filler) == set()
    assert previews.fill(filler) == 0


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda home: memory.entry_add(home, "memory", "x", via="page"), {"1"}),
        (lambda home: memory.entry_add(home, "user", "x", via="page"), {"2"}),
        (lambda home: (home.skills / "deploy" / "SKILL.md").write_text(document("deploy", "Do that.\n")), {"3"}),
        (lambda home: make_skill(home.path, "ops/other"), {"4"}),
        (lambda home: make_skill(home.path, "third"), set()),
        (lambda home: stage_skill(home.path, "00000003", "delete", "deploy"), {"3"}),
        (lambda home: home.config_file.write_text("memory:\n  memory_char_limit: 12\n"), {"1"}),
        (lambda home: home.memory_path("user").unlink(), {"2"}),
    ],
    ids=["memory", "user", "skill", "a second one", "another skill", "record", "limit", "file gone"],
)
def test_only_what_a_change_touches_is_computed_again(filler: Home, change: Any, expected: set[str]) -> None:
    previews.fill(filler)
    change(filler)
    assert missing(filler) == expected
    assert previews.fill(filler) == len(expected)


def test_a_decision_made_from_the_list_is_bound_to_what_it_showed(pile: Home) -> None:
    records: dict[str, Record] = {record.id: record for record in list_records(pile.pending)}
    shown = previews.summaries(pile, list(records.values()))
    hows = [(item, Approval(Seen(records[item].sha256, one.seen))) for item, one in shown.items() if one]
    (pile.skills / "deploy" / "SKILL.md").write_text(document("deploy", "Do this.\nThen more.\n"))
    found = {each.item: each.ok for each in decisions_many.approve_many(pile, hows)}
    assert found == {
        "memory:00000001": True,
        "memory:00000002": True,
        "skill:00000003": False,
        "skill:00000004": True,
        "unreadable:00000005.json": False,
    }


def test_what_is_gone_is_forgotten(filler: Home) -> None:
    previews.fill(filler)
    for record in list_records(filler.pending):
        decisions.reject(filler, record.id)
    previews.fill(filler)
    assert previews._memory(filler).known == {}


def test_work_ends_when_it_is_asked_to(filler: Home) -> None:
    assert previews.fill(filler, is_over=lambda: True) == 0
