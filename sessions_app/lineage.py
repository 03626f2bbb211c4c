"""Which sessions continue one another: a parent that ended by compression and its child are one conversation.

Other children are branches or delegated sub-sessions, conversations of their own. Orphans and circles are survived.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from typing import Final

from memoryhub.hermes.state_schema import Schema
from memoryhub.hermes.values import as_text

_DEEPEST: Final = 500  # continuations of one conversation

# A branch is marked by Hermes; delegated work begins while its parent still runs, a continuation when that has ended.
_CONTINUES: Final = "parent.end_reason = 'compression' AND child.parent_session_id = parent.id"
_IS_BRANCH: Final = "ifnull(instr(child.model_config, '_branched_from'), 0) > 0"
OVERLAP_SECONDS: Final = 60  # clocks and slow ends
_BEGAN_BEFORE: Final = f"ifnull(child.started_at < parent.ended_at - {OVERLAP_SECONDS}, 0)"


def continues(schema: Schema) -> str:
    """Return the condition that the session `child` continues the session `parent`."""
    marked = f" AND NOT {_IS_BRANCH}" if schema.has("sessions", "model_config") else ""
    has_times = schema.has("sessions", "started_at") and schema.has("sessions", "ended_at")
    return _CONTINUES + marked + (f" AND NOT {_BEGAN_BEFORE}" if has_times else "")


def knows_lineages(schema: Schema) -> bool:
    """Say whether the file records which session continues which."""
    return schema.has("sessions", "parent_session_id") and schema.has("sessions", "end_reason")


def roots(conn: sqlite3.Connection, schema: Schema, session_ids: Iterable[str]) -> dict[str, str]:
    """Map each session to the first session of its lineage (itself when it continues nothing)."""
    found = {one: one for one in session_ids}
    if not knows_lineages(schema):
        return found
    parents: dict[str, str] = {}
    unknown = set(found)
    for _ in range(_DEEPEST):
        new = {child: parent for child, parent in _parents(conn, schema, unknown).items() if child not in parents}
        unknown = set(new.values()) - set(parents) - set(new)
        parents.update(new)
        if not unknown:
            break
    return {one: _first(one, parents) for one in found}


def members(conn: sqlite3.Connection, schema: Schema, root: str) -> tuple[str, ...]:
    """Return the sessions of a lineage, the first one first, each followed by what continues it."""
    found = [root]
    if not knows_lineages(schema):
        return (root,)
    sql = (
        "SELECT child.id FROM sessions AS child JOIN sessions AS parent"  # noqa: S608 - fixed words
        f" ON {continues(schema)} WHERE parent.id = ? ORDER BY child.rowid"
    )
    for one in found:
        rows = conn.execute(sql, (one,)).fetchall()
        found += [child for (child,) in rows if child not in found]
        if len(found) > _DEEPEST:
            break
    return tuple(found)


def _parents(conn: sqlite3.Connection, schema: Schema, session_ids: Collection[str]) -> dict[str, str]:
    sql = (
        "SELECT child.id, parent.id FROM json_each(?) AS wanted JOIN sessions AS child ON child.id = wanted.value"  # noqa: S608
        f" JOIN sessions AS parent ON {continues(schema)}"
    )
    rows = conn.execute(sql, (json.dumps(sorted(session_ids)),)).fetchall() if session_ids else []
    return {as_text(child): as_text(parent) for child, parent in rows}


def _first(session_id: str, parents: dict[str, str]) -> str:
    seen = {session_id}
    while (parent := parents.get(session_id)) is not None and parent not in seen:
        seen.add(parent)
        session_id = parent
    if parent is not None and parent in seen:
        return min(seen)  # a circle: any fixed member stands for it
    return session_id
