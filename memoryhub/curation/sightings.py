"""When entries were seen in the prompts of past sessions: the history of a memory file before MemoryHub was there.

Hermes freezes the memory block into the system prompt at the start of a session and stores it. So each session is a
look at the file at that moment; between two looks nothing is known.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memoryhub.hermes import prompt
from memoryhub.hermes.state_schema import probe
from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import as_text

STEP_SESSIONS: Final = 500
_BLOCKED: Final = "[BLOCKED: "
_TAIL: Final = 60_000  # characters of a prompt that are read from the first memory block on


@dataclass(frozen=True)
class Look:
    """What one session's prompt held of both files; a file without a block is not named. Times are UTC."""

    session_id: str
    at: datetime
    entries: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Sighting:
    """One entry's text in the prompts: from the first session that held it to the last, and in how many.

    `gone_by` is the start of the first later session that did not hold it, None while the latest still does.
    """

    target: str
    text: str
    first: Look
    last: Look
    sessions: int
    gone_by: datetime | None


def read_looks(
    conn: sqlite3.Connection, *, after: float, limit: int = STEP_SESSIONS
) -> tuple[list[Look], float | None]:
    """Read the next `limit` sessions that started after `after` (unix seconds), oldest first.

    Returns the looks and where to go on, None at the end. Sessions without a stored prompt are passed over. All of one
    moment are read together, so that none is left out between two steps.
    """
    schema = probe(conn)
    if not (schema.has("sessions", "system_prompt") and schema.has("sessions", "started_at")):
        return [], None
    times = conn.execute(
        "SELECT started_at FROM sessions WHERE started_at > ? AND typeof(started_at) IN ('real', 'integer')"
        " ORDER BY started_at LIMIT 1 OFFSET ?",
        (after, limit - 1),
    ).fetchone()
    until = float(times[0]) if times else None
    rows = conn.execute(
        "SELECT id, started_at, substr(system_prompt, max(1, instr(system_prompt, ?) - 200), ?) FROM sessions"
        " WHERE started_at > ? AND started_at <= ? AND typeof(started_at) IN ('real', 'integer')"
        " AND instr(system_prompt, ?) > 0 ORDER BY started_at",
        (prompt.RULE, _TAIL, after, 1e300 if until is None else until, prompt.RULE),
    ).fetchall()
    looks = [look for row in rows if (look := _look(*row)) is not None]
    return looks, until


class Sightings:
    """Collects looks, oldest first, into one row for each text of each file."""

    def __init__(self) -> None:
        self.after = float("-inf")
        self._rows: dict[tuple[str, str], Sighting] = {}
        self._standing: dict[str, set[str]] = {target: set() for target in prompt.TITLES}

    def feed(self, looks: Iterable[Look]) -> None:
        """Take further looks."""
        for look in looks:
            for target, texts in look.entries.items():
                self._see(look, target, texts)

    def of(self, target: str, text: str) -> Sighting | None:
        """When this text was seen; None when never."""
        return self._rows.get((target, text.strip()))

    def all(self, target: str) -> tuple[Sighting, ...]:
        """Every text that was ever seen in a file, by first sight."""
        return tuple(sorted((row for row in self._rows.values() if row.target == target), key=lambda row: row.first.at))

    def _see(self, look: Look, target: str, texts: tuple[str, ...]) -> None:
        now = set(texts)
        for text in now:
            row = self._rows.get((target, text))
            first, sessions = (row.first, row.sessions + 1) if row else (look, 1)
            self._rows[target, text] = Sighting(target, text, first, look, sessions, None)
        for text in self._standing[target] - now:
            row = self._rows[target, text]
            self._rows[target, text] = Sighting(target, text, row.first, row.last, row.sessions, look.at)
        self._standing[target] = now


def _look(session_id: object, started_at: object, text: object) -> Look | None:
    at = parse_time(started_at)
    if at is None:
        return None
    entries = {}
    for target in prompt.TITLES:
        block = prompt.find_block(as_text(text), target)
        if block is not None:
            body = block.split("\n", 3)[3]
            entries[target] = tuple(
                t for each in body.split(prompt.DELIMITER) if not (t := each.strip()).startswith(_BLOCKED)
            )
    return Look(as_text(session_id), at, entries) if entries else None
