"""What the list shows of each conversation on a page: names, counts, tokens, cost. The SQL of the list.

Reads only the sessions of that page, never a system prompt, each statement bounded.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.state_schema import Schema
from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import PARTS_MARKER, as_text, plain_text
from sessions_app.families import Session
from sessions_app.money import Usage, add, usage_of

FIRST_WORDS: Final = 400  # characters of a first message that are read
_COLUMNS: Final = (
    "id", "title", "source", "model", "cwd", "git_branch", "git_repo_root", "started_at", "ended_at", "end_reason",
    "tool_call_count", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens",
    "reasoning_tokens", "estimated_cost_usd", "actual_cost_usd",
)  # fmt: skip
_MOST_PARTS: Final = 600
_COUNT_MS: Final = 60
_REWOUND_MS: Final = 15
_FIRST_ROWS: Final = 6


@dataclass(frozen=True)
class Row:
    """One conversation of the list. `words` are the first words of the person where there is no title."""

    session: Session
    id: str
    title: str
    words: str
    source: str
    models: tuple[str, ...]
    folder: str
    branch: str
    started: datetime | None
    last: datetime | None
    ended: datetime | None
    reason: str
    messages: int | None
    tools: int
    usage: Usage


def list_rows(conn: Connection, schema: Schema, shown: Iterable[Session]) -> dict[int, Row]:
    """Read what is shown of conversations, by the row number of their first part."""
    heads = list(shown)
    parts = [part for one in heads for part in one.parts][:_MOST_PARTS]
    stored = _stored(conn, schema, parts)
    counted = message_counts(conn, schema, [part.id for part in parts])
    rows = {}
    for one in heads:
        mine = [stored[part.rowid] for part in one.parts if part.rowid in stored]
        if not mine:
            continue
        title = next((text for row in mine if (text := as_text(row["title"]).strip())), "")
        words = "" if title else first_words(conn, schema, one.id)
        rows[one.rowid] = _row(one, mine, counted, title, words)
    return rows


def _row(one: Session, mine: Sequence[sqlite3.Row], counted: Mapping[str, int] | None, title: str, words: str) -> Row:
    first, tip = mine[0], mine[-1]
    place = next((row for row in reversed(mine) if row["cwd"] or row["git_repo_root"]), tip)
    return Row(
        session=one,
        id=one.id,
        title=title,
        words=words,
        source=as_text(first["source"]),
        models=tuple(filter(None, dict.fromkeys(as_text(row["model"]) for row in mine))),
        folder=as_text(place["cwd"]) or as_text(place["git_repo_root"]),
        branch=as_text(place["git_branch"]),
        started=parse_time(first["started_at"]),
        last=moment(one.last),
        ended=parse_time(tip["ended_at"]),
        reason=as_text(tip["end_reason"]),
        messages=None if counted is None else sum(counted.get(part.id, 0) for part in one.parts),
        tools=sum(count for row in mine if isinstance(count := row["tool_call_count"], int) and count > 0),
        usage=add(usage_of(row) for row in mine),
    )


def moment(seconds: float) -> datetime | None:
    """Return the time of unix seconds; None for what is none."""
    return parse_time(seconds)


def _stored(conn: Connection, schema: Schema, parts: Sequence[Session]) -> dict[int, sqlite3.Row]:
    columns = schema.select("sessions", *_COLUMNS)
    sql = f"SELECT rowid AS place, {columns} FROM sessions WHERE rowid IN (SELECT value FROM json_each(?))"  # noqa: S608
    rows = conn.execute(sql, (json.dumps([part.rowid for part in parts]),)).fetchall()
    return {row["place"]: row for row in rows}


def message_counts(conn: Connection, schema: Schema, ids: Sequence[str]) -> dict[str, int] | None:
    """Count the messages of sessions, undone ones left out; None when that would take too long."""
    has_active = schema.has("messages", "active")
    inactive = "sum(active = 0)" if has_active else "0"
    sql = (
        f"SELECT session_id, count(*), {inactive} FROM messages"  # noqa: S608 - fixed words
        " WHERE session_id IN (SELECT value FROM json_each(?)) GROUP BY session_id"
    )
    rows = _bounded(conn, _COUNT_MS, sql, (json.dumps(list(ids)),))
    if rows is None:
        return None
    found = {as_text(row[0]): int(row[1]) for row in rows}
    suspects = [as_text(row[0]) for row in rows if row[2]]
    if suspects:
        undone = "active = 0" + (" AND ifnull(compacted, 0) = 0" if schema.has("messages", "compacted") else "")
        sql = (
            f"SELECT session_id, count(*) FROM messages WHERE {undone}"  # noqa: S608 - fixed words
            " AND session_id IN (SELECT value FROM json_each(?)) GROUP BY session_id"
        )
        for session_id, count in _bounded(conn, _REWOUND_MS, sql, (json.dumps(suspects),)) or ():
            found[as_text(session_id)] -= int(count)
    return found


def message_numbers(conn: Connection, hits: Sequence[tuple[int | None, Row]]) -> dict[int, int]:
    """Return which message of its conversation each message is, counted from 1; undone ones count too.

    Those of conversations that are too long to be counted in time are left out.
    """
    wanted = [(one, [part.id for part in row.session.parts], row.messages) for one, row in hits if one is not None]
    sql = (
        "SELECT key, (SELECT count(*) FROM messages AS m WHERE m.id <= json_extract(one.value, '$[0]')"
        " AND m.session_id IN (SELECT value FROM json_each(one.value, '$[1]'))) FROM json_each(?) AS one"
    )
    found = _bounded(conn, _COUNT_MS, sql, (json.dumps(wanted),)) or ()
    return {wanted[key][0]: min(number, wanted[key][2] or number) for key, number in found}


def _bounded(conn: Connection, limit_ms: int, sql: str, values: tuple[object, ...]) -> list[sqlite3.Row] | None:
    before, conn.limit_ms = conn.limit_ms, limit_ms
    try:
        return conn.execute(sql, values).fetchall()
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_INTERRUPT:
            return None
        raise
    finally:
        conn.limit_ms = before


def first_words(conn: Connection, schema: Schema, session_id: str) -> str:
    """Return the beginning of the first thing a person said in a session, else of its first text; may be empty."""
    if not schema.has("messages", "content"):
        return ""
    role = "role" if schema.has("messages", "role") else "NULL"
    order = "timestamp, id" if schema.has("messages", "timestamp") else "id"
    hidden = "AND active <> 0" if schema.has("messages", "active") else ""
    if schema.has("messages", "compacted"):
        hidden = "AND (active <> 0 OR compacted <> 0)" if hidden else ""
    # SQL functions on text end at a NUL character, with which encoded parts begin: so bytes are asked for.
    rows = conn.execute(
        f"SELECT {role}, substr(CAST(content AS BLOB), 1, {4 * FIRST_WORDS}), id FROM messages"  # noqa: S608 - fixed
        f" WHERE session_id = ? {hidden} ORDER BY {order} LIMIT {_FIRST_ROWS}",
        (session_id,),
    ).fetchall()
    said = [(as_text(row[0]), as_text(row[1]), row[2]) for row in rows if row[1]]
    chosen = next((one for one in said if one[0] == "user"), said[0] if said else None)
    if chosen is None:
        return ""
    text = chosen[1]
    if text.startswith(PARTS_MARKER):
        text = plain_text(conn.execute("SELECT content FROM messages WHERE id = ?", (chosen[2],)).fetchone()[0])
    return " ".join(text[:FIRST_WORDS].replace("\ufffd", " ").split())
