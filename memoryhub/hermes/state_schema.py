"""Which tables, columns and indexes a state.db has: they come and go with Hermes' versions, so nothing is assumed."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memoryhub.hermes.state_db_problems import SchemaUnknown
from memoryhub.hermes.values import as_text

KNOWN_VERSION: Final = 22  # hermes-agent 0.19.0
# Without these nothing can be shown at all; every other column may be missing.
_NEEDED: Final = {"sessions": {"id"}, "messages": {"id", "session_id"}}
_READ_TABLES: Final = ("sessions", "messages", "session_model_usage", "state_meta", "schema_version")


@dataclass(frozen=True)
class Schema:
    """What one state.db consists of. `version` is Hermes' schema number, `None` when it is not recorded."""

    tables: frozenset[str]
    columns: Mapping[str, frozenset[str]]
    indexes: Mapping[str, tuple[tuple[str, ...], ...]]
    version: int | None

    def has(self, table: str, column: str | None = None) -> bool:
        """Say whether the table, or the table's column, is there."""
        return table in self.tables if column is None else column in self.columns.get(table, frozenset())

    def finds_by(self, table: str, *columns: str) -> bool:
        """Say whether an index that covers all rows of the table begins with these columns."""
        return any(index[: len(columns)] == columns for index in self.indexes.get(table, ()))

    @property
    def is_older(self) -> bool:
        """Whether an older agent than the known one made the file."""
        return self.version is not None and self.version < KNOWN_VERSION

    @property
    def is_newer(self) -> bool:
        """Whether a newer agent than the known one made the file."""
        return self.version is not None and self.version > KNOWN_VERSION

    def select(self, table: str, *wanted: str) -> str:
        """Return a column list for SELECT in which missing columns read as NULL under their own names."""
        return ", ".join(f"{table}.{name}" if self.has(table, name) else f"NULL AS {name}" for name in wanted)


@dataclass(frozen=True)
class Counts:
    """Exact numbers of rows."""

    sessions: int
    messages: int


def probe(conn: sqlite3.Connection) -> Schema:
    """Look the tables and columns up. Raises SchemaUnknown when sessions and messages are not to be had."""
    names = conn.execute("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    tables = frozenset(as_text(name) for name, _ in names)
    columns: dict[str, frozenset[str]] = {table: _columns(conn, table) for table in _READ_TABLES if table in tables}
    for table, needed in _NEEDED.items():
        if not needed <= columns.get(table, frozenset()):
            raise SchemaUnknown(_path(conn), f"table {table} is missing or lacks {', '.join(sorted(needed))}")
    indexes = {table: _indexes(conn, table) for table in ("sessions", "messages")}
    return Schema(tables, columns, indexes, _version(conn, columns))


def counts(conn: sqlite3.Connection) -> Counts:
    """Count sessions and messages; the columns that Hermes keeps for this are not always right."""
    sessions, messages = (
        conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - two fixed names
        for table in ("sessions", "messages")
    )
    return Counts(sessions, messages)


def last_message_id(conn: sqlite3.Connection) -> int:
    """Return the highest message id, 0 when there are no messages."""
    return int(conn.execute("SELECT max(id) FROM messages").fetchone()[0] or 0)


def _columns(conn: sqlite3.Connection, table: str) -> frozenset[str]:
    return frozenset(as_text(row[0]) for row in conn.execute("SELECT name FROM pragma_table_info(?)", (table,)))


def _indexes(conn: sqlite3.Connection, table: str) -> tuple[tuple[str, ...], ...]:
    rows = conn.execute(
        "SELECT list.name, info.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info"
        " WHERE NOT list.partial ORDER BY list.name, info.seqno",
        (table,),
    ).fetchall()
    found: dict[str, tuple[str, ...]] = {}
    for index, column in rows:
        found[index] = (*found.get(index, ()), as_text(column))
    return tuple(found.values())


def _version(conn: sqlite3.Connection, columns: Mapping[str, frozenset[str]]) -> int | None:
    if "version" not in columns.get("schema_version", frozenset()):
        return None
    value = conn.execute("SELECT max(version) FROM schema_version").fetchone()[0]
    return value if isinstance(value, int) else None


def _path(conn: sqlite3.Connection) -> Path:
    row = conn.execute("PRAGMA database_list").fetchone()
    return Path(row[2] if row and row[2] else "state.db")
