"""Totals of texts that stand in thousands of messages: exact, remembered, and true again after every change."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from memoryhub.demo import tables
from memoryhub.hermes.state_db import connect, probe
from sessions_app.query_language import parse
from sessions_app.search import Options, Results, counted, explore, known, search
from sessions_app.search.engine import begin
from sessions_app.search.looking_up import newest_ids
from sessions_app.search.plan import plan
from sessions_app.search.readers import READERS
from sessions_app.search.totals import State, is_explained, state_of
from tests import growth
from tests.builders import make_state_db, message, session

MANY = 30_000
HALF = MANY // 2
TYPED = {
    "otter": HALF, '"an otter swims"': HALF, "ott*": HALF, "node_modules": HALF, "otter OR plain": MANY,
    "otter NOT tenth": HALF - MANY // 10, "swims otter": HALF,
}  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("many") / "state.db", MANY)


def build(path: Path, count: int) -> Path:
    rows = []
    for number in range(count):
        text = "an otter swims in node_modules" if number % 2 else "a plain message"
        rows.append(message("s", "user" if number % 3 else "tool", text + (" tenth" if number % 10 == 1 else "")))
    return make_state_db(path, sessions=[session("s")], messages=rows, wal=False)


@pytest.fixture
def crowded(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(built, tmp_path / "state.db"))


def change(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute(sql, values)


def ask(path: Path, typed: str, count_ms: int = 1_000) -> Results:
    return search(path, parse(typed), Options(limit=5, count_ms=count_ms))


def statements(path: Path, typed: str) -> list[str]:
    """What a search asks of SQLite on the connection that the one before left open."""
    run: list[str] = []
    (kept,) = READERS._kept
    kept.conn.set_trace_callback(run.append)
    ask(path, typed)
    kept.conn.set_trace_callback(None)
    return run


@pytest.mark.parametrize(("typed", "total"), TYPED.items())
def test_unfiltered_totals_of_very_common_texts_are_exact(crowded: Path, typed: str, total: int) -> None:
    for _ in range(2):
        results = ask(crowded, typed)
        assert (results.total, results.total_is_exact) == (total, True)
    assert explore(crowded, parse(typed)).results.total == total


@pytest.mark.parametrize("typed", ['"an otter swims"', "node_modules"])
def test_without_time_to_count_a_total_is_a_lower_bound_and_exact_when_asked_for_again(
    crowded: Path, typed: str
) -> None:
    first, second = ask(crowded, typed, count_ms=0), ask(crowded, typed, count_ms=0)
    assert not first.total_is_exact
    assert 0 < first.total <= HALF
    assert (second.total, second.total_is_exact) == (HALF, True)


@pytest.mark.parametrize("typed", ["otter", '"an otter swims"', "node_modules"])
def test_totals_are_true_after_every_change(crowded: Path, typed: str) -> None:
    assert ask(crowded, typed).total == HALF
    for text in ("an otter swims in node_modules again", "nothing of the kind"):
        change(crowded, "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', ?, 1)", text)
        assert ask(crowded, typed).total == HALF + 1
    change(crowded, "DELETE FROM messages WHERE id = 1002")
    assert ask(crowded, typed).total == HALF
    change(crowded, "UPDATE messages SET content = 'gone from here' WHERE id = 1004")
    assert ask(crowded, typed).total == HALF - 1
    change(crowded, "UPDATE messages SET active = 0 WHERE id = 1006")
    assert ask(crowded, typed, count_ms=1_000).total in (HALF - 1, HALF - 2)  # old undone ones are seen within a minute


def test_a_remembered_total_is_brought_up_to_date_by_counting_what_is_new(crowded: Path) -> None:
    ask(crowded, "otter")
    assert not [one for one in statements(crowded, "otter") if "count(*)" in one]
    change(crowded, "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'otter', 1)")
    assert ask(crowded, "otter").total == HALF + 1
    change(crowded, "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'otter', 1)")
    with closing(sqlite3.connect(crowded)) as conn:
        last = conn.execute("SELECT max(id) FROM messages").fetchone()[0]
    counted = [one for one in _after_a_change(crowded) if one.startswith("SELECT count(*) FROM messages_fts ")]
    assert len(counted) == 1
    assert f"rowid >= {last}" in counted[0]


def _after_a_change(path: Path) -> list[str]:
    ask(path, "plain")  # on a connection that saw the change
    return statements(path, "otter")


def test_filtered_totals_below_ten_thousand_are_exact(crowded: Path) -> None:
    with closing(sqlite3.connect(crowded)) as conn:
        wanted = conn.execute("SELECT count(*) FROM messages WHERE content LIKE '%otter%' AND role = 'tool'").fetchone()
    results = ask(crowded, "otter role:tool")
    assert (results.total, results.total_is_exact) == (wanted[0], True)
    change(crowded, "UPDATE messages SET active = 0 WHERE id = 30000")
    assert ask(crowded, "otter role:user").total_is_exact


def test_rare_texts_with_punctuation_are_found_by_a_piece_of_them(crowded: Path) -> None:
    texts = ("the heliotrope-lattice stands", "HELIOTROPE-LATTICE", "heliotrope lattice", "troposphere-lattice")
    for text in texts:
        change(crowded, "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', ?, 1)", text)
    results = ask(crowded, "heliotrope-lattice")
    assert {hit.message_id for hit in results.hits} == {MANY + 1, MANY + 2}
    assert (results.total, results.total_is_exact) == (2, True)
    assert not [one for one in statements(crowded, "heliotrope-lattice") if '"heliotrope-lattice"' in one]


def test_an_index_says_what_it_holds(crowded: Path) -> None:
    with connect(crowded) as conn:
        schema = probe(conn)
        state = state_of(conn, schema, tables.WORD_INDEX)
        assert state is not None
        assert (state.rows, state.last) == (MANY, MANY)
        words = 3 * HALF + 6 * HALF + MANY // 10  # node_modules are two words
        assert state.words == words
        assert is_explained(conn, tables.WORD_INDEX, state, state)
        assert not is_explained(conn, tables.WORD_INDEX, State(state.rows, words - 1, MANY), state)
        assert is_explained(conn, tables.WORD_INDEX, State(MANY - 1, words - 6, MANY - 1), state)
        assert not is_explained(conn, tables.WORD_INDEX, State(MANY - 1, words - 5, MANY - 1), state)
        assert state_of(conn, schema, "messages") is None


@pytest.mark.parametrize("typed", [*TYPED, "otter role:user", "nosuchword", "no-such.text"])
def test_ten_times_the_messages_take_less_than_four_times_as_long(crowded: Path, tmp_path: Path, typed: str) -> None:
    few = build(tmp_path / "few.db", MANY // 10)
    query = parse(typed)
    growth.assert_at_most(4, lambda: search(crowded, query), lambda: search(few, query))


def test_a_piece_that_others_have_too_brings_only_those_with_the_whole_text(tmp_path: Path) -> None:
    rows = [message("s", content=("node_modules", "code_modules", "node_modules")[number % 3]) for number in range(900)]
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=rows)
    wanted = [number + 1 for number in range(900) if number % 3 != 1]
    for typed, rest in (("node_modules", wanted), ("code_modules", sorted({*range(1, 901)} - {*wanted}))):
        results = search(path, parse(typed), Options(sort="newest", limit=700))
        assert [hit.message_id for hit in results.hits] == rest[::-1]
        assert (results.total, results.total_is_exact) == (len(rest), True)


def test_what_only_a_thorough_look_finds_is_found_aside(crowded: Path) -> None:
    assert ask(crowded, "otter").total == HALF
    change(crowded, f"DELETE FROM {tables.WORD_INDEX} WHERE rowid = 1002")
    remembered = known._remembered[str(crowded)]
    known._remembered[str(crowded)] = replace(remembered, thorough_at=-1e9)
    ask(crowded, "otter")
    for thread in threading.enumerate():
        if thread.name == "search index check":
            thread.join(20)
    assert known._remembered[str(crowded)].indexes.word.gaps == (1002,)
    assert (ask(crowded, "otter").total, ask(crowded, "plain").total) == (HALF, HALF)


def test_undone_messages_that_come_back_are_shown_again(crowded: Path) -> None:
    change(crowded, "UPDATE messages SET active = 0 WHERE id = 29990")
    assert ask(crowded, "otter").total == HALF - 1
    change(crowded, "UPDATE messages SET active = 1 WHERE id = 29990")
    remembered = known._remembered[str(crowded)]
    known._remembered[str(crowded)] = replace(remembered, probed_at=-1e9)
    assert ask(crowded, "otter").total == HALF


def test_how_many_there_are_is_judged_from_samples_of_all_times(crowded: Path) -> None:
    with closing(sqlite3.connect(crowded)) as conn, conn:
        conn.executemany(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', ?, 1)", [("otter",)] * 200
        )
    with connect(crowded) as reader:
        query = parse("otter")
        begun = begin(reader, crowded, query, Options())
        made = plan(query, begun.known.indexes)
        assert counted.estimated(begun, newest_ids(begun, made, 101)) > 1.9 * HALF
        assert 0.9 * HALF < counted.estimated_everywhere(begun, made) < 1.2 * HALF
