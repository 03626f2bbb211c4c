"""Every file among the staged writes is either a record or named with the reason why not; none hides another."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryhub.hermes.home import Home
from skills_app.pending import records
from skills_app.pending.records import PendingMemory, PendingSkill, Unreadable, find_record, list_records
from tests.growth import assert_linear, that_ends
from tests.skills_app.staged import put, record, stage, stage_memory, stage_skill

ADD = {"action": "add", "target": "memory", "content": "Likes tea."}
DELETE = {"action": "delete", "name": "deploy"}


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "TORN_WAIT", 0)


def only(home: Home) -> records.Record:
    (found,) = list_records(home.pending)
    return found


def test_a_memory_record_is_read(home: Home) -> None:
    path = stage_memory(home.path, "0a1b2c3d", "replace", target="user", content="New", old_text="Old", at=5.0)
    found = only(home)
    assert isinstance(found, PendingMemory)
    assert (found.id, found.target, found.action, found.created_at) == ("memory:0a1b2c3d", "user", "replace", 5.0)
    assert [(s.action, s.content, s.old_text) for s in found.steps] == [("replace", "New", "Old")]
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert found.is_background
    assert not found.is_batch


def test_a_memory_batch_is_read(home: Home) -> None:
    operations = [{"action": "remove", "old_text": "a"}, {"action": "add", "content": "b"}]
    stage_memory(home.path, "0a1b2c3d", "batch", operations=operations)
    found = only(home)
    assert isinstance(found, PendingMemory)
    assert [step.action for step in found.steps] == ["remove", "add"]
    assert found.is_batch


def test_a_skill_record_is_read(home: Home) -> None:
    stage_skill(home.path, "0a1b2c3d", "patch", "deploy", old_string="a", new_string="", about={"origin": "foreground"})
    found = only(home)
    assert isinstance(found, PendingSkill)
    assert (found.id, found.name, found.is_background) == ("skill:0a1b2c3d", "deploy", False)
    assert [(w.action, w.old_string, w.new_string, w.content) for w in found.steps] == [("patch", "a", "", None)]


def test_a_skill_batch_of_a_newer_hermes_is_read(home: Home) -> None:
    operations = [{"action": "write_file", "file_path": "scripts/a", "file_content": "x"}, {**DELETE, "name": "other"}]
    stage(home.path, "0a1b2c3d", "skills", {"action": "batch", "name": "deploy", "operations": operations})
    found = only(home)
    assert isinstance(found, PendingSkill)
    assert [(w.action, w.name) for w in found.steps] == [("write_file", "deploy"), ("delete", "other")]


def test_the_newest_comes_first_and_what_has_no_time_last(home: Home) -> None:
    for record_id, at in (("00000001", 3.0), ("00000002", 9.0), ("00000003", 6.0)):
        stage_memory(home.path, record_id, "add", content="x", at=at)
    put(home.path, "skills", "00000004.json", "{")
    assert [r.id for r in list_records(home.pending)][:3] == ["memory:00000002", "memory:00000003", "memory:00000001"]
    assert list_records(home.pending)[3].id == "unreadable:00000004.json"


def test_a_home_without_staged_writes_has_none(home: Home, tmp_path: Path) -> None:
    assert list_records(home.pending) == ()
    assert list_records(tmp_path / "nowhere") == ()
    (home.path / "pending").write_text("a file")
    assert list_records(home.pending) == ()


def changed(subsystem: str = "memory", payload: object = ADD, **parts: Any) -> str:
    return json.dumps(record("0a1b2c3d", subsystem, payload, **parts))


def twice(key: str) -> str:
    return changed().replace("{", f'{{"{key}": 1, ', 1)


UNREADABLE: list[tuple[str, str, str | bytes, str]] = [
    ("empty", "memory", "", "is empty"),
    ("blank", "memory", " \n", "is empty"),
    ("cut short", "memory", changed()[:40], "not whole JSON"),
    ("a list", "memory", "[1]", "a list"),
    ("a text", "memory", '"x"', "a text"),
    ("null", "memory", "null", "null"),
    ("a byte-order mark", "memory", b"\xef\xbb\xbf" + changed().encode(), "byte-order mark"),
    ("bad UTF-8", "memory", changed().encode()[:-1] + b"\xff}", "not UTF-8"),
    ("UTF-16", "memory", changed().encode("utf-16"), "not"),
    ("another id", "memory", changed(id="ffffffff"), "calls itself"),
    ("no id", "memory", changed(id=None), "calls itself"),
    ("an id with a path", "memory", changed(id="../../etc"), "calls itself"),
    ("the other kind", "skills", changed(), "lies among those for skills"),
    ("no kind", "memory", changed(subsystem=None), "lies among"),
    ("a date as text", "memory", changed(created_at="2026-01-01"), "no time"),
    ("no date", "memory", changed(created_at=None), "no time"),
    ("true for a date", "memory", changed(created_at=True), "no time"),
    ("a date before time", "memory", changed(created_at=-1), "no time"),
    ("a date after time", "memory", changed(created_at=1e300), "no time"),
    ("an endless date", "memory", changed(created_at=float("inf")), "Infinity"),
    ("a date that overflows", "memory", changed().replace(str(1767225600.0), "1e999"), "no time"),
    ("a number of many digits", "memory", changed().replace(str(1767225600.0), "9" * 5000), "too long"),
    ("no payload", "memory", changed(payload=None), "nothing to apply"),
    ("a payload that is null", "skills", changed("skills", None), "nothing to apply"),
    ("a payload that is empty", "skills", changed("skills", {}), "no action"),
    ("an unknown action", "memory", changed(payload={"action": "erase"}), "erase"),
    ("two actions", "memory", changed(action="remove"), "says “remove” but would do “add”"),
    ("an unknown target", "memory", changed(payload={**ADD, "target": "../x"}), "its target is"),
    ("a target that is a list", "memory", changed(payload={**ADD, "target": ["memory"]}), "its target is"),
    ("content that is a number", "memory", changed(payload={**ADD, "content": 5}), "content is a number"),
    ("a name that is a list", "skills", changed("skills", {**DELETE, "name": ["a"]}), "name is a list"),
    ("no name", "skills", changed("skills", {"action": "delete"}), "names no skill"),
    (
        "replace_all that is a text",
        "skills",
        changed("skills", {**DELETE, "replace_all": "yes"}),
        "replace_all is a text",
    ),
    ("a summary that is a list", "memory", changed(summary=[]), "summary is a list"),
    ("an empty batch", "memory", changed(payload={"action": "batch", "operations": []}), "without any steps"),
    ("a batch of texts", "memory", changed(payload={"action": "batch", "operations": ["x"]}), "is a text"),
    (
        "a batch in a batch",
        "memory",
        changed(payload={"action": "batch", "operations": [{"action": "batch"}]}),
        "batch",
    ),
    ("an endless batch", "memory", changed(payload={"action": "batch", "operations": [ADD] * 1001}), "more than"),
    ("a key twice", "memory", twice("payload"), "twice"),
    ("a key twice inside", "memory", changed().replace('"content"', '"action": "add", "content"'), "twice"),
    ("half a character", "memory", changed(payload={**ADD, "content": "\ud800"}), "half of a character"),
    ("nested too deeply", "memory", "[" * 100_000, "nested too deeply"),
]


@pytest.mark.parametrize(("subsystem", "text", "reason"), [c[1:] for c in UNREADABLE], ids=[c[0] for c in UNREADABLE])
def test_what_is_no_record_is_named_with_the_reason_and_hides_nothing(
    home: Home, subsystem: str, text: str | bytes, reason: str
) -> None:
    put(home.path, subsystem, "0a1b2c3d.json", text)
    stage_memory(home.path, "ffffffff", "add", content="x")
    found = {each.id: each for each in list_records(home.pending)}
    bad = found.pop("unreadable:0a1b2c3d.json")
    assert isinstance(bad, Unreadable)
    assert reason.lower() in bad.reason.lower()
    assert list(found) == ["memory:ffffffff"]
    assert find_record(home.pending, bad.id) == bad


def test_what_can_be_read_of_a_bad_record_is_kept(home: Home) -> None:
    put(home.path, "memory", "0a1b2c3d.json", changed(id="x", created_at=7))
    found = only(home)
    assert isinstance(found, Unreadable)
    assert (found.summary, found.created_at, found.action) == ("as the agent says", 7.0, "add")
    assert "Likes tea." in found.readable


@pytest.mark.parametrize("name", ["notes.json", "0A1B2C3D.json", "0a1b2c3.json", "0a1b2c3d4.json", "….json", ".json"])
def test_a_file_with_another_name_is_unreadable(home: Home, name: str) -> None:
    put(home.path, "memory", name, changed())
    assert only(home).id == f"unreadable:{name}"


@pytest.mark.parametrize(
    "name", ["0a1b2c3d.json.tmp", "0a1b2c3d.json.claimed-77", "0a1b2c3d", "x.json.bak", ".x.tmp.9"]
)
def test_temporary_and_claimed_files_are_no_records(home: Home, name: str) -> None:
    put(home.path, "memory", name, changed())
    assert list_records(home.pending) == ()


def test_links_folders_and_pipes_are_named_and_not_opened(home: Home, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text(changed())
    folder = put(home.path, "memory", "00000009.json", changed()).parent
    (folder / "00000001.json").symlink_to(secret)
    (folder / "00000002.json").mkdir()
    os.mkfifo(folder / "00000003.json")
    (folder / "00000004.json").symlink_to(tmp_path / "nowhere")
    (folder / "00000009.json").unlink()
    with that_ends():
        found = list_records(home.pending)
    assert sorted(each.file for each in found) == [f"0000000{n}.json" for n in range(1, 5)]
    assert all(isinstance(each, Unreadable) and each.readable == "" and each.sha256 for each in found)


def test_a_folder_of_records_that_is_a_link_is_not_followed(home: Home, tmp_path: Path) -> None:
    stage_memory(tmp_path / "other", "0a1b2c3d", "add", content="x")
    home.pending.mkdir()
    (home.pending / "memory").symlink_to(tmp_path / "other" / "pending" / "memory")
    assert list_records(home.pending) == ()


def test_a_file_that_is_too_large_is_unreadable(home: Home) -> None:
    put(home.path, "memory", "0a1b2c3d.json", b" " * (records.MOST_BYTES + 1))
    found = only(home)
    assert isinstance(found, Unreadable)
    assert "larger than" in found.reason


def test_the_same_bad_name_in_both_folders_gives_two_ids(home: Home) -> None:
    put(home.path, "memory", "x.json", "{")
    put(home.path, "skills", "x.json", "{")
    ids = {each.id for each in list_records(home.pending)}
    assert ids == {"unreadable:x.json", "unreadable:skills/x.json"}
    for item_id in ids:
        assert find_record(home.pending, item_id) is not None
    assert find_record(home.pending, "unreadable:memory/x.json") is not None


OTHER_IDS = ["", "memory", "memory:", "memory:../x", "skill:0a1b2c3d", "memory:0A1B2C3D", "disk:0a1b2c3d", "\0"]
OTHER_IDS += ["memory:0a1b2c3d/", "unreadable:../../x.json", "unreadable:0a1b2c3d.json", "skills:0a1b2c3d"]


@pytest.mark.parametrize("item_id", OTHER_IDS)
def test_no_other_id_finds_anything(home: Home, item_id: str) -> None:
    stage_memory(home.path, "0a1b2c3d", "add", content="x")
    (home.path / "x.json").write_text(changed())
    assert find_record(home.pending, item_id) is None


def test_a_record_is_read_again_when_it_changed(home: Home) -> None:
    stage_memory(home.path, "0a1b2c3d", "add", content="one")
    first = only(home)
    stage_memory(home.path, "0a1b2c3d", "add", content="two")
    second = only(home)
    assert isinstance(first, PendingMemory)
    assert isinstance(second, PendingMemory)
    assert (first.steps[0].content, second.steps[0].content) == ("one", "two")
    assert first.sha256 != second.sha256


def test_a_record_that_is_cut_short_is_read_once_more(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(home.path, "memory", "0a1b2c3d.json", changed()[:50])
    waits: list[float] = []

    def wait(seconds: float) -> None:  # the agent finishes meanwhile
        waits.append(seconds)
        path.write_text(changed())

    monkeypatch.setattr(records.time, "sleep", wait)
    assert only(home).id == "memory:0a1b2c3d"
    assert waits == [records.TORN_WAIT]


def test_old_broken_records_cost_no_waiting(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        path = put(home.path, "memory", f"0000{number:04}.json", "{")
        os.utime(path, (1, 1))
    monkeypatch.setattr(records.time, "sleep", lambda seconds: pytest.fail("waited"))
    assert len(list_records(home.pending)) == 20


def test_twice_the_records_take_about_twice_as_long(home: Home) -> None:
    def made(count: int) -> Any:
        place = home.path / str(count)
        for number in range(count):
            stage_memory(place, f"{number:08x}", "add", content=f"Entry {number}")
        return lambda: list_records(place / "pending")

    assert_linear(made, 300)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
        max_leaves=8,
    ),
    st.sampled_from(["id", "subsystem", "action", "summary", "origin", "created_at", "payload", "content", "target"]),
)
def test_no_value_anywhere_in_a_record_makes_the_list_fail(home: Home, value: Any, key: str) -> None:
    tree = record("0a1b2c3d", "memory", dict(ADD))
    (tree["payload"] if key in ADD else tree)[key] = value
    put(home.path, "memory", "0a1b2c3d.json", json.dumps(tree))
    assert len(list_records(home.pending)) == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(st.binary(max_size=200))
def test_no_bytes_make_the_list_fail(home: Home, data: bytes) -> None:
    put(home.path, "skills", "0a1b2c3d.json", data)
    (found,) = list_records(home.pending)
    assert found.sha256 == hashlib.sha256(data).hexdigest()
