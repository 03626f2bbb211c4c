"""A home that may only be read (case S40): a sentence where SQLite needs to write beside the file, else every page."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from tests.builders import make_state_db, message, session

PAGES = ("/sessions/", "/sessions/?q=walrus", "/sessions/s/", "/sessions/s/?q=walrus", "/settings/store/")


@contextlib.contextmanager
def another_account() -> Iterator[None]:
    """Permissions do not stop root: act as another account where we are root."""
    if os.geteuid() != 0:
        yield
        return
    "".encode("unicode_escape")  # what a log line needs is imported now: the other account may not read Python itself
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def state_db(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A database in a folder that other accounts can enter."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        monkeypatch.setenv("HERMES_HOME", f"{name}/home")
        path = make_state_db(
            Path(name) / "home" / "state.db", sessions=[session("s")], messages=[message("s", content="walrus one")]
        )
        yield path
        path.parent.chmod(0o755)


def test_without_the_agent_each_page_says_why_it_cannot_be_read(client: Client, state_db: Path) -> None:
    client.get("/sessions/")
    for name in ("state.db-wal", "state.db-shm"):
        (state_db.parent / name).unlink(missing_ok=True)
    before = state_db.read_bytes()
    state_db.parent.chmod(0o555)
    with another_account():
        answers = {address: client.get(address) for address in PAGES}
    for address, answer in answers.items():
        assert answer.status_code == 503, address
        assert "a folder that MemoryHub may not write to" in answer.content.decode(), address
    assert [one.name for one in state_db.parent.iterdir()] == ["state.db"]
    assert state_db.read_bytes() == before


def test_beside_the_agent_its_newest_message_is_shown(client: Client, state_db: Path) -> None:
    with contextlib.closing(sqlite3.connect(state_db, isolation_level=None)) as writer:
        writer.execute(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'walrus two', 1)"
        )
        state_db.parent.chmod(0o555)
        with another_account():
            answers = {address: client.get(address) for address in PAGES}
    assert {answer.status_code for answer in answers.values()} == {200}
    assert "walrus two" in answers["/sessions/s/"].content.decode()
    assert "2 messages" in answers["/sessions/?q=walrus"].content.decode()
