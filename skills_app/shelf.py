"""The library as a list: one row a skill with its verdict; filtered, counted, ordered and paged by key, in memory."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from memoryhub.likeness import fold
from skills_app.guard.model import Coverage, Policy, Severity, Tier, Verdict
from skills_app.judging import WAITING
from skills_app.library.model import Skill

PER_PAGE: Final = 50
VERDICTS: Final = (Verdict.DANGEROUS, Verdict.CAUTION, Verdict.SAFE)
TIERS: Final = (Tier.AGENT_CREATED, Tier.LOCAL, Tier.UNKNOWN, Tier.COMMUNITY, Tier.TRUSTED, Tier.BUILTIN)
STATES: Final = ("disagree", "unread", "broken", "disabled", "modified", "pinned", "stale")
_GROUPS: Final = ("verdict", "tier", "category", "state")

Key = tuple[str | int | float, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One skill and what the guard says about it now.

    ``verdict`` is the one that decides, dismissed findings set aside; None until the skill was scanned. ``ours`` and
    ``theirs`` are the two that it was chosen from. ``counts`` are open findings; ``unread`` says, as a sentence, why it
    will not be scanned.
    """

    skill: Skill
    digest: str = ""
    ours: Verdict | None = None
    theirs: Verdict | None = None
    verdict: Verdict | None = None
    policy: Policy | None = None
    coverage: Coverage | None = None
    counts: Mapping[Severity, int] = field(default_factory=dict)
    dismissed: int = 0
    unread: str = ""
    text: str = ""  # what the filter box looks in, folded

    @property
    def uses(self) -> int:
        """How often the skill was used, as far as that is recorded."""
        return self.skill.usage.use_count if self.skill.usage else 0

    @property
    def verdict_value(self) -> str:
        """The verdict as addresses and facets name it."""
        return self.verdict.value if self.verdict else WAITING

    @property
    def disagrees(self) -> bool:
        """Whether Hermes' own verdict is known and another one."""
        return self.theirs is not None and self.ours is not None and self.theirs is not self.ours

    def states(self) -> tuple[str, ...]:
        """What is particular about it, as facets name it."""
        skill = self.skill
        found = {
            "disagree": self.disagrees,
            "unread": self.coverage in (Coverage.PARTIAL, Coverage.NONE) or bool(self.unread),
            "broken": bool(skill.problems),
            "disabled": skill.is_disabled or bool(skill.disabled_on),
            "modified": bool(skill.is_modified),
            "pinned": skill.pinned,
            "stale": skill.state == "stale",
        }
        return tuple(name for name in STATES if found[name])


@dataclass(frozen=True)
class Filters:
    """What the list is narrowed to; None for everything, an empty category for skills in none. ``words`` are folded."""

    words: tuple[str, ...] = ()
    verdict: str | None = None
    tier: str | None = None
    category: str | None = None
    state: str | None = None

    @property
    def narrows(self) -> bool:
        """Whether anything is left out."""
        return bool(self.words) or any(getattr(self, name) is not None for name in _GROUPS)


@dataclass(frozen=True)
class Page:
    """A stretch of the ordered list, with the keys that lead on, and how many rows each facet value would show."""

    rows: tuple[Row, ...]
    total: int
    before: str | None
    after: str | None
    first: int  # the place of the first row shown, from 1
    facets: Mapping[str, Mapping[str, int]]


def search_text(skill: Skill) -> str:
    """What the filter box looks in."""
    parts = (skill.name, skill.folder_name, skill.relative, skill.description, skill.category, *skill.tags)
    return _folded(" ".join(parts))


_folded = lru_cache(maxsize=8192)(fold)


def page(rows: Sequence[Row], filters: Filters, order: str, *, after: str = "", before: str = "") -> Page:
    """Cut a page out of the rows: what stands after, or before, the skill of that key, wherever it stands by now.

    The key of a skill that is gone leads to the beginning.
    """
    shown, facets = _filtered(rows, filters)
    key_of = ORDERS[order]
    ordered = sorted(shown, key=key_of)
    start = _start(rows, [key_of(row) for row in ordered], key_of, after=after, before=before)
    end = min(len(ordered), start + PER_PAGE)
    return Page(
        rows=tuple(ordered[start:end]),
        total=len(ordered),
        before=ordered[start].skill.key if start else None,
        after=ordered[end - 1].skill.key if end < len(ordered) else None,
        first=start + 1,
        facets=facets,
    )


def _start(rows: Sequence[Row], keys: list[Key], key_of: Callable[[Row], Key], *, after: str, before: str) -> int:
    anchor = next((row for row in rows if row.skill.key == (after or before)), None) if after or before else None
    if anchor is None:
        return 0
    if after:
        return min(bisect_right(keys, key_of(anchor)), max(0, len(keys) - 1))
    return max(0, bisect_left(keys, key_of(anchor)) - PER_PAGE)


def _filtered(rows: Sequence[Row], filters: Filters) -> tuple[list[Row], dict[str, Counter[str]]]:
    """The rows that pass, and per group how many pass with any value of that group."""
    facets: dict[str, Counter[str]] = {name: Counter() for name in _GROUPS}
    shown = []
    for row in rows:
        if filters.words and not all(word in row.text for word in filters.words):
            continue
        states = row.states()
        values = {"verdict": row.verdict_value, "tier": row.skill.tier.value, "category": row.skill.category}
        missed = [name for name, value in values.items() if getattr(filters, name) not in (None, value)]
        if filters.state is not None and filters.state not in states:
            missed.append("state")
        if not missed:
            shown.append(row)
        for name, value in values.items():
            if not missed or missed == [name]:
                facets[name][value] += 1
        if not missed or missed == ["state"]:
            facets["state"].update(states)
    return shown, facets


def _by_verdict(row: Row) -> Key:
    order = {Verdict.DANGEROUS: 0, Verdict.CAUTION: 1, None: 2, Verdict.SAFE: 3}
    weights = [-row.counts.get(severity, 0) for severity in Severity]
    return (order[row.verdict], *weights, *_by_name(row))


def _by_trust(row: Row) -> Key:
    return (TIERS.index(row.skill.tier), *_by_verdict(row))


def _by_category(row: Row) -> Key:
    return (row.skill.category.casefold(), row.skill.category, *_by_name(row))


def _by_use(row: Row) -> Key:
    return (-row.uses, *_by_name(row))


def _by_change(row: Row) -> Key:
    changed = row.skill.last_changed
    return (-changed.timestamp() if changed else 0.0, *_by_name(row))


def _by_name(row: Row) -> Key:
    return (row.skill.name.casefold(), row.skill.key)


ORDERS: Final[Mapping[str, Callable[[Row], Key]]] = {
    "verdict": _by_verdict,
    "trust": _by_trust,
    "category": _by_category,
    "use": _by_use,
    "change": _by_change,
    "name": _by_name,
}


def group_of(row: Row, order: str) -> str | None:
    """The value by which rows stand together in this order; None where they do not."""
    if order == "category":
        return row.skill.category
    return {"verdict": row.verdict_value, "trust": row.skill.tier.value}.get(order)
