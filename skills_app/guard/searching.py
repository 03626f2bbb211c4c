"""Where the patterns of the rules match in a text.

A rule is only tried around its hints: a match holds one of them and is no longer than its pattern allows, so a window
around each hint is enough. Time grows with the text, never faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from skills_app.guard.model import Kind, Rule

AROUND: Final = 256  # characters after a window that a look-ahead may see
LONGEST: Final = 6_000  # a pattern that may match more is tried on the whole text
_FLAGS: Final = re.MULTILINE
Span = tuple[int, int]


@dataclass
class Prepared:
    """A rule with its pattern, compiled when first needed."""

    rule: Rule
    order: int

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of the rule."""
        return re.compile(self.rule.pattern, _FLAGS if self.rule.case_matters else _FLAGS | re.IGNORECASE)

    @cached_property
    def hints(self) -> frozenset[str]:
        """One of these is in every match; empty for any text."""
        return frozenset(self.rule.hints)

    @cached_property
    def unless(self) -> re.Pattern[str] | None:
        """What takes a match away when it stands in the same line."""
        return re.compile(self.rule.unless, _FLAGS | re.IGNORECASE) if self.rule.unless else None

    @cached_property
    def width(self) -> int:
        """The longest match in characters; 0 when there is no bound worth using."""
        parser = getattr(re, "_parser", None)  # what the compiler itself asks; absent: whole texts are searched
        if parser is None:
            return 0
        longest = int(parser.parse(self.rule.pattern, _FLAGS).getwidth()[1])
        return longest if longest <= LONGEST else 0


@dataclass
class RuleBook:
    """All rules that have a pattern, the gravest first, and their hints."""

    rules: Sequence[Rule]
    prepared: list[Prepared] = field(init=False)
    hints: dict[str, None] = field(init=False)
    spaced: list[str] = field(init=False)

    def __post_init__(self) -> None:
        patterned = [rule for rule in self.rules if rule.pattern]
        ordered = sorted(patterned, key=lambda rule: rule.severity.rank)
        self.prepared = [Prepared(rule, order) for order, rule in enumerate(ordered)]
        self.hints = dict.fromkeys(hint for rule in ordered for hint in rule.hints)
        self.spaced = [hint for hint in self.hints if " " in hint]

    def present(self, lowered: str) -> frozenset[str]:
        """The hints that a text holds."""
        return frozenset(hint for hint in self.hints if hint in lowered)

    def present_across(self, lowered: str) -> frozenset[str]:
        """Of the hints that hold a blank those that a text holds: only these can appear when lines are joined."""
        return frozenset(hint for hint in self.spaced if hint in lowered)

    def candidates(self, present: frozenset[str], kind: Kind) -> Iterator[tuple[Prepared, list[str]]]:
        """The rules that may match a text of this kind, with their hints that it holds; none for whole texts."""
        for each in self.prepared:
            rule = each.rule
            if rule.kinds and kind not in rule.kinds:
                continue
            if not rule.hints:
                yield each, []
            elif not present.isdisjoint(each.hints):
                yield each, [hint for hint in rule.hints if hint in present]


def search(prepared: Prepared, text: str, lowered: str, hints: list[str]) -> Iterator[Span]:
    """Where a rule matches, in order."""
    for start, end in _windows(prepared, lowered, hints):
        for match in prepared.pattern.finditer(text, start, end):
            yield match.span()


def _windows(prepared: Prepared, lowered: str, hints: list[str]) -> list[Span]:
    whole = [(0, len(lowered))]
    width = prepared.width if hints else 0
    if not width or len(lowered) < 4 * width:
        return whole
    spans = sorted(span for hint in hints for span in _around(lowered, hint, width))
    merged: list[Span] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged


def _around(lowered: str, hint: str, width: int) -> Iterator[Span]:
    """Windows around every occurrence of a hint, those that overlap made one."""
    at = lowered.find(hint)
    while at >= 0:
        start, end = max(0, at - width), at + len(hint) + width + AROUND
        at = lowered.find(hint, at + 1)
        while 0 <= at <= end:
            end = at + len(hint) + width + AROUND
            at = lowered.find(hint, at + 1)
        yield start, min(end, len(lowered))
