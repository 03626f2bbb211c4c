"""Writes made-up sessions into a new state.db, messages in the order of their times."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from memoryhub.demo import tables
from memoryhub.demo.chronicle import Session


def write_state_db(path: Path, sessions: Sequence[Session]) -> None:
    """Create the database, in WAL mode as Hermes keeps it, with both search indexes."""
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA journal_mode = WAL")
        conn.execute("PRAGMA synchronous = OFF")  # nothing is lost if this half-made file is
        tables.create_tables(conn)
        ordered = sorted(sessions, key=lambda session: float(session.columns["started_at"]))
        tables.insert_rows(conn, "sessions", [session.columns for session in ordered])
        tables.insert_rows(conn, "messages", _message_rows(ordered))
        tables.insert_rows(conn, "session_model_usage", [_usage_row(session) for session in ordered])
        for index in (tables.WORD_INDEX, tables.TRIGRAM_INDEX):
            tables.create_search_index(conn, index)
        conn.commit()


def _message_rows(sessions: Sequence[Session]) -> list[dict[str, object]]:
    rows = [{"session_id": session.id, **message} for session in sessions for message in session.messages]
    for row in rows:
        if "tool_calls" in row:
            row["tool_calls"] = json.dumps(row["tool_calls"])
    rows.sort(key=lambda row: float(row["timestamp"]))
    return [{key: value for key, value in row.items() if value is not None} for row in rows]


def _usage_row(session: Session) -> dict[str, object]:
    row = session.columns
    same = ("model", "billing_provider", "api_call_count", "input_tokens", "output_tokens", "cache_read_tokens")
    return {
        "session_id": session.id,
        **{name: row[name] for name in (*same, "reasoning_tokens", "estimated_cost_usd")},
        "actual_cost_usd": row.get("actual_cost_usd", 0),
        "first_seen": row["started_at"],
        "last_seen": row.get("ended_at", row["started_at"]),
    }
