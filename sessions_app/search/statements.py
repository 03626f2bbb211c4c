"""Statements with a time budget each, and the error that says one was stopped by it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from memoryhub.hermes.state_db import Connection

LONGEST_MS: Final = 200  # no read transaction lasts a quarter of a second, and stopping one takes a moment


class OutOfTime(Exception):
    """A statement used up its budget and was stopped; asking for less may work."""


class IndexBroken(Exception):
    """A search index gave an error instead of an answer; the messages themselves may be fine."""


def ask(conn: Connection, limit_ms: int, sql: str, parameters: Sequence[Any] = ()) -> list[sqlite3.Row]:
    """Return all rows of a statement. Raises OutOfTime after `limit_ms` milliseconds."""
    before, conn.limit_ms = conn.limit_ms, min(limit_ms, LONGEST_MS)
    try:
        return conn.execute(sql, parameters).fetchall()
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_INTERRUPT:
            raise OutOfTime from error
        raise
    finally:
        conn.limit_ms = before


def ask_raw(conn: Connection, limit_ms: int, sql: str, parameters: Sequence[Any] = ()) -> list[sqlite3.Row]:
    """Like `ask`, with texts as bytes: for thousands of ids that are only compared. Raises OutOfTime."""
    before, conn.text_factory = conn.text_factory, bytes
    try:
        return ask(conn, limit_ms, sql, parameters)
    finally:
        conn.text_factory = before


def ask_ids(conn: Connection, limit_ms: int, sql: str, parameters: Sequence[Any] = ()) -> list[int]:
    """Return the numbers that a statement over a search index gives as `id`, in no order; errors as in `ask_index`.

    They come as one row: each further row would mean waiting for the interpreter, when many search at once.
    """
    rows = ask_index(conn, limit_ms, f"SELECT json_group_array(id) FROM ({sql})", parameters)  # noqa: S608
    found: list[int] = json.loads(rows[0][0])
    return found


def ask_index(conn: Connection, limit_ms: int, sql: str, parameters: Sequence[Any] = ()) -> list[sqlite3.Row]:
    """Return all rows of a statement that uses a search index. Raises OutOfTime, or IndexBroken on any other error."""
    try:
        return ask(conn, limit_ms, sql, parameters)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR):
            raise
        raise IndexBroken(str(error)) from error
