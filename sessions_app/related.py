"""Where a conversation came from, and what branched off it or worked for it."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.values import as_json, as_text
from sessions_app.conversation import Conversation, find_session

MOST: Final = 30


@dataclass(frozen=True)
class Relative:
    """Another conversation. `kind`: above (this one came from it), branch, delegate, or missing (its row is gone)."""

    kind: str
    id: str
    rowid: int
    title: str
    source: str


def relatives(conn: Connection, talk: Conversation) -> tuple[Relative, ...]:
    """Return the conversation above, then those below, oldest first."""
    if not talk.schema.has("sessions", "parent_session_id"):
        return ()
    mine = {part.id for part in talk.parts}
    found = []
    parent = as_text(talk.parts[0].row["parent_session_id"])
    if parent and parent not in mine:
        row = find_session(conn, talk.schema, parent)
        found.append(Relative("above", parent, row["place"], as_text(row["title"]), as_text(row["source"]))
                     if row else Relative("missing", parent, 0, parent, ""))  # fmt: skip
    return (*found, *(_below(row) for row in _children(conn, talk, mine)))


def _children(conn: Connection, talk: Conversation, mine: set[str]) -> list[sqlite3.Row]:
    columns = talk.schema.select("sessions", "id", "title", "source", "model_config")
    sql = (
        f"SELECT {columns}, rowid AS place FROM sessions"  # noqa: S608 - names from a fixed list
        " WHERE parent_session_id IN (SELECT value FROM json_each(?)) ORDER BY rowid LIMIT ?"
    )
    rows = conn.execute(sql, (json.dumps(sorted(mine)), MOST + len(mine))).fetchall()
    return [row for row in rows if as_text(row["id"]) not in mine][:MOST]


def _below(row: sqlite3.Row) -> Relative:
    config = as_json(row["model_config"]) if "_branched_from" in as_text(row["model_config"]) else None
    kind = "branch" if isinstance(config, dict) else "delegate"
    return Relative(kind, as_text(row["id"]), row["place"], as_text(row["title"]), as_text(row["source"]))
