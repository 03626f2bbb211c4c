"""Other writes made of a staged one, and which belong together."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memoryhub.hermes.home import Home
from skills_app.pending import edits, grouping
from skills_app.pending.edits import EditRefused
from skills_app.pending.records import PendingMemory, PendingSkill, Record, find_record, list_records
from tests.growth import assert_linear
from tests.skills_app.staged import document, put, stage, stage_memory, stage_skill

BATCH = [{"action": "remove", "old_text": "a"}, {"action": "add", "content": "b"}, {"action": "add", "content": "c"}]


def memory(home: Home, action: str = "add", **other: Any) -> PendingMemory:
    stage_memory(home.path, "0a1b2c3d", action, **other)
    found = find_record(home.pending, "memory:0a1b2c3d")
    assert isinstance(found, PendingMemory)
    return found


def skill(home: Home, action: str, name: str = "deploy", **call: Any) -> PendingSkill:
    stage_skill(home.path, "0a1b2c3d", action, name, **call)
    found = find_record(home.pending, "skill:0a1b2c3d")
    assert isinstance(found, PendingSkill)
    return found


def test_an_edited_text_replaces_only_that_text(home: Home) -> None:
    record = memory(home, "replace", content="long", old_text="x")
    assert edits.with_text(record, "short") == {**record.payload, "content": "short"}
    assert record.payload["content"] == "long"


def test_a_text_of_one_step_of_a_batch_is_edited(home: Home) -> None:
    edited = edits.with_text(memory(home, "batch", operations=BATCH), "B", step=2)
    assert [op.get("content") for op in edited["operations"]] == [None, "B", "c"]


@pytest.mark.parametrize(("field", "step"), [("action", 1), ("replace_all", 1), ("content", 0), ("content", 4)])
def test_what_is_no_text_of_the_write_is_not_edited(home: Home, field: str, step: int) -> None:
    with pytest.raises(EditRefused):
        edits.with_text(memory(home, "batch", operations=BATCH), "x", field=field, step=step)


def test_only_the_chosen_steps_are_kept_in_their_order(home: Home) -> None:
    record = memory(home, "batch", operations=BATCH)
    assert edits.with_steps(record, {3, 1})["operations"] == [BATCH[0], BATCH[2]]
    with pytest.raises(EditRefused):
        edits.with_steps(record, {9})


def test_a_single_write_has_no_parts(home: Home) -> None:
    with pytest.raises(EditRefused):
        edits.with_steps(memory(home, content="x"), {1})


def test_lines_of_a_patch_can_be_left_out(home: Home) -> None:
    record = skill(home, "patch", old_string="x", new_string="one\ntwo\nthree\n")
    assert edits.without_lines(record, {1})["new_string"] == "one\nthree\n"
    with pytest.raises(EditRefused):
        edits.without_lines(skill(home, "delete"), {1})


def test_another_entry_or_file_can_be_meant(home: Home) -> None:
    record = memory(home, "remove", old_text="tea")
    assert edits.retargeted(record, "Likes tea.")["old_text"] == "Likes tea."
    assert edits.retargeted(record, target="user")["target"] == "user"
    with pytest.raises(EditRefused):
        edits.retargeted(record, target="../x")


def test_room_is_made_in_the_same_batch(home: Home) -> None:
    made = edits.with_room(memory(home, content="new"), ["Old one.", "Old two."])
    assert made == {
        "action": "batch",
        "target": "memory",
        "operations": [
            {"action": "remove", "old_text": "Old one."},
            {"action": "remove", "old_text": "Old two."},
            {"action": "add", "content": "new"},
        ],
    }
    assert len(edits.with_room(memory(home, "batch", operations=BATCH), ["x"])["operations"]) == 4


def test_a_skill_is_renamed_with_its_header(home: Home) -> None:
    made = edits.renamed(skill(home, "create", content=document("deploy")), "deploy-two")
    assert (made["name"], made["content"]) == (
        "deploy-two",
        document("deploy").replace("name: deploy", "name: deploy-two"),
    )


def test_an_edited_write_is_staged_as_hermes_stages_with_its_origin(home: Home) -> None:
    record = memory(home, content="long", origin="background_review")
    path = edits.restage(home.pending, record, edits.with_text(record, "short"), 77.0)
    tree = json.loads(path.read_text())
    made = find_record(home.pending, f"memory:{path.stem}")
    assert isinstance(made, PendingMemory)
    assert (made.steps[0].content, made.origin, made.created_at) == ("short", "background_review", 77.0)
    assert set(tree) == {"id", "subsystem", "action", "summary", "origin", "created_at", "payload"}
    assert path.stem != "0a1b2c3d"


def staged(home: Home) -> tuple[Record, ...]:
    texts = (
        "The staging server moved from heron to egret last week.",
        "User prefers short answers without greetings.",
        "the staging server moved from  heron to egret last week.",
        "Prefers short answers without greetings.",
        "Backups run nightly at two.",
    )
    for number, text in enumerate(texts):
        stage_memory(home.path, f"0000000{number}", "add", content=text, at=10.0 - number)
    put(home.path, "memory", "x.json", "{")
    return list_records(home.pending)


def test_near_duplicates_come_together_and_every_record_once(home: Home) -> None:
    groups = grouping.by_likeness(staged(home))
    assert [[each.id[-1] for each in group.records] for group in groups] == [["0", "2"], ["1", "3"], ["4"], ["n"]]
    assert {group.kind for group in groups} == {"alike"}


def test_records_of_one_target_come_together(home: Home) -> None:
    staged(home)
    stage_memory(home.path, "000000ff", "add", target="user", content="x", at=1.0)
    groups = grouping.by_target(list_records(home.pending))
    assert [(group.key, len(group.records)) for group in groups] == [
        ("memory:memory", 5),
        ("memory:user", 1),
        ("unreadable", 1),
    ]


def test_what_touches_the_same_thing_depends_on_one_another(home: Home) -> None:
    stage_memory(home.path, "00000001", "remove", old_text="heron", at=1.0)
    stage_memory(home.path, "00000002", "replace", old_text="heron", content="x", at=2.0)
    stage_memory(home.path, "00000003", "remove", target="user", old_text="heron", at=3.0)
    stage_skill(home.path, "00000001", "create", "deploy", about={"at": 1.0})
    stage_skill(home.path, "00000002", "write_file", "deploy", file_path="scripts/a", about={"at": 2.0})
    stage_skill(home.path, "00000003", "write_file", "deploy", file_path="scripts/b", about={"at": 3.0})
    stage_skill(home.path, "00000004", "write_file", "deploy", file_path="scripts/b", about={"at": 4.0})
    stage_skill(home.path, "00000005", "delete", "other", about={"at": 5.0})
    found = grouping.dependencies(list_records(home.pending))
    assert found["memory:00000001"] == ("memory:00000002",)
    assert "memory:00000003" not in found
    assert set(found["skill:00000001"]) == {"skill:00000002", "skill:00000003", "skill:00000004"}
    assert set(found["skill:00000003"]) == {"skill:00000001", "skill:00000004"}
    assert set(found["skill:00000002"]) == {"skill:00000001"}
    assert "skill:00000005" not in found


def test_grouping_many_records_grows_with_their_number(home: Home) -> None:
    def made(count: int) -> Any:
        place = home.path / str(count)
        for number in range(count):
            words = f"word{number} term{number * 7} thing{number * 13} part{number % 50}"
            stage(place, f"{number:08x}", "memory", {"action": "add", "content": words})
        found = list_records(place / "pending")
        return lambda: (grouping.by_likeness(found), grouping.dependencies(found))

    assert_linear(made, 400)
