"""How sessions belong together: parts that continue one another are one conversation, the rest are its children.

Works on the few facts that the catalogue keeps of each session; orphans and circles come out as conversations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from sessions_app.lineage import OVERLAP_SECONDS

CRON, API, AGENT = "cron", "api", "agent"
_AGENT_SOURCES: Final = frozenset({"tool", "subagent", "sub_agent", "sub-agent", "delegate", "delegation", "batch"})


class Kind(NamedTuple):
    """What conversations are told apart by in filters: few distinct ones, however many conversations there are."""

    sources: tuple[str, ...]
    models: tuple[str, ...]
    folders: tuple[str, ...]
    has_tools: bool
    is_archived: bool
    background: str


@dataclass(slots=True, eq=False)
class Session:
    """One row of sessions. Times are unix seconds, None when not known; `active` is the newest message's.

    Of the first part of a conversation, `parts` are all its rows in order, `last` its newest activity, `rank` that
    of its family, `above` the conversation it branched off or works for, and `kind` the place of its Kind.
    """

    rowid: int
    id: str
    source: str = ""
    model: str = ""
    parent: str = ""
    started: float | None = None
    ended: float | None = None
    reason: str = ""
    is_archived: bool = False
    folder: str = ""
    has_tools: bool = False
    active: float | None = None
    is_branch: bool = False
    parts: tuple[Session, ...] = ()
    last: float = -1.0
    rank: float = -1.0
    kind: int = 0
    above: Session | None = None
    below: list[Session] = field(default_factory=list)
    background: str = ""
    head: Session | None = None  # the first part of the conversation it belongs to

    @property
    def facts(self) -> tuple[object, ...]:
        """Everything but activity."""
        return (
            self.id, self.source, self.model, self.parent, self.started, self.ended, self.reason,
            self.is_archived, self.folder, self.has_tools,
        )  # fmt: skip

    def take(self, other: Session) -> None:
        """Take over the facts of another reading of the same row."""
        self.source, self.model, self.parent, self.folder = other.source, other.model, other.parent, other.folder
        self.started, self.ended, self.reason = other.started, other.ended, other.reason
        self.is_archived, self.has_tools = other.is_archived, other.has_tools

    def order(self) -> tuple[float, int]:
        """The sort key of a conversation; what has no time comes last."""
        return (self.rank, self.rowid)

    def settle(self) -> None:
        """Work out the conversation's newest activity from its parts."""
        times = [part.active if part.active is not None else part.started for part in self.parts]
        self.last = max((one for one in times if one is not None), default=-1.0)
        self.rank = max(self.rank, self.last)
        at = self
        while at.above is not None and not at.background and at.rank > at.above.rank:
            at.above.rank = at.rank
            at = at.above

    @property
    def is_open(self) -> bool:
        """Whether no end is recorded."""
        return self.ended is None

    @property
    def tip(self) -> Session:
        """The part that goes on, or went on last."""
        return self.parts[-1]


def arrange(sessions: Iterable[Session], by_id: Mapping[str, Session]) -> tuple[list[Session], list[Kind]]:
    """Group sessions into conversations and hang these under one another.

    Returns the first parts, newest activity first, and the kinds that there are.
    """
    known = list(sessions)
    for one in known:
        one.parts, one.above, one.below, one.rank = (one,), None, [], -1.0
    continuing: dict[int, list[Session]] = {}
    for one in known:
        if one.parent and (parent := by_id.get(one.parent)) is not None and _continues(one, parent):
            continuing.setdefault(_first(one, by_id).rowid, []).append(one)
    later = {one.rowid for parts in continuing.values() for one in parts}
    firsts = {one.rowid: one for one in known if one.rowid not in later or one.rowid in continuing}
    for rowid, parts in continuing.items():
        firsts[rowid].parts = _in_order(firsts[rowid], parts)
    conversations = list(firsts.values())
    _hang(conversations, by_id)
    kinds: dict[Kind, int] = {}
    for one in conversations:
        one.kind = kinds.setdefault(_kind(one), len(kinds))
    conversations.sort(key=Session.order, reverse=True)
    return conversations, list(kinds)


def join(one: Session, kinds: list[Kind]) -> None:
    """Make a session that has no parent a conversation; a kind that is new is added to `kinds`."""
    one.parts, one.head = (one,), one
    refresh(one, kinds)


def refresh(head: Session, kinds: list[Kind]) -> None:
    """Work a conversation's kind and activity out anew after facts of its parts changed."""
    head.background = _background(head, {})
    kind = _kind(head)
    if kind not in kinds:
        kinds.append(kind)
    head.kind = kinds.index(kind)
    head.settle()


def _hang(conversations: list[Session], by_id: Mapping[str, Session]) -> None:
    for one in conversations:
        for part in one.parts:
            part.head = one
    for one in conversations:
        one.background = _background(one, by_id)
        if one.parent and (parent := by_id.get(one.parent)) is not None and parent.head is not one:
            one.above = parent.head
    for one in conversations:
        if one.above is not None:
            _break_circle(one)
    for one in conversations:
        if one.above is not None:
            one.above.below.append(one)
        one.settle()


def _kind(one: Session) -> Kind:
    if len(one.parts) == 1:
        values = ((one.source,), (one.model,), (one.folder,), one.has_tools, one.is_archived)
        return Kind(*values, one.background)
    sources, models, folders = (
        tuple(dict.fromkeys(getattr(part, name) for part in one.parts)) for name in ("source", "model", "folder")
    )
    tools, archived = (any(getattr(part, name) for part in one.parts) for name in ("has_tools", "is_archived"))
    return Kind(sources, models, folders, tools, archived, one.background)


def _continues(child: Session, parent: Session) -> bool:
    """Whether a session goes on where its parent was compressed: the rule of sessions_app.lineage."""
    if parent.reason != "compression" or parent is child or child.is_branch:
        return False
    began_before = child.started is not None and parent.ended is not None
    return not (began_before and child.started < parent.ended - OVERLAP_SECONDS)  # type: ignore[operator]


def _first(one: Session, by_id: Mapping[str, Session]) -> Session:
    """The first session of a lineage; of a circle its member with the smallest id stands for it."""
    seen = {one.rowid: one}
    while one.parent and (parent := by_id.get(one.parent)) is not None and _continues(one, parent):
        if parent.rowid in seen:
            return min(seen.values(), key=lambda each: each.id)
        seen[parent.rowid] = one = parent
    return one


def _in_order(first: Session, others: list[Session]) -> tuple[Session, ...]:
    """The parts of a lineage, each behind the one it continues."""
    children: dict[str, list[Session]] = {}
    for one in sorted(others, key=lambda each: each.rowid):
        children.setdefault(one.parent, []).append(one)
    ordered, seen = [first], {first.rowid}
    for one in ordered:
        for child in children.get(one.id, ()):
            if child.rowid not in seen:
                seen.add(child.rowid)
                ordered.append(child)
    return (*ordered, *(one for one in others if one.rowid not in seen))


def _background(one: Session, by_id: Mapping[str, Session]) -> str:
    """What kind of background work a conversation is: cron, api, agent (delegated, or run by a tool), or none."""
    source = one.source.lower()
    if source.startswith("cron"):
        return CRON
    if source.startswith("api"):
        return API
    is_delegated = bool(one.parent) and one.parent in by_id and not one.is_branch and by_id[one.parent] is not one
    return AGENT if source in _AGENT_SOURCES or is_delegated else ""


def _break_circle(one: Session) -> None:
    """Let a conversation that is its own ancestor stand by itself, so that it is shown."""
    at, seen = one.above, 0
    while at is not None and seen < 1_000:
        if at is one:
            one.above = None
            return
        at, seen = at.above, seen + 1
    if seen >= 1_000:
        one.above = None
