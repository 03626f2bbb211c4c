"""The guard's rules by id."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from skills_app.guard.model import Rule
from skills_app.guard.rules import RULES


def find_rule(rule_id: str) -> Rule | None:
    """The rule of that id; None for one that this version does not have."""
    return _by_id().get(rule_id)


@lru_cache(maxsize=1)
def _by_id() -> Mapping[str, Rule]:
    return {rule.id: rule for rule in RULES}
