"""What runs beside the dashboard so that nobody waits for it: the first look at all sessions, and later ones."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memoryhub.hermes.state_db import read
from sessions_app.catalogue import Catalogue, catalogue, wants_renewal
from sessions_app.keeping import Keeper
from tests.builders import START, make_state_db, message, session

LONG_AGO = 1_000.0


@pytest.fixture
def db(tmp_path: Path) -> Path:
    others = [session(f"s{n}", started_at=START + n) for n in range(1, 150)]
    rows = [session("old"), *others, session("new", started_at=START + 200)]
    return make_state_db(tmp_path / "state.db", sessions=rows, messages=[message("old")])


def known(path: Path) -> Catalogue:
    return read(path, 1_000, lambda conn: catalogue(conn, path))


def archive_and_write(path: Path) -> None:
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("UPDATE sessions SET archived = 1 WHERE id = 'old'")
        conn.execute(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('new', 'user', 'x', ?)", (START + 300,)
        )
        conn.commit()


def test_whoever_looks_first_finds_everything_known(db: Path) -> None:
    Keeper(db).get_ready()
    ready = known(db)
    assert (ready.conversations[0].id, len(ready.conversations)) == ("new", 151)
    assert known(db) is ready


def test_a_home_without_sessions_is_left_as_it_is(tmp_path: Path) -> None:
    Keeper(tmp_path / "state.db").get_ready()
    assert list(tmp_path.iterdir()) == []


def test_what_is_looked_at_is_read_anew_beside_the_requests(db: Path) -> None:
    before = known(db)
    before.whole_at -= LONG_AGO / 50
    archive_and_write(db)
    assert known(db) is before
    assert not before.by_id["old"].is_archived  # only what is new was read
    Keeper(db).look()
    after = known(db)
    assert after.by_id["old"].is_archived
    assert after.shape > before.shape
    assert wants_renewal() == []


@pytest.mark.parametrize("why", ["nobody looks", "nothing changed", "just read"])
def test_nothing_is_read_that_nobody_needs(db: Path, why: str) -> None:
    one = known(db)
    one.whole_at -= LONG_AGO / 50
    if why != "nothing changed":
        archive_and_write(db)
        known(db)
    if why == "nobody looks":
        one.asked_at -= LONG_AGO
    if why == "just read":
        one.whole_at += LONG_AGO / 50
    assert wants_renewal() == []


def test_it_ends_at_once_when_told_to(db: Path) -> None:
    keeper = Keeper(db, first_wait=LONG_AGO)
    keeper.start()
    keeper.stop()
    assert not keeper._thread.is_alive()
