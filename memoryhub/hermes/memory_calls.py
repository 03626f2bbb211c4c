"""The memory tool calls of state.db with their outcome: who wrote which entry, when, in which session.

Reads windows of message ids, so that a watcher asks for new rows only and a background task walks back in steps.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final, Literal

from memoryhub.hermes.state_schema import Schema, probe
from memoryhub.hermes.times import parse_time
from memoryhub.hermes.tool_calls import ToolCall, memory_actions, outcome, tool_calls
from memoryhub.hermes.values import as_text

STEP_ROWS: Final = 20_000
# An answer follows its call within a few rows; other sessions may write in between.
_ANSWER_WITHIN: Final = 2_000
_LARGEST_ID: Final = 2**63 - 1
_Answers = dict[tuple[str, str], list[tuple[int, object]]]


@dataclass(frozen=True)
class MemoryAction:
    """One operation: `add`, `replace` or `remove`. Texts are stripped as Hermes strips them."""

    action: str
    target: str
    content: str
    old_text: str


@dataclass(frozen=True)
class MemoryCall:
    """One call of the memory tool.

    `succeeded` is None while no readable answer is there. A call that was only staged for approval has not
    succeeded (False) and carries the id of its pending record in `staged`.
    """

    session_id: str
    message_id: int
    timestamp: datetime | None
    actions: tuple[MemoryAction, ...]
    succeeded: bool | None
    staged: str = ""


def memory_calls(
    conn: sqlite3.Connection, *, after_id: int, up_to: int | None = None, limit: int | None = None
) -> tuple[MemoryCall, ...]:
    """Return the calls in messages with `after_id < id <= up_to`, rising by message id.

    Ask for bounded windows: the rows in between are read. With a `limit` at most so many messages that hold
    calls are answered and none is cut in two: to go on, ask again with the last call's message id as
    `after_id` until nothing comes. Rows that cannot be parsed are left out.
    """
    schema = probe(conn)
    if not schema.has("messages", "tool_calls"):
        return ()
    columns = schema.select("messages", "id", "session_id", "timestamp", "tool_calls")
    rows = conn.execute(
        f"SELECT {columns} FROM messages NOT INDEXED"  # noqa: S608 - names from a fixed list
        " WHERE id > ? AND id <= ? AND CAST(tool_calls AS TEXT) LIKE '%memory%' ORDER BY id",
        (after_id, _LARGEST_ID if up_to is None else up_to),
    )
    holding = ((row, calls) for row in rows if (calls := _calls_of(row[3])))
    found = [(row, call) for row, calls in list(islice(holding, limit)) for call in calls]
    answers = _answers(conn, schema, found)
    return tuple(_memory_call(row, call, answers) for row, call in found)


def step_back(conn: sqlite3.Connection, before_id: int, rows: int = STEP_ROWS) -> int:
    """Return the id after which the `rows` messages up to and including `before_id` begin; 0 at the start.

    One step of a walk backwards is `memory_calls(conn, after_id=step_back(conn, before), up_to=before)`; gaps in
    the ids cost nothing. A step of 20,000 rows takes about 10 ms on a file of a million messages.
    """
    row = conn.execute(
        "SELECT id FROM messages WHERE id <= ? ORDER BY id DESC LIMIT 1 OFFSET ?", (before_id, rows)
    ).fetchone()
    return int(row[0]) if row else 0


def explain(
    calls: Sequence[MemoryCall], target: str, text: str, how: Literal["appeared", "vanished"] = "appeared"
) -> MemoryCall | None:
    """Return the call that explains why an entry appeared in, or vanished from, a memory file.

    Newest first; one that succeeded is preferred to one without an answer yet, and that to one staged for
    approval (approving it later writes the same text). Calls that were refused explain nothing.
    """
    wanted = _comparable(text)
    matching = [call for call in calls if any(_explains(action, target, wanted, how) for action in call.actions)]
    for rank in (_succeeded, _unanswered, _staged):
        for call in reversed(matching):
            if rank(call):
                return call
    return None


def _succeeded(call: MemoryCall) -> bool:
    return call.succeeded is True


def _unanswered(call: MemoryCall) -> bool:
    return call.succeeded is None


def _staged(call: MemoryCall) -> bool:
    return bool(call.staged)


def _explains(action: MemoryAction, target: str, text: str, how: str) -> bool:
    if action.target != target:
        return False
    if how == "appeared":
        return action.action in ("add", "replace") and _comparable(action.content) == text
    wanted = _comparable(action.old_text)
    return action.action in ("replace", "remove") and bool(wanted) and wanted in text


def _comparable(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _calls_of(value: object) -> list[ToolCall]:
    return [call for call in tool_calls(value) if call.name == "memory"]


def _answers(conn: sqlite3.Connection, schema: Schema, found: Sequence[tuple[sqlite3.Row, ToolCall]]) -> _Answers:
    """Collect the tool messages that may answer the calls, by session and call id, in one walk over their window."""
    if not found or not schema.has("messages", "content"):
        return {}
    role, call_id, name = (
        column if schema.has("messages", column) else "NULL" for column in ("role", "tool_call_id", "tool_name")
    )
    rows = conn.execute(
        f"SELECT id, session_id, {call_id}, content FROM messages NOT INDEXED"  # noqa: S608 - fixed names
        f" WHERE id > ? AND id <= ? AND {role} = 'tool' AND ({call_id} IN (SELECT value FROM json_each(?))"
        f" OR ({name} = 'memory' AND {call_id} IS NULL)) ORDER BY id",
        (found[0][0][0], found[-1][0][0] + _ANSWER_WITHIN, json.dumps([call.id for _, call in found])),
    ).fetchall()
    answers: _Answers = {}
    for message_id, session_id, answered, content in rows:
        answers.setdefault((session_id, as_text(answered)), []).append((message_id, content))
    return answers


def _memory_call(row: sqlite3.Row, call: ToolCall, answers: _Answers) -> MemoryCall:
    message_id, session_id, stamp, _ = row
    candidates = answers.get((session_id, call.id), [])
    # Some providers count their call ids anew in each turn: the first answer after the call is the one.
    content = next((content for answer_id, content in candidates if answer_id > message_id), None)
    succeeded, staged = outcome(content)
    actions = tuple(MemoryAction(*fields) for fields in memory_actions(call.arguments))
    return MemoryCall(as_text(session_id), message_id, parse_time(stamp), actions, succeeded, staged)
