"""How one kind of threat is searched for: a phrase with room between its words, or pieces that stand near each other.

Every search is linear in the text, whatever the text is: blanks and words are matched possessively, and pieces
are joined by looking up positions instead of by backtracking. Patterns expect folded text (see `folding.py`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

Span = tuple[int, int]

_BLANK = r"\s++"
_FILLER = r"(?:\w++\s++){{0,{}}}"
_MOST_SPANS = 50


class Pattern(Protocol):
    """Something that can be searched for in folded text."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Words of which one at least stands in every text that matches."""

    def spans(self, folded: str) -> list[Span]:
        """Return where the pattern occurs, in characters of the folded text; [] means nowhere."""


@dataclass(frozen=True)
class Expression:
    """A regular expression that is linear by construction, with the words that a match must hold."""

    expression: re.Pattern[str]
    keys: tuple[str, ...]

    def spans(self, folded: str) -> list[Span]:
        found: list[Span] = []
        for match in self.expression.finditer(folded):
            found.append(match.span())
            if len(found) == _MOST_SPANS:
                break
        return found


def phrase(words: str, *, after: str = "") -> Expression:
    """Return the pattern of a phrase.

    Between two words stands any blank space, line ends too. `a|b` is a choice (of several words: `a_b|c_d`), `[word]`
    may be missing, `…` is up to eight words of any kind (`…3`: up to three). `after` is what must follow: "blank", or
    the "end" of the word.
    Nothing is asked of what stands before the phrase, since the agent does not ask either.
    """
    parts: list[str] = []
    tokens = words.split()
    for token in tokens:
        if token.startswith("…"):
            parts.append(_FILLER.format(token[1:] or "8"))
        elif token.startswith("["):
            parts.append(f"(?:{_choice(token[1:-1])}{_BLANK})?")
        else:
            parts.append(_choice(token) + _BLANK)
    ending = {"": "", "blank": r"\s", "end": r"\b"}[after]
    source = "".join(parts).removesuffix(_BLANK) + ending
    return Expression(re.compile(source), min(map(_keys, tokens), key=_weakness))


def _choice(token: str) -> str:
    words = [_BLANK.join(map(re.escape, word.split("_"))) for word in token.split("|")]
    return words[0] if len(words) == 1 else f"(?:{'|'.join(words)})"


def _keys(token: str) -> tuple[str, ...]:
    """Return words of which one must stand in a text that matches this token; () when none must."""
    if token[0] in "…[":
        return ()
    return tuple(max(choice.split("_"), key=len) for choice in token.split("|"))


def _weakness(keys: tuple[str, ...]) -> tuple[int, int]:
    """Order by how little a token says about a text: many choices, or short words, say little."""
    return (len(keys), -min(map(len, keys))) if keys else (99, 0)


def expression(source: str, *keys: str) -> Expression:
    """Return a pattern from a regular expression; it must not be able to backtrack over more than a word."""
    return Expression(re.compile(source), keys)


@dataclass(frozen=True)
class Near:
    """Pieces that follow one another with at most `limit` characters between, none of them `stop`.

    With `blanks`, a blank must stand on both sides of the gap (on its left side only for a piece that is named in
    `tight`), and neither blanks at its edges nor line ends among them count.
    """

    pieces: tuple[re.Pattern[str], ...]
    keys: tuple[str, ...]
    limit: int
    stop: str
    blanks: bool
    tight: bool

    def spans(self, folded: str) -> list[Span]:
        found = [[match.span() for match in piece.finditer(folded)] for piece in self.pieces]
        if not all(found):
            return []
        stops = [match.start() for match in re.finditer(re.escape(self.stop), folded)]
        reached = {span: span[0] for span in found[0]}  # piece -> where the chain that reaches it began
        for following in found[1:]:
            reached = self._joined(folded, stops, reached, following)
        return _apart((start, end) for (_, end), start in reached.items())

    def _joined(
        self, folded: str, stops: list[int], reached: dict[Span, int], following: list[Span]
    ) -> dict[Span, int]:
        """Return those of the following pieces that some reached piece leads to, with the chain's beginning."""
        joined: dict[Span, int] = {}
        edges = [self._left_edge(folded, start) for start, _ in following]
        at = 0
        for (_, end), began in reached.items():
            first = self._right_edge(folded, end)
            at = max(at, bisect_left(following, (end + self._least(), 0)))
            stop = bisect_left(stops, first)
            last = min(first + self.limit, stops[stop] if stop < len(stops) else len(folded))
            while at < len(following) and edges[at] <= last:
                joined[following[at]] = began
                at += 1
        return joined

    def _least(self) -> int:
        return 0 if not self.blanks else 1 if self.tight else 2

    def _right_edge(self, folded: str, at: int) -> int:
        while self.blanks and at < len(folded) and folded[at].isspace():
            at += 1
        return at

    def _left_edge(self, folded: str, at: int) -> int:
        while self.blanks and not self.tight and at and folded[at - 1].isspace():
            at -= 1
        return at


def near(*pieces: str, limit: int, stop: str = "\n", keys: tuple[str, ...], gap: str = "words") -> Near:
    """Return the pattern of pieces near each other.

    `gap`: "words" – blanks on both sides; "tail" – a blank after the first piece, the second may be glued to
    anything; "any" – whatever is not `stop`.
    """
    compiled = tuple(re.compile(piece) for piece in pieces)
    return Near(compiled, keys, limit, stop, blanks=gap != "any", tight=gap == "tail")


def _apart(spans: Iterator[Span]) -> list[Span]:
    """Return the spans in order without those that overlap an earlier one."""
    apart: list[Span] = []
    for start, end in sorted(spans):
        if not apart or start >= apart[-1][1]:
            apart.append((start, end))
    return apart[:_MOST_SPANS]
