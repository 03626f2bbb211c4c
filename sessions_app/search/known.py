"""What is remembered of a state.db between searches: schema, index state, hidden rows, texts the index holds encoded.

Everything here can be looked up again at any time; it is looked up again when the file has changed.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from memoryhub.hermes import state_files
from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.state_schema import Schema, probe
from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import as_text
from sessions_app.search.documents import Document, documents, select
from sessions_app.search.folding import FIRST_UNSPACED, has_unspaced
from sessions_app.search.index_state import TRIGRAM, WORD, IndexState, look_at_indexes
from sessions_app.search.names import Names, look_at_names
from sessions_app.search.sources import WORDS_SEEN, prepare
from sessions_app.search.statements import IndexBroken, OutOfTime, ask, ask_index

_THOROUGH_SECONDS: Final = 600.0
_SMALL: Final = 20_000  # messages; looked at thoroughly each time
_LONGEST_FRESH_SECONDS: Final = 60.0
_MOST_ENCODED: Final = 150
_MOST_ENCODED_CHARACTERS: Final = 1_500_000
_RECENT_SESSIONS: Final = 200
# Escapes as nested JSON writes them (tool arguments), and how a list of parts begins.
_ESCAPES: Final = r'"\\u" OR "\\n" OR "\\t" OR "\\r"'
_PARTS: Final = '^ "json type" OR ^ "json text" OR ^ "json image"'
_MOST_PARTS: Final = 100
_PICTURE: Final = re.compile(r'(data:[^"\\]{60})[^"\\]+')
_FILES: Final = 8
_MOST_RUNS: Final = 20_000
_RECENT_MESSAGES: Final = 500
_SAMPLES: Final = 256


@dataclass
class Known:
    """What one state.db is known to be."""

    schema: Schema
    indexes: IndexState
    encoded: tuple[Document, ...] = ()
    rewound: frozenset[int] = frozenset()
    signature: tuple[object, ...] = ()
    schema_cookie: int = 0
    looked_at: float = 0.0
    thorough_at: float = 0.0
    names: Names = field(default_factory=Names)
    runs: tuple[str, ...] = ()
    runs_are_all: bool = True
    samples: tuple[tuple[int, float], ...] = ()


_remembered: dict[str, Known] = {}
_lock = threading.Lock()


def forget_all() -> None:
    """Forget every file, as a fresh process would."""
    with _lock:
        _remembered.clear()


def known(conn: Connection, path: Path) -> Known:
    """Return what is known of the file, looked up anew when it changed. Raises SchemaUnknown like `probe`."""
    key = str(path.absolute())
    signature = state_files.signature(path)
    with _lock:
        found = _remembered.get(key)
    now = time.monotonic()
    if found and found.signature == signature and now - found.looked_at < _LONGEST_FRESH_SECONDS:
        return found
    fresh = _looked_up(conn, found, signature, now)
    with _lock:
        while len(_remembered) >= _FILES and key not in _remembered:
            _remembered.pop(next(iter(_remembered)))
        _remembered[key] = fresh
    return fresh


def _looked_up(conn: Connection, old: Known | None, signature: tuple[object, ...], now: float) -> Known:
    cookie = int(conn.execute("PRAGMA schema_version").fetchone()[0])
    is_same = old is not None and old.schema_cookie == cookie and old.signature[:1] and signature[:1] != (None,)
    schema = old.schema if old is not None and is_same else probe(conn)
    is_small = old is not None and old.indexes.last_id < _SMALL
    is_due = old is None or not is_same or is_small or now - old.thorough_at > _THOROUGH_SECONDS
    indexes = look_at_indexes(conn, schema, thorough=is_due)
    if old is not None and not is_due:
        indexes = _with_gaps_of(old.indexes, indexes)
    return Known(
        schema,
        indexes,
        _encoded(conn, schema, indexes, old if is_same else None, since=0 if is_due else _recent_of(indexes)),
        _rewound(conn, schema, None if is_due or old is None else old.rewound),
        signature,
        cookie,
        now,
        now if is_due or old is None else old.thorough_at,
        look_at_names(conn, schema, None if is_due or old is None else old.names),
        *(_runs(conn, indexes) if is_due or old is None else (old.runs, old.runs_are_all)),
        _samples(conn, schema, indexes.last_id) if is_due or old is None else old.samples,
    )


def _with_gaps_of(old: IndexState, new: IndexState) -> IndexState:
    def kept(name: str) -> object:
        before, now = getattr(old, name), getattr(new, name)
        return type(now)(**{**vars(now), "gaps": before.gaps, "has_leftovers": before.has_leftovers})

    return IndexState(kept("word"), kept("trigram"), new.last_id)  # type: ignore[arg-type]


def _recent_of(indexes: IndexState) -> int:
    """Return the first id of the messages that are looked at again whenever the file changed."""
    return max(0, indexes.last_id - _RECENT_MESSAGES)


def _encoded(
    conn: Connection, schema: Schema, indexes: IndexState, old: Known | None, *, since: int
) -> tuple[Document, ...]:
    """Return the newest messages whose stored text differs from what they say; those before `since` are known."""
    before = [one for one in old.encoded if one.id < since] if old else []
    calls = [*(_escaped_calls(conn, schema, since) if indexes.trigram.is_usable else ())]
    calls += [one for one in before if not one.holds_parts]
    parts = [*(_lists_of_parts(conn, schema, old, since) if indexes.word.is_usable else ())]
    parts += [one for one in before if one.holds_parts]
    return (*calls[:_MOST_ENCODED], *parts[:_MOST_PARTS])


def _escaped_calls(conn: Connection, schema: Schema, since: int) -> Iterator[Document]:
    sql = (
        f"SELECT {select(schema, 'm')} FROM {TRIGRAM} CROSS JOIN messages AS m ON m.id = {TRIGRAM}.rowid"  # noqa: S608
        f" WHERE {TRIGRAM} MATCH ? AND {TRIGRAM}.rowid >= ? ORDER BY {TRIGRAM}.rowid DESC LIMIT ?"
    )
    try:
        rows = ask_index(conn, 100, sql, (_ESCAPES, since, _MOST_ENCODED))
    except (OutOfTime, IndexBroken):
        return
    characters = 0
    for document in documents(rows):
        characters += len(document.indexed)
        if characters > _MOST_ENCODED_CHARACTERS:
            break
        if not document.holds_parts and "\\" in as_text(document.calls):
            yield document


def _lists_of_parts(conn: Connection, schema: Schema, old: Known | None, since: int) -> Iterator[Document]:
    """Yield messages made of parts, pictures cut short; those already known are not read again: they can be huge."""
    before = {one.id: one for one in (old.encoded if old else ()) if one.holds_parts}
    sql = f"SELECT rowid FROM {WORD} WHERE {WORD} MATCH ? AND rowid >= ? ORDER BY rowid DESC LIMIT ?"  # noqa: S608
    read = f"SELECT {select(schema, 'm')} FROM messages AS m WHERE m.id = ?"  # noqa: S608 - fixed names
    try:
        for (one,) in ask_index(conn, 100, sql, (_PARTS, since, _MOST_PARTS)):
            if one in before:
                yield before[one]
                continue
            for document in documents(ask(conn, 100, read, (one,))):
                if document.holds_parts:
                    yield replace(document, content=_PICTURE.sub(r"\1", str(document.content)))
    except (OutOfTime, IndexBroken):
        return


def _rewound(conn: Connection, schema: Schema, old: frozenset[int] | None) -> frozenset[int]:
    """Return the ids of undone messages; with `old`, only the newest sessions are looked at again."""
    if not schema.has("messages", "active"):
        return frozenset()
    undone = "active = 0" + (" AND ifnull(compacted, 0) = 0" if schema.has("messages", "compacted") else "")
    sql = f"SELECT id FROM messages WHERE {undone}"  # noqa: S608 - fixed words
    try:
        if old is None:
            return _all_rewound(conn, schema, undone)
        order = "started_at" if schema.finds_by("sessions", "started_at") else "rowid"
        recent = f"SELECT id FROM sessions ORDER BY {order} DESC LIMIT ?"  # noqa: S608 - fixed words
        rows = ask(conn, 60, f"{sql} AND session_id IN ({recent})", (_RECENT_SESSIONS,))
        return old | {row[0] for row in rows}
    except OutOfTime:
        return old or frozenset()


def _all_rewound(conn: Connection, schema: Schema, undone: str) -> frozenset[int]:
    if schema.finds_by("messages", "session_id", "active"):
        # The index holds id and `active`: far less to read than the messages themselves.
        inner = "SELECT id FROM messages WHERE session_id >= '' AND active = 0"
        sql = f"SELECT id FROM messages WHERE id IN ({inner}) AND {undone}"  # noqa: S608 - fixed words
        return frozenset(row[0] for row in ask(conn, 200, sql))
    return frozenset(row[0] for row in ask(conn, 200, f"SELECT id FROM messages WHERE {undone}"))  # noqa: S608


def _runs(conn: Connection, indexes: IndexState) -> tuple[tuple[str, ...], bool]:
    """Return the index words in which Latin letters touch a script without spaces, and whether these are all.

    Such an index word is a whole run of text: 修改youer服务端的计划 is one.
    """
    if not indexes.word.is_usable:
        return (), True
    prepare(conn, indexes, words=True)
    has_both = "term GLOB '*[a-z0-9]*' AND length(term) <> length(CAST(term AS BLOB)) LIMIT ?"
    try:  # words may begin with Latin letters too, but all words of a large index take too long
        rows = ask_index(conn, 25, f"SELECT term FROM {WORDS_SEEN} WHERE {has_both}", (_MOST_RUNS,))  # noqa: S608
    except (OutOfTime, IndexBroken):
        rows = []
    try:
        if not rows:
            sql = f"SELECT term FROM {WORDS_SEEN} WHERE term >= ? AND {has_both}"  # noqa: S608 - fixed names
            rows = ask_index(conn, 60, sql, (FIRST_UNSPACED, _MOST_RUNS))
        return tuple(row[0] for row in rows if has_unspaced(row[0])), len(rows) < _MOST_RUNS
    except (OutOfTime, IndexBroken):
        return (), False


def _samples(conn: Connection, schema: Schema, last_id: int) -> tuple[tuple[int, float], ...]:
    """Return ids with their times, evenly spread: roughly when which messages were written."""
    if not schema.has("messages", "timestamp"):
        return ()
    step = max(1, last_id // _SAMPLES)
    sql = "SELECT id, timestamp FROM messages WHERE id >= ? ORDER BY id LIMIT 1"
    rows = [row for one in range(1, last_id + 1, step) for row in ask(conn, 50, sql, (one,))]
    times = ((row[0], parse_time(row[1])) for row in rows)
    return tuple((one, moment.timestamp()) for one, moment in times if moment is not None)
