"""Connections kept between searches: used again, never for another file, at rest in between, closed soon."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memoryhub.hermes.state_db import Connection, Missing, TookTooLong
from sessions_app.query_language import parse
from sessions_app.search import Options, explore, search
from sessions_app.search.readers import READERS, Readers
from sessions_app.search.statements import LONGEST_MS, OutOfTime, ask
from tests.builders import make_state_db, message, session

ENDLESS = "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number) SELECT count(*) FROM number"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    rows = [message("s", content=f"a heron stands {number}") for number in range(50)]
    return make_state_db(tmp_path / "state.db", sessions=[session("s", title="Birds")], messages=rows)


def itself(conn: Connection) -> Connection:
    return conn


def test_a_connection_is_used_again(path: Path) -> None:
    readers = Readers()
    assert readers.read(path, 250, itself) is readers.read(path, 250, itself)
    readers.close_all()


def test_a_connection_is_not_used_for_a_file_that_took_the_place_of_another(path: Path, tmp_path: Path) -> None:
    assert search(path, parse("heron")).total == 50
    other = make_state_db(
        tmp_path / "other.db", sessions=[session("s")], messages=[message("s", content="one heron")], wal=False
    )
    for name in (path, path.with_name("state.db-wal"), path.with_name("state.db-shm")):
        name.unlink(missing_ok=True)
    shutil.move(other, path)
    assert search(path, parse("heron")).total == 1
    path.unlink()
    with pytest.raises(Missing):
        search(path, parse("heron"))


def test_what_is_written_meanwhile_is_found(path: Path) -> None:
    with closing(sqlite3.connect(path)) as agent:
        agent.execute("PRAGMA journal_mode = WAL")
        for number in range(51, 56):
            with agent:
                agent.execute(
                    "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'heron', 1)"
                )
            assert search(path, parse("heron")).total == number


def test_a_connection_at_rest_is_in_nobodys_way(path: Path) -> None:
    with closing(sqlite3.connect(path)) as agent:
        agent.execute("PRAGMA journal_mode = WAL")
        for typed in ("heron", "heron source:cli", "a-heron", "鹭", "nosuchbird", "title:birds"):
            search(path, parse(typed))
            explore(path, parse(typed))
            with agent:
                agent.execute(
                    "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'x', 1)"
                )
            assert READERS._kept
            assert agent.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0, typed


def test_connections_are_closed_when_nobody_searches(path: Path) -> None:
    readers = Readers(idle_seconds=0.01)
    conn = readers.read(path, 250, itself)
    sweeper = readers._sweeper
    assert sweeper is not None
    sweeper.join(20)
    assert not sweeper.is_alive()
    with pytest.raises(sqlite3.ProgrammingError):
        conn.execute("SELECT 1")
    assert readers.read(path, 250, itself) is not conn
    readers.close_all()


def test_an_error_on_a_kept_connection_is_asked_again_on_a_fresh_one(path: Path) -> None:
    readers = Readers()
    first = readers.read(path, 250, itself)
    first.execute("SELECT 1").close()
    first.close()
    assert readers.read(path, 250, lambda conn: conn.execute("SELECT count(*) FROM messages").fetchone()[0]) == 50
    readers.close_all()


def test_every_statement_of_a_search_has_its_time(path: Path) -> None:
    limits: list[int] = []
    search(path, parse("heron"))
    (kept,) = READERS._kept
    kept.conn.set_trace_callback(lambda _: limits.append(kept.conn.limit_ms))
    for typed in ("heron", '"a heron"', "her*", "heron NOT one", "a-heron", "鹭", "heron source:cli", "nosuchbird"):
        search(path, parse(typed), Options(reasoning=True))
    assert len(limits) > 50
    assert max(limits) <= LONGEST_MS < 250


def test_a_statement_that_would_never_end_is_stopped(path: Path) -> None:
    readers = Readers()
    with pytest.raises(OutOfTime):
        readers.read(path, 250, lambda conn: ask(conn, 5, ENDLESS))
    asked: list[int] = []

    def look(conn: Connection) -> None:
        conn.create_function("limit_ms", 0, lambda: asked.append(conn.limit_ms) or 0)
        ask(conn, 10_000, "SELECT limit_ms()")

    readers.read(path, 250, look)
    assert asked == [LONGEST_MS]
    readers.close_all()
    assert issubclass(TookTooLong, Exception)
