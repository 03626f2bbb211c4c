"""Store health: estimates near the truth, counts that drifted, and what is said about them; nothing raises."""

from __future__ import annotations

import inspect
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memoryhub.hermes.state_db import read
from sessions_app import store_health, store_sizes
from sessions_app.store_health import Health, examine
from sessions_app.views.store_words import ADVICE
from tests.builders import make_state_db, message, session

WORDS = "docker compose restarts nginx on the staging port because the health check fails "


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "state.db"


def look(path: Path) -> Health:
    return read(path, 1_000, lambda conn: examine(conn, path))


def by_kind(health: Health) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in health.sizes:
        found[one.kind] = found.get(one.kind, 0) + one.bytes
    return found


def test_estimates_come_near_what_adding_up_every_page_gives(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [message("s", content=f"{n} {WORDS * (n % 9)}") for n in range(3_000)]
    make_state_db(db, sessions=[session("s")], messages=rows)
    exact = by_kind(look(db))
    monkeypatch.setattr(store_sizes, "_FEW_PAGES", 0)
    health = look(db)
    estimate = by_kind(health)
    for kind in ("words", "trigram"):
        assert 0.6 < estimate[kind] / exact[kind] < 1.6, kind
    messages = {one.name: one for one in health.sizes}["messages"]
    assert messages.is_estimate
    assert sum(estimate.values()) == pytest.approx(health.file_bytes, rel=0.25)


def test_the_sizes_of_a_small_file_add_up_exactly(db: Path) -> None:
    make_state_db(db, sessions=[session("s")], messages=[message("s") for _ in range(50)])
    health = look(db)
    assert sum(one.bytes for one in health.sizes) == health.file_bytes
    assert not any(one.is_estimate for one in health.sizes)


def test_counts_that_drifted_are_told(db: Path) -> None:
    make_state_db(db, sessions=[session("s", message_count=9)], messages=[message("s"), message("s")])
    with closing(sqlite3.connect(db)) as conn:
        conn.execute("PRAGMA foreign_keys = OFF")
        conn.execute("DROP TRIGGER messages_fts_insert")
        conn.execute("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('gone', 'user', 'x', 1)")
        conn.commit()
    health = look(db)
    found = {one.code: (one.expected, one.found) for one in health.drifts}
    assert found == {
        "messages_word": (3, 2),
        "messages_trigram": (3, 3),
        "session_counts": (3, 9),
        "orphans": (0, 1),
    }
    assert {"index_behind", "orphans"} <= set(health.advice)


def test_a_damaged_index_is_the_first_thing_said(db: Path) -> None:
    make_state_db(db, sessions=[session("s")], messages=[message("s", content="walrus ferret") for _ in range(9)])
    with closing(sqlite3.connect(db)) as conn:
        conn.execute("UPDATE messages_fts_data SET block = x'0000000000' WHERE id = 10")
        conn.commit()
    assert look(db).advice[0] == "index_damaged"


@pytest.mark.parametrize(
    "block", ["x''", "x'00'", "x'00000000FFFFFFFFFF'", "x'0000000001010101818181'", "'text'", "NULL"]
)
def test_a_nonsense_structure_record_raises_nothing(db: Path, block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make_state_db(db, sessions=[session("s")], messages=[message("s")])
    with closing(sqlite3.connect(db)) as conn:
        conn.execute(f"UPDATE messages_fts_data SET block = {block} WHERE id = 10")
        conn.commit()
    monkeypatch.setattr(store_sizes, "_FEW_PAGES", 0)
    look(db)


def test_a_file_without_indexes_or_messages_is_looked_at(db: Path) -> None:
    make_state_db(db, search=False, version=None)
    health = look(db)
    assert health.version is None
    assert health.messages == 0
    assert "index_missing" in health.advice


def test_every_advice_has_words() -> None:
    codes = re.findall(r'^ +\("(\w+)", ', inspect.getsource(store_health._advice), re.MULTILINE)
    assert len(codes) > 8
    assert set(codes) == set(ADVICE)
    assert {tone for _title, _text, tone in ADVICE.values()} <= {"red", "amber", ""}
