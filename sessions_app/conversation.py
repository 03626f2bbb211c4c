"""One conversation in a state.db: its parts, which messages it has in which order, and any of them."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.state_schema import Schema, probe
from memoryhub.hermes.values import as_text
from sessions_app.lineage import members, roots

_READ_AT_ONCE: Final = 48
_BY_ROW: Final = re.compile(r"row:(\d{1,18})")
_PLAIN_ID: Final = re.compile(r"[A-Za-z0-9_@+=~-][A-Za-z0-9_.:@+=~-]{0,199}")

SESSION_COLUMNS: Final = (
    "id", "title", "source", "model", "parent_session_id", "started_at", "ended_at", "end_reason", "archived", "cwd",
    "git_branch", "git_repo_root", "tool_call_count", "input_tokens", "output_tokens", "cache_read_tokens",
    "cache_write_tokens", "reasoning_tokens", "estimated_cost_usd", "actual_cost_usd",
)  # fmt: skip
MESSAGE_COLUMNS: Final = (
    "id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp", "token_count",
    "finish_reason", "reasoning", "reasoning_content", "active", "compacted",
)  # fmt: skip


class SessionNotFound(LookupError):
    """No session has this id."""


class MessageNotFound(LookupError):
    """The conversation has no such message."""


@dataclass(frozen=True)
class Part:
    """One session of a conversation: its row (`SESSION_COLUMNS`, and `place`, its row number) and its message ids."""

    row: sqlite3.Row
    ids: tuple[int, ...]

    @property
    def id(self) -> str:
        return as_text(self.row["id"])


@dataclass(frozen=True)
class Conversation:
    """The parts of a lineage in order; `chosen` is the place of the part that the address names."""

    schema: Schema
    parts: tuple[Part, ...]
    chosen: int = 0

    @property
    def ids(self) -> tuple[int, ...]:
        """All message ids in the order of reading."""
        return self.parts[0].ids if len(self.parts) == 1 else tuple(one for part in self.parts for one in part.ids)


def address_of(session_id: str, rowid: int) -> str:
    """Return how a session is named in an address: by its id, or by its row where an id is no safe piece of a path."""
    return session_id if is_plain_id(session_id) else f"row:{rowid}"


def is_plain_id(session_id: str) -> bool:
    """Whether an id may stand in a path as it is."""
    return bool(_PLAIN_ID.fullmatch(session_id)) and not _BY_ROW.fullmatch(session_id) and session_id != "message"


def get_conversation(conn: Connection, name: str) -> Conversation:
    """Return the conversation that a session belongs to. Raises SessionNotFound, or SchemaUnknown like `probe`."""
    schema = probe(conn)
    row = find_session(conn, schema, name)
    if row is None:
        raise SessionNotFound(name)
    session_id = as_text(row["id"])
    first = roots(conn, schema, [session_id])[session_id]
    names = members(conn, schema, first) if first else (session_id,)
    rows = [row if one == session_id else find_session(conn, schema, one) for one in names]
    found = [one for one in rows if one is not None] or [row]
    chosen = next((place for place, one in enumerate(found) if one["place"] == row["place"]), None)
    if chosen is None:
        found, chosen = [row], 0
    return Conversation(schema, tuple(Part(one, _ids(conn, one["id"])) for one in found), chosen)


def find_session(conn: Connection, schema: Schema, name: str) -> sqlite3.Row | None:
    """Look a session up by id, else by `row:NUMBER`."""
    columns = schema.select("sessions", *SESSION_COLUMNS)
    sql = f"SELECT {columns}, sessions.rowid AS place FROM sessions WHERE "  # noqa: S608 - names from a fixed list
    row: sqlite3.Row | None = conn.execute(f"{sql} id = ?", (name,)).fetchone()
    if row is None and (numbered := _BY_ROW.fullmatch(name)):
        row = conn.execute(f"{sql} rowid = ?", (int(numbered[1]),)).fetchone()
    return row


def session_of(conn: Connection, message_id: int) -> tuple[str, int] | None:
    """Return (id, row number) of the session that a message belongs to; None when there is none."""
    row = conn.execute(
        "SELECT s.id, s.rowid FROM messages AS m JOIN sessions AS s ON s.id = m.session_id WHERE m.id = ?",
        (message_id,),
    ).fetchone()
    return (as_text(row[0]), int(row[1])) if row else None


def _ids(conn: Connection, session_id: object) -> tuple[int, ...]:
    """The message ids of a session, rising: the order of reading, since clocks go back and times are equal."""
    # One text of all numbers: a fifth of the time of thousands of rows.
    row = conn.execute("SELECT group_concat(id) FROM messages WHERE session_id = ?", (session_id,)).fetchone()
    return tuple(sorted(map(int, row[0].split(",")))) if row[0] else ()


def get_message(conn: Connection, talk: Conversation, message_id: int) -> sqlite3.Row:
    """Return one message of the conversation. Raises MessageNotFound."""
    if any(message_id in part.ids for part in talk.parts):
        for row in read_messages(conn, talk.schema, [message_id]):
            return row
    raise MessageNotFound(message_id)


def read_all(conn: Connection, talk: Conversation, ids: Sequence[int]) -> Iterator[sqlite3.Row]:
    """Yield messages in the order of `ids`, some at a time."""
    for start in range(0, len(ids), _READ_AT_ONCE):
        yield from read_messages(conn, talk.schema, ids[start : start + _READ_AT_ONCE])


def is_undone(row: sqlite3.Row) -> bool:
    """Whether a message was rewound: it stays stored, inactive, and is no part of what was said."""
    return row["active"] == 0 and not row["compacted"]


def read_messages(conn: Connection, schema: Schema, ids: Sequence[int]) -> list[sqlite3.Row]:
    """Read some messages, in the order of `ids`."""
    columns = schema.select("messages", *MESSAGE_COLUMNS)
    sql = f"SELECT {columns} FROM messages WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608 - fixed list
    rows = {row["id"]: row for row in conn.execute(sql, (json.dumps(list(ids)),)).fetchall()}
    return [rows[one] for one in ids if one in rows]
