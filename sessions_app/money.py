"""Tokens and cost of sessions: sums that say what kind of figure they are, whatever a column holds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

COLUMNS: Final = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "reasoning_tokens",
           "estimated_cost_usd", "actual_cost_usd")  # fmt: skip


@dataclass(frozen=True)
class Usage:
    """Tokens by kind, and cost in US dollars. `is_actual`: what was charged; else estimated. Cost None: not known."""

    read: int = 0
    written: int = 0
    cached: int = 0
    stored: int = 0
    reasoning: int = 0
    cost: float | None = None
    is_actual: bool = False

    @property
    def tokens(self) -> int:
        """All tokens that went in and out; reasoning is part of what came out."""
        return self.read + self.written + self.cached + self.stored


def usage_of(row: Any) -> Usage:
    """Read the token and cost columns of a row of sessions or session_model_usage."""
    actual, estimated = _dollars(row["actual_cost_usd"]), _dollars(row["estimated_cost_usd"])
    read, written, cached, stored, reasoning = (_whole(row[name]) for name in COLUMNS[:5])
    cost = actual if actual is not None else estimated
    return Usage(read, written, cached, stored, reasoning, cost, actual is not None)


def add(usages: Iterable[Usage]) -> Usage:
    """Sum several; the cost is actual only when every known part of it is."""
    found = list(usages)
    costs = [one for one in found if one.cost is not None]
    return Usage(
        sum(one.read for one in found),
        sum(one.written for one in found),
        sum(one.cached for one in found),
        sum(one.stored for one in found),
        sum(one.reasoning for one in found),
        sum(one.cost for one in costs if one.cost is not None) if costs else None,
        bool(costs) and all(one.is_actual for one in costs),
    )


def _whole(value: object) -> int:
    return int(value) if isinstance(value, int | float) and math.isfinite(value) and 0 < value < 2**53 else 0


def _dollars(value: object) -> float | None:
    """A cost; None for nothing, nought and nonsense, since a nought stands where no price is known."""
    return float(value) if isinstance(value, int | float) and math.isfinite(value) and 0 < value < 1e9 else None
