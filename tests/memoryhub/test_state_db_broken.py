"""What can be wrong with state.db: each kind has one plain sentence, and the files stay as they were."""

import contextlib
import os
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryhub.hermes import state_db
from tests.builders import make_state_db, message, session
from tests.growth import that_ends


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return make_state_db(
        tmp_path / "home" / "state.db", sessions=[session("s1")], messages=[message("s1", content="first")]
    )


def contents(path: Path) -> list[str]:
    return state_db.read(
        path, 250, lambda conn: [row[0] for row in conn.execute("SELECT content FROM messages ORDER BY id").fetchall()]
    )


def problem_with(path: Path) -> state_db.StateDbProblem:
    with pytest.raises(state_db.StateDbProblem) as caught:
        contents(path)
    assert str(caught.value).endswith(".")
    return caught.value


def test_a_missing_database_is_said_and_nothing_is_created(tmp_path: Path) -> None:
    assert isinstance(problem_with(tmp_path / "state.db"), state_db.Missing)
    assert isinstance(problem_with(tmp_path / "no folder" / "state.db"), state_db.Missing)
    (tmp_path / "file").touch()
    assert isinstance(problem_with(tmp_path / "file" / "state.db"), state_db.Missing)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def good_bytes(tmp_path: Path) -> bytes:
    rows = [message("s", content="x" * 900) for _ in range(300)]
    return make_state_db(tmp_path / "good" / "state.db", messages=rows, wal=False).read_bytes()


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        (state_db.Empty, lambda good: b""),
        (state_db.NotADatabase, lambda good: b"x"),
        (state_db.NotADatabase, lambda good: good[:60]),
        (state_db.NotADatabase, lambda good: b"<html><body>502 Bad Gateway</body></html>\n" * 40),
        (state_db.NotADatabase, lambda good: bytes(8192)),
        (state_db.Damaged, lambda good: good[: len(good) // 2]),
        (state_db.Damaged, lambda good: good[:700]),
        (state_db.Damaged, lambda good: good[:4096] + os.urandom(len(good) - 4096)),
    ],
    ids=["no bytes", "one byte", "less than a header", "a web page", "zeros", "half", "a piece of a page", "noise"],
)
def test_each_broken_file_has_its_own_sentence_and_stays_as_it_is(
    tmp_path: Path, kind: type[state_db.StateDbProblem], broken: object
) -> None:
    path = tmp_path / "state.db"
    path.write_bytes(broken(good_bytes(tmp_path)))  # type: ignore[operator]
    before, listing = path.read_bytes(), sorted(tmp_path.iterdir())
    assert type(problem_with(path)) is kind
    assert path.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == listing


def test_the_sentences_differ() -> None:
    kinds = [kind for kind in vars(state_db).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert len({kind.sentence for kind in kinds}) == len(kinds) >= 10
    assert len({kind.code for kind in kinds}) == len(kinds)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_a_folder_or_a_pipe_is_never_opened(tmp_path: Path, make: object) -> None:
    make(tmp_path / "state.db")  # type: ignore[operator]
    assert isinstance(problem_with(tmp_path / "state.db"), state_db.NotADatabase)


def test_a_database_with_other_tables_is_of_an_unknown_form(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with contextlib.closing(sqlite3.connect(path)) as conn:
        conn.execute("CREATE TABLE bookmarks (url)")
    with pytest.raises(state_db.SchemaUnknown), state_db.connect(path) as conn:
        state_db.probe(conn)


@contextlib.contextmanager
def another_account() -> Iterator[None]:
    """Permissions do not stop root: act as another account where we are root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other accounts can enter (tmp_path is ours alone)."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_read_only_folder_without_the_helper_files_has_its_own_sentence(open_folder: Path) -> None:
    path = make_state_db(open_folder / "home" / "state.db", messages=[message("s", content="x")])
    path.parent.chmod(0o555)
    with another_account():
        problem = problem_with(path)
    assert isinstance(problem, state_db.FolderReadOnly)
    assert sorted(item.name for item in path.parent.iterdir()) == ["state.db"]


def test_a_read_only_folder_is_readable_while_the_agent_has_the_database_open(open_folder: Path) -> None:
    path = make_state_db(open_folder / "home" / "state.db")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'newest', 1)")
        path.parent.chmod(0o555)
        with another_account():
            assert contents(path) == ["newest"]


def test_a_file_that_may_not_be_read_has_its_own_sentence(open_folder: Path) -> None:
    path = make_state_db(open_folder / "state.db", wal=False)
    path.chmod(0)
    with another_account():
        assert isinstance(problem_with(path), state_db.Unreadable)
    assert stat.S_IMODE(path.stat().st_mode) == 0


def test_a_database_locked_for_long_is_busy_and_soon_given_up(db: Path) -> None:
    with contextlib.closing(sqlite3.connect(db, isolation_level=None)) as writer:
        writer.execute("PRAGMA locking_mode = EXCLUSIVE")
        writer.execute("BEGIN EXCLUSIVE")
        writer.execute("DELETE FROM messages")
        with that_ends(), pytest.raises(state_db.Busy), state_db.connect(db):
            pass
