"""Small real homes and databases for tests: what a test needs, said in one line."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from memoryhub.demo import tables

START = 1_767_225_600.0  # 2026-01-01T00:00:00Z

Row = dict[str, Any]


def session(session_id: str, **columns: Any) -> Row:
    """A row of `sessions`."""
    return {"id": session_id, "source": "cli", "started_at": START, **columns}


def message(session_id: str, role: str = "user", content: object = "hello", **columns: Any) -> Row:
    """A row of `messages`; the id rises by itself unless given."""
    return {"session_id": session_id, "role": role, "content": content, "timestamp": START, **columns}


def tool_call(name: str, arguments: object, call_id: str = "call_1") -> Row:
    """One item of `tool_calls`, arguments as a JSON string as Hermes stores them."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": text}}


def memory_call(
    session_id: str, arguments: object, answer: object = None, *, call_id: str = "call_1", **columns: Any
) -> list[Row]:
    """The rows of one memory tool call, and of its answer when there is one (a dict, or text as it is)."""
    calls = json.dumps([tool_call("memory", arguments, call_id)])
    rows = [message(session_id, "assistant", "", tool_calls=calls, **columns)]
    if answer is not None:
        text = answer if isinstance(answer, str) else json.dumps(answer)
        rows.append(message(session_id, "tool", text, tool_call_id=call_id, tool_name="memory", **columns))
    return rows


def make_state_db(
    path: Path,
    *,
    sessions: Iterable[Row] = (),
    messages: Iterable[Row] = (),
    version: int | None = tables.SCHEMA_VERSION,
    without: Iterable[str] = (),
    search: bool = True,
    wal: bool = True,
) -> Path:
    """Make a state.db. `without` names columns ("sessions.archived") to leave out; `search` means both indexes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as conn:
        if wal:
            conn.execute("PRAGMA journal_mode = WAL")
        tables.create_tables(conn, version=version)
        for name in without:
            drop_column(conn, *name.split("."))
        tables.insert_rows(conn, "sessions", list(sessions))
        tables.insert_rows(conn, "messages", list(messages))
        for index in (tables.WORD_INDEX, tables.TRIGRAM_INDEX) if search else ():
            tables.create_search_index(conn, index)
        conn.commit()
    return path


def drop_column(conn: sqlite3.Connection, table: str, column: str) -> None:
    """Take a column away, and the indexes that need it."""
    for (index,) in conn.execute(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql LIKE ?", (table, f"%{column}%")
    ).fetchall():
        conn.execute(f"DROP INDEX {index}")
    conn.execute(f"ALTER TABLE {table} DROP COLUMN {column}")


def make_home(
    folder: Path, *, memory: Iterable[str] | None = (), user: Iterable[str] | None = (), config: str | None = None
) -> Path:
    """Make a home with memory files of the given entries (`None`: no such file) and a config.yaml if given."""
    (folder / "memories").mkdir(parents=True, exist_ok=True)
    for name, entries in (("MEMORY.md", memory), ("USER.md", user)):
        if entries is not None:
            (folder / "memories" / name).write_bytes("\n§\n".join(entries).encode())
    if config is not None:
        (folder / "config.yaml").write_text(config, encoding="utf-8")
    return folder
