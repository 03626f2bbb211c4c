"""Our made-up databases against the real Hermes: same columns; Hermes opens, lists, searches and goes on writing."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memoryhub.demo import build_demo_home, prompts, story_home, tables
from memoryhub.hermes import state_db
from memoryhub.hermes.running import running_sessions
from tests.interop.hermes import environment

pytestmark = pytest.mark.interop
NOW = datetime.now(UTC)

OPENED = """
import json, os, sys
from pathlib import Path
from hermes_state import SessionDB
db = SessionDB(Path(os.environ["HERMES_HOME"]) / "state.db")
def find(words):
    return [hit["session_id"] for hit in db.search_messages(words, limit=50)]
first = db.list_sessions_rich(limit=10_000, include_children=True, include_archived=True)
db.create_session("20260101_000000_feed00", "cli", model="m")
db.append_message("20260101_000000_feed00", "user", "a quixotic umbrella")
print(json.dumps({
    "sessions": [row["id"] for row in first],
    "titles": [row["title"] for row in first],
    "messages": db.message_count(),
    "english": find("rollback OR staging"),
    "chinese": find("夏令时"),
    "own": find("quixotic"),
    "conversation": [row["role"] for row in db.get_messages(sys.argv[1])],
    "columns": {table: {row[1]: row[2] for row in db._conn.execute(f"PRAGMA table_info({table})")}
                for table in ("sessions", "messages", "session_model_usage", "state_meta", "schema_version")},
    "version": db._conn.execute("SELECT max(version) FROM schema_version").fetchone()[0],
}))
"""
PROMPT = """
import json
from tools.memory_tool import MemoryStore
store = MemoryStore()
store.load_from_disk()
print(json.dumps({target: store.format_for_system_prompt(target) for target in ("memory", "user")}))
"""


def asked(python: Path, home: Path, script: str, *arguments: str) -> Any:
    done = subprocess.run(
        [str(python), "-c", script, *arguments],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "home"
    build_demo_home(folder, NOW, 3)
    return folder


@pytest.fixture(scope="module")
def opened(hermes_python: Path, demo: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    copy = tmp_path_factory.mktemp("copy") / "home"
    shutil.copytree(demo, copy)
    with state_db.connect(demo / "state.db") as conn:
        (running,) = running_sessions(conn, NOW)
    answer: dict[str, Any] = asked(hermes_python, copy, OPENED, running.id)
    return answer


@pytest.fixture(scope="module")
def fresh_columns(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """The columns of a database that Hermes made all by itself."""
    columns: dict[str, dict[str, str]] = asked(hermes_python, tmp_path_factory.mktemp("fresh"), OPENED, "")["columns"]
    return columns


@pytest.mark.parametrize("table", tables.COLUMNS)
def test_our_columns_are_named_and_typed_as_hermes_does(fresh_columns: dict[str, dict[str, str]], table: str) -> None:
    with closing(sqlite3.connect(":memory:")) as conn:
        tables.create_tables(conn)
        ours = {row[1]: row[2] for row in conn.execute(f"PRAGMA table_info({table})")}
    assert ours == fresh_columns[table]


def test_hermes_changes_nothing_about_our_tables(
    opened: dict[str, Any], fresh_columns: dict[str, dict[str, str]]
) -> None:
    assert opened["columns"] == fresh_columns
    assert opened["version"] == tables.SCHEMA_VERSION == state_db.KNOWN_VERSION


def test_hermes_lists_every_conversation_of_the_demo_home(demo: Path, opened: dict[str, Any]) -> None:
    with state_db.connect(demo / "state.db") as conn:
        known = {row[0] for row in conn.execute("SELECT id FROM sessions").fetchall()}
        counts = state_db.counts(conn)
    assert len(opened["sessions"]) > 300
    assert set(opened["sessions"]) <= known
    assert opened["messages"] == counts.messages + 1
    assert any(title and "Staging" in title for title in opened["titles"])


def test_hermes_finds_english_and_chinese_words_and_its_own_new_message(opened: dict[str, Any]) -> None:
    assert len(set(opened["english"])) > 5
    assert len(set(opened["chinese"])) >= 1
    assert opened["own"] == ["20260101_000000_feed00"]


def test_hermes_reads_the_running_conversation(opened: dict[str, Any]) -> None:
    assert opened["conversation"][0] == "user"
    assert {"assistant", "tool"} <= set(opened["conversation"])


def test_the_snapshots_in_the_demo_are_what_hermes_would_freeze(hermes_python: Path, demo: Path) -> None:
    real = asked(hermes_python, demo, PROMPT)
    for target in ("memory", "user"):
        assert real[target] in prompts.system_prompt(story_home.HOME, timedelta(0), [])
    with state_db.connect(demo / "state.db") as conn:
        (running,) = running_sessions(conn, NOW)
    assert real["user"] in running.system_prompt
    assert real["memory"] not in running.system_prompt
    started = NOW - timedelta(minutes=50)
    assert abs((running.started_at or NOW) - started) < timedelta(seconds=1)
