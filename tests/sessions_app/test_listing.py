"""The list: what is a row, what is under it, in which order, and what paging and filters leave."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memoryhub.hermes.state_db import read
from sessions_app import catalogue as catalogue_module
from sessions_app.catalogue import Catalogue, catalogue
from sessions_app.list_filters import Filters
from sessions_app.list_rows import Row, list_rows
from sessions_app.listing import PER_PAGE, Page, page
from sessions_app.tool_use import ToolUse, tool_names
from tests.builders import START, make_state_db, message, session, tool_call

NOW = START + 100_000
DAY = 86_400.0


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "state.db"


def known(path: Path) -> Catalogue:
    return read(path, 1_000, lambda conn: catalogue(conn, path))


def shown(path: Path, now: float = NOW, **asked: Any) -> Page:
    keys = {name: asked.pop(name, "") for name in ("after", "before")}
    return page(known(path), Filters(**asked), now=now, **keys)


def ids(found: Page) -> list[str]:
    return [one.id for one in found.rows]


def rows(path: Path) -> dict[str, Row]:
    def look(conn: Any) -> dict[int, Row]:
        found = catalogue(conn, path)
        return list_rows(conn, found.schema, found.conversations)

    return {row.id: row for row in read(path, 1_000, look).values()}


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            conn.execute(statement)
        conn.commit()


def chain(**last: Any) -> list[dict[str, Any]]:
    return [
        session("root", end_reason="compression", ended_at=START + 100, title="Long project"),
        session(
            "mid", parent_session_id="root", started_at=START + 200, end_reason="compression", ended_at=START + 300
        ),
        session("tip", parent_session_id="mid", started_at=START + 400, **last),
    ]


def said(*names: str) -> list[dict[str, Any]]:
    return [message(name, content=f"hello {name}", timestamp=START + 10 * place) for place, name in enumerate(names, 1)]


def test_the_newest_activity_comes_first_not_the_newest_start(db: Path) -> None:
    make_state_db(
        db,
        sessions=[session("early"), session("late", started_at=START + 50)],
        messages=[message("late", timestamp=START + 60), message("early", timestamp=START + 500)],
    )
    assert ids(shown(db)) == ["early", "late"]


def test_a_compressed_conversation_is_one_row_with_all_its_messages(db: Path) -> None:
    make_state_db(db, sessions=[*chain(), session("other")], messages=said("root", "mid", "tip", "other"))
    assert sorted(ids(shown(db))) == ["other", "root"]
    row = rows(db)["root"]
    assert row.title == "Long project"
    assert row.messages == 3
    assert [part.id for part in row.session.parts] == ["root", "mid", "tip"]
    assert row.last is not None
    assert row.last.timestamp() == START + 30 or row.last.timestamp() == START + 400


def test_archiving_one_part_archives_the_conversation(db: Path) -> None:
    make_state_db(db, sessions=[*chain(), session("old", archived=1)], messages=said("root", "tip"))
    change(db, "UPDATE sessions SET archived = 1 WHERE id = 'root'")
    assert ids(shown(db)) == []
    assert sorted(ids(shown(db, archived=True))) == ["old", "root"]


def test_a_branch_is_shown_under_its_parent_and_keeps_both_up_to_date(db: Path) -> None:
    branch = session("branch", parent_session_id="top", model_config='{"_branched_from": "top"}')
    make_state_db(
        db,
        sessions=[session("top"), session("other"), branch],
        messages=[message("other", timestamp=START + 50), message("branch", timestamp=START + 90)],
    )
    found = shown(db)
    assert ids(found) == ["top", "other"]
    assert [one.id for one in found.nested[found.rows[0].rowid]] == ["branch"]
    assert found.counts.total == 3


def test_delegated_work_is_hidden_behind_a_counted_toggle(db: Path) -> None:
    make_state_db(
        db,
        sessions=[
            session("top"),
            session("child", parent_session_id="top"),
            session("cron_1", source="cron"),
            session("api_1", source="api_server"),
            session("tool_1", source="tool"),
        ],
    )
    found = shown(db)
    assert ids(found) == ["top"]
    assert found.counts.hidden == {"agent": 2, "cron": 1, "api": 1}
    everything = shown(db, everything=True)
    assert everything.counts.total == 5
    assert everything.counts.hidden == {}
    assert ids(shown(db, source="cron")) == ["cron_1"]


def test_an_orphan_stands_by_itself(db: Path) -> None:
    make_state_db(db, sessions=[session("top")])
    change(
        db,
        f"INSERT INTO sessions (id, source, started_at, parent_session_id) VALUES ('orphan', 'cli', {START}, 'gone')",
    )
    assert sorted(ids(shown(db))) == ["orphan", "top"]


@pytest.mark.parametrize("reason", ["compression", "user_exit"])
def test_a_circle_of_parents_is_shown_once(db: Path, reason: str) -> None:
    make_state_db(db, sessions=[session("a", end_reason=reason), session("b", end_reason=reason)], messages=said("a"))
    change(db, "UPDATE sessions SET parent_session_id = iif(id = 'a', 'b', 'a')")
    found = shown(db, everything=True)
    everywhere = [part.id for row in found.rows for part in row.parts]
    everywhere += [part.id for below in found.nested.values() for one in below for part in one.parts]
    assert sorted(everywhere) == ["a", "b"]


def test_a_session_that_is_its_own_parent_is_shown(db: Path) -> None:
    make_state_db(db, sessions=[session("self", end_reason="compression")])
    change(db, "UPDATE sessions SET parent_session_id = id")
    assert ids(shown(db)) == ["self"]


@pytest.mark.parametrize(
    ("stored", "date"),
    [
        ("1767225600.0", "2026-01-01"),
        ("1767225600000", "2026-01-01"),
        ("'2026-01-01T00:00:00Z'", "2026-01-01"),
        ("'yesterday'", None),
        ("0", None),
        ("-1", None),
        ("''", None),
        ("1e300", None),
    ],
)
def test_every_kind_of_time_shows_and_unreadable_ones_come_last(db: Path, stored: str, date: str | None) -> None:
    make_state_db(db, sessions=[session("odd"), session("plain", started_at=START - DAY)])
    change(db, f"UPDATE sessions SET started_at = {stored} WHERE id = 'odd'")
    found = shown(db)
    assert ids(found) == (["odd", "plain"] if date else ["plain", "odd"])
    last = rows(db)["odd"].last
    assert (last.date().isoformat() if last else None) == date


def test_a_broken_model_config_hides_nothing(db: Path) -> None:
    make_state_db(
        db,
        sessions=[
            session("good", model_config="{}"),
            session("broken", model_config='{"_branched_from": ', parent_session_id="good"),
            session("empty", model_config=""),
        ],
    )
    assert sorted([*ids(shown(db, everything=True)), "broken"]) == ["broken", "empty", "good"]


def test_an_untitled_session_has_the_first_words_of_the_person(db: Path) -> None:
    parts = '\0json:[{"type": "image_url", "image_url": {"url": "x"}}, {"type": "text", "text": "see this 图"}]'
    make_state_db(
        db,
        sessions=[session("plain"), session("parts"), session("silent")],
        messages=[
            message("plain", "assistant", "I begin"),
            message("plain", content="fix   the\nstaging port"),
            message("parts", content=parts),
        ],
    )
    found = rows(db)
    assert found["plain"].words == "fix the staging port"
    assert found["parts"].words == "see this 图"
    assert found["silent"].words == ""


def test_undone_messages_are_not_counted_and_compacted_ones_are(db: Path) -> None:
    make_state_db(
        db,
        sessions=[session("s", message_count=99)],
        messages=[message("s"), message("s", active=0), message("s", active=0, compacted=1)],
    )
    assert rows(db)["s"].messages == 2


def test_paging_by_key_shows_each_conversation_once_while_new_ones_arrive(db: Path) -> None:
    make_state_db(db, sessions=[session(f"s{n:03}", started_at=START + n) for n in range(2 * PER_PAGE + 5)])
    first = shown(db)
    change(db, f"INSERT INTO sessions (id, source, started_at) VALUES ('new', 'cli', {START + 9_999})")
    second = shown(db, after=first.older)
    third = shown(db, after=second.older)
    assert [*ids(first), *ids(second), *ids(third)] == [f"s{n:03}" for n in reversed(range(2 * PER_PAGE + 5))]
    assert third.older == ""
    assert ids(shown(db, before=third.newer)) == ids(second)
    assert ids(shown(db))[0] == "new"


@pytest.mark.parametrize("key", ["x", "1_", "_1", "nan_1", "9e999_3", "-1.0_-5", "\0"])
def test_a_key_that_is_none_gives_a_page(db: Path, key: str) -> None:
    make_state_db(db, sessions=[session("s")])
    shown(db, after=key)
    shown(db, before=key)


def test_filters_and_their_counts_add_up(db: Path) -> None:
    make_state_db(
        db,
        sessions=[
            session("a", model="m1", cwd="/x", tool_call_count=2),
            session("b", source="telegram", model="m1"),
            session("c", source="telegram", model="m2", started_at=START + 2 * DAY),
        ],
    )
    assert sorted(ids(shown(db, source="telegram"))) == ["b", "c"]
    assert ids(shown(db, model="m1", source="telegram")) == ["b"]
    assert ids(shown(db, folder="/x")) == ["a"]
    assert ids(shown(db, tools=True)) == ["a"]
    assert ids(shown(db, since=START + DAY)) == ["c"]
    assert sorted(ids(shown(db, until=START + DAY))) == ["a", "b"]
    facets = shown(db, model="m1").counts.facets
    assert [(one.value, one.count) for one in facets["source"]] == [("cli", 1), ("telegram", 1)]
    assert [(one.value, one.count, one.is_chosen) for one in facets["model"]] == [("m1", 2, True), ("m2", 1, False)]


def test_running_means_no_end_and_active_within_a_quarter_of_an_hour(db: Path) -> None:
    make_state_db(
        db,
        sessions=[session("on"), session("done", ended_at=START + 1), session("idle", started_at=START - DAY)],
        messages=[message("on", timestamp=START), message("done", timestamp=START)],
    )
    assert ids(shown(db, now=START + 60, running=True)) == ["on"]
    assert ids(shown(db, now=START + 3_600, running=True)) == []


def test_what_is_written_meanwhile_is_seen_at_once(db: Path) -> None:
    make_state_db(db, sessions=[session("a"), session("b")], messages=said("a", "b"))
    assert ids(shown(db)) == ["b", "a"]
    change(db, f"INSERT INTO messages (session_id, role, content, timestamp) VALUES ('a', 'user', 'x', {START + 900})")
    assert ids(shown(db)) == ["a", "b"]
    change(db, "UPDATE sessions SET archived = 1 WHERE id = 'a'")
    assert ids(shown(db)) == ["b"]
    change(db, "UPDATE sessions SET archived = 0 WHERE id = 'a'", "DELETE FROM messages WHERE session_id = 'b'")
    change(db, "DELETE FROM sessions WHERE id = 'b'")
    assert ids(shown(db)) == ["a"]


def test_a_compression_that_happens_meanwhile_joins_both_parts(db: Path) -> None:
    make_state_db(db, sessions=[session("a"), session("z")], messages=said("a", "z"))
    assert ids(shown(db)) == ["z", "a"]
    change(
        db,
        f"UPDATE sessions SET end_reason = 'compression', ended_at = {START + 50} WHERE id = 'a'",
        f"INSERT INTO sessions (id, source, started_at, parent_session_id) VALUES ('b', 'cli', {START + 60}, 'a')",
        f"INSERT INTO messages (session_id, role, content, timestamp) VALUES ('b', 'user', 'x', {START + 70})",
    )
    found = shown(db)
    assert ids(found) == ["a", "z"]
    assert [part.id for part in found.rows[0].parts] == ["a", "b"]


def test_an_old_database_without_most_columns_is_listed(db: Path) -> None:
    gone = ("archived", "title", "end_reason", "cwd", "tool_call_count", "model_config", "ended_at", "model")
    make_state_db(
        db,
        sessions=[{"id": "s", "source": "cli", "started_at": START}],
        messages=[{"session_id": "s", "role": "user", "content": "hello", "timestamp": START}],
        without=[*(f"sessions.{name}" for name in gone), "messages.active", "messages.compacted"],
        version=6,
        search=False,
    )
    assert ids(shown(db)) == ["s"]
    assert rows(db)["s"].messages == 1


def test_sessions_with_odd_ids_are_all_listed(db: Path) -> None:
    make_state_db(db, sessions=[session("a/b"), session(""), session("..")])
    change(db, f"INSERT INTO sessions (id, source, started_at) VALUES (NULL, 'cli', {START}), (NULL, 'cli', {START})")
    assert len(shown(db).rows) == 5


def test_twenty_thousand_sessions_cost_few_statements_and_no_prompt(db: Path) -> None:
    make_state_db(db, search=False)
    change(
        db,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO sessions"
        f" (id, source, started_at, system_prompt) SELECT 's' || i, 'cli', {START} + i, printf('%.2000c', 'p') FROM n",
    )
    asked: list[str] = []

    def look(conn: Any) -> Page:
        found = catalogue(conn, db)
        conn.set_trace_callback(asked.append)
        again = catalogue(conn, db)
        assert again is found
        result = page(found, Filters(), now=NOW)
        list_rows(conn, found.schema, result.rows)
        return result

    assert len(read(db, 1_000, look).rows) == PER_PAGE
    assert len(asked) <= PER_PAGE + 8  # four of them because the file was written a moment ago
    assert not any(
        "system_prompt" in statement or "*" in statement.split("FROM")[0].replace("count(*)", "") for statement in asked
    )


def test_what_was_brought_up_to_date_is_what_a_fresh_look_gives(db: Path) -> None:
    make_state_db(db, sessions=[session("a"), *chain()], messages=said("a", "root", "tip"))
    known(db)
    steps = [
        f"INSERT INTO sessions (id, source, started_at) VALUES ('n1', 'cron', {START + 500})",
        f"INSERT INTO messages (session_id, role, content, timestamp) VALUES ('n1', 'user', 'x', {START + 501})",
        f"UPDATE sessions SET ended_at = {START + 600}, tool_call_count = 3, end_reason = 'user_exit' WHERE id = 'a'",
        f"INSERT INTO messages (session_id, role, content, timestamp) VALUES ('a', 'user', 'x', {START + 601})",
        f"INSERT INTO sessions (id, source, started_at, parent_session_id) VALUES ('n2', 'cli', {START + 700}, 'a')",
        f"INSERT INTO messages (session_id, role, content, timestamp) VALUES ('tip', 'user', 'x', {START + 701})",
        "UPDATE sessions SET archived = 1 WHERE id = 'tip'",
        f"INSERT INTO messages (session_id, role, content, timestamp) VALUES ('tip', 'user', 'x', {START + 702})",
    ]
    for step in steps:
        change(db, step)
        now = known(db)
        catalogue_module.forget_all()
        fresh = known(db)
        for one, other in zip(now.conversations, fresh.conversations, strict=True):
            assert (one.id, one.last, one.rank, one.background) == (other.id, other.last, other.rank, other.background)
            assert [part.facts for part in one.parts] == [part.facts for part in other.parts]
            assert now.kinds[one.kind] == fresh.kinds[other.kind]


def test_an_agent_that_writes_does_not_have_everything_read_again_until_it_pauses(db: Path) -> None:
    make_state_db(db, sessions=[session(f"s{n}", started_at=START + n) for n in range(150)])
    known(db)
    change(db, f"INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s9', 'user', 'x', {START + 999})")
    first = known(db)
    assert first.conversations[0].id == "s9"
    change(db, "UPDATE sessions SET message_count = 7 WHERE id = 's9'")
    change(db, "UPDATE sessions SET archived = 1 WHERE id IN ('s0', 's149')")
    assert known(db) is first
    assert (first.by_id["s149"].is_archived, first.by_id["s0"].is_archived) == (True, False)
    first.news_at -= 60
    first.whole_took = 60
    assert known(db) is first  # reading everything is dear
    first.whole_took = 0
    after = known(db)
    assert after is not first
    assert after.by_id["s0"].is_archived
    change(db, f"INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s9', 'user', 'x', {START + 999})")
    after.whole_at -= 60
    again = known(db)
    change(db, "UPDATE sessions SET message_count = 8 WHERE id = 's9'")
    assert after is not again is known(db)


def test_several_requests_at_once_see_whole_lists_while_the_agent_writes(db: Path) -> None:
    make_state_db(db, sessions=[session(f"s{n}", started_at=START + n) for n in range(600)], search=False)
    counted: list[int] = []
    is_over = threading.Event()

    def look_at_it() -> None:
        while not is_over.is_set():
            found = known(db)
            with found.lock:
                counted.append(len(page(found, Filters(), now=NOW).rows))

    readers = [threading.Thread(target=look_at_it) for _ in range(4)]
    for reader in readers:
        reader.start()
    for n in range(40):
        change(db, f"INSERT INTO sessions (id, source, started_at) VALUES ('new{n}', 'cli', {START + 700 + n})")
    is_over.set()
    for reader in readers:
        reader.join()
    assert set(counted) == {PER_PAGE}
    assert len(known(db).conversations) == 640


def tooled(name: str, tool: str, at: float) -> dict[str, Any]:
    return message(name, "tool", "done", tool_name=tool, timestamp=START + at)


def used(path: Path, tool: str, budget_ms: float = 1_000.0, **asked: Any) -> Page:
    keys = {name: asked.pop(name, "") for name in ("after", "before")}

    def look(conn: Any) -> Page:
        found = catalogue(conn, path)
        judge = ToolUse(conn, found, tool, budget_ms)
        return page(found, Filters(tool=tool, **asked), now=NOW, used=judge, **keys)

    return read(path, 1_000, look)


def test_conversations_are_narrowed_to_a_tool_whichever_part_used_it(db: Path) -> None:
    calls = json.dumps([tool_call("web_search", {"query": "x"})])
    rows = [
        session("a", tool_call_count=1),
        *chain(tool_call_count=2),
        session("plain"),
        session("b", tool_call_count=1),
    ]
    said_ = [tooled("a", "terminal", 1), tooled("tip", "Read_File", 2), message("b", "assistant", "", tool_calls=calls)]
    make_state_db(db, sessions=rows, messages=[*said_, message("plain", content="terminal read_file web_search")])
    assert ids(used(db, "terminal")) == ["a"]
    assert ids(used(db, "read_file")) == ["root"]
    assert ids(used(db, "web_search")) == ["b"]
    assert ids(used(db, "nothing")) == []
    assert used(db, "terminal").counts.total is None
    assert read(db, 1_000, lambda conn: tool_names(conn, catalogue(conn, db))) == ["Read_File", "terminal"]


def test_a_tool_used_later_is_seen(db: Path) -> None:
    make_state_db(db, sessions=[session("a", tool_call_count=1)], messages=[tooled("a", "terminal", 1)])
    assert ids(used(db, "patch")) == []
    change(
        db,
        "INSERT INTO messages (session_id, role, content, tool_name, timestamp)"
        f" VALUES ('a', 'tool', 'x', 'patch', {START + 5})",
    )
    assert ids(used(db, "patch")) == ["a"]


def test_a_rare_tool_is_looked_for_as_long_as_there_is_time_and_then_from_there_on(db: Path) -> None:
    rows = [session(f"s{n}", started_at=START + n, tool_call_count=1) for n in range(60)]
    make_state_db(
        db, sessions=rows, messages=[tooled("s7", "rare", 7), *(tooled(f"s{n}", "patch", n) for n in range(60))]
    )
    first = used(db, "rare", budget_ms=-1)
    assert (ids(first), first.is_cut) == ([], True)
    seen, after, pages = list[str](), first.older, 1
    while after:
        shown_ = used(db, "rare", budget_ms=-1, after=after)
        seen, after, pages = seen + ids(shown_), shown_.older, pages + 1
    assert seen == ["s7"]
    assert pages > 50
    assert ids(used(db, "rare")) == ["s7"]
    assert not used(db, "rare").is_cut
