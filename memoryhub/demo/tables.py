"""Table definitions for made-up state.db files: the tables we read, with the names and types Hermes 0.19.0 uses.

The real Hermes opens such a file and adds what it misses; `tests/interop/test_schema.py` compares both.
"""

from __future__ import annotations

import sqlite3
from typing import Final

SCHEMA_VERSION: Final = 22

# One line per group of columns: "name type [constraint]", separated by commas.
COLUMNS: Final[dict[str, str]] = {
    "schema_version": "version INTEGER NOT NULL",
    "state_meta": "key TEXT PRIMARY KEY, value TEXT",
    "sessions": """
        id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, session_key TEXT, chat_id TEXT, chat_type TEXT,
        thread_id TEXT, display_name TEXT, origin_json TEXT, expiry_finalized INTEGER DEFAULT 0,
        model TEXT, model_config TEXT, system_prompt TEXT, parent_session_id TEXT REFERENCES sessions(id),
        started_at REAL NOT NULL, ended_at REAL, end_reason TEXT,
        message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0,
        input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0, cache_read_tokens INTEGER DEFAULT 0,
        cache_write_tokens INTEGER DEFAULT 0, reasoning_tokens INTEGER DEFAULT 0,
        cwd TEXT, git_branch TEXT, git_repo_root TEXT,
        billing_provider TEXT, billing_base_url TEXT, billing_mode TEXT,
        estimated_cost_usd REAL, actual_cost_usd REAL, cost_status TEXT, cost_source TEXT, pricing_version TEXT,
        title TEXT, api_call_count INTEGER DEFAULT 0,
        handoff_state TEXT, handoff_platform TEXT, handoff_error TEXT,
        compression_failure_cooldown_until REAL, compression_failure_error TEXT,
        compression_fallback_streak INTEGER NOT NULL DEFAULT 0,
        profile_name TEXT, rewind_count INTEGER NOT NULL DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0""",
    "messages": """
        id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id),
        role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
        effect_disposition TEXT, timestamp REAL NOT NULL, token_count INTEGER, finish_reason TEXT,
        reasoning TEXT, reasoning_content TEXT, reasoning_details TEXT,
        codex_reasoning_items TEXT, codex_message_items TEXT, platform_message_id TEXT,
        observed INTEGER DEFAULT 0, active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0,
        api_content TEXT""",
    "session_model_usage": """
        session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, model TEXT NOT NULL,
        billing_provider TEXT NOT NULL DEFAULT '', billing_base_url TEXT NOT NULL DEFAULT '',
        billing_mode TEXT NOT NULL DEFAULT '', task TEXT NOT NULL DEFAULT '',
        api_call_count INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0,
        output_tokens INTEGER NOT NULL DEFAULT 0, cache_read_tokens INTEGER NOT NULL DEFAULT 0,
        cache_write_tokens INTEGER NOT NULL DEFAULT 0, reasoning_tokens INTEGER NOT NULL DEFAULT 0,
        estimated_cost_usd REAL NOT NULL DEFAULT 0, actual_cost_usd REAL NOT NULL DEFAULT 0,
        cost_status TEXT, cost_source TEXT, first_seen REAL, last_seen REAL,
        PRIMARY KEY (session_id, model, billing_provider, billing_base_url, billing_mode, task)""",
}

INDEXES: Final = (
    ("idx_sessions_source", "sessions(source)"),
    ("idx_sessions_parent", "sessions(parent_session_id)"),
    ("idx_sessions_started", "sessions(started_at DESC)"),
    ("idx_messages_session", "messages(session_id, timestamp)"),
    ("idx_messages_session_active", "messages(session_id, active, timestamp)"),
)
UNIQUE_TITLES: Final = "CREATE UNIQUE INDEX idx_sessions_title_unique ON sessions(title) WHERE title IS NOT NULL"

# Hermes indexes content, tool name and tool calls of a message as one text.
INDEXED_TEXT: Final = "ifnull({0}content, '') || ' ' || ifnull({0}tool_name, '') || ' ' || ifnull({0}tool_calls, '')"
WORD_INDEX: Final = "messages_fts"
TRIGRAM_INDEX: Final = "messages_fts_trigram"
_TOKENIZERS: Final = {WORD_INDEX: "", TRIGRAM_INDEX: ", tokenize = 'trigram'"}


def create_tables(conn: sqlite3.Connection, *, version: int | None = SCHEMA_VERSION) -> None:
    """Create the tables and their ordinary indexes in an empty database, without search indexes."""
    for table, columns in COLUMNS.items():
        conn.execute(f"CREATE TABLE {table} ({columns})")
    for name, columns in INDEXES:
        conn.execute(f"CREATE INDEX {name} ON {columns}")
    conn.execute(UNIQUE_TITLES)
    if version is not None:
        conn.execute("INSERT INTO schema_version (version) VALUES (?)", (version,))


def create_search_index(conn: sqlite3.Connection, table: str) -> None:
    """Create one search index, fill it from the messages that are there, and keep it by triggers from then on."""
    conn.execute(f"CREATE VIRTUAL TABLE {table} USING fts5(content{_TOKENIZERS[table]})")
    fill = f"INSERT INTO {table} (rowid, content)"
    conn.execute(f"{fill} SELECT id, {INDEXED_TEXT.format('')} FROM messages")  # noqa: S608 - one of two fixed names
    remove = f"DELETE FROM {table} WHERE rowid = old.id;"  # noqa: S608 - one of two fixed names
    insert = f"{fill} VALUES (new.id, {INDEXED_TEXT.format('new.')});"
    for event, body in (("insert", insert), ("delete", remove), ("update", f"{remove} {insert}")):
        conn.execute(f"CREATE TRIGGER {table}_{event} AFTER {event} ON messages BEGIN {body} END")


def insert_rows(conn: sqlite3.Connection, table: str, rows: list[dict[str, object]]) -> None:
    """Insert rows given as column -> value; rows may name different columns."""
    for row in rows:
        names = ", ".join(row)
        marks = ", ".join("?" * len(row))
        conn.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))  # noqa: S608 - our names
