"""The items that wait for a decision, as the command and the inbox list them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memoryhub.hermes.home import Home
from skills_app.pending.grouping import target_of
from skills_app.pending.records import PendingMemory, PendingSkill, Record, Unreadable, count_records, list_records
from skills_app.services.decisions_disk import DiskItem, disk_items
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
    """What waits: dangerous skills on disk, then every staged write, newest first, judged. Slow the first time."""
    found = list(list_records(home.pending) if records is None else records)
    staged = [item_of(look) for look in looks(home, found)]
    return staged if records is not None else [*map(item_of_disk, disk_items(home)), *staged]


def waiting_figures(home: Home) -> dict[str, int]:
    """The part "pending" of ``memoryhub status``: staged writes as many as are listed, and skills that we hold."""
    held = sum(1 for found in disk_items(home) if found.held is not None and found.row.skill.is_disabled)
    return {**count_records(home.pending), "held": held}


def waiting_count(home: Home) -> int:
    """How many things wait for a decision: the number of the badge. Reads no record."""
    return sum(count_records(home.pending).values()) + len(disk_items(home))


def item_of_disk(found: DiskItem) -> Item:
    """What a list shows of a skill on disk."""
    skill, verdict = found.row.skill, found.row.verdict
    return Item(
        id=found.id,
        kind="disk",
        action="drifted" if found.approved else "held" if found.held else "found",
        target=skill.name,
        summary=skill.description,
        origin="",
        created=skill.last_changed,
        verdict=verdict.value if verdict else "",
        stale=False,
    )


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
