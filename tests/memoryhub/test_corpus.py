"""The corpus maker for benchmarks: exact sizes, the same every time, planted words exactly where it says."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memoryhub import entries
from memoryhub.demo.corpus import Needle, make_corpus
from memoryhub.demo.corpus_words import NEEDLES
from memoryhub.hermes import state_db
from memoryhub.hermes.config import read_config


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Needle, ...]]:
    home = tmp_path_factory.mktemp("corpus") / "home"
    return home, make_corpus(home, sessions=40, messages=1_000, entries=50)


@pytest.fixture
def conn(made: tuple[Path, tuple[Needle, ...]]) -> Iterator[state_db.Connection]:
    with state_db.connect(made[0] / "state.db", limit_ms=2_000) as conn:
        yield conn


def test_it_has_exactly_the_size_asked_for(conn: state_db.Connection) -> None:
    assert state_db.counts(conn) == state_db.Counts(sessions=40, messages=1_000)
    for index in ("messages_fts", "messages_fts_trigram"):
        assert conn.execute(f"SELECT count(*) FROM {index}").fetchone()[0] == 1_000
    claimed = conn.execute("SELECT sum(message_count) FROM sessions").fetchone()[0]
    assert claimed == 1_000
    assert conn.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_each_planted_word_is_found_where_it_was_planted_and_nowhere_else(
    made: tuple[Path, tuple[Needle, ...]], conn: state_db.Connection
) -> None:
    home, needles = made
    assert [(needle.word, len(needle.message_ids)) for needle in needles] == list(NEEDLES)
    for needle in needles:
        found = conn.execute("SELECT id FROM messages WHERE instr(content, ?) ORDER BY id", (needle.word,)).fetchall()
        assert [row[0] for row in found] == needle.message_ids
    told = json.loads((home / "corpus.json").read_bytes())
    assert [(one["word"], one["message_ids"]) for one in told["needles"]] == [
        (needle.word, needle.message_ids) for needle in needles
    ]
    phrase = conn.execute("SELECT rowid FROM messages_fts WHERE messages_fts MATCH '\"vexillumquartz\"' ORDER BY rowid")
    assert [row[0] for row in phrase.fetchall()] == needles[0].message_ids


def test_the_same_seed_makes_the_same_corpus(tmp_path: Path) -> None:
    def dump(name: str, seed: int) -> list[str]:
        make_corpus(tmp_path / name, 6, 60, seed)
        with closing(sqlite3.connect(tmp_path / name / "state.db")) as conn:
            return list(conn.iterdump())

    assert dump("a", 3) == dump("b", 3)
    assert dump("c", 4) != dump("d", 3)


@pytest.mark.parametrize("count", [15, 50, 500])
def test_the_memory_files_have_so_many_entries_and_fit(tmp_path: Path, count: int) -> None:
    make_corpus(tmp_path, 2, 10, entries=count)
    config = read_config(tmp_path / "config.yaml")
    assert config.problem is None
    for target, name in (("memory", "MEMORY.md"), ("user", "USER.md")):
        file = entries.parse((tmp_path / "memories" / name).read_bytes(), target, config.limit(target))
        assert len(file.entries) == count
        assert not file.drift
        assert not file.notices
        assert 50 <= file.percent <= 100


def test_an_existing_database_is_never_touched(tmp_path: Path) -> None:
    (tmp_path / "state.db").write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        make_corpus(tmp_path, 2, 10)
    assert (tmp_path / "state.db").read_bytes() == b"mine"
    assert [path.name for path in tmp_path.iterdir()] == ["state.db"]


def test_its_tool_calls_have_answers(conn: state_db.Connection) -> None:
    calls = state_db.memory_calls(conn, after_id=0)
    assert calls
    answered = conn.execute("SELECT count(*) FROM messages WHERE role = 'tool' AND tool_call_id IS NOT NULL").fetchone()
    assert answered[0] > 200
