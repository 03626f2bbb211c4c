"""No text makes a rule of the table slow: time grows with the text and not faster, whatever the text repeats."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from skills_app.guard.model import Rule
from skills_app.guard.rules import RULES
from skills_app.guard.searching import Prepared, search
from tests.growth import assert_linear

_SIZE = 8_000  # characters; four times as many are tried as well
PATTERNED = [rule for rule in RULES if rule.pattern]


def crafted(rule: Rule, size: int) -> str:
    """A text made of what a rule looks for: its literals, its examples, and their beginnings, over and over."""
    pieces = [*rule.hints[:4], *(text[: len(text) * part // 4] for text in rule.matches[:2] for part in (1, 2, 3, 4))]
    seeds = [seed for piece in dict.fromkeys(pieces) if piece.strip() for seed in (piece, piece + " ")]
    each = size // len(seeds) + 1
    return "\n".join((seed * (each // len(seed) + 1))[:each] for seed in seeds)


@pytest.mark.parametrize("rule", PATTERNED, ids=[rule.id for rule in PATTERNED])
def test_time_of_a_rule_grows_with_the_text(rule: Rule) -> None:
    prepared = Prepared(rule)

    def work(size: int) -> Callable[[], object]:
        text = crafted(rule, size)
        lowered = text.lower()
        hints = [hint for hint in rule.hints if hint in lowered]
        return lambda: sum(1 for _ in search(prepared, text, lowered, hints))

    assert_linear(work, _SIZE)
