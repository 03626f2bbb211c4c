"""Where entries came from: memory tool calls replayed in their order, so that each wording has the call that wrote it.

What no call tells is not made up: an entry that was reworded before anything we can read begins with a fragment.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from memoryhub.hermes.memory_calls import MemoryAction, MemoryCall
from memoryhub.hermes.state_schema import probe
from memoryhub.hermes.values import as_text, plain_text

MOST_LIVE: Final = 5_000  # entries of one file that are followed; the oldest are let go
_MOST_PARENTS: Final = 8
_FILES: Final = ("memory", "user")


@dataclass(frozen=True)
class Source:
    """The call behind a wording. `is_certain` is False when its answer is missing or it was staged for approval."""

    session_id: str
    message_id: int
    timestamp: datetime | None
    is_certain: bool = True


@dataclass(frozen=True)
class Wording:
    """One wording of an entry. `source` is None where nothing is known; a fragment is only a part of the wording."""

    text: str
    source: Source | None
    is_fragment: bool = False


@dataclass
class Story:
    """One entry through its wordings, oldest first, up to the call that removed it."""

    target: str
    wordings: list[Wording] = field(default_factory=list)
    removed: Source | None = None

    @property
    def text(self) -> str:
        """How it reads now, or read last."""
        return self.wordings[-1].text

    @property
    def begins_known(self) -> bool:
        """Whether the call that first wrote it was found."""
        return self.wordings[0].source is not None


class Replay:
    """What the memory tool did to both files of a home, as its calls tell. Feed it calls by rising message id."""

    def __init__(self) -> None:
        self.last_id = 0
        self._live: dict[str, dict[int, Story]] = {target: {} for target in _FILES}
        self._newest: dict[tuple[str, str], Story] = {}
        self._staged: dict[tuple[str, str], tuple[Source, MemoryAction]] = {}
        self._count = 0

    def feed(self, calls: Iterable[MemoryCall]) -> None:
        """Replay further calls; refused ones change nothing, staged ones are kept for when they were approved."""
        for call in calls:
            self.last_id = max(self.last_id, call.message_id)
            source = Source(call.session_id, call.message_id, call.timestamp, call.succeeded is True)
            for action in call.actions:
                if action.target not in self._live:
                    continue
                if call.staged:
                    self._staged[action.target, _text(action.content)] = source, action
                elif call.succeeded is not False:
                    self._replay(action, source)

    def trace(self, target: str, text: str) -> Story | None:
        """The story of the entry that reads `text`, up to that wording; None when no call wrote it."""
        key = target, _text(text)
        story = self._newest.get(key)
        if story is not None:
            wordings = [wording.text for wording in story.wordings]
            last = len(wordings) - wordings[::-1].index(key[1])
            return Story(target, story.wordings[:last], story.removed if last == len(wordings) else None)
        if key in self._staged:
            source, action = self._staged[key]
            before = self._find(target, action.old_text) if action.action == "replace" else None
            earlier = before.wordings if before else []
            return Story(target, [*earlier, Wording(key[1], source)])
        return None

    def _replay(self, action: MemoryAction, source: Source) -> None:
        text = _text(action.content)
        if action.action == "add":
            if not any(story.text == text for story in self._matching(action.target, text)):
                self._begin(action.target, [Wording(text, source)])
            return
        story = self._find(action.target, action.old_text)
        if action.action == "remove":
            if story is not None:
                story.removed = source
                self._forget(story)
        elif story is not None:
            story.wordings.append(Wording(text, source))
            self._newest[action.target, text] = story
        else:
            self._begin(action.target, [Wording(_text(action.old_text), None, is_fragment=True), Wording(text, source)])

    def _begin(self, target: str, wordings: list[Wording]) -> None:
        story = Story(target, wordings)
        live = self._live[target]
        self._count += 1
        live[self._count] = story
        if len(live) > MOST_LIVE:
            del live[next(iter(live))]
        self._newest[target, story.text] = story

    def _find(self, target: str, fragment: str) -> Story | None:
        """The newest living entry that holds the fragment: Hermes refuses when several different ones do."""
        return next(iter(self._matching(target, _text(fragment))), None)

    def _matching(self, target: str, fragment: str) -> Iterable[Story]:
        if not fragment:
            return ()
        return (story for story in reversed(self._live[target].values()) if fragment in story.text)

    def _forget(self, story: Story) -> None:
        live = self._live[story.target]
        for number in [number for number, each in live.items() if each is story]:
            del live[number]


def words_before(conn: sqlite3.Connection, session_id: str, message_id: int) -> tuple[int, str] | None:
    """The person's last message before a message: its id and text, looked for in the sessions it continues too.

    None when there is none, or the columns are missing.
    """
    schema = probe(conn)
    if not schema.has("messages", "role") or not schema.has("messages", "content"):
        return None
    seen: set[str] = set()
    session: str | None = session_id
    while session and session not in seen and len(seen) < _MOST_PARENTS:
        seen.add(session)
        row = conn.execute(
            "SELECT id, content FROM messages WHERE session_id = ? AND role = 'user' AND id < ?"
            " ORDER BY id DESC LIMIT 1",
            (session, message_id),
        ).fetchone()
        if row is not None:
            return int(row[0]), plain_text(row[1])
        session = _parent(conn, session) if schema.has("sessions", "parent_session_id") else None
    return None


def _parent(conn: sqlite3.Connection, session_id: str) -> str | None:
    row = conn.execute("SELECT parent_session_id FROM sessions WHERE id = ?", (session_id,)).fetchone()
    return as_text(row[0]) if row and row[0] is not None else None


def _text(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()
