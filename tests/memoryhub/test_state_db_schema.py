"""Old, new and incomplete databases: what is missing is known beforehand, and what is there is read."""

import contextlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoryhub.hermes import state_db
from tests.builders import make_state_db, memory_call, message, session

NOW = datetime(2026, 1, 1, 0, 5, tzinfo=UTC)
VERSION_6 = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
INSERT INTO schema_version VALUES (6);
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, system_prompt TEXT,
    started_at REAL NOT NULL, ended_at REAL, title TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
    content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL);
CREATE VIRTUAL TABLE messages_fts USING fts5(content, content=messages, content_rowid=id);
INSERT INTO sessions VALUES ('old', 'cli', 'm', 'You are Hermes.', 1767225600.0, NULL, 'Badger watch');
INSERT INTO messages (session_id, role, content, timestamp) VALUES ('old', 'user', 'badger', 1767225800.0);
"""


def probed(path: Path) -> state_db.Schema:
    return state_db.read(path, 1_000, state_db.probe)


@pytest.fixture
def version_6(tmp_path: Path) -> Path:
    path = tmp_path / "state.db"
    with contextlib.closing(sqlite3.connect(path)) as conn:
        conn.executescript(VERSION_6)
    return path


def test_a_database_of_an_older_agent_is_read_and_not_migrated(version_6: Path) -> None:
    before = version_6.read_bytes()
    schema = probed(version_6)
    assert schema.version == 6
    assert schema.is_older
    assert schema.has("messages_fts")
    assert not schema.has("messages_fts_trigram")
    assert not schema.has("sessions", "archived")
    assert not schema.has("messages", "active")
    with state_db.connect(version_6) as conn:
        assert state_db.counts(conn) == state_db.Counts(sessions=1, messages=1)
        (running,) = state_db.running_sessions(conn, NOW)
        assert running.system_prompt == "You are Hermes."
        assert state_db.memory_calls(conn, after_id=0) == ()
    assert version_6.read_bytes() == before


def test_todays_tables_columns_and_indexes_are_known(tmp_path: Path) -> None:
    schema = probed(make_state_db(tmp_path / "state.db"))
    assert schema.version == state_db.KNOWN_VERSION
    assert not schema.is_older
    assert not schema.is_newer
    assert schema.has("sessions", "archived")
    assert schema.finds_by("messages", "session_id", "timestamp")
    assert not schema.finds_by("messages", "timestamp")
    assert not schema.finds_by("sessions", "title")  # that index covers only rows with a title


@pytest.mark.parametrize(("version", "older", "newer"), [(21, True, False), (23, False, True), (None, False, False)])
def test_the_schema_number_says_how_old_the_agent_is(
    tmp_path: Path, version: int | None, older: bool, newer: bool
) -> None:
    schema = probed(make_state_db(tmp_path / "state.db", version=version))
    assert (schema.version, schema.is_older, schema.is_newer) == (version, older, newer)


def test_without_a_version_table_the_rest_is_read(tmp_path: Path) -> None:
    path = make_state_db(tmp_path / "state.db")
    with contextlib.closing(sqlite3.connect(path)) as conn:
        conn.execute("DROP TABLE schema_version")
        conn.commit()
    assert probed(path).version is None


def test_a_version_that_is_no_number_is_not_known(tmp_path: Path) -> None:
    path = make_state_db(tmp_path / "state.db", version=None)
    with contextlib.closing(sqlite3.connect(path)) as conn:
        conn.execute("INSERT INTO schema_version VALUES ('<b>new</b>')")
        conn.commit()
    assert probed(path).version is None


@pytest.mark.parametrize("table", ["sessions", "messages"])
def test_without_the_two_main_tables_the_form_is_unknown(tmp_path: Path, table: str) -> None:
    path = make_state_db(tmp_path / "state.db", search=False)
    with contextlib.closing(sqlite3.connect(path)) as conn:
        conn.execute(f"DROP TABLE {table}")
        conn.commit()
    with pytest.raises(state_db.SchemaUnknown) as caught:
        probed(path)
    assert caught.value.path.name == "state.db"


MISSING = [
    *(f"messages.{name}" for name in ("timestamp", "tool_calls", "tool_call_id", "tool_name", "role", "content")),
    *(f"sessions.{name}" for name in ("title", "source", "started_at", "ended_at", "system_prompt", "archived")),
]


@pytest.mark.parametrize("column", MISSING)
def test_no_missing_column_stops_the_reading(tmp_path: Path, column: str) -> None:
    rows = memory_call("s", {"action": "add", "target": "memory", "content": "x"}, {"success": True})
    table, name = column.split(".")
    for row in rows if table == "messages" else []:
        row.pop(name, None)
    one = session("s")
    if table == "sessions":
        one.pop(name, None)
    path = make_state_db(tmp_path / "state.db", sessions=[one], messages=rows, without=[column], search=False)
    with state_db.connect(path) as conn:
        assert not state_db.probe(conn).has(table, name)
        assert len(state_db.running_sessions(conn, NOW)) == 1
        calls = state_db.memory_calls(conn, after_id=0)
        assert len(calls) == (0 if column == "messages.tool_calls" else 1)


def test_a_broken_search_index_does_not_stop_the_rest(tmp_path: Path) -> None:
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=[message("s")])
    with contextlib.closing(sqlite3.connect(path)) as conn:
        conn.execute("DELETE FROM messages_fts_data")
        conn.commit()
    with state_db.connect(path) as conn:
        assert state_db.probe(conn).has("messages_fts")
        assert state_db.counts(conn).messages == 1
        assert len(state_db.running_sessions(conn, NOW)) == 1


def test_counts_are_the_rows_and_not_what_the_sessions_claim(tmp_path: Path) -> None:
    path = make_state_db(
        tmp_path / "state.db", sessions=[session("s", message_count=99), session("empty")], messages=[message("s")] * 3
    )
    assert state_db.read(path, 1_000, state_db.counts) == state_db.Counts(sessions=2, messages=3)


def test_an_empty_but_sound_database_holds_nothing(tmp_path: Path) -> None:
    path = make_state_db(tmp_path / "state.db")
    with state_db.connect(path) as conn:
        assert state_db.counts(conn) == state_db.Counts(0, 0)
        assert state_db.last_message_id(conn) == 0
        assert state_db.running_sessions(conn, NOW) == ()
        assert state_db.memory_calls(conn, after_id=0) == ()
        assert state_db.step_back(conn, 0) == 0
