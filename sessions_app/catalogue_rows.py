"""Reads the few facts that the list keeps of each session, some rows per statement: no read transaction may last."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from sys import intern
from typing import Any, Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.state_schema import Schema
from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import as_json, as_text
from sessions_app.families import Session

STEP: Final = 1_000  # rows per statement
_SMALLEST: Final = 10
COLUMNS: Final = (
    "id", "source", "model", "parent_session_id", "started_at", "ended_at", "end_reason", "archived", "cwd",
    "tool_call_count",
)  # fmt: skip
_NUMERIC: Final = "max(iif(typeof(timestamp) IN ('integer', 'real'), timestamp, NULL))"
NEWEST: Final = "(SELECT max(timestamp) FROM messages WHERE session_id = sessions.id)"  # one look into an index


def read_sessions(conn: Connection, schema: Schema, after: int | None, newest: str = "NULL") -> list[Session]:
    """Read the sessions behind a row number, all when None; `newest` is what gives the time of a newest message."""
    columns = schema.select("sessions", *COLUMNS)
    sql = f"SELECT rowid, {columns}, {newest} FROM sessions WHERE rowid > ? ORDER BY rowid LIMIT ?"  # noqa: S608
    found = []
    for *row, stamp in walk(conn, sql, -(2**63) if after is None else after):
        found.append(one := session_from(row))
        one.active = stamp if isinstance(stamp, float) else _newest(conn, row[1], stamp)
    return found


def _newest(conn: Connection, session_id: object, stamp: object) -> float | None:
    """The time of a session's newest message where what sorts last may be a text: a number counts more."""
    if not isinstance(stamp, str | bytes):
        return seconds(stamp)
    sql = f"SELECT {_NUMERIC} FROM messages WHERE session_id = ?"  # noqa: S608 - fixed
    number = seconds(conn.execute(sql, (session_id,)).fetchone()[0])
    return seconds(stamp) if number is None else number


def session_from(row: Sequence[Any]) -> Session:
    """Make a session of a row: its number, then `COLUMNS`."""
    rowid, session_id, source, model, parent, started, ended, reason, archived, folder, tools = row
    return Session(
        rowid=rowid,
        id=as_text(session_id),
        source=intern(as_text(source)),
        model=intern(as_text(model)),
        parent=as_text(parent),
        started=seconds(started),
        ended=seconds(ended),
        reason=intern(as_text(reason)),
        is_archived=bool(archived) and archived not in ("0", b"0"),
        folder=intern(as_text(folder)),
        has_tools=isinstance(tools, int | float) and tools > 0,
    )


def seconds(value: object) -> float | None:
    """Return unix seconds of a stored time; None for what is none."""
    if isinstance(value, float) and 1e8 < value < 1e11:
        return value  # what Hermes writes; the rest is looked at closely
    moment = parse_time(value)
    return None if moment is None else moment.timestamp()


def add_activity(conn: Connection, schema: Schema, by_id: Mapping[str, Session]) -> None:
    """Find the newest message of each session, from an index alone where there is one."""
    if not schema.has("messages", "timestamp"):
        return
    sql = (
        f"SELECT session_id, {_NUMERIC}, max(timestamp) FROM messages WHERE session_id > ?"  # noqa: S608 - fixed
        " GROUP BY session_id ORDER BY session_id LIMIT ?"
    )
    for session_id, number, newest in walk(conn, sql, ""):
        found = by_id.get(as_text(session_id))
        if found is not None:
            moment = seconds(number)
            found.active = seconds(newest) if moment is None else moment


def walk(conn: Connection, sql: str, after: object) -> Iterator[sqlite3.Row]:
    """Yield all rows of a statement that takes the first column's last value and a limit; steps fit the budget."""
    step = STEP
    while True:
        try:
            rows = conn.execute(sql, (after, step)).fetchall()
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_INTERRUPT or step <= _SMALLEST:
                raise
            step //= 8  # a busy machine, or long rows
            continue
        yield from rows
        if len(rows) < step:
            return
        after = rows[-1][0]


def mark_branches(conn: Connection, schema: Schema, sessions: Mapping[int, Session], since: int | None) -> None:
    """Tell branches (made by the person, marked by Hermes) from delegated work among sessions with a parent."""
    if since is None or not (schema.has("sessions", "parent_session_id") and schema.has("sessions", "model_config")):
        return
    sql = (
        "SELECT rowid, iif(length(model_config) < 20000, model_config, NULL) FROM sessions"
        " WHERE parent_session_id IS NOT NULL AND rowid > ? ORDER BY rowid LIMIT ?"
    )
    for rowid, config in walk(conn, sql, since - 1):
        if rowid in sessions and "_branched_from" in as_text(config):
            sessions[rowid].is_branch = isinstance(as_json(config), dict)
