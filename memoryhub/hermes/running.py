"""Which sessions of state.db are running now: no end, and active within the last quarter of an hour.

Bounded on any size of file: looks at the newest messages and the newest sessions only, never at all of them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from memoryhub.hermes.state_schema import Schema, probe
from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import as_text

STILL_RUNNING: Final = timedelta(minutes=15)
# A session that is active wrote one of the newest messages; 3,000 are more than a quarter of an hour of ten agents.
_NEWEST_MESSAGES: Final = 3_000
_NEWEST_SESSIONS: Final = 100


@dataclass(frozen=True)
class RunningSession:
    """A conversation in progress; its system prompt holds the memory snapshot it started with."""

    id: str
    title: str
    source: str
    started_at: datetime | None
    last_active: datetime
    system_prompt: str


def running_sessions(conn: sqlite3.Connection, now: datetime) -> tuple[RunningSession, ...]:
    """Return the sessions that run at `now` (an aware time), the most recently active first.

    Titles and prompts are empty texts where the file has none. Times in the future are clock errors and do
    not count as activity.
    """
    schema = probe(conn)
    latest = _latest_messages(conn, schema, now)
    for session_id in _newest_sessions(conn, schema):
        if session_id not in latest:
            latest[session_id] = _latest_of(conn, schema, session_id, now)
    wanted = [name for name, moment in latest.items() if moment is None or now - moment <= STILL_RUNNING]
    found = (_running(row, latest, now) for row in _session_rows(conn, schema, wanted))
    return tuple(sorted((one for one in found if one), key=lambda one: one.last_active, reverse=True))


def _latest_messages(conn: sqlite3.Connection, schema: Schema, now: datetime) -> dict[str, datetime | None]:
    if not schema.has("messages", "timestamp"):
        return {}
    rows = conn.execute(
        "SELECT session_id, timestamp FROM messages ORDER BY id DESC LIMIT ?", (_NEWEST_MESSAGES,)
    ).fetchall()
    latest: dict[str, datetime | None] = {}
    for session_id, stamp in rows:
        key = as_text(session_id)
        latest[key] = _later(latest.get(key), _past(stamp, now))
    return latest


def _newest_sessions(conn: sqlite3.Connection, schema: Schema) -> list[str]:
    by_start = schema.has("sessions", "started_at") and schema.finds_by("sessions", "started_at")
    order = "started_at" if by_start else "rowid"
    sql = f"SELECT id FROM sessions ORDER BY {order} DESC LIMIT ?"  # noqa: S608 - one of two fixed words
    return [as_text(row[0]) for row in conn.execute(sql, (_NEWEST_SESSIONS,)).fetchall()]


def _latest_of(conn: sqlite3.Connection, schema: Schema, session_id: str, now: datetime) -> datetime | None:
    if not schema.finds_by("messages", "session_id", "timestamp"):
        return None
    rows = conn.execute(
        "SELECT timestamp FROM messages WHERE session_id = ? ORDER BY timestamp DESC LIMIT 3", (session_id,)
    ).fetchall()
    return max(filter(None, (_past(row[0], now) for row in rows)), default=None)


def _session_rows(conn: sqlite3.Connection, schema: Schema, ids: Iterable[str]) -> list[sqlite3.Row]:
    columns = schema.select("sessions", "id", "title", "source", "started_at", "ended_at", "system_prompt")
    sql = f"SELECT {columns} FROM sessions WHERE id = ?"  # noqa: S608 - names from a fixed list
    rows = (conn.execute(sql, (one,)).fetchone() for one in ids)
    return [row for row in rows if row is not None and parse_time(row[4]) is None]


def _running(row: sqlite3.Row, latest: dict[str, datetime | None], now: datetime) -> RunningSession | None:
    session_id, title, source, started, _, prompt = row
    active = _later(latest.get(as_text(session_id)), _past(started, now))
    if active is None or now - active > STILL_RUNNING:
        return None
    return RunningSession(
        as_text(session_id), as_text(title), as_text(source), parse_time(started), active, as_text(prompt)
    )


def _past(stamp: object, now: datetime) -> datetime | None:
    moment = parse_time(stamp)
    return moment if moment is not None and moment - now <= STILL_RUNNING else None


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max(filter(None, (one, other)), default=None)
