"""A conversation: rows become turns whatever they hold, and windows of them fit together without gap or overlap."""

from __future__ import annotations

import base64
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memoryhub.hermes.state_db import read
from sessions_app.conversation import Conversation, MessageNotFound, SessionNotFound, address_of, get_conversation
from sessions_app.facts import part_facts
from sessions_app.images import image_bytes, images_of
from sessions_app.related import relatives
from sessions_app.tool_errors import is_error
from sessions_app.transcript import Turn, calls_of, turns
from sessions_app.windows import Window, window
from tests.builders import START, make_state_db, message, session, tool_call

PNG = b"\x89PNG\r\n\x1a\n" + bytes(8)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "state.db"


def talk(path: Path, name: str = "s") -> Conversation:
    return read(path, 1_000, lambda conn: get_conversation(conn, name))


def look(path: Path, name: str = "s", **asked: Any) -> Window:
    return read(path, 1_000, lambda conn: window(conn, get_conversation(conn, name), **asked))


def seen(path: Path, name: str = "s", **asked: Any) -> list[Turn]:
    def work(conn: Any) -> list[Turn]:
        found = get_conversation(conn, name)
        return turns(window(conn, found, **asked).rows, [part.id for part in found.parts])

    return read(path, 1_000, work)


def parts_text(*parts: dict[str, Any]) -> str:
    return "\0json:" + json.dumps(list(parts))


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("{broken", ("", "{broken")),
        ('{"id": "c1"}', ("", '{"id": "c1"}')),
        ('"text"', ("", '"text"')),
        ("null", ("", "null")),
        ("7", ("", "7")),
        ("[null]", ("", "null")),
        ('[{"id": "c1", "function": null}]', ("", '{"id": "c1", "function": null}')),
        ('[{"function": {"name": "terminal", "arguments": {"command": "ls"}}}]', ("terminal", (("command", "ls"),))),
        ('[{"function": {"name": "terminal", "arguments": "{\\"command\\": "}}]', ("terminal", '{"command": ')),
        (
            '[{"function": {"name": "terminal", "arguments": "{\\"command\\":\\"ls\\"}"}}]',
            ("terminal", (("command", "ls"),)),
        ),
        ('[{"function": {"name": "noargs", "arguments": ""}}]', ("noargs", ())),
    ],
)
def test_every_shape_of_tool_calls_is_shown_readable_or_as_it_stands(stored: str, expected: tuple[str, Any]) -> None:
    call = calls_of(stored)[0]
    assert (call.name, call.raw if call.arguments is None else call.arguments) == expected


@pytest.mark.parametrize("stored", [None, "", "  ", b""])
def test_no_tool_calls_are_none(stored: object) -> None:
    assert calls_of(stored) == []


def test_arguments_of_other_types_are_set_out_as_json() -> None:
    call = calls_of(json.dumps([tool_call("patch", {"n": 3, "edits": [{"a": "é"}]})]))[0]
    assert call.arguments == (("n", "3"), ("edits", '[\n  {\n    "a": "é"\n  }\n]'))


def test_results_stand_at_their_calls_and_are_told_apart_by_id(db: Path) -> None:
    calls = json.dumps([tool_call("a", {}, "1"), tool_call("b", {}, "2")])
    make_state_db(
        db,
        sessions=[session("s")],
        messages=[
            message("s", content="go"),
            message("s", "assistant", None, tool_calls=calls),
            message("s", "tool", "second", tool_call_id="2", tool_name="b"),
            message("s", "tool", '{"error": "no"}', tool_call_id="1", tool_name="a"),
            message("s", "tool", "stray", tool_call_id="9"),
        ],
    )
    found = seen(db)
    assert [turn.kind for turn in found] == ["user", "assistant", "tool"]
    results = [call.result for call in found[1].calls]
    assert [(one.text, one.is_error) for one in results if one] == [('{"error": "no"}', True), ("second", False)]
    assert found[2].result is not None


def test_messages_come_by_id_even_when_clocks_went_back(db: Path) -> None:
    make_state_db(
        db,
        sessions=[session("s")],
        messages=[message("s", content=text, timestamp=START - n) for n, text in enumerate("abc")],
    )
    assert [turn.text for turn in seen(db)] == ["a", "b", "c"]


def test_undone_messages_come_only_on_request(db: Path) -> None:
    make_state_db(
        db,
        sessions=[session("s")],
        messages=[
            message("s", content="a"),
            message("s", content="b", active=0),
            message("s", content="c", active=0, compacted=1),
        ],
    )
    assert [turn.text for turn in seen(db)] == ["a", "c"]
    assert [(turn.text, turn.is_undone) for turn in seen(db, rewound=True)] == [("a", False), ("b", True), ("c", False)]


@pytest.mark.parametrize("role", ['user" onmouseover="x', "", "assistant ", "<b>", "USER", "function"])
def test_a_role_never_becomes_a_class_name_of_its_own(db: Path, role: str) -> None:
    make_state_db(db, sessions=[session("s")], messages=[message("s", role)])
    assert seen(db)[0].kind == "other"


def test_stored_bytes_and_half_characters_are_shown_with_replacements(db: Path) -> None:
    calls = '[{"id": "1", "function": {"name": "t", "arguments": "{\\"a\\": \\"\\\\ud83d\\"}"}}]'
    make_state_db(
        db, sessions=[session("s")], messages=[message("s", "assistant", b"\xed\xa0\x80 x", tool_calls=calls)]
    )
    with closing(sqlite3.connect(db)) as conn:
        conn.execute("UPDATE messages SET content = CAST(x'EDA08061' AS TEXT)")
        conn.commit()
    turn = seen(db)[0]
    turn.text.encode()
    assert turn.text.endswith("a")
    assert turn.calls[0].arguments == (("a", "\ufffd"),)


def test_windows_fit_together_in_both_directions(db: Path) -> None:
    make_state_db(db, sessions=[session("s")], messages=[message("s", content=f"m{n}") for n in range(101)])
    ids = list(talk(db).ids)
    forward, after = [row["id"] for row in look(db).rows], look(db).after
    while after is not None:
        found = look(db, after=after)
        forward += [row["id"] for row in found.rows]
        after = found.after
    assert forward == ids
    backward: list[int] = []
    before = ids[-1]
    while before is not None:
        found = look(db, before=before)
        backward = [row["id"] for row in found.rows] + backward
        before = found.before
    assert backward == ids[:-1]


@pytest.mark.parametrize("place", [0, 1, 50, 99, 100])
def test_a_window_holds_the_message_it_was_asked_for(db: Path, place: int) -> None:
    make_state_db(db, sessions=[session("s")], messages=[message("s", content="x" * 9_000) for n in range(101)])
    ids = talk(db).ids
    assert ids[place] in [row["id"] for row in look(db, at=ids[place]).rows]


def test_a_window_begins_with_the_call_whose_results_it_shows(db: Path) -> None:
    calls = json.dumps([tool_call("t", {}, str(n)) for n in range(12)])
    rows = [message("s"), message("s", "assistant", None, tool_calls=calls)]
    rows += [message("s", "tool", f"r{n}", tool_call_id=str(n)) for n in range(12)]
    make_state_db(db, sessions=[session("s")], messages=rows)
    ids = talk(db).ids
    found = seen(db, at=ids[-1])
    assert all(call.result for turn in found for call in turn.calls)
    assert not [turn for turn in found if turn.kind == "tool"]


def test_a_window_of_a_long_conversation_reads_only_its_rows(db: Path) -> None:
    make_state_db(db, sessions=[session("s")], messages=[message("s", content="x" * 2_000) for n in range(3_000)])

    def work(conn: Any) -> int:
        found = get_conversation(conn, "s")
        asked: list[str] = []
        conn.set_trace_callback(asked.append)
        window(conn, found, at=found.ids[1_500])
        return len(asked)

    assert read(db, 1_000, work) <= 4


def test_an_unknown_message_is_named_as_such(db: Path) -> None:
    make_state_db(db, sessions=[session("s"), session("t")], messages=[message("s"), message("t")])
    with pytest.raises(MessageNotFound):
        look(db, at=2)
    with pytest.raises(SessionNotFound):
        talk(db, "nope")


@pytest.mark.parametrize("name", ["../x", "a/b", "", "..", "a b", "é", "row:7", "a?b", "x" * 300, "%2e"])
def test_ids_that_are_no_piece_of_a_path_are_addressed_by_their_row(db: Path, name: str) -> None:
    make_state_db(db, sessions=[session(name)], messages=[message(name)])
    address = address_of(name, 1)
    assert address == "row:1"
    assert talk(db, address).parts[0].id == name


def test_a_lineage_is_read_as_one_from_wherever_it_is_opened(db: Path) -> None:
    make_state_db(
        db,
        sessions=[
            session("root", end_reason="compression", ended_at=START + 1),
            session("tip", parent_session_id="root", started_at=START + 2),
            session("side", parent_session_id="root", started_at=START + 3, model_config='{"_branched_from": "root"}'),
        ],
        messages=[message("root", content="a"), message("tip", content="b"), message("side", content="c")],
    )
    assert [turn.text for turn in seen(db, "root")] == ["a", "b"]
    assert [(turn.text, turn.part) for turn in seen(db, "tip")] == [("b", 1)]
    assert [turn.text for turn in seen(db, "side")] == ["c"]
    found = read(db, 1_000, lambda conn: relatives(conn, get_conversation(conn, "root")))
    assert [(one.kind, one.id) for one in found] == [("branch", "side")]
    assert look(db, "tip").before is not None


def test_what_a_conversation_came_from_is_named_even_when_it_is_gone(db: Path) -> None:
    make_state_db(db, sessions=[session("a")])
    with closing(sqlite3.connect(db)) as conn:
        conn.execute("UPDATE sessions SET parent_session_id = 'gone'")
        conn.commit()
    found = read(db, 1_000, lambda conn: relatives(conn, get_conversation(conn, "a")))
    assert [(one.kind, one.id) for one in found] == [("missing", "gone")]


def test_images_are_those_stored_inline_and_told_by_their_bytes() -> None:
    data = base64.b64encode(PNG).decode()
    content = parts_text(
        {"type": "text", "text": "see"},
        {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{data}"}},
        {"type": "image_url", "image_url": "https://evil.example/p.png?q=secret"},
        {
            "type": "image_url",
            "image_url": {"url": "data:image/svg+xml;base64," + base64.b64encode(b"<svg/>").decode()},
        },
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}},
        {"type": "image_url", "image_url": {"url": "data:text/html;base64,PGI+"}},
        {"type": "image_url", "image_url": {"url": "javascript:alert(1)"}},
    )
    assert [(one.kind, one.size, one.host) for one in images_of(content)] == [
        ("png", 16, ""),
        ("", 0, "evil.example"),
        ("", 6, ""),
        ("png", 16, ""),
        ("", 0, ""),
        ("", 0, ""),
    ]
    assert image_bytes(content, 0) == ("png", PNG)
    assert [image_bytes(content, place) for place in (1, 2, 4, 5, 6, -1)] == [None] * 6


def test_cut_off_parts_are_shown_as_far_as_they_go(db: Path) -> None:
    content = parts_text({"type": "text", "text": "zebrafish picture"})[:-8]
    make_state_db(db, sessions=[session("s")], messages=[message("s", content=content)])
    turn = seen(db)[0]
    assert turn.is_cut
    assert "zebrafish" in turn.text
    assert "\0" not in turn.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"success": false}', True),
        ('{"exit_code": 2, "output": "x"}', True),
        ('{"exit_code": 0, "error": null}', False),
        ('{"error": ""}', False),
        ('{"error": "no such file", "success": true}', False),
        ("Error: not found", True),
        ("Traceback (most recent call last):\n  x", True),
        ("no error here", False),
        ("errors: 0", False),
        ('[{"error": "x"}]', True),
        ("", False),
    ],
)
def test_errors_of_tools_are_noticed(text: str, expected: bool) -> None:
    assert is_error(text) is expected


def test_tokens_and_cost_are_told_per_part_and_model(db: Path) -> None:
    make_state_db(db, sessions=[session("s", model="m1", input_tokens=10, output_tokens="x", estimated_cost_usd=0.5)])
    with closing(sqlite3.connect(db)) as conn:
        conn.executemany(
            "INSERT INTO session_model_usage (session_id, model, api_call_count, first_seen) VALUES ('s', ?, ?, ?)",
            [("m2", 3, START + 9), ("m1", 2, START)],
        )
        conn.commit()
    part = read(db, 1_000, lambda conn: part_facts(conn, get_conversation(conn, "s")))[0]
    assert (part.usage.tokens, part.usage.cost, part.usage.is_actual) == (10, 0.5, False)
    assert [(one.model, one.calls) for one in part.models] == [("m1", 2), ("m2", 3)]
