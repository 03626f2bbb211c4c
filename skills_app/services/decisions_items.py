"""The items that wait for a decision, as the command and the inbox list them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memoryhub.hermes.home import Home
from skills_app.pending.grouping import target_of
from skills_app.pending.records import PendingMemory, PendingSkill, Record, Unreadable, list_records
from skills_app.services.decisions_look import Look, looks


@dataclass(frozen=True)
class Item:
    """One thing that waits. ``kind``: memory, skill, disk or unreadable; ``created`` is None where no time is known."""

    id: str
    kind: str
    action: str
    target: str
    summary: str
    origin: str
    created: datetime | None
    verdict: str
    stale: bool

    def as_json(self) -> dict[str, Any]:
        """The item in the contract's words."""
        return {**self.__dict__, "created": self.created.isoformat() if self.created else None}


def items(home: Home, records: Iterable[Record] | None = None) -> list[Item]:
    """Every staged write of a home, newest first, judged. Reads each skill once; slow the first time."""
    found = list(list_records(home.pending) if records is None else records)
    return [item_of(look) for look in looks(home, found)]


def item_of(look: Look) -> Item:
    """What a list shows of a look."""
    record, verdict = look.record, look.judgement.verdict
    kind = (
        "memory" if isinstance(record, PendingMemory) else "skill" if isinstance(record, PendingSkill) else "unreadable"
    )
    return Item(
        id=record.id,
        kind=kind,
        action=record.action,
        target=record.file if isinstance(record, Unreadable) else target_of(record).partition(":")[2],
        summary=record.reason if isinstance(record, Unreadable) else record.summary,
        origin=record.origin,
        created=None if record.created_at is None else datetime.fromtimestamp(record.created_at, UTC),
        verdict=verdict.value if verdict else "",
        stale=look.is_stale,
    )
