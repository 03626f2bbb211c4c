"""Where the patterns of the rules match in a text.

A rule is only tried around its hints: a match holds one of them and is no longer than its pattern allows; where every
match begins with a hint, only there. Time grows with the text, never faster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from skills_app.guard.leads import Known, read_pattern
from skills_app.guard.model import Kind, Rule

_FLAGS: Final = re.MULTILINE
_CASED: Final = re.compile(r"\(\?[aiLmsux]*-?i|\\[xuUN]|\[[^\]]*[!-@]-[A-Z]")  # switches of case, characters by number
_PART: Final = re.compile(r"\\.|\(\?P[<=]\w+|[^\\(]+|\(", re.DOTALL)
_WORD: Final = re.compile(r"[a-z0-9_]+")
_BEGINNING: Final = 3  # characters of a word by which it is looked up
_MOST_WORDS: Final = 100_000  # different words whose hints are remembered
_PIECE: Final = 8_192  # characters searched between two looks at the clock
_OFTEN: Final = 256  # places tried between two looks
Span = tuple[int, int]


@dataclass
class Prepared:
    """A rule with its pattern, compiled when first needed."""

    rule: Rule

    @cached_property
    def in_lower_case(self) -> str:
        """The pattern for texts in lower case, which is many times faster; "" where the case cannot be taken away."""
        return "" if self.rule.case_matters else lower_pattern(self.rule.pattern)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of the rule; for texts in lower case when ``in_lower_case`` says so."""
        flags = _FLAGS if self.rule.case_matters or self.in_lower_case else _FLAGS | re.IGNORECASE
        return re.compile(self.in_lower_case or self.rule.pattern, flags)

    @cached_property
    def hints(self) -> frozenset[str]:
        """One of these is in every match; empty for any text."""
        return frozenset(self.rule.hints)

    @cached_property
    def unless(self) -> re.Pattern[str] | None:
        """What takes a match away when it stands in the same line."""
        return re.compile(self.rule.unless, _FLAGS | re.IGNORECASE) if self.rule.unless else None

    @cached_property
    def known(self) -> Known:
        """How long a match can be, and how it begins."""
        return read_pattern(self.in_lower_case or self.rule.pattern, _FLAGS)

    @cached_property
    def offsets(self) -> Mapping[str, frozenset[int]]:
        """Where in a match each hint stands, when every match begins with one; else empty."""
        return self.known.offsets(self.rule.hints) if self.in_lower_case else {}


@dataclass
class RuleBook:
    """All rules that have a pattern, the gravest first, and their hints."""

    rules: Sequence[Rule]
    prepared: list[Prepared] = field(init=False)
    spaced: list[str] = field(init=False)
    _by_word: dict[str, list[str]] = field(init=False)
    _short: list[str] = field(init=False)
    _by_beginning: dict[str, list[str]] = field(init=False)
    _held: dict[str, tuple[str, ...]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        ordered = sorted((rule for rule in self.rules if rule.pattern), key=lambda rule: rule.severity.rank)
        self.prepared = [Prepared(rule) for rule in ordered]
        hints = dict.fromkeys(hint for rule in ordered for hint in rule.hints)
        self._by_word = {}
        for hint in hints:
            self._by_word.setdefault(max(_WORD.findall(hint), key=len, default=""), []).append(hint)
        self._short = [word for word in self._by_word if 0 < len(word) < _BEGINNING]
        self._by_beginning = {}
        for word in self._by_word:
            if len(word) >= _BEGINNING:
                self._by_beginning.setdefault(word[:_BEGINNING], []).append(word)
        self.spaced = [hint for hint in hints if " " in hint]

    def prepare(self) -> None:
        """Compile everything that would be compiled when first needed."""
        for each in self.prepared:
            _ = each.pattern, each.offsets, each.unless

    def present(self, lowered: str) -> frozenset[str]:
        """The hints that a text holds."""
        words = {word for each in set(_WORD.findall(lowered)) for word in self._held_by(each)}
        found = {hint for word in words for hint in self._by_word[word] if hint == word or hint in lowered}
        return frozenset(found.union(hint for hint in self._by_word.get("", ()) if hint in lowered))

    def _held_by(self, word: str) -> tuple[str, ...]:
        """The words of hints that stand in a word of a text; remembered, since texts share most of their words."""
        if word not in self._held:
            if len(self._held) >= _MOST_WORDS:
                self._held.clear()
            self._held[word] = self._parts(word)
        return self._held[word]

    def _parts(self, word: str) -> tuple[str, ...]:
        found = {one for one in self._short if one in word}
        for at in range(len(word) - _BEGINNING + 1):
            for one in self._by_beginning.get(word[at : at + _BEGINNING], ()):
                if word.startswith(one, at):
                    found.add(one)
        return tuple(found)

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


def search(
    prepared: Prepared,
    text: str,
    lowered: str,
    hints: list[str],
    known: str | None = None,
    look_at_clock: Callable[[], None] = lambda: None,
) -> Iterator[Span]:
    """Where a rule matches, in order; a match may come twice. ``look_at_clock`` is called often and may raise.

    ``known`` is a text of the same length that was searched before: where both are the same nothing is searched again.
    """
    look_at_clock()
    if hints and prepared.offsets and prepared.known.width:
        yield from _at_hints(prepared, lowered, hints, known, look_at_clock)
        return
    searched = lowered if prepared.in_lower_case else text
    for start, end in _in_pieces(_windows(prepared, lowered, hints), prepared.known):
        look_at_clock()
        if known is None or text[start:end] != known[start:end]:
            for match in prepared.pattern.finditer(searched, start, end):
                yield match.span()


def _in_pieces(windows: Iterable[Span], known: Known) -> Iterator[Span]:
    """The windows, long ones in pieces that overlap by as much as a match may need."""
    for start, end in windows:
        while known.width and end - start > _PIECE + known.width + known.ahead:
            yield start, start + _PIECE + known.width + known.ahead
            start += _PIECE
        yield start, end


def _at_hints(
    prepared: Prepared, lowered: str, hints: list[str], known: str | None, look_at_clock: Callable[[], None]
) -> Iterator[Span]:
    """Matches of a rule whose matches all begin with a hint."""
    reach = prepared.known.width + prepared.known.ahead
    done = 0
    for count, at in enumerate(_starts(prepared, lowered, hints)):
        if count % _OFTEN == _OFTEN - 1:
            look_at_clock()
        if at < done or (known is not None and lowered[at : at + reach] == known[at : at + reach]):
            continue
        if match := prepared.pattern.match(lowered, at):
            done = match.end()
            yield match.span()


def _starts(prepared: Prepared, lowered: str, hints: list[str]) -> list[int]:
    starts: set[int] = set()
    for hint in hints:
        offsets = prepared.offsets.get(hint, ())
        at = lowered.find(hint) if offsets else -1
        while at >= 0:
            starts.update(at - offset for offset in offsets if offset <= at)
            at = lowered.find(hint, at + 1)
    return sorted(starts)


def _windows(prepared: Prepared, lowered: str, hints: list[str]) -> list[Span]:
    width = prepared.known.width if hints else 0
    if not width or len(lowered) < 4 * width:
        return [(0, len(lowered))]
    around = _lines_around if prepared.known.in_line else _around
    merged: list[Span] = []
    for start, end in sorted(span for hint in hints for span in around(lowered, hint, width, prepared.known.ahead)):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged


def _around(lowered: str, hint: str, width: int, ahead: int) -> Iterator[Span]:
    """Windows around every occurrence of a hint, those that overlap made one."""
    at = lowered.find(hint)
    while at >= 0:
        start, end = max(0, at + len(hint) - width), at + width + ahead
        at = lowered.find(hint, at + 1)
        while 0 <= at <= end:
            end = at + width + ahead
            at = lowered.find(hint, at + 1)
        yield start, min(end, len(lowered))


def _lines_around(lowered: str, hint: str, width: int, ahead: int) -> Iterator[Span]:
    """The lines in which a hint occurs, very long ones cut; each with what a pattern may look at behind it."""
    at = lowered.find(hint)
    while at >= 0:
        start = max(lowered.rfind("\n", 0, at) + 1, at + len(hint) - width)
        line_end = lowered.find("\n", at)
        line_end = len(lowered) if line_end < 0 else line_end
        end = min(line_end, at + width)
        yield start, min(end + ahead, len(lowered))
        at = lowered.find(hint, end if end == line_end else at + 1)


def lower_pattern(pattern: str) -> str:
    """A pattern that matches in lower-case text what the given one matches in any; "" when there is no such."""
    if _CASED.search(pattern):
        return ""
    return _PART.sub(lambda part: part[0] if part[0][0] == "\\" or part[0][:2] == "(?" else part[0].lower(), pattern)
