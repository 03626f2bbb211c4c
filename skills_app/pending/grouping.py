"""Which staged writes belong together: the same target, much the same text, or one in the way of another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from memoryhub import likeness
from memoryhub.likeness import Pair
from skills_app.pending.records import PendingMemory, PendingSkill, Record, Unreadable

COMPARED: Final = 4_000  # characters of a text that are compared; more of a skill says nothing new about likeness


@dataclass(frozen=True)
class Group:
    """Records that are for the same thing or say much the same; the newest first. ``kind``: "target" or "alike"."""

    key: str
    kind: str
    records: tuple[Record, ...]


def target_of(record: Record) -> str:
    """What a record is about, as words that can be compared: "memory:user", "skill:deploy", "unreadable"."""
    if isinstance(record, PendingMemory):
        return f"memory:{record.target}"
    return f"skill:{record.name}" if isinstance(record, PendingSkill) else "unreadable"


def text_of(record: Record) -> str:
    """The text that a record would write, as far as likeness needs it."""
    if isinstance(record, Unreadable):
        return ""
    if isinstance(record, PendingMemory):
        return "\n".join(step.content or step.old_text or "" for step in record.steps)[:COMPARED]
    parts = [w.content or w.file_content or w.new_string or "" for w in record.steps]
    return "\n".join([record.name.replace("-", " "), *parts])[:COMPARED]


def by_target(records: Sequence[Record]) -> tuple[Group, ...]:
    """The records by what they are about, in the order in which their first one stands."""
    found: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        found[target_of(record)].append(record)
    return tuple(Group(key, "target", tuple(members)) for key, members in found.items())


def by_likeness(records: Sequence[Record]) -> tuple[Group, ...]:
    """Every record once, those that say much the same together. Only writes of one kind and action are compared."""
    leaders = {record.id: record.id for record in records}
    classes: defaultdict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in records:
        if not isinstance(record, Unreadable):
            classes[type(record).__name__, record.action].append(record)
    for members in classes.values():
        for pair in _alike(tuple(text_of(record) for record in members)):
            _join(leaders, members[pair.first].id, members[pair.second].id)
    found: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        found[_leader(leaders, record.id)].append(record)
    return tuple(Group(key, "alike", tuple(members)) for key, members in found.items())


def dependencies(records: Sequence[Record]) -> Mapping[str, tuple[str, ...]]:
    """For each record the ids of the others that touch the same thing, older ones first; only where there are any.

    Skill writes touch a file of a skill, or all of it (create, delete); memory writes touch the entry they mean.
    """
    touching: defaultdict[str, list[Record]] = defaultdict(list)
    whole: defaultdict[str, list[Record]] = defaultdict(list)
    for record in sorted(records, key=lambda each: (each.created_at or 0, each.id)):
        for skill, path in _touched(record):
            touching[f"{skill}\0{path}"].append(record)
            if not path:
                whole[skill].append(record)
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for key, members in touching.items():
        around = whole[key.partition("\0")[0]]
        for record in members:
            for other in (*members, *around):
                if other.id != record.id:
                    found[record.id][other.id] = found[other.id][record.id] = None
    return {record_id: tuple(others) for record_id, others in found.items()}


@lru_cache(maxsize=16)
def _alike(texts: tuple[str, ...]) -> tuple[Pair, ...]:
    """A page asks again and again for the same pile; comparing is pure."""
    return likeness.near_duplicates(texts)


def _touched(record: Record) -> set[tuple[str, str]]:
    if isinstance(record, PendingMemory):
        texts = [(step.old_text or step.content or "").strip() for step in record.steps]
        return {(f"entry of {record.target}", text) for text in texts if text}
    if isinstance(record, PendingSkill):
        return {
            (f"skill {w.name}", "" if w.action in ("create", "delete") else w.file_path or "SKILL.md")
            for w in record.steps
        }
    return set()


def _join(leaders: dict[str, str], first: str, second: str) -> None:
    one, other = _leader(leaders, first), _leader(leaders, second)
    if one != other:
        leaders[other] = one


def _leader(leaders: dict[str, str], member: str) -> str:
    while leaders[member] != member:
        leaders[member] = leaders[leaders[member]]
        member = leaders[member]
    return member
