"""What the list must know of every session of a state.db: a few short facts each, kept in memory between requests.

Only here all sessions are looked at; when the file changes, only what is new is read. Everything can be read again
at any time, and nothing is ever written.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from bisect import insort
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memoryhub.hermes import state_files
from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.state_schema import Schema, probe
from memoryhub.hermes.values import as_text
from sessions_app.catalogue_rows import (
    COLUMNS,
    NEWEST,
    add_activity,
    mark_branches,
    read_sessions,
    seconds,
    session_from,
)
from sessions_app.families import Kind, Session, arrange, join, refresh

_MOST_NEW: Final = 20_000
_WHOLE_SECONDS: Final = 30.0  # how long a change that brings no new row (an old session archived) may go unseen
_RENEWED_SECONDS: Final = 15.0  # after which a renewal saves a request from reading everything
_ASKED_SECONDS: Final = 60.0  # how long after a request it is worth it
_BUSY_SECONDS: Final = 3.0  # how long after new rows an agent counts as writing
_PAUSE_TIMES: Final = 20  # how many times longer than reading everything took the pause until it is done again
_RECENT: Final = 100  # conversations that are looked at again whenever the file changed
_FILES: Final = 4


@dataclass
class Catalogue:
    """All sessions of one file. `shape` changes when sessions came, went or changed, not when only messages came.

    Hold `lock` while reading: another request may bring it up to date.
    """

    schema: Schema
    sessions: dict[int, Session] = field(default_factory=dict)  # by rowid
    by_id: dict[str, Session] = field(default_factory=dict)
    conversations: list[Session] = field(default_factory=list)  # first parts, newest activity first
    kinds: list[Kind] = field(default_factory=list)
    last_message: int = 0
    shape: int = 0
    signature: tuple[object, ...] = ()
    is_settled: bool = False  # the signature is older than a write takes to become visible
    whole_at: float = 0.0
    whole_took: float = 0.0
    whole_signature: tuple[object, ...] = ()
    asked_at: float = 0.0
    news_at: float = -1e9  # when new rows were last seen
    is_due: bool = False  # something was changed in place that may not have been seen
    memo: dict[object, object] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)


_SETTLING_NS: Final = 1_000_000_000

_kept: dict[str, Catalogue] = {}
_locks: dict[str, threading.RLock] = {}
_guard = threading.Lock()


def forget_all() -> None:
    """Forget every file, as a fresh process would."""
    with _guard:
        _kept.clear()


def catalogue(conn: Connection, path: Path, *, is_asked: bool = True) -> Catalogue:
    """Return what is known of all sessions, brought up to date. Raises SchemaUnknown like `probe`.

    `is_asked`: for somebody who is looking, and may look again.
    """
    key = str(path.absolute())
    with _lock_of(key):
        known, signature = _kept.get(key), state_files.signature(path)
        if known is None or not _is_fresh(conn, known, signature):
            known = _whole(conn, known, signature)
        known.asked_at = time.monotonic() if is_asked else known.asked_at
        return _keep(key, known, signature)


def wants_renewal() -> list[Path]:
    """The files that people look at and that have changed since they were read as a whole some time ago."""
    now = time.monotonic()
    looked_at = [(key, one) for key, one in list(_kept.items()) if now - one.asked_at < _ASKED_SECONDS]
    changed = [(key, one) for key, one in looked_at if one.whole_signature != one.signature]
    return [Path(key) for key, one in changed if now - one.whole_at > _RENEWED_SECONDS]


def renew(path: Path, conn: Connection) -> None:
    """Read everything of a file anew while requests go on with what is known."""
    key, signature = str(path.absolute()), state_files.signature(path)
    before = _kept.get(key)
    known = _whole(conn, before, signature)
    with _lock_of(key):
        if _kept.get(key) is before:
            _keep(key, known, signature)


def _lock_of(key: str) -> threading.RLock:
    with _guard:
        return _locks.setdefault(key, threading.RLock())


def _keep(key: str, known: Catalogue, signature: tuple[object, ...]) -> Catalogue:
    known.signature, known.lock, known.is_settled = signature, _lock_of(key), _is_settled(signature)
    with _guard:
        while len(_kept) >= _FILES and key not in _kept:
            _kept.pop(next(iter(_kept)))
        _kept[key] = known
    return known


def _is_settled(signature: tuple[object, ...]) -> bool:
    """Whether nothing was written just now: a file's time changes a moment before readers see what was written."""
    written = max((one[2] for one in signature if isinstance(one, tuple)), default=0)
    return abs(time.time_ns() - written) > _SETTLING_NS


def _is_fresh(conn: Connection, known: Catalogue, signature: tuple[object, ...]) -> bool:
    """Bring a known catalogue up to date by what is new in the file; False when it must be read as a whole."""
    is_same, now = signature == known.signature, time.monotonic()
    if is_same and known.is_settled and not known.is_due:
        return True
    if now - known.whole_at > _WHOLE_SECONDS or not _is_same_file(conn, known):
        return False
    new = _new_messages(conn, known)
    added = read_sessions(conn, known.schema, max(known.sessions, default=0))
    if new is None:
        return False
    if new or added:
        known.news_at = now
    elif not is_same or known.is_due:
        # Something was changed in place: an agent does that all the time, to sessions of today and when it tidies up.
        # Those are looked at now, all others when it pauses, and never for more than a small share of the time.
        if now > max(known.news_at + _BUSY_SECONDS, known.whole_at + _PAUSE_TIMES * known.whole_took):
            return False
        known.is_due = True
    _take(conn, known, new, added)
    return True


def _is_same_file(conn: Connection, known: Catalogue) -> bool:
    """Whether no session was deleted and row numbers still mean the same sessions (VACUUM may renumber them)."""
    newest = max(known.sessions, default=0)
    row = conn.execute("SELECT id FROM sessions WHERE rowid = ?", (newest,)).fetchone()
    if newest and (row is None or as_text(row[0]) != known.sessions[newest].id):
        return False
    return int(conn.execute("SELECT count(*) FROM sessions").fetchone()[0]) >= len(known.sessions)


def _new_messages(conn: Connection, known: Catalogue) -> list[sqlite3.Row] | None:
    stamp = "timestamp" if known.schema.has("messages", "timestamp") else "NULL"
    sql = f"SELECT id, session_id, {stamp} FROM messages WHERE id > ? ORDER BY id LIMIT ?"  # noqa: S608 - fixed
    rows = conn.execute(sql, (known.last_message, _MOST_NEW)).fetchall()
    return rows if len(rows) < _MOST_NEW else None


def _take(conn: Connection, known: Catalogue, new: list[sqlite3.Row], added: list[Session]) -> None:
    for one in added:
        known.sessions[one.rowid] = one
        known.by_id.setdefault(one.id, one)
    touched = {one.parent for one in added} | {as_text(row[1]) for row in new}
    for _, session_id, stamp in new:
        found = known.by_id.get(as_text(session_id))
        moment = seconds(stamp)
        if found is not None and moment is not None:
            found.active = max(moment, found.active or 0.0)
    recent = [part for one in known.conversations[:_RECENT] for part in one.parts]
    again = {one.rowid: one for one in (*recent, *(known.by_id[one] for one in touched if one in known.by_id))}
    changed, is_regrouped = _read_again(conn, known, list(again.values()))
    known.last_message = new[-1][0] if new else known.last_message
    if added or changed:
        known.shape += 1
        known.memo.clear()
    if is_regrouped or any(one.parent for one in (*added, *changed)):
        mark_branches(conn, known.schema, known.sessions, min((one.rowid for one in added), default=None))
        known.conversations, known.kinds = arrange(known.sessions.values(), known.by_id)
        return
    for one in added:
        join(one, known.kinds)
    for head in {one.head for one in changed if one.head is not None}:
        refresh(head, known.kinds)
    talks = {one.head for one in (*changed, *(known.by_id[name] for name in touched if name in known.by_id))}
    _move(known, [one for one in talks if one is not None], added)


def _move(known: Catalogue, talks: list[Session], added: list[Session]) -> None:
    """Put conversations with new activity, and what they stand under, where they belong now."""
    moved = {*talks, *added}
    for one in talks:
        one.settle()
        at = one
        while at.above is not None and at.above not in moved:
            at = at.above
            moved.add(at)
    rest = [one for one in known.conversations if one not in moved]
    for one in moved:
        insort(rest, one, key=lambda each: (-each.rank, -each.rowid))
    known.conversations = rest


def _read_again(conn: Connection, known: Catalogue, sessions: list[Session]) -> tuple[list[Session], bool]:
    """Read the facts of some sessions anew. Returns those that changed, and whether any may belong elsewhere now."""
    columns = known.schema.select("sessions", *COLUMNS)
    sql = f"SELECT rowid, {columns} FROM sessions WHERE rowid IN (SELECT value FROM json_each(?))"  # noqa: S608
    changed, is_regrouped = [], False
    for row in conn.execute(sql, (json.dumps([one.rowid for one in sessions]),)).fetchall():
        old, new = known.sessions[row[0]], session_from(row)
        if old.facts != new.facts:
            is_regrouped = is_regrouped or (old.parent, old.reason) != (new.parent, new.reason) or bool(old.below)
            old.take(new)
            changed.append(old)
    return changed, is_regrouped


def _whole(conn: Connection, before: Catalogue | None, signature: tuple[object, ...]) -> Catalogue:
    schema = probe(conn)
    known = Catalogue(schema, whole_at=time.monotonic(), whole_signature=signature)
    known.last_message = int(conn.execute("SELECT max(id) FROM messages").fetchone()[0] or 0)
    if before is not None:
        known.shape, known.asked_at = before.shape + 1, before.asked_at
        known.news_at = known.whole_at if known.last_message > before.last_message else before.news_at
    by_index = schema.finds_by("messages", "session_id", "timestamp")
    for one in read_sessions(conn, schema, None, NEWEST if by_index else "NULL"):
        known.sessions[one.rowid] = one
        known.by_id.setdefault(one.id, one)
    if not by_index:
        add_activity(conn, schema, known.by_id)
    mark_branches(conn, known.schema, known.sessions, 0)
    known.conversations, known.kinds = arrange(known.sessions.values(), known.by_id)
    known.whole_took = time.monotonic() - known.whole_at
    return known
