"""What is remembered of a state.db between searches: schema, index state, hidden rows, texts the index holds encoded.

Everything here can be looked up again at any time; it is looked up again when the file has changed.
"""

from __future__ import annotations

import json
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from memoryhub.hermes import state_files
from memoryhub.hermes.state_db import Connection, StateDbProblem, connect
from memoryhub.hermes.state_schema import Schema, probe
from memoryhub.hermes.times import parse_time
from sessions_app.search.documents import Document
from sessions_app.search.encoded import all_encoded, with_recent
from sessions_app.search.folding import FIRST_UNSPACED, has_unspaced
from sessions_app.search.index_state import IndexState, look_at_indexes, look_at_newest, with_gaps_of
from sessions_app.search.names import Names, look_at_names
from sessions_app.search.sources import WORDS_SEEN, prepare
from sessions_app.search.statements import IndexBroken, OutOfTime, ask, ask_index
from sessions_app.search.totals import Totals

_THOROUGH_SECONDS: Final = 600.0
_PROBED_SECONDS: Final = 1.0
_SMALL: Final = 20_000  # messages; looked at thoroughly each time
_LONGEST_FRESH_SECONDS: Final = 60.0
_RECENT_SESSIONS: Final = 200
_FILES: Final = 8
_MOST_RUNS: Final = 20_000
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
    probed_at: float = 0.0
    thorough_at: float = 0.0
    names: Names = field(default_factory=Names)
    runs: tuple[str, ...] = ()
    runs_are_all: bool = True
    samples: tuple[tuple[int, float], ...] = ()
    totals: Totals = field(default_factory=Totals)

    @cached_property
    def encoded_text(self) -> str:
        """Whatever stands in the encoded messages, in one piece: most queries have a word that is not in there."""
        return "\n".join(one.everything for one in self.encoded)


_remembered: dict[str, Known] = {}
_under_way: set[str] = set()  # files that are being looked at thoroughly
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
    _remember(key, fresh)
    if now - fresh.thorough_at > _THOROUGH_SECONDS:
        _look_thoroughly_aside(key, path)
    return fresh


def _remember(key: str, fresh: Known) -> None:
    with _lock:
        while len(_remembered) >= _FILES and key not in _remembered:
            _remembered.pop(next(iter(_remembered)))
        _remembered[key] = fresh


def _look_thoroughly_aside(key: str, path: Path) -> None:
    """Look at everything again in a thread of its own: on a large file that takes longer than a search may."""
    with _lock:
        if key in _under_way:
            return
        _under_way.add(key)
    threading.Thread(target=_look_thoroughly, args=(key, path), name="search index check", daemon=True).start()


def _look_thoroughly(key: str, path: Path) -> None:
    try:
        signature = state_files.signature(path)
        with connect(path) as conn, suppress(OutOfTime):
            _remember(key, _all_looked_up(conn, _remembered.get(key), signature, time.monotonic()))
    except StateDbProblem:
        pass  # the next search says so
    finally:
        with _lock:
            _under_way.discard(key)


def _looked_up(conn: Connection, old: Known | None, signature: tuple[object, ...], now: float) -> Known:
    is_whole = old is not None and bool(old.signature) and signature[0] is not None
    if old is None or not is_whole or old.schema_cookie != _cookie(conn) or old.indexes.last_id < _SMALL:
        return _all_looked_up(conn, old, signature, now)
    is_probing = now - old.probed_at > _PROBED_SECONDS or not (
        old.indexes.word.is_usable and old.indexes.trigram.is_usable
    )
    if is_probing:
        indexes = with_gaps_of(old.indexes, look_at_indexes(conn, old.schema, thorough=False))
    else:
        indexes = look_at_newest(conn, old.schema, old.indexes)
    return replace(
        old,
        indexes=indexes,
        encoded=with_recent(conn, old.schema, indexes, old.encoded),
        rewound=_rewound(conn, old.schema, old.rewound, is_probing=is_probing),
        signature=signature,
        looked_at=now,
        probed_at=now if is_probing else old.probed_at,
        names=look_at_names(conn, old.schema, old.names),
    )


def _all_looked_up(conn: Connection, old: Known | None, signature: tuple[object, ...], now: float) -> Known:
    cookie = _cookie(conn)
    is_same = old is not None and old.schema_cookie == cookie and bool(old.signature) and signature[0] is not None
    schema = old.schema if old is not None and is_same else probe(conn)
    indexes = look_at_indexes(conn, schema)
    return Known(
        schema,
        indexes,
        all_encoded(conn, schema, indexes, old.encoded if old is not None and is_same else ()),
        _rewound(conn, schema, None),
        signature,
        cookie,
        now,
        now,
        now,
        look_at_names(conn, schema, None),
        *_runs(conn, indexes),
        _samples(conn, schema, indexes.last_id),
        old.totals if old is not None and is_same else Totals(),
    )


def _cookie(conn: Connection) -> int:
    return int(conn.execute("PRAGMA schema_version").fetchone()[0])


def _rewound(
    conn: Connection, schema: Schema, old: frozenset[int] | None, *, is_probing: bool = False
) -> frozenset[int]:
    """Return the ids of undone messages; with `old`, only the newest sessions and now and then these are looked at."""
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
        if is_probing and old:
            among = f"{sql} AND id IN (SELECT value FROM json_each(?))"  # noqa: S608 - fixed words
            still = ask(conn, 60, among, (json.dumps(sorted(old)),))
            old = frozenset(row[0] for row in still)
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
