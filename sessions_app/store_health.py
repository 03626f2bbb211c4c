"""How a state.db is doing: sizes, write-ahead log, schema, indexes, drift of counts, last write. Only ever read.

Sizes of a large file are estimated from its structure and samples: adding up every page would take seconds.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.state_schema import Schema, probe
from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import as_text
from sessions_app.search.index_state import TRIGRAM, WORD, IndexState, look_at_indexes

BUDGET_MS: Final = 200
_FEW_PAGES: Final = 12_000  # up to here every page is looked at
_SAMPLES: Final = 64
_FTS_PAGE: Final = 4_050  # bytes of an index page, FTS5's default
_ROW_OVERHEAD: Final = 12
LARGE_WAL: Final = 64 * 1024 * 1024
LARGE_TRIGRAM: Final = 0.35
_FTS_PARTS: Final = ("_data", "_idx", "_content", "_docsize", "_config")


@dataclass(frozen=True)
class Size:
    """How much of the file a table or an index takes. `kind`: table, index, words, trigram, free or rest."""

    name: str
    kind: str
    bytes: int
    is_estimate: bool = False


@dataclass(frozen=True)
class Drift:
    """Two numbers that should be the same. `code`: messages_word, messages_trigram, session_counts, orphans."""

    code: str
    expected: int
    found: int


@dataclass(frozen=True)
class Health:
    """What is known of one file. Parts that could not be found in time are None or missing."""

    path: Path
    file_bytes: int
    wal_bytes: int | None
    journal: str
    page_size: int
    sizes: tuple[Size, ...]
    version: int | None
    is_older: bool
    is_newer: bool
    missing: tuple[str, ...]
    indexes: IndexState
    drifts: tuple[Drift, ...]
    sessions: int | None
    messages: int | None
    last_message: datetime | None
    last_write: datetime | None
    advice: tuple[str, ...]

    @property
    def trigram_share(self) -> float:
        """Which part of the file the trigram index takes, 0 to 1."""
        total = sum(one.bytes for one in self.sizes)
        mine = sum(one.bytes for one in self.sizes if one.kind == "trigram")
        return mine / total if total else 0.0


def examine(conn: Connection, path: Path) -> Health:
    """Look at a file. Raises SchemaUnknown like `probe`; what takes too long is left out."""
    schema = probe(conn)
    page_size = int(conn.execute("PRAGMA page_size").fetchone()[0])
    pages = int(conn.execute("PRAGMA page_count").fetchone()[0])
    journal = as_text(conn.execute("PRAGMA journal_mode").fetchone()[0])
    free = int(conn.execute("PRAGMA freelist_count").fetchone()[0])
    indexes = look_at_indexes(conn, schema, thorough=True)
    sizes = _sizes(conn, schema, pages, page_size, free)
    messages = _number(conn, "SELECT count(*) FROM messages")
    wal = _bytes(path.with_name(f"{path.name}-wal"))
    drifts = _drifts(conn, schema, messages)
    return Health(
        path=path,
        file_bytes=pages * page_size,
        wal_bytes=wal,
        journal=journal,
        page_size=page_size,
        sizes=sizes,
        version=schema.version,
        is_older=schema.is_older,
        is_newer=schema.is_newer,
        missing=_missing(schema),
        indexes=indexes,
        drifts=drifts,
        sessions=_number(conn, "SELECT count(*) FROM sessions"),
        messages=messages,
        last_message=_last_message(conn, schema),
        last_write=_last_write(path),
        advice=_advice(schema, indexes, wal, journal, sizes, free * page_size, drifts),
    )


def _sizes(conn: Connection, schema: Schema, pages: int, page_size: int, free: int) -> tuple[Size, ...]:
    exact = _exact_sizes(conn) if pages <= _FEW_PAGES else None
    found = exact if exact is not None else _estimates(conn, schema)
    found.append(Size("", "free", free * page_size))
    rest = pages * page_size - sum(one.bytes for one in found)
    if rest > page_size:
        found.append(Size("", "rest", rest, exact is None))
    return tuple(sorted((one for one in found if one.bytes > 0), key=lambda one: -one.bytes))


def _exact_sizes(conn: Connection) -> list[Size] | None:
    rows = _rows(conn, "SELECT name, sum(pgsize) FROM dbstat GROUP BY name")
    if rows is None:
        return None
    indexes = {as_text(row[0]) for row in _rows(conn, "SELECT name FROM sqlite_master WHERE type = 'index'") or ()}
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
    bounds = _rows(conn, f"SELECT (SELECT min(rowid) FROM {name}), (SELECT max(rowid) FROM {name})")  # noqa: S608
    if not bounds or bounds[0][0] is None:
        return 0
    low, high = int(bounds[0][0]), int(bounds[0][1])
    rows = _number(conn, f"SELECT count(*) FROM {name}") or (high - low + 1)  # noqa: S608
    columns = [as_text(row[0]) for row in _rows(conn, "SELECT name FROM pragma_table_info(?)", (name,)) or ()]
    lengths = " + ".join(f'ifnull(length(CAST("{one}" AS BLOB)), 0)' for one in columns if '"' not in one)
    sample = [low + (high - low) * step // _SAMPLES for step in range(_SAMPLES)]
    measured = [
        row[0][0]
        for at in sample
        if (row := _rows(conn, f"SELECT {lengths} FROM {name} WHERE rowid >= ? LIMIT 1", (at,)))  # noqa: S608
    ]
    return int(rows * (sum(measured) / len(measured) + _ROW_OVERHEAD + len(columns)) * 1.06) if measured else 0


def _fts(conn: Connection, index: str) -> int:
    """Estimate a full-text index: its own record tells how many pages it has; its copy of the texts is sampled."""
    size = _index_pages(conn, index) * _FTS_PAGE
    if f"{index}_content" in _tables(conn, index):
        size += _table_of_texts(conn, f"{index}_content")
    return size


def _tables(conn: Connection, index: str) -> set[str]:
    return {
        as_text(row[0])
        for row in _rows(conn, "SELECT name FROM sqlite_master WHERE name GLOB ?", (f"{index}_*",)) or ()
    }


def _table_of_texts(conn: Connection, name: str) -> int:
    bounds = _rows(conn, f"SELECT (SELECT min(id) FROM {name}), (SELECT max(id) FROM {name})")  # noqa: S608
    if not bounds or bounds[0][0] is None:
        return 0
    low, high = int(bounds[0][0]), int(bounds[0][1])
    sample = [low + (high - low) * step // _SAMPLES for step in range(_SAMPLES)]
    sql = f"SELECT length(CAST(c0 AS BLOB)) FROM {name} WHERE id >= ? LIMIT 1"  # noqa: S608
    measured = [row[0][0] or 0 for at in sample if (row := _rows(conn, sql, (at,)))]
    rows = _number(conn, f"SELECT count(*) FROM {name.removesuffix('_content')}_docsize") or high - low + 1  # noqa: S608
    return int(rows * (sum(measured) / len(measured) + _ROW_OVERHEAD) * 1.06) if measured else 0


def _index_pages(conn: Connection, index: str) -> int:
    """Add up the pages of all segments that the index's structure record (row 10) lists."""
    rows = _rows(conn, f"SELECT block FROM {index}_data WHERE id = 10")  # noqa: S608 - one of two fixed names
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


def _drifts(conn: Connection, schema: Schema, messages: int | None) -> tuple[Drift, ...]:
    found = []
    for index, code in ((WORD, "messages_word"), (TRIGRAM, "messages_trigram")):
        held = _number(conn, f"SELECT count(*) FROM {index}_docsize") if index in schema.tables else None  # noqa: S608
        if held is not None and messages is not None:
            found.append(Drift(code, messages, held))
    if schema.has("sessions", "message_count"):
        total = _number(conn, "SELECT sum(message_count) FROM sessions WHERE typeof(message_count) = 'integer'")
        if total is not None and messages is not None:
            found.append(Drift("session_counts", messages, total))
    if schema.finds_by("messages", "session_id"):
        sql = (
            "SELECT count(*) FROM (SELECT DISTINCT session_id AS id FROM messages) AS m"
            " WHERE NOT EXISTS (SELECT 1 FROM sessions AS s WHERE s.id = m.id)"
        )
        if (orphans := _number(conn, sql)) is not None:
            found.append(Drift("orphans", 0, orphans))
    return tuple(found)


def _advice(
    schema: Schema, indexes: IndexState, wal: int | None, journal: str, sizes: tuple[Size, ...], free: int,
    drifts: tuple[Drift, ...],
) -> tuple[str, ...]:  # fmt: skip
    """Codes of what is worth doing or knowing, the most pressing first."""
    total = sum(one.bytes for one in sizes) or 1
    trigram = sum(one.bytes for one in sizes if one.kind == "trigram")
    checks = (
        ("index_damaged", any(one.problem in ("damaged", "empty") for one in (indexes.word, indexes.trigram))),
        ("index_missing", indexes.word.problem == "missing"),
        ("trigram_missing", indexes.trigram.problem == "missing" and indexes.word.problem != "missing"),
        ("index_behind", indexes.is_behind),
        ("orphans", any(one.code == "orphans" and one.found for one in drifts)),
        ("wal_large", wal is not None and wal > LARGE_WAL),
        ("not_wal", journal.lower() != "wal"),
        ("older", schema.is_older),
        ("newer", schema.is_newer),
        ("free_pages", free > total // 4 and free > 10 * 1024 * 1024),
        ("trigram_large", trigram / total > LARGE_TRIGRAM and trigram > 200 * 1024 * 1024),
    )
    return tuple(code for code, holds in checks if holds)


def _missing(schema: Schema) -> tuple[str, ...]:
    wanted = ("title", "archived", "parent_session_id", "end_reason", "cwd")
    return tuple(
        [f"sessions.{one}" for one in wanted if not schema.has("sessions", one)]
        + [
            f"messages.{one}"
            for one in ("active", "compacted", "tool_calls", "reasoning")
            if not schema.has("messages", one)
        ]
    )


def _last_message(conn: Connection, schema: Schema) -> datetime | None:
    if not schema.has("messages", "timestamp"):
        return None
    rows = _rows(conn, "SELECT timestamp FROM messages ORDER BY id DESC LIMIT 1")
    return parse_time(rows[0][0]) if rows else None


def _last_write(path: Path) -> datetime | None:
    """When the file or its log last changed, by their directory entries."""
    times = []
    for one in (path, path.with_name(f"{path.name}-wal")):
        try:
            times.append(one.stat().st_mtime)
        except OSError:
            continue
    return datetime.fromtimestamp(max(times), UTC) if times else None


def _bytes(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _number(conn: Connection, sql: str) -> int | None:
    rows = _rows(conn, sql)
    return int(rows[0][0] or 0) if rows else None


def _rows(conn: Connection, sql: str, values: tuple[object, ...] = ()) -> list[sqlite3.Row] | None:
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
