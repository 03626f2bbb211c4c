"""How a memory file came about: a list of writes with their days, replayed to any moment.

Today's files are the result of replaying the story, so that sessions, dates and entries always agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal

Action = Literal["add", "replace", "remove", "evict", "by hand", "outside"]
LIMITS: Final = {"memory": 2200, "user": 1375}
DELIMITER: Final = "\n§\n"


@dataclass(frozen=True)
class Write:
    """One write, `days` before now: `content` is a new entry, or takes the place of the one that holds `old`.

    `evict`, `by hand` and `outside` were not tool calls. `said` asks for a tool call, `reason` tells why by hand.
    """

    days: float
    topic: str
    target: str
    action: Action
    content: str = ""
    old: str = ""
    said: str = ""
    reason: str = ""

    @property
    def ago(self) -> timedelta:
        """How long before now."""
        return timedelta(days=self.days)

    @property
    def is_tool_call(self) -> bool:
        """Whether the agent did it through its memory tool."""
        return self.action in ("add", "replace", "remove")


def dated(writes: Sequence[Write], now: datetime) -> tuple[Write, ...]:
    """Move each write that is days ago into the daytime of its day; the order stays."""
    return tuple(
        replace(write, days=write.days + _into_daytime(now, number * 7 % 13, number * 17 % 60))
        if write.days > 1
        else write
        for number, write in enumerate(writes)
    )


def _into_daytime(now: datetime, hour: int, minute: int) -> float:
    """The part of a day, back or ahead, from the clock time of `now` to 8 o'clock (UTC) and some hours."""
    return (now - now.replace(hour=8 + hour, minute=minute)) / timedelta(days=1)


def replay(writes: Sequence[Write], target: str, until: timedelta = timedelta(0)) -> list[str]:
    """Return the entries of a file as they stood `until` before now."""
    entries: list[str] = []
    for write in writes:
        if write.target != target or write.ago < until:
            continue
        if write.old:
            index = next(number for number, entry in enumerate(entries) if write.old in entry)
            entries[index : index + 1] = [write.content] if write.content else []
        else:
            entries.append(write.content)
    return entries


@dataclass(frozen=True)
class State:
    """A memory file as one write left it."""

    at: datetime
    write: Write
    texts: tuple[str, ...]


def states(writes: Sequence[Write], now: datetime) -> Iterator[State]:
    """Every state that the files were in, oldest first: one for each of the `writes`, which lead up to `now`."""
    for number, write in enumerate(writes, start=1):
        yield State(now - write.ago, write, tuple(replay(writes[:number], write.target)))


def removed(writes: Sequence[Write], target: str) -> list[tuple[Write, str]]:
    """Return the evictions of a file with the text that went."""
    gone = []
    for write in writes:
        if write.action == "evict" and write.target == target:
            before = replay(writes[: writes.index(write)], target)
            gone.append((write, next(entry for entry in before if write.old in entry)))
    return gone
