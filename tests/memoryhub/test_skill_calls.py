"""Skill tool calls in state.db: who viewed, made and changed which skill, found with and without the word index."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memoryhub.hermes import skill_calls as reader
from memoryhub.hermes import state_db
from memoryhub.hermes.skill_calls import MANAGE, VIEW, SkillCall, SkillCalls, skill_calls
from tests.builders import START, Row, make_state_db, message, session, tool_call
from tests.growth import assert_linear

DONE = {"success": True, "message": "ok"}
STAGED = {"success": True, "staged": True, "pending_id": "adb077c8"}
REFUSED = {"success": False, "error": "Skill 'x' already exists."}


def call_rows(
    session_id: str, tool: str, arguments: object, answer: object = None, call_id: str = "c1", **columns: Any
) -> list[Row]:
    """The rows of one skill tool call, and of its answer when there is one."""
    calls = json.dumps([tool_call(tool, arguments, call_id)])
    rows = [message(session_id, "assistant", "", tool_calls=calls, **columns)]
    if answer is not None:
        text = answer if isinstance(answer, str) else json.dumps(answer)
        rows.append(message(session_id, "tool", text, tool_call_id=call_id, tool_name=tool, **columns))
    return rows


@pytest.fixture(params=[True, False], ids=["word index", "no index"])
def ask(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., SkillCalls]:
    """Put rows into a state.db, with the word index or without, and ask for their skill calls."""

    def put_and_ask(*rows: Row, **options: Any) -> SkillCalls:
        path = tmp_path / "state.db"
        if not path.exists():
            make_state_db(path, sessions=[session("s"), session("t")], messages=rows, search=request.param)
        with state_db.connect(path, limit_ms=5_000) as conn:
            return skill_calls(conn, **options)

    return put_and_ask


def test_a_view_and_a_write_with_their_session_time_and_outcome(ask: Callable[..., SkillCalls]) -> None:
    rows = [
        *call_rows("s", VIEW, {"name": "deploy", "file_path": "references/a.md"}, DONE),
        message("s"),
        *call_rows("t", MANAGE, {"action": "patch", "name": "deploy", "old_string": "a", "new_string": "b"}, DONE),
    ]
    found = ask(*rows)
    patch, view = found.calls
    assert found.next_before is None
    assert (patch.session_id, patch.name, patch.action, patch.succeeded, patch.writes) == (
        "t",
        "deploy",
        "patch",
        True,
        True,
    )
    assert view == SkillCall("s", 1, patch.timestamp, "deploy", "view", "references/a.md", True, "")
    assert view.timestamp is not None
    assert view.timestamp.timestamp() == START
    assert not view.writes


@pytest.mark.parametrize(
    ("answer", "succeeded", "staged", "writes"),
    [
        (DONE, True, "", True),
        (REFUSED, False, "", False),
        (STAGED, False, "adb077c8", False),
        ({"error": "no such skill"}, False, "", False),
        ("Interrupted", None, "", True),
        (None, None, "", True),
        (json.dumps({**DONE, "content": "x" * 50_000}), True, "", True),
    ],
)
def test_the_answer_decides_about_a_write(
    ask: Callable[..., SkillCalls], answer: object, succeeded: bool | None, staged: str, writes: bool
) -> None:
    (call,) = ask(*call_rows("s", MANAGE, {"action": "create", "name": "x", "content": "y"}, answer)).calls
    assert (call.succeeded, call.staged, call.writes) == (succeeded, staged, writes)


def test_an_answer_of_another_session_or_before_the_call_is_not_its_answer(ask: Callable[..., SkillCalls]) -> None:
    rows = [
        message("s", "tool", json.dumps(DONE), tool_call_id="c1", tool_name=MANAGE),
        *call_rows("s", MANAGE, {"action": "create", "name": "x"}),
        message("t", "tool", json.dumps(DONE), tool_call_id="c1", tool_name=MANAGE),
        message("s", "tool", json.dumps(REFUSED), tool_call_id="c1", tool_name=MANAGE),
    ]
    assert [each.succeeded for each in ask(*rows).calls] == [False]


def test_names_are_compared_whole_with_or_without_a_category(ask: Callable[..., SkillCalls]) -> None:
    names = ["deploy", "devops/deploy", "deploy-app", "Deploy", "my-deploy", "plugin/x/deploy"]
    rows = [row for name in names for row in call_rows("s", VIEW, {"name": name})]
    found = ask(*rows, names=["deploy"])
    assert [each.name for each in found.calls] == ["plugin/x/deploy", "devops/deploy", "deploy"]
    assert [each.name for each in ask(names=["deploy-app", "Deploy"]).calls] == ["Deploy", "deploy-app"]


@pytest.mark.parametrize("name", ["größe", "日本", "---", '"q"', "a\0b", "NOT x", "*", "", " ", "x" * 400])
def test_any_name_can_be_asked_for(ask: Callable[..., SkillCalls], name: str) -> None:
    rows = [*call_rows("s", VIEW, {"name": name}), *call_rows("s", VIEW, {"name": "other"})]
    found = {each.name for each in ask(*rows, names=[name]).calls}
    assert found == ({name} if name.strip() and "\0" not in name else found)
    assert "other" not in found


def test_several_operations_in_one_call_are_several(ask: Callable[..., SkillCalls]) -> None:
    operations = [
        {"action": "create", "name": "a"},
        {"action": "write_file", "file_path": "references/x.md"},
        {"action": "explode"},
        None,
    ]
    (first, second) = ask(*call_rows("s", MANAGE, {"name": "b", "operations": operations}, DONE)).calls
    assert (first.name, first.action, first.succeeded) == ("a", "create", True)
    assert (second.name, second.action, second.file_path) == ("b", "write_file", "references/x.md")
    (only_a,) = ask(names=["a"]).calls
    assert only_a == first


def test_other_tools_that_speak_of_skills_are_none(ask: Callable[..., SkillCalls]) -> None:
    rows = [
        *call_rows("s", "terminal", {"command": "skill_view deploy; skill_manage deploy"}),
        message("s", "user", "please skill_view deploy"),
        message("s", "assistant", "", tool_calls="skill_view deploy, cut off"),
        *call_rows("s", VIEW, "not json"),
        *call_rows("s", MANAGE, {"action": "explode", "name": "deploy"}),
        *call_rows("s", MANAGE, {"action": "create", "name": 7}),
    ]
    assert ask(*rows) == SkillCalls((), None)


def test_one_tool_alone_can_be_asked_for(ask: Callable[..., SkillCalls]) -> None:
    rows = [*call_rows("s", VIEW, {"name": "a"}), *call_rows("s", MANAGE, {"action": "edit", "name": "a"})]
    assert [each.action for each in ask(*rows, tools=[MANAGE]).calls] == ["edit"]
    assert [each.action for each in ask(tools=[VIEW]).calls] == ["view"]


def test_paging_gives_every_call_once_newest_first(
    ask: Callable[..., SkillCalls], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "STEP_HITS", 7)
    monkeypatch.setattr(reader, "STEP_ROWS", 9)
    rows = [
        row for number in range(40) for row in call_rows("s", VIEW, {"name": f"skill-{number}"}, DONE, f"c{number}")
    ]
    found: list[str] = []
    before: int | None = None
    for steps in range(1, 200):
        page = ask(*rows, before_id=before, limit=3, steps=1 + steps % 3)
        found += [each.name for each in page.calls]
        before = page.next_before
        if before is None:
            break
    assert found == [f"skill-{number}" for number in reversed(range(40))]
    assert [each.name for each in ask(after_id=75).calls] == ["skill-39", "skill-38"]


def test_an_index_that_holds_no_tool_calls_is_not_asked(tmp_path: Path) -> None:
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], search=False)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("CREATE VIRTUAL TABLE messages_fts USING fts5(content)")
        conn.execute(
            "CREATE TRIGGER fill AFTER INSERT ON messages BEGIN"
            " INSERT INTO messages_fts (rowid, content) VALUES (new.id, new.content); END"
        )
        conn.execute(
            "INSERT INTO messages (session_id, role, content, tool_calls, timestamp)"
            " VALUES ('s', 'assistant', '', ?, 1)",
            (json.dumps([tool_call(VIEW, {"name": "a"})]),),
        )
        conn.commit()
    with state_db.connect(path) as conn:
        assert [each.name for each in skill_calls(conn).calls] == ["a"]


@pytest.mark.parametrize("column", ["tool_calls", "content", "tool_call_id", "timestamp"])
def test_missing_columns_leave_out_what_they_held(tmp_path: Path, column: str) -> None:
    rows = [message("s", "assistant", tool_calls=json.dumps([tool_call(VIEW, {"name": "a"})]))]
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=rows, search=False)
    with closing(sqlite3.connect(path)) as conn:
        for (index,) in conn.execute(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        ).fetchall():
            conn.execute(f"DROP INDEX {index}")
        conn.execute(f"ALTER TABLE messages DROP COLUMN {column}")
        conn.commit()
    with state_db.connect(path) as conn:
        found = skill_calls(conn)
    assert [each.name for each in found.calls] == ([] if column == "tool_calls" else ["a"])


def test_asking_with_the_index_takes_as_long_as_there_are_calls(tmp_path: Path) -> None:
    """Twenty calls among ever more messages: the index leads to them."""

    def asking(size: int) -> Callable[[], object]:
        others = [message("s", content="we talked about this and that") for _ in range(size)]
        rows = [row for number in range(20) for row in call_rows("s", VIEW, {"name": "a"}, DONE, f"c{number}")]
        path = make_state_db(tmp_path / f"{size}.db", sessions=[session("s")], messages=[*others, *rows, *others])

        def ask() -> object:
            with state_db.connect(path, limit_ms=5_000) as conn:
                assert len(skill_calls(conn, names=["a"]).calls) == 20
            return None

        return ask

    assert_linear(asking, 500)
