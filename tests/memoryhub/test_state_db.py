"""The connection to state.db: read-only beside a live agent, whatever the path and the bytes of the text are."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from memoryhub.hermes import state_db
from tests.builders import make_state_db, message, session

ROOT = Path(__file__).resolve().parents[2]
WRITER = """
import sqlite3, sys
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
conn.execute("PRAGMA wal_autocheckpoint = 0")
conn.execute("INSERT INTO sessions (id, source, started_at) VALUES ('live', 'cli', 1)")
for line in sys.stdin:
    sql = "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('live', 'user', ?, 1)"
    conn.execute(sql, (line.strip(),))
    print("written", flush=True)
"""


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return make_state_db(
        tmp_path / "home" / "state.db", sessions=[session("s1")], messages=[message("s1", content="first")]
    )


def contents(path: Path) -> list[str]:
    return state_db.read(
        path, 250, lambda conn: [row[0] for row in conn.execute("SELECT content FROM messages ORDER BY id").fetchall()]
    )


@pytest.mark.parametrize("name", ["with blanks", "a#b", "a?b=c&mode=rwc", "100%25", "记忆 ñ", "it's", "a;b", 'q"q'])
def test_a_path_with_unusual_characters_is_opened_as_it_is(tmp_path: Path, name: str) -> None:
    path = make_state_db(tmp_path / name / "state.db", messages=[message("s", content="found")])
    assert contents(path) == ["found"]


def test_a_path_that_is_not_utf_8_is_opened_as_it_is(tmp_path: Path, db: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    try:
        folder.mkdir()
    except OSError:
        folder = tmp_path / "plain"  # a file system that refuses such names cannot hold such a home either
        folder.mkdir()
    shutil.copyfile(db, folder / "state.db")
    assert contents(folder / "state.db") == ["first"]


def test_a_linked_database_is_read(tmp_path: Path, db: Path) -> None:
    (tmp_path / "link.db").symlink_to(db)
    assert contents(tmp_path / "link.db") == ["first"]


def test_a_relative_path_is_opened(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(db.parent)
    assert contents(Path("state.db")) == ["first"]


@pytest.mark.parametrize(
    "statement",
    ["DELETE FROM messages", "CREATE TABLE mine (a)", "PRAGMA user_version = 5", "UPDATE sessions SET title = 'x'"],
)
def test_nothing_can_be_written(db: Path, statement: str) -> None:
    before = db.read_bytes()
    with state_db.connect(db) as conn:
        conn.execute("PRAGMA query_only = OFF")  # the file itself is opened read-only too
        with pytest.raises(sqlite3.OperationalError):
            conn.execute(statement)
    assert db.read_bytes() == before


def test_reading_leaves_every_byte_of_the_database_as_it_was(db: Path) -> None:
    before, times = db.read_bytes(), db.stat().st_mtime_ns
    for _ in range(5):
        with state_db.connect(db) as conn:
            state_db.probe(conn)
            state_db.counts(conn)
            state_db.memory_calls(conn, after_id=0)
    assert db.read_bytes() == before
    assert db.stat().st_mtime_ns == times
    assert {path.name for path in db.parent.iterdir()} <= {"state.db", "state.db-wal", "state.db-shm"}


def test_a_statement_that_takes_too_long_is_stopped(db: Path) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    with pytest.raises(state_db.TookTooLong), state_db.connect(db, limit_ms=30) as conn:
        conn.execute(endless).fetchone()


def test_each_statement_has_a_budget_of_its_own(db: Path) -> None:
    some_work = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT count(*) FROM n"
    with state_db.connect(db, limit_ms=2_000) as conn:
        first = conn.execute(some_work).fetchone()
        conn._deadline = 0  # as if the first statement had used up everything
        assert conn.execute(some_work).fetchone()[0] == first[0]


def test_a_mistake_of_our_own_is_not_called_a_problem_of_the_file(db: Path) -> None:
    with pytest.raises(sqlite3.ProgrammingError), state_db.connect(db) as conn:
        conn.execute("SELECT ?", ())


def test_the_connection_is_closed_at_the_end(db: Path) -> None:
    with state_db.connect(db) as conn:
        pass
    with pytest.raises(sqlite3.ProgrammingError):
        conn.execute("SELECT 1")


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        (b"caf\xe9", "caf�"),
        (b"a\xed\xa0\x80b", "a���b"),
        (b"\xf0\x9f\x98", "�"),
        (b"tail\xff", "tail�"),
        ("字 é".encode(), "字 é"),
        (b"nul\0nul", "nul\0nul"),
    ],
)
def test_text_that_is_not_utf_8_is_read_with_replacement_characters(tmp_path: Path, stored: bytes, shown: str) -> None:
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")])
    with contextlib.closing(sqlite3.connect(path)) as conn:
        conn.execute(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', CAST(? AS TEXT), 1)",
            (stored,),
        )
        conn.commit()
    (found,) = contents(path)
    assert found == shown
    found.encode()


def test_new_rows_of_a_running_agent_are_seen_at_once(db: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(db)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        for number in range(3):
            writer.stdin.write(f"newest walnut {number}\n")
            writer.stdin.flush()
            assert writer.stdout.readline() == "written\n"
            assert contents(db)[-1] == f"newest walnut {number}"
        writer.stdin.close()


HAMMER = """
import sqlite3, sys
conn = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
for number in range(400):
    sql = "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s1', 'user', ?, 1)"
    conn.execute(sql, (str(number),))
    if number % 50 == 0:
        conn.close()  # the last user of the file checkpoints it and removes the helper files
        conn = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
"""


def test_reading_beside_a_writer_loses_no_row_and_never_fails(db: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HAMMER, str(db)]) as writer:
        seen = 0
        while writer.poll() is None:
            found = len(contents(db))
            assert found >= seen
            seen = found
        assert writer.returncode == 0
    assert len(contents(db)) == 401
    with contextlib.closing(sqlite3.connect(db)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)


AUDIT = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from memoryhub.hermes import state_db
opened = []
sys.addaudithook(lambda event, args: event == "open" and "state.db" in str(args[0]) and opened.append(args))
path = Path(sys.argv[1])
with state_db.connect(path) as conn:
    state_db.counts(conn)
    state_db.running_sessions(conn, datetime.now(UTC))
    state_db.memory_calls(conn, after_id=0)
assert not opened, opened
assert "memoryhub.settings" not in sys.modules
"""


def test_the_file_is_opened_by_sqlite_alone(db: Path) -> None:
    subprocess.run([sys.executable, "-c", AUDIT, str(db)], check=True, cwd=ROOT)
