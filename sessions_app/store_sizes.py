"""How much of a state.db its tables and indexes take: exact for small files, estimated for large ones.

Estimates rest on the file's own structure and on samples: adding up every page would take seconds.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.state_schema import Schema
from memoryhub.hermes.values import as_text
from sessions_app.search.index_state import TRIGRAM, WORD

BUDGET_MS: Final = 200
_FEW_PAGES: Final = 12_000  # up to here every page is looked at
_SAMPLES: Final = 64
_FTS_PAGE: Final = 4_050  # bytes of an index page, FTS5's default
_ROW_OVERHEAD: Final = 12
_FTS_PARTS: Final = ("_data", "_idx", "_content", "_docsize", "_config")


@dataclass(frozen=True)
class Size:
    """How much of the file a table or an index takes. `kind`: table, index, words, trigram, free or rest."""

    name: str
    kind: str
    bytes: int
    is_estimate: bool = False


def find_sizes(conn: Connection, schema: Schema, pages: int, page_size: int, free: int) -> tuple[Size, ...]:
    """Return what takes the room, the largest first; `pages` and `free` count pages of `page_size` bytes."""
    exact = _exact_sizes(conn) if pages <= _FEW_PAGES else None
    found = exact if exact is not None else _estimates(conn, schema)
    found.append(Size("", "free", free * page_size))
    rest = pages * page_size - sum(one.bytes for one in found)
    if rest > page_size:
        found.append(Size("", "rest", rest, exact is None))
    return tuple(sorted((one for one in found if one.bytes > 0), key=lambda one: -one.bytes))


def _exact_sizes(conn: Connection) -> list[Size] | None:
    rows = ask_rows(conn, "SELECT name, sum(pgsize) FROM dbstat GROUP BY name")
    if rows is None:
        return None
    indexes = {as_text(row[0]) for row in ask_rows(conn, "SELECT name FROM sqlite_master WHERE type = 'index'") or ()}
    grouped: dict[tuple[str, str], int] = {}
    for name, size in rows:
        key = _named(as_text(name), indexes)
        grouped[key] = grouped.get(key, 0) + int(size)
    return [Size(name, kind, size) for (name, kind), size in grouped.items()]


def _named(name: str, indexes: set[str]) -> tuple[str, str]:
    for index, kind in ((TRIGRAM, "trigram"), (WORD, "words")):
        if name in {index + part for part in _FTS_PARTS}:
            return index, kind
    return (name, "index") if name in indexes or name.startswith("sqlite_autoindex") else (name, "table")


def _estimates(conn: Connection, schema: Schema) -> list[Size]:
    found = [Size(name, "table", size, True) for name in ("messages", "sessions") if (size := _table(conn, name))]
    for index, kind in ((TRIGRAM, "trigram"), (WORD, "words")):
        if index in schema.tables and (size := _fts(conn, index)):
            found.append(Size(index, kind, size, True))
    return found


def _table(conn: Connection, name: str) -> int:
    """Estimate a table: rows times the mean length of a sample, spread over the table."""
    bounds = ask_rows(conn, f"SELECT (SELECT min(rowid) FROM {name}), (SELECT max(rowid) FROM {name})")  # noqa: S608
    if not bounds or bounds[0][0] is None:
        return 0
    low, high = int(bounds[0][0]), int(bounds[0][1])
    rows = ask_number(conn, f"SELECT count(*) FROM {name}") or (high - low + 1)  # noqa: S608
    columns = [as_text(row[0]) for row in ask_rows(conn, "SELECT name FROM pragma_table_info(?)", (name,)) or ()]
    lengths = " + ".join(f'ifnull(length(CAST("{one}" AS BLOB)), 0)' for one in columns if '"' not in one)
    sample = [low + (high - low) * step // _SAMPLES for step in range(_SAMPLES)]
    measured = [
        row[0][0]
        for at in sample
        if (row := ask_rows(conn, f"SELECT {lengths} FROM {name} WHERE rowid >= ? LIMIT 1", (at,)))  # noqa: S608
    ]
    return int(rows * (sum(measured) / len(measured) + _ROW_OVERHEAD + len(columns)) * 1.06) if measured else 0


def _fts(conn: Connection, index: str) -> int:
    """Estimate a full-text index: its own record tells how many pages it has; its copy of the texts is sampled."""
    size = _index_pages(conn, index) * _FTS_PAGE
    if f"{index}_content" in _tables(conn, index):
        size += _table_of_texts(conn, f"{index}_content")
    return size


def _tables(conn: Connection, index: str) -> set[str]:
    found = ask_rows(conn, "SELECT name FROM sqlite_master WHERE name GLOB ?", (f"{index}_*",))
    return {as_text(row[0]) for row in found or ()}


def _table_of_texts(conn: Connection, name: str) -> int:
    bounds = ask_rows(conn, f"SELECT (SELECT min(id) FROM {name}), (SELECT max(id) FROM {name})")  # noqa: S608
    if not bounds or bounds[0][0] is None:
        return 0
    low, high = int(bounds[0][0]), int(bounds[0][1])
    sample = [low + (high - low) * step // _SAMPLES for step in range(_SAMPLES)]
    sql = f"SELECT length(CAST(c0 AS BLOB)) FROM {name} WHERE id >= ? LIMIT 1"  # noqa: S608
    measured = [row[0][0] or 0 for at in sample if (row := ask_rows(conn, sql, (at,)))]
    rows = ask_number(conn, f"SELECT count(*) FROM {name.removesuffix('_content')}_docsize") or high - low + 1  # noqa: S608
    return int(rows * (sum(measured) / len(measured) + _ROW_OVERHEAD) * 1.06) if measured else 0


def _index_pages(conn: Connection, index: str) -> int:
    """Add up the pages of all segments that the index's structure record (row 10) lists."""
    rows = ask_rows(conn, f"SELECT block FROM {index}_data WHERE id = 10")  # noqa: S608 - one of two fixed names
    if not rows or not isinstance(rows[0][0], bytes):
        return 0
    numbers = _varints(rows[0][0][4:])
    try:
        levels, _, _ = numbers[:3]
        at, pages = 3, 0
        for _level in range(levels):
            count = numbers[at + 1]
            at += 2
            for _segment in range(count):
                pages += numbers[at + 2] - numbers[at + 1] + 1
                at += 3
    except (IndexError, ValueError):
        return 0
    return pages if 0 < pages < 10**9 else 0


def _varints(data: bytes) -> list[int]:
    """Read SQLite's numbers of variable length: seven bits a byte, the highest bit says that more follows."""
    numbers: list[int] = []
    value = 0
    for byte in data:
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            numbers.append(value)
            value = 0
    return numbers


def ask_number(conn: Connection, sql: str) -> int | None:
    """Return the one number of a statement; None when it takes too long or its table cannot be read."""
    rows = ask_rows(conn, sql)
    return int(rows[0][0] or 0) if rows else None


def ask_rows(conn: Connection, sql: str, values: tuple[object, ...] = ()) -> list[sqlite3.Row] | None:
    """The rows of a statement; None when it takes too long or its table cannot be read."""
    before, conn.limit_ms = conn.limit_ms, BUDGET_MS
    try:
        return conn.execute(sql, values).fetchall()
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR):
            raise
        return None
    finally:
        conn.limit_ms = before
