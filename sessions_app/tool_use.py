"""Which conversations used a tool. No index says it, so conversations are looked through one by one, for a while."""

from __future__ import annotations

import json
import time
from typing import Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.values import as_text
from sessions_app.catalogue import Catalogue
from sessions_app.families import Session
from sessions_app.search.filters import of_tool

BUDGET_MS: Final = 200.0
MOST_NAMES: Final = 8
LONGEST_NAME: Final = 100
_NEWEST: Final = 3_000  # messages whose tools are offered


class ToolUse:
    """Says of a conversation whether the tool was used in it. `is_cut`: there was no time to look at all asked for."""

    def __init__(self, conn: Connection, known: Catalogue, tool: str, budget_ms: float = BUDGET_MS) -> None:
        condition, self._values = of_tool(tool, known.schema)
        self._sql = (
            "SELECT EXISTS (SELECT 1 FROM messages AS m"  # noqa: S608 - fixed words
            f" WHERE m.session_id IN (SELECT value FROM json_each(?)) AND {condition})"
        )
        self._conn, self._counts_tools = conn, known.schema.has("sessions", "tool_call_count")
        self._until = time.monotonic() + budget_ms / 1000
        # What was found holds as long as nothing new is said in the conversation.
        self._found: dict[int, tuple[float, bool]] = known.memo.setdefault(("tool", tool.lower()), {})  # type: ignore[assignment]
        self.is_cut = False

    def __call__(self, one: Session) -> bool:
        """Look at one conversation."""
        if self._counts_tools and not any(part.has_tools for part in one.parts):
            return False
        remembered = self._found.get(one.rowid)
        if remembered is not None and (remembered[1] or remembered[0] == one.last):
            return remembered[1]
        parts = json.dumps([part.id for part in one.parts])
        is_used = bool(self._conn.execute(self._sql, (parts, *self._values)).fetchone()[0])
        self._found[one.rowid] = (one.last, is_used)
        self.is_cut = time.monotonic() > self._until
        return is_used


def tool_names(conn: Connection, known: Catalogue) -> list[str]:
    """Return the names of tools that were used lately, the most used first."""
    key = ("tool names", known.last_message // _NEWEST)
    if key not in known.memo:
        known.memo[key] = _names(conn) if known.schema.has("messages", "tool_name") else []
    return known.memo[key]  # type: ignore[return-value]


def _names(conn: Connection) -> list[str]:
    sql = (
        "SELECT tool_name FROM (SELECT tool_name FROM messages ORDER BY id DESC LIMIT ?) WHERE tool_name <> ''"
        " GROUP BY tool_name ORDER BY count(*) DESC, tool_name LIMIT ?"
    )
    names = [as_text(row[0]) for row in conn.execute(sql, (_NEWEST, MOST_NAMES)).fetchall()]
    return [name for name in names if len(name) <= LONGEST_NAME]
