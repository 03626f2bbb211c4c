"""How a state.db is doing: sizes, write-ahead log, schema, indexes, drift of counts, last write. Only ever read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.state_schema import Schema, probe
from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import as_text
from sessions_app.search.index_state import TRIGRAM, WORD, IndexState, look_at_indexes
from sessions_app.store_sizes import Size, ask_number, ask_rows, find_sizes

LARGE_WAL: Final = 64 * 1024 * 1024
LARGE_TRIGRAM: Final = 0.35


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
    sizes = find_sizes(conn, schema, pages, page_size, free)
    messages = ask_number(conn, "SELECT count(*) FROM messages")
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
        sessions=ask_number(conn, "SELECT count(*) FROM sessions"),
        messages=messages,
        last_message=_last_message(conn, schema),
        last_write=_last_write(path),
        advice=_advice(schema, indexes, wal, journal, sizes, free * page_size, drifts),
    )


def _drifts(conn: Connection, schema: Schema, messages: int | None) -> tuple[Drift, ...]:
    found = []
    for index, code in ((WORD, "messages_word"), (TRIGRAM, "messages_trigram")):
        held = ask_number(conn, f"SELECT count(*) FROM {index}_docsize") if index in schema.tables else None  # noqa: S608
        if held is not None and messages is not None:
            found.append(Drift(code, messages, held))
    if schema.has("sessions", "message_count"):
        total = ask_number(conn, "SELECT sum(message_count) FROM sessions WHERE typeof(message_count) = 'integer'")
        if total is not None and messages is not None:
            found.append(Drift("session_counts", messages, total))
    if schema.finds_by("messages", "session_id"):
        sql = (
            "SELECT count(*) FROM (SELECT DISTINCT session_id AS id FROM messages) AS m"
            " WHERE NOT EXISTS (SELECT 1 FROM sessions AS s WHERE s.id = m.id)"
        )
        if (orphans := ask_number(conn, sql)) is not None:
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
    rows = ask_rows(conn, "SELECT timestamp FROM messages ORDER BY id DESC LIMIT 1")
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
