"""The keep value of an entry, 0 to 100: how much it earns its place, with every part of the sum.

No model is asked. Parts: what kind it is (a wish outlives a diary line), how often and how lately its words came up
in conversations, what it repeats, what health says, what it costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import exp
from typing import Any, Final

from memoryhub.curation.kinds import EntryKind, kind_of
from memoryhub.curation.uses import Use

HALF_LIFE_DAYS: Final = 30.0
BY_KIND: Final[Mapping[EntryKind, int]] = {
    EntryKind.WISH: 38,
    EntryKind.PROFILE: 36,
    EntryKind.LESSON: 34,
    EntryKind.MACHINE: 28,
    EntryKind.FACT: 28,
    EntryKind.POINTER: 16,
    EntryKind.PASSING: 14,
    EntryKind.DIARY: 12,
    EntryKind.HOLLOW: 2,
}
MOST_FOR_USE: Final = 60
MOST_FOR_LENGTH: Final = 10
BY_HEALTH: Final[Mapping[str, int]] = {
    "copy": -60,
    "twin": -50,
    "log_line": -30,
    "hollow": -20,
    "promoted": -15,
    "threat": -15,
    "date_passed": -15,
    "vague": -10,
    "both_files": -10,
    "overlap": -8,
    "stale": -6,
}
_LEAST: Final = 0.12  # a conversation with less of an entry's weight than this tells nothing
_BY_CHANCE: Final = 0.1  # what one word of several counts, since it turns up in other matters too
_ENOUGH: Final = 0.5  # conversations' worth of recent use that earn about two thirds of the points


@dataclass(frozen=True)
class Part:
    """One part of the sum: a code for its sentence, points (may be negative), and what the sentence needs."""

    code: str
    points: int
    data: dict[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class KeepValue:
    """How much an entry earns its place; `uses` are the conversations behind it, the most telling first.

    `is_known` is False when no conversation could be asked.
    """

    value: int
    parts: tuple[Part, ...]
    uses: tuple[Use, ...] = ()
    is_known: bool = True


def keep_value(
    text: str,
    *,
    limit: int,
    uses: Sequence[Use] | None,
    findings: Sequence[str],
    now: datetime,
    half_life_days: float = HALF_LIFE_DAYS,
) -> KeepValue:
    """Weigh one entry.

    `limit` is the file's character limit; `uses` are its conversations, None when state.db could not be asked;
    `findings` are the health codes about it; `now` and the uses' times are aware.
    """
    kind = kind_of(text)
    parts = [Part("kind", BY_KIND[kind], {"kind": str(kind)})]
    telling = telling_uses(uses or (), now=now, half_life_days=half_life_days)
    if uses is not None:
        parts.append(_for_use(telling, now, half_life_days))
    parts += [Part(f"health:{code}", BY_HEALTH[code]) for code in dict.fromkeys(findings) if code in BY_HEALTH]
    cost = -round(min(1.0, len(text) / max(1, limit) * 4) * MOST_FOR_LENGTH)
    if cost:
        parts.append(Part("length", cost, {"chars": len(text), "limit": limit}))
    total = sum(part.points for part in parts)
    return KeepValue(max(0, min(100, total)), tuple(parts), telling, uses is not None)


def telling_uses(uses: Sequence[Use], *, now: datetime, half_life_days: float = HALF_LIFE_DAYS) -> tuple[Use, ...]:
    """The uses that tell something, those that weigh most first."""
    telling = [use for use in uses if use.share >= _LEAST]
    return tuple(sorted(telling, key=lambda use: -weight(use, now, half_life_days)))


def weight(use: Use, now: datetime, half_life_days: float = HALF_LIFE_DAYS) -> float:
    """What one conversation counts: the share of the entry's words squared, halved with each half-life of age."""
    days = max(0.0, (now - use.at).total_seconds() / 86_400)
    return float(use.share**2 * (_BY_CHANCE if use.is_chance else 1.0) * 0.5 ** (days / half_life_days))


def _for_use(uses: Sequence[Use], now: datetime, half_life_days: float) -> Part:
    total = sum(weight(use, now, half_life_days) for use in uses)
    points = round(MOST_FOR_USE * (1 - exp(-total / _ENOUGH)))
    newest = max((use.at for use in uses), default=None)
    return Part("use", points, {"conversations": len(uses), "newest": newest})
