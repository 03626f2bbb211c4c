"""Which sessions count as running: no end, and activity within the last fifteen minutes."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memoryhub.hermes import state_db
from tests.builders import make_state_db, message, session

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def ago(minutes: float) -> float:
    return (NOW - timedelta(minutes=minutes)).timestamp()


def running(path: Path) -> list[str]:
    with state_db.connect(path, limit_ms=2_000) as conn:
        return [one.id for one in state_db.running_sessions(conn, NOW)]


def home_with(tmp_path: Path, columns: dict[str, Any], *message_times: object) -> Path:
    messages = [message("s", timestamp=stamp) for stamp in message_times]
    return make_state_db(tmp_path / "state.db", sessions=[session("s", **columns)], messages=messages)


def test_a_session_with_a_recent_message_and_no_end_runs(tmp_path: Path) -> None:
    assert running(home_with(tmp_path, {"started_at": ago(600)}, ago(599), ago(14))) == ["s"]


def test_a_session_that_was_silent_for_longer_does_not_run(tmp_path: Path) -> None:
    assert running(home_with(tmp_path, {"started_at": ago(600)}, ago(16))) == []


def test_an_ended_session_does_not_run(tmp_path: Path) -> None:
    assert running(home_with(tmp_path, {"started_at": ago(9), "ended_at": ago(1)}, ago(2))) == []


def test_a_session_just_started_runs_before_its_first_message(tmp_path: Path) -> None:
    assert running(home_with(tmp_path, {"started_at": ago(1)})) == ["s"]
    assert running(home_with(tmp_path / "old", {"started_at": ago(20)})) == []


@pytest.mark.parametrize(
    "stamp",
    [
        ago(3) * 1000,
        str(ago(3)),
        (NOW - timedelta(minutes=3)).isoformat(),
        (NOW - timedelta(minutes=3)).strftime("%Y-%m-%dT%H:%M:%SZ"),
    ],
    ids=["milliseconds", "number as text", "ISO", "ISO with Z"],
)
def test_activity_is_read_in_every_form_of_time(tmp_path: Path, stamp: object) -> None:
    assert running(home_with(tmp_path, {"started_at": "yesterday"}, stamp)) == ["s"]
    assert running(home_with(tmp_path / "start", {"started_at": stamp})) == ["s"]


@pytest.mark.parametrize("stamp", ["", "soon", 0, -1, ago(-60 * 24 * 365)], ids=["none", "word", "0", "-1", "future"])
def test_a_time_that_cannot_be_meant_is_no_activity(tmp_path: Path, stamp: object) -> None:
    assert running(home_with(tmp_path, {"started_at": stamp}, stamp)) == []


@pytest.mark.parametrize("ended", [0, ""])
def test_an_end_without_a_time_is_no_end(tmp_path: Path, ended: object) -> None:
    assert running(home_with(tmp_path, {"started_at": ago(5), "ended_at": ended}, ago(4))) == ["s"]


def test_what_runs_is_told_with_its_prompt_most_recent_first(tmp_path: Path) -> None:
    path = make_state_db(
        tmp_path / "state.db",
        sessions=[
            session("a", started_at=ago(90), title="Fix <b>tests</b>", source="telegram", system_prompt="Snapshot A"),
            session("b", started_at=ago(8)),
        ],
        messages=[message("b", timestamp=ago(7)), message("a", timestamp=ago(1))],
    )
    with state_db.connect(path) as conn:
        first, second = state_db.running_sessions(conn, NOW)
    assert (first.id, first.title, first.source) == ("a", "Fix <b>tests</b>", "telegram")
    assert first.system_prompt == "Snapshot A"
    assert first.started_at == NOW - timedelta(minutes=90)
    assert first.last_active == NOW - timedelta(minutes=1)
    assert (second.id, second.title, second.system_prompt) == ("b", "", "")


def test_a_message_of_a_session_without_a_row_is_passed_over(tmp_path: Path) -> None:
    path = make_state_db(tmp_path / "state.db", messages=[message("gone", timestamp=ago(1))])
    assert running(path) == []


def test_a_long_import_of_old_messages_does_not_hide_a_running_session(tmp_path: Path) -> None:
    old = [message("import", timestamp=ago(99_999)) for _ in range(3_500)]
    path = make_state_db(
        tmp_path / "state.db",
        sessions=[session("import", started_at=ago(99_999)), session("live", started_at=ago(500))],
        messages=[message("live", timestamp=ago(2)), *old],
        search=False,
    )
    assert running(path) == ["live"]


def test_the_work_does_not_grow_with_the_number_of_messages(tmp_path: Path) -> None:
    def steps(messages: int) -> int:
        path = make_state_db(
            tmp_path / str(messages) / "state.db",
            sessions=[session(f"s{number}", started_at=ago(50_000 - number)) for number in range(400)],
            messages=[message(f"s{number % 400}", timestamp=ago(40_000)) for number in range(messages)],
            search=False,
        )
        counted = 0

        def count() -> int:
            nonlocal counted
            counted += 1
            return 0

        with closing(sqlite3.connect(path)) as conn:
            conn.set_progress_handler(count, 100)
            state_db.running_sessions(conn, NOW)
        return counted

    assert steps(16_000) < 1.3 * steps(4_000)
