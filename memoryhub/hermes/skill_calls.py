"""The skill tool calls of state.db: which session viewed, made or changed which skill, when, and with what outcome.

Newest first and in bounded steps. Where the word index is there it names the messages; else they are walked backwards.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final

from memoryhub.hermes.memory_calls import step_back
from memoryhub.hermes.state_schema import Schema, probe
from memoryhub.hermes.times import parse_time
from memoryhub.hermes.tool_calls import ToolCall, outcome, tool_calls
from memoryhub.hermes.values import as_json, as_text, whole

VIEW: Final = "skill_view"
MANAGE: Final = "skill_manage"
TOOLS: Final = (VIEW, MANAGE)
ACTIONS: Final = ("create", "edit", "patch", "delete", "write_file", "remove_file")
WRITES: Final = frozenset(["create", "edit", "patch", "write_file"])
STEP_HITS: Final = 400
STEP_ROWS: Final = 20_000
MOST_STEPS: Final = 10
_ANSWER_WITHIN: Final = (40, 2_000)  # rows after a call: there nearly always, else among what other sessions wrote
_LARGEST_ID: Final = 2**63 - 1
_WORD: Final = re.compile(r"[A-Za-z0-9]")
_INDEX: Final = "messages_fts"
_CUT: Final = 20_000  # characters of an answer, of which the beginning tells the outcome


@dataclass(frozen=True, slots=True)
class SkillCall:
    """One operation on one skill.

    ``action`` is ``view`` or one of ACTIONS; ``name`` as the agent gave it; ``file_path`` the file inside the skill, ""
    for SKILL.md. ``succeeded`` is None while no readable answer is there; a write that was only staged for approval has
    not succeeded and carries its pending record's id in ``staged``.
    """

    session_id: str
    message_id: int
    timestamp: datetime | None
    name: str
    action: str
    file_path: str = ""
    succeeded: bool | None = None
    staged: str = ""

    @property
    def writes(self) -> bool:
        """Whether it put text into the skill; a call without an answer may have."""
        return self.action in WRITES and self.succeeded is not False


@dataclass(frozen=True, slots=True)
class SkillCalls:
    """Calls, newest first. More may follow: ask on with ``before_id=next_before`` until that is None."""

    calls: tuple[SkillCall, ...]
    next_before: int | None


def skill_calls(
    conn: sqlite3.Connection,
    *,
    names: Collection[str] = (),
    tools: Collection[str] = TOOLS,
    before_id: int | None = None,
    after_id: int = 0,
    limit: int = 200,
    steps: int = MOST_STEPS,
) -> SkillCalls:
    """Return calls of ``tools`` in messages with `after_id < id < before_id`, newest first.

    ``names``: only calls that give one of these names, alone or after a category. About ``limit`` calls at most (no
    message is cut in two) and ``steps`` steps: 400 hits of the word index, or 20,000 rows (10 ms) where there is none
    that holds tool calls. Raises SchemaUnknown and what SQLite raises.
    """
    schema = probe(conn)
    if not schema.has("messages", "tool_calls"):
        return SkillCalls((), None)
    span = after_id, _LARGEST_ID if before_id is None else before_id
    found: list[SkillCall] = []
    reached: list[int] = []
    for rows, before in islice(_pages(conn, schema, names, tools, span), steps):
        reached.append(before)
        for row in rows:
            found += _calls(conn, schema, row, names, tools)
            if len(found) >= limit:
                return SkillCalls(tuple(found), row[0])
    return SkillCalls(tuple(found), reached[-1] if len(reached) == steps else None)


_Page = tuple[Sequence[sqlite3.Row], int]  # rows that may hold calls, newest first, and the id to go on before


def _pages(
    conn: sqlite3.Connection,
    schema: Schema,
    names: Collection[str],
    tools: Collection[str],
    span: tuple[int, int],
) -> Iterator[_Page]:
    if not _index_holds_calls(conn, schema):
        yield from _walked(conn, schema, tools, span)
        return
    yield from _indexed(conn, schema, _match(names, tools), span)


def _index_holds_calls(conn: sqlite3.Connection, schema: Schema) -> bool:
    """Whether the word index is there and its triggers put tool calls into it; older versions indexed content alone."""
    if _INDEX not in schema.tables:
        return False
    rows = conn.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'messages'").fetchall()
    return any(f"INTO {_INDEX}" in as_text(sql) and "tool_calls" in as_text(sql) for (sql,) in rows)


def _match(names: Collection[str], tools: Collection[str]) -> str:
    """An FTS5 expression; names that are not ASCII may stand escaped in the JSON and are compared afterwards only."""
    called = " OR ".join(_phrase(tool) for tool in tools)
    if not names or not all(name.isascii() and _WORD.search(name) for name in names):
        return called
    return f"({called}) AND ({' OR '.join(_phrase(name) for name in names)})"


def _phrase(text: str) -> str:
    return '"' + text.replace('"', '""').replace("\0", " ") + '"'


def _indexed(conn: sqlite3.Connection, schema: Schema, match: str, span: tuple[int, int]) -> Iterator[_Page]:
    after, before = span
    while True:
        ids = [
            row[0]
            for row in conn.execute(
                f"SELECT rowid FROM {_INDEX} WHERE {_INDEX} MATCH ? AND rowid > ? AND rowid < ?"  # noqa: S608 - fixed
                " ORDER BY rowid DESC LIMIT ?",
                (match, after, before, STEP_HITS),
            ).fetchall()
        ]
        if not ids:
            return
        before = ids[-1]
        rows = conn.execute(
            f"SELECT {_columns(schema)} FROM messages WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608 - fixed
            " AND tool_calls IS NOT NULL ORDER BY id DESC",
            (json.dumps(ids),),
        ).fetchall()
        yield rows, before


def _walked(conn: sqlite3.Connection, schema: Schema, tools: Collection[str], span: tuple[int, int]) -> Iterator[_Page]:
    after, before = span
    like = " OR ".join(["CAST(tool_calls AS TEXT) LIKE ?"] * len(tools))
    while before - 1 > after:
        start = max(after, step_back(conn, before - 1, STEP_ROWS))
        rows = conn.execute(
            f"SELECT {_columns(schema)} FROM messages NOT INDEXED"  # noqa: S608 - fixed names
            f" WHERE id > ? AND id < ? AND ({like}) ORDER BY id DESC",
            (start, before, *(f"%{tool}%" for tool in tools)),
        ).fetchall()
        before = start + 1
        yield rows, before


def _columns(schema: Schema) -> str:
    return schema.select("messages", "id", "session_id", "timestamp", "tool_calls")


def _calls(
    conn: sqlite3.Connection, schema: Schema, row: sqlite3.Row, names: Collection[str], tools: Collection[str]
) -> list[SkillCall]:
    found = []
    for call in tool_calls(row[3]):
        operations = [each for each in _operations(call) if _is_meant(each[0], names)] if call.name in tools else []
        if operations:
            done, staged = outcome(_answer(conn, schema, row, call))
            where = (as_text(row[1]), row[0], parse_time(row[2]))
            found += [SkillCall(*where, *operation, done, staged) for operation in operations]
    return found


def _operations(call: ToolCall) -> Iterator[tuple[str, str, str]]:
    """Yield (name, action, file path) of each operation of a call; newer versions send several in one."""
    arguments = call.arguments or {}
    batch = arguments.get("operations")
    operations = as_json(batch) if isinstance(batch, str) else batch
    for one in operations if isinstance(operations, list) and operations else [arguments]:
        if not isinstance(one, Mapping):
            continue
        name = _text(one, "name") or _text(arguments, "name")
        action = "view" if call.name == VIEW else _text(one, "action") or _text(arguments, "action")
        if name and (action == "view" or action in ACTIONS):
            yield name, action, _text(one, "file_path")


def _is_meant(name: str, names: Collection[str]) -> bool:
    return not names or name in names or name.rpartition("/")[2] in names


def _text(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments.get(name)
    return whole(value).strip()[:500] if isinstance(value, str) else ""


def _answer(conn: sqlite3.Connection, schema: Schema, row: sqlite3.Row, call: ToolCall) -> object:
    """The content of the first answer to a call: it follows within a few rows, unless other sessions write a lot."""
    if not call.id or not schema.has("messages", "content") or not schema.has("messages", "tool_call_id"):
        return None
    for reach in _ANSWER_WITHIN:
        answer = conn.execute(
            f"SELECT substr(content, 1, {_CUT}) FROM messages NOT INDEXED"  # noqa: S608 - a fixed number
            " WHERE id > ? AND id <= ? AND tool_call_id = ? AND session_id = ? ORDER BY id LIMIT 1",
            (row[0], row[0] + reach, call.id, row[1]),
        ).fetchone()
        if answer is not None:
            return answer[0]
    return None
