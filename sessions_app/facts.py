"""What is known about the parts of a conversation besides its messages: models, tokens, cost, why a part ended."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import as_text
from sessions_app.conversation import Conversation
from sessions_app.money import Usage, add, usage_of

_USAGE: tuple[str, ...] = (
    "session_id", "model", "api_call_count", "input_tokens", "output_tokens", "cache_read_tokens",
    "cache_write_tokens", "reasoning_tokens", "estimated_cost_usd", "actual_cost_usd", "first_seen", "last_seen",
)  # fmt: skip


@dataclass(frozen=True)
class ModelUse:
    """One model of a part: calls made to it, tokens and cost, and when it was first used."""

    model: str
    calls: int
    usage: Usage
    since: datetime | None


@dataclass(frozen=True)
class PartFacts:
    """One part of a conversation. `number` counts from 1."""

    number: int
    id: str
    rowid: int
    title: str
    source: str
    model: str
    started: datetime | None
    ended: datetime | None
    reason: str
    is_archived: bool
    folder: str
    branch: str
    messages: int
    tools: int
    usage: Usage
    models: tuple[ModelUse, ...]
    parent: str


def part_facts(conn: Connection, talk: Conversation) -> tuple[PartFacts, ...]:
    """Return the facts of every part, in order."""
    used = _models(conn, talk)
    return tuple(
        _facts(number, part.row, len(part.ids), used.get(part.id, ())) for number, part in enumerate(talk.parts, 1)
    )


def total_usage(parts: Sequence[PartFacts]) -> Usage:
    """Return tokens and cost of the whole conversation."""
    return add(part.usage for part in parts)


def _facts(number: int, row: sqlite3.Row, messages: int, models: tuple[ModelUse, ...]) -> PartFacts:
    usage = usage_of(row)
    if not usage.tokens and models:
        usage = add(one.usage for one in models)
    tools = row["tool_call_count"]
    return PartFacts(
        number=number,
        id=as_text(row["id"]),
        rowid=row["place"],
        title=as_text(row["title"]).strip(),
        source=as_text(row["source"]),
        model=as_text(row["model"]),
        started=parse_time(row["started_at"]),
        ended=parse_time(row["ended_at"]),
        reason=as_text(row["end_reason"]),
        is_archived=bool(row["archived"]) and row["archived"] != "0",
        folder=as_text(row["cwd"]) or as_text(row["git_repo_root"]),
        branch=as_text(row["git_branch"]),
        messages=messages,
        tools=tools if isinstance(tools, int) and tools > 0 else 0,
        usage=usage,
        models=models,
        parent=as_text(row["parent_session_id"]),
    )


def _models(conn: Connection, talk: Conversation) -> dict[str, tuple[ModelUse, ...]]:
    """Return the models of each part in the order of first use."""
    table = "session_model_usage"
    if not (talk.schema.has(table, "session_id") and talk.schema.has(table, "model")):
        return {}
    sql = (
        f"SELECT {talk.schema.select(table, *_USAGE)} FROM {table}"  # noqa: S608 - names from a fixed list
        " WHERE session_id IN (SELECT value FROM json_each(?)) ORDER BY rowid LIMIT 2000"
    )
    rows = conn.execute(sql, (json.dumps([part.id for part in talk.parts]),)).fetchall()
    found: dict[str, dict[str, list[sqlite3.Row]]] = {}
    for row in rows:
        found.setdefault(as_text(row["session_id"]), {}).setdefault(as_text(row["model"]), []).append(row)
    return {name: _in_order(models) for name, models in found.items()}


def _in_order(models: dict[str, list[sqlite3.Row]]) -> tuple[ModelUse, ...]:
    used = [
        ModelUse(
            model,
            sum(row["api_call_count"] for row in rows if isinstance(row["api_call_count"], int)),
            add(usage_of(row) for row in rows),
            min(filter(None, (parse_time(row["first_seen"]) for row in rows)), default=None),
        )
        for model, rows in models.items()
    ]
    return tuple(sorted(used, key=lambda one: (one.since is None, one.since.timestamp() if one.since else 0.0)))
