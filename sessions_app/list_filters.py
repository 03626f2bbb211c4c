"""Filters of the list of conversations, and whether conversations pass them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from memoryhub.hermes.running import STILL_RUNNING
from sessions_app.catalogue import Catalogue
from sessions_app.families import Kind, Session

RUNNING: Final = STILL_RUNNING.total_seconds()
FACETS: Final = {"source": "sources", "model": "models", "folder": "folders"}


@dataclass(frozen=True)
class Filters:
    """What the list is narrowed to. Times are unix seconds; `since` and `until` bound the newest activity."""

    source: str = ""
    model: str = ""
    folder: str = ""
    since: float | None = None
    until: float | None = None
    tools: bool = False
    tool: str = ""
    archived: bool = False
    running: bool = False
    everything: bool = False

    @property
    def narrows(self) -> bool:
        """Whether anything but the toggle for background work is set."""
        return self != Filters(everything=self.everything)


class Used(Protocol):
    """Judges conversations one by one; `is_cut` when it has used up its time."""

    is_cut: bool

    def __call__(self, one: Session, /) -> bool: ...


class Test:
    """Whether conversations pass the filters: each kind is judged once."""

    def __init__(
        self, known: Catalogue, filters: Filters, now: float, without: str = "", used: Used | None = None
    ) -> None:
        self.used = used
        self.kinds = [passes(kind, filters, without) for kind in known.kinds]
        self.filters, self.now = filters, now
        self.looks_at_times = filters.running or filters.since is not None or filters.until is not None

    def __call__(self, one: Session) -> bool:
        passes_so_far = self.kinds[one.kind] and (not self.looks_at_times or self._in_time(one))
        return passes_so_far and (self.used is None or self.used(one))

    @property
    def is_out_of_time(self) -> bool:
        """Whether no more conversations can be judged now."""
        return self.used is not None and self.used.is_cut

    def is_top(self, one: Session) -> bool:
        """Whether it passes and is not shown under another one."""
        return self(one) and (one.above is None or not self(one.above))

    def _in_time(self, one: Session) -> bool:
        since, until = self.filters.since, self.filters.until
        if (since is not None and one.last < since) or (until is not None and not 0 <= one.last < until):
            return False
        return not self.filters.running or is_running(one, self.now)


def passes(kind: Kind, filters: Filters, without: str = "") -> bool:
    """Say whether a kind of conversation passes the filters; `without` leaves one of them out."""
    for name, place in FACETS.items():
        value = getattr(filters, name)
        if value and name != without and value not in getattr(kind, place):
            return False
    if filters.tools and not kind.has_tools:
        return False
    is_wanted = filters.everything or bool(filters.source) or not kind.background
    return is_wanted and kind.is_archived is filters.archived


def is_running(one: Session, now: float) -> bool:
    """Whether a conversation goes on: its last part has no end and was active within 15 minutes (decisions 13)."""
    return one.tip.is_open and one.last >= 0 and abs(now - one.last) <= RUNNING
