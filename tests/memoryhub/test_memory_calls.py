"""Memory tool calls in state.db: every shape that reaches disk, their outcome, and what they explain."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.hermes import state_db
from memoryhub.hermes.memory_calls import MemoryAction, MemoryCall, explain, memory_calls, step_back
from memoryhub.hermes.tool_calls import outcome, tool_calls
from tests.builders import START, make_state_db, memory_call, message, session, tool_call

ADD = {"action": "add", "target": "memory", "content": "Build with make ship"}
DONE = {"success": True, "done": True, "message": "Entry added."}
REFUSED = {"success": False, "error": "Memory at 2,190/2,200 chars.", "current_entries": ["a"]}
STAGED = {"success": True, "staged": True, "pending_id": "adb077c8", "message": "Staged for approval."}


def calls_in(tmp_path: Path, *messages: Any, after_id: int = 0, up_to: int | None = None) -> tuple[MemoryCall, ...]:
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=messages)
    with state_db.connect(path, limit_ms=2_000) as conn:
        return memory_calls(conn, after_id=after_id, up_to=up_to)


def test_a_call_and_its_answer_tell_who_wrote_what_and_when(tmp_path: Path) -> None:
    (call,) = calls_in(tmp_path, message("s"), *memory_call("s", ADD, DONE))
    assert call == MemoryCall(
        session_id="s",
        message_id=2,
        timestamp=datetime.fromtimestamp(START, UTC),
        actions=(MemoryAction("add", "memory", "Build with make ship", ""),),
        succeeded=True,
    )


@pytest.mark.parametrize(
    ("answer", "succeeded", "staged"),
    [
        (DONE, True, ""),
        (REFUSED, False, ""),
        ({"error": "no store"}, False, ""),
        (STAGED, False, "adb077c8"),
        ({"success": True, "staged": True}, False, "?"),
        (json.dumps(DONE)[:30], True, ""),
        (json.dumps(REFUSED)[:60], False, ""),
        (json.dumps(STAGED)[:40], False, "?"),
        ("\0json:" + json.dumps([{"type": "text", "text": json.dumps(DONE)}]), True, ""),
        ("Interrupted by user", None, ""),
        ("", None, ""),
        ("[]", None, ""),
        ("null", None, ""),
        ('{"success": "yes"}', None, ""),
        (None, None, ""),
    ],
)
def test_the_answer_decides_whether_the_write_was_done(
    tmp_path: Path, answer: object, succeeded: bool | None, staged: str
) -> None:
    (call,) = calls_in(tmp_path, *memory_call("s", ADD, answer))
    assert (call.succeeded, call.staged) == (succeeded, staged)


def test_a_batch_is_one_call_with_its_operations(tmp_path: Path) -> None:
    batch = {
        "target": "user",
        "operations": [
            {"action": "add", "content": " Lives in Lund \n"},
            {"action": "replace", "old_text": "tea", "content": "Drinks coffee"},
            {"action": "remove", "old_text": "allergy"},
            {"action": "explode"},
            None,
        ],
    }
    (call,) = calls_in(tmp_path, *memory_call("s", batch, DONE))
    assert call.actions == (
        MemoryAction("add", "user", "Lives in Lund", ""),
        MemoryAction("replace", "user", "Drinks coffee", "tea"),
        MemoryAction("remove", "user", "", "allergy"),
    )


def test_without_a_target_it_is_the_memory_file(tmp_path: Path) -> None:
    (call,) = calls_in(tmp_path, *memory_call("s", {"action": "add", "content": "x"}, DONE))
    assert call.actions[0].target == "memory"


CALL = tool_call("memory", ADD)
SHAPES: dict[str, object] = {
    "list": [CALL],
    "one object": CALL,
    "a list as text": json.dumps([CALL]),
    "arguments as an object": [{"id": "call_1", "function": {"name": "memory", "arguments": ADD}}],
    "without function": [{"id": "call_1", "name": "memory", "arguments": json.dumps(ADD)}],
    "input for arguments": [{"id": "call_1", "type": "tool_use", "name": "memory", "input": ADD}],
    "beside rubbish": [None, 7, "x", {"id": "c"}, {"function": None}, {"function": {"name": None}}, CALL],
    "operations as text": [tool_call("memory", {"target": "memory", "operations": json.dumps([ADD])})],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_of_a_good_call_is_read(tmp_path: Path, shape: str) -> None:
    rows = memory_call("s", ADD, DONE)
    rows[0]["tool_calls"] = json.dumps(SHAPES[shape])
    (call,) = calls_in(tmp_path, *rows)
    assert call.actions == (MemoryAction("add", "memory", "Build with make ship", ""),)
    assert call.succeeded is True


@pytest.mark.parametrize(
    "value",
    [
        *("{memory", '{"id": "memory"}', '"memory"', "null", "7", "[null]", "", "[" * 5000 + "memory"),
        '[{"function": null}]',
        json.dumps([tool_call("terminal", {"command": "memory"})]),
        json.dumps([tool_call("memory_bank", ADD)]),
    ],
)
def test_what_is_no_memory_call_is_passed_over(tmp_path: Path, value: str) -> None:
    assert calls_in(tmp_path, message("s", "assistant", tool_calls=value)) == ()


@pytest.mark.parametrize("arguments", ['{"action": "add", "cont', "", "null", "[]", '"text"'])
def test_a_call_with_unreadable_arguments_is_known_but_explains_nothing(tmp_path: Path, arguments: str) -> None:
    (call,) = calls_in(tmp_path, *memory_call("s", arguments, DONE))
    assert call.actions == ()


@given(st.one_of(st.none(), st.text(), st.binary(), st.integers(), st.floats()))
def test_no_column_value_breaks_the_reading(value: object) -> None:
    tool_calls(value)
    outcome(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["memory", "add"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["id", "function", "name", "arguments"]), inner),
)


@given(JSON)
def test_no_json_breaks_the_reading(value: object) -> None:
    for call in tool_calls(json.dumps(value)):
        assert isinstance(call.name, str)


def test_half_characters_become_replacement_characters(tmp_path: Path) -> None:
    (call,) = calls_in(tmp_path, *memory_call("s", {**ADD, "content": "smile \ud83d"}, DONE))
    assert call.actions[0].content == "smile �"


def test_calls_of_one_message_each_find_their_own_answer(tmp_path: Path) -> None:
    both = [tool_call("memory", ADD, "c1"), tool_call("memory", {**ADD, "content": "second"}, "c2")]
    rows = [
        message("s", "assistant", "", tool_calls=json.dumps(both)),
        message("s", "tool", json.dumps(REFUSED), tool_call_id="c2", tool_name="memory"),
        message("s", "tool", json.dumps(DONE), tool_call_id="c1", tool_name="memory"),
    ]
    assert [(call.actions[0].content, call.succeeded) for call in calls_in(tmp_path, *rows)] == [
        ("Build with make ship", True),
        ("second", False),
    ]


def test_an_answer_counts_only_for_its_own_session_and_the_nearest_call_before_it(tmp_path: Path) -> None:
    rows = [
        *memory_call("other", ADD, REFUSED),
        *memory_call("s", ADD, REFUSED),
        *memory_call("s", ADD, DONE),
        *memory_call("third", ADD),
    ]
    assert [call.succeeded for call in calls_in(tmp_path, *rows)] == [False, False, True, None]


def test_a_call_without_an_id_takes_the_next_answer_of_the_tool(tmp_path: Path) -> None:
    rows = memory_call("s", ADD, DONE, call_id="")
    rows[1]["tool_call_id"] = None
    assert [call.succeeded for call in calls_in(tmp_path, *rows)] == [True]


def test_only_the_rows_asked_for_are_read(tmp_path: Path) -> None:
    rows = [row for number in range(6) for row in memory_call("s", {**ADD, "content": f"n{number}"}, DONE)]
    assert [call.message_id for call in calls_in(tmp_path, *rows)] == [1, 3, 5, 7, 9, 11]
    with state_db.connect(tmp_path / "state.db") as conn:
        assert [call.message_id for call in memory_calls(conn, after_id=3)] == [5, 7, 9, 11]
        assert [call.message_id for call in memory_calls(conn, after_id=3, up_to=8)] == [5, 7]
        assert memory_calls(conn, after_id=state_db.last_message_id(conn)) == ()


def test_a_limit_never_loses_a_call(tmp_path: Path) -> None:
    noise = [message("s", "assistant", tool_calls=json.dumps([tool_call("terminal", {"command": "free memory"})]))] * 7
    both = [tool_call("memory", ADD, "a"), tool_call("memory", ADD, "b")]
    pair = message("s", "assistant", tool_calls=json.dumps(both))
    path = make_state_db(tmp_path / "state.db", messages=[*noise, pair, *noise, pair, pair, *noise, pair])
    found, after = [], 0
    with state_db.connect(path) as conn:
        while calls := memory_calls(conn, after_id=after, limit=1):
            found += [call.message_id for call in calls]
            after = calls[-1].message_id
    assert found == [8, 8, 16, 16, 17, 17, 25, 25]


def test_walking_back_step_by_step_finds_every_call_once_over_any_gaps(tmp_path: Path) -> None:
    rows = [row for number in range(30) for row in memory_call("s", {**ADD, "content": f"n{number}"}, DONE)]
    for row, message_id in zip(rows, [*range(1, 31), *range(900, 915), *range(10**15, 10**15 + 15)], strict=True):
        row["id"] = message_id
    path = make_state_db(tmp_path / "state.db", messages=rows)
    found: list[str] = []
    with state_db.connect(path) as conn:
        before = state_db.last_message_id(conn)
        steps = 0
        while before > 0:
            after = step_back(conn, before, rows=7)
            found += [call.actions[0].content for call in reversed(memory_calls(conn, after_id=after, up_to=before))]
            before, steps = after, steps + 1
    assert found == [f"n{number}" for number in reversed(range(30))]
    assert steps == 9


def test_the_time_of_a_call_may_be_unknown(tmp_path: Path) -> None:
    (call,) = calls_in(tmp_path, *memory_call("s", ADD, DONE, timestamp="some day"))
    assert call.timestamp is None


def test_a_call_stored_as_bytes_is_read(tmp_path: Path) -> None:
    path = make_state_db(tmp_path / "state.db", messages=memory_call("s", ADD, DONE))
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("UPDATE messages SET tool_calls = CAST(tool_calls AS BLOB), content = CAST(content AS BLOB)")
        conn.commit()
    with state_db.connect(path) as conn:
        assert [call.succeeded for call in memory_calls(conn, after_id=0)] == [True]


def call(
    number: int, *actions: tuple[str, str, str, str], succeeded: bool | None = True, staged: str = ""
) -> MemoryCall:
    return MemoryCall("s", number, None, tuple(MemoryAction(*each) for each in actions), succeeded, staged)


def test_an_entry_that_appeared_is_explained_by_what_was_written() -> None:
    calls = [
        call(1, ("add", "memory", "alpha", "")),
        call(2, ("replace", "memory", "beta", "alpha")),
        call(3, ("add", "user", "gamma", "")),
        call(4, ("remove", "memory", "", "beta")),
    ]
    assert explain(calls, "memory", "alpha") == calls[0]
    assert explain(calls, "memory", " beta\n") == calls[1]
    assert explain(calls, "user", "gamma") == calls[2]
    assert explain(calls, "memory", "gamma") is None
    assert explain(calls, "memory", "bet") is None
    assert explain([], "memory", "beta") is None


def test_an_entry_that_vanished_is_explained_by_what_named_a_part_of_it() -> None:
    calls = [
        call(1, ("replace", "memory", "beta", "lpha")),
        call(2, ("remove", "user", "", "gam")),
        call(3, ("add", "memory", "delta", "")),
        call(4, ("remove", "memory", "", "")),
    ]
    assert explain(calls, "memory", "alpha", "vanished") == calls[0]
    assert explain(calls, "user", "gamma", "vanished") == calls[1]
    assert explain(calls, "memory", "delta", "vanished") is None


def test_line_ends_do_not_matter() -> None:
    calls = [call(1, ("add", "memory", "one\r\ntwo", ""))]
    assert explain(calls, "memory", "one\ntwo") == calls[0]


def test_the_newest_call_explains_and_a_done_one_before_an_unanswered_one_before_a_staged_one() -> None:
    add = ("add", "memory", "alpha", "")
    done, newer = call(1, add), call(2, add)
    unanswered, staged = call(3, add, succeeded=None), call(4, add, succeeded=False, staged="adb077c8")
    refused = call(5, add, succeeded=False)
    assert explain([done, newer, unanswered, staged, refused], "memory", "alpha") == newer
    assert explain([unanswered, staged, refused], "memory", "alpha") == unanswered
    assert explain([staged, refused], "memory", "alpha") == staged
    assert explain([refused], "memory", "alpha") is None


def test_any_operation_of_a_batch_explains() -> None:
    batch = call(1, ("add", "memory", "alpha", ""), ("remove", "memory", "", "omega"))
    assert explain([batch], "memory", "alpha") == batch
    assert explain([batch], "memory", "the omega entry", "vanished") == batch
