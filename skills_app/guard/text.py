"""One text of a skill: its characters, its lines and where in them an offset stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from skills_app.guard.model import Kind

_NEWLINE = re.compile("\n")
_FAR = 2_000  # characters of a line on each side of a word


@dataclass
class SourceText:
    """A decoded file: LF line ends, no byte order mark. ``path`` is relative; ``language`` as in a fence."""

    path: str
    kind: Kind
    language: str
    text: str

    @cached_property
    def lowered(self) -> str:
        """The text in lower case, character for character."""
        return lower(self.text)

    @cached_property
    def unusual(self) -> frozenset[str]:
        """The characters of the text that are not ASCII."""
        return frozenset() if self.text.isascii() else frozenset(char for char in set(self.text) if char > "\x7f")

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins."""
        return [0, *(match.end() for match in _NEWLINE.finditer(self.text))]

    def line_index(self, offset: int) -> int:
        """The line, from 0, in which an offset stands."""
        return bisect_right(self.starts, offset) - 1

    def line_span(self, index: int) -> tuple[int, int]:
        """Where a line begins and ends, without its line end."""
        start = self.starts[index]
        return start, self.starts[index + 1] - 1 if index + 1 < len(self.starts) else len(self.text)

    def around(self, offset: int) -> tuple[int, int]:
        """The line of an offset, cut where it goes on for very long."""
        return line_at(self.text, offset, offset)

    def line(self, index: int) -> str:
        """A line without its end; empty outside the text."""
        if not 0 <= index < len(self.starts):
            return ""
        start, end = self.line_span(index)
        return self.text[start:end]


def line_at(text: str, start: int, end: int) -> tuple[int, int]:
    """The line or lines of a stretch of any text, cut where they go on for very long."""
    left = text.rfind("\n", max(0, start - _FAR), start) + 1
    right = text.find("\n", end, end + _FAR)
    return left or max(0, start - _FAR), right if right >= 0 else min(len(text), end + _FAR)


def lower(text: str) -> str:
    """A text in lower case whose offsets are those of the text."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.replace("İ", "I").lower()


def lines_with(source: SourceText, words: Iterable[str]) -> list[tuple[int, int]]:
    """The lines that hold any of some lower-case words, each once, in order; very long ones cut around the word."""
    return lines_in(source.lowered, words)


def lines_in(lowered: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """The same for any lower-case text."""
    spans: set[tuple[int, int]] = set()
    for word in words:
        at = lowered.find(word)
        while at >= 0:
            start = max(lowered.rfind("\n", 0, at) + 1, at - _FAR)
            end = lowered.find("\n", at)
            end = min(end if end >= 0 else len(lowered), at + _FAR)
            spans.add((start, end))
            at = lowered.find(word, max(end, at + 1))
    return sorted(spans)
