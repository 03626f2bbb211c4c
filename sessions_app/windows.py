"""Windows of a conversation's messages around a place.

A window costs the same in a conversation of 15 messages and of 15,000: ids come from an index, texts only for it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.values import as_text
from sessions_app.conversation import Conversation, MessageNotFound, is_undone, read_all, read_messages

ROWS: Final = 25  # messages of one window
WEIGHT: Final = 16_000  # characters shown in one window
LEAD: Final = 6  # messages shown before the one that was asked for
_MOST_TOOLS: Final = 30


@dataclass(frozen=True)
class Window:
    """Rows of messages (`MESSAGE_COLUMNS`) in order of reading. `first` is the place of the first one, from 0.

    `before` and `after` are the ids to go on from in either direction, None at the ends.
    """

    rows: tuple[sqlite3.Row, ...]
    first: int
    total: int
    before: int | None = None
    after: int | None = None


def window(
    conn: Connection,
    talk: Conversation,
    *,
    at: int | None = None,
    after: int | None = None,
    before: int | None = None,
    rewound: bool = False,
) -> Window:
    """Return the messages around `at`, behind `after` or before `before` (message ids); else from the chosen part on.

    Raises MessageNotFound when the conversation has no such message. Undone messages come only with `rewound`.
    """
    ids = talk.ids
    if not ids:
        return Window((), 0, 0)
    if before is not None:
        return _window_before(conn, talk, ids, _place(ids, before), rewound)
    if after is not None:
        return _window_from(conn, talk, ids, _place(ids, after) + 1, rewound)
    if at is not None:
        place = _place(ids, at)
        return _window_from(conn, talk, ids, _start_before(conn, talk, ids, place), rewound, reach=place)
    return _window_from(conn, talk, ids, sum(len(part.ids) for part in talk.parts[: talk.chosen]), rewound)


def _place(ids: Sequence[int], message_id: int) -> int:
    try:
        return ids.index(message_id)
    except ValueError:
        raise MessageNotFound(message_id) from None


def _start_before(conn: Connection, talk: Conversation, ids: Sequence[int], place: int) -> int:
    """Begin a little before a message, at the call whose result it is, and not with results of earlier calls."""
    start = max(0, place - LEAD)
    rows = {row["id"]: row for row in read_messages(conn, talk.schema, ids[max(0, start - _MOST_TOOLS) : place])}
    heavy = 0
    for at in range(place - 1, start - 1, -1):
        heavy += weight(rows[ids[at]]) if ids[at] in rows else 0
        if heavy > WEIGHT // 3:
            start = at + 1
            break
    while start > max(0, place - LEAD - _MOST_TOOLS) and _is_result(rows.get(ids[start]), ids[start], conn, talk):
        start -= 1
    return start


def _is_result(row: sqlite3.Row | None, message_id: int, conn: Connection, talk: Conversation) -> bool:
    if row is None:
        row = next(iter(read_messages(conn, talk.schema, [message_id])), None)
    return row is not None and as_text(row["role"]) == "tool"


def _window_from(
    conn: Connection, talk: Conversation, ids: Sequence[int], start: int, rewound: bool, reach: int = -1
) -> Window:
    kept: list[sqlite3.Row] = []
    heavy, place, end = 0, start, start
    for row in read_all(conn, talk, ids[start:]):
        is_full = len(kept) >= ROWS or heavy > WEIGHT
        if is_full and place > reach and not (as_text(row["role"]) == "tool" and len(kept) < ROWS + _MOST_TOOLS):
            break
        place += 1
        end = place
        if rewound or not is_undone(row):
            kept.append(row)
            heavy += weight(row)
    return Window(
        tuple(kept), start, len(ids), ids[start] if start > 0 and start < len(ids) else None,
        ids[end - 1] if end < len(ids) else None,
    )  # fmt: skip


def _window_before(conn: Connection, talk: Conversation, ids: Sequence[int], place: int, rewound: bool) -> Window:
    kept: list[sqlite3.Row] = []
    heavy, start = 0, place
    for row in read_all(conn, talk, ids[:place][::-1]):
        is_full = len(kept) >= ROWS or heavy > WEIGHT
        if is_full and (as_text(kept[-1]["role"]) != "tool" or len(kept) >= ROWS + _MOST_TOOLS):
            break
        start -= 1
        if rewound or not is_undone(row):
            kept.append(row)
            heavy += weight(row)
    return Window(
        tuple(reversed(kept)), start, len(ids), ids[start] if start > 0 else None,
        ids[place - 1] if place and place < len(ids) else None,
    )  # fmt: skip


def weight(row: sqlite3.Row) -> int:
    """Return about how many characters a message takes on the page: long ones are folded."""
    most = 1_600 if as_text(row["role"]) == "tool" else 8_000
    return 80 + sum(min(most, len(row[name])) for name in ("content", "tool_calls") if isinstance(row[name], str))
