"""Forms of one text in which the rules look as well, each with the way back to the text itself.

The flat form has the length of the text: continued lines and paragraphs are one line each, emphasis is blank. Snippets
are single lines without disguise (snippets.py) and what encoded stretches say (decoding.py).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from skills_app.guard.markdown_places import Block
from skills_app.guard.model import Role
from skills_app.guard.text import SourceText, lower

Span = tuple[int, int]

_CONTINUED: Final = re.compile(
    r"[\\`^|&\n](?:(?<=\\)[ \t]*\n[ \t]*|(?<=\s[`^])\n[ \t]*|(?<=[|&])[ \t]*\n[ \t]*|(?<=\n)[ \t]*(?=\|\s*\w))"
)
_COMMENT_GOES_ON: Final = re.compile(r"\n[ \t]*(?:#{1,3}|//+|>+|\*|--)[ \t]*(?=[a-z(])")
_HEADER_GOES_ON: Final = re.compile(r"\n[ \t]+(?=\S)")
_EMPHASIS: Final = re.compile(r"[*`_~](?:(?<=\*)\*{0,2}|(?<=`)|(?<=~)~|(?<=_)(?<!\w_)_?|(?<=_)_?(?!\w))")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a form, and where in the text it comes from.

    ``points`` pairs offsets in the piece with offsets in the text, from which on they go in step; without any the whole
    of ``origin`` is meant.
    """

    text: str
    origin: Span
    points: tuple[Span, ...] = ()
    unfold: Callable[[Span], Span] | None = None
    how: str = ""  # what was done, for people: "decoded from base64"


@dataclass
class Form:
    """A text to search in. ``is_hidden``: the text itself does not show what this form says."""

    text: str
    pieces: Sequence[Piece] = ()  # joined by line ends; none: offset for offset
    is_hidden: bool = False
    lowered: str = field(default="")

    def __post_init__(self) -> None:
        self.lowered = self.lowered or lower(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [], 0
        for piece in self.pieces:
            starts.append(at)
            at += len(piece.text) + 1
        return starts

    def piece_at(self, offset: int) -> Piece | None:
        """The piece that an offset of this form stands in."""
        return self.pieces[bisect_right(self._starts, offset) - 1] if self.pieces else None

    def origin(self, span: Span) -> Span:
        """The stretch of the text that a stretch of this form comes from."""
        if not self.pieces:
            return span
        index = bisect_right(self._starts, span[0]) - 1
        piece, at = self.pieces[index], self._starts[index]
        start, end = span[0] - at, min(span[1] - at, len(piece.text))
        if piece.unfold and start < end:
            left, right = piece.unfold((start, end))
            return piece.origin[0] + left, piece.origin[0] + right
        if not piece.points or start >= end:
            return piece.origin
        return _back(piece.points, start), _back(piece.points, end - 1) + 1


def _back(points: tuple[Span, ...], offset: int) -> int:
    inner, outer = points[bisect_right(points, (offset, 1 << 60)) - 1]
    return outer + offset - inner


def form_of(pieces: Sequence[Piece]) -> Form | None:
    """One form of many pieces; None without any."""
    return Form("\n".join(piece.text for piece in pieces), pieces, is_hidden=True) if pieces else None


def flatten(source: SourceText, blocks: Sequence[Block]) -> Form | None:
    """The flat form, character for character; None where it is the text itself."""
    ends = [*(block.start for block in blocks[1:]), len(source.text)]
    parts = [_flat(source.text[block.start : end], block) for block, end in zip(blocks, ends, strict=True)]
    flat = "".join(parts)
    return Form(flat) if flat != source.text else None


def _flat(text: str, block: Block) -> str:
    if block.flows and len(text) > 1:
        if text.find("\n", 0, -1) >= 0:
            text = text[:-1].replace("\n", " ") + text[-1]
        if "*" in text or "`" in text or "_" in text or "~" in text:
            return _EMPHASIS.sub(_blank, text)
        return text
    if block.role is Role.HEADER:
        return _HEADER_GOES_ON.sub(_blank, text)
    if block.role is Role.CODE:
        text = _CONTINUED.sub(_joined, text)
    return _COMMENT_GOES_ON.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _joined(match: re.Match[str]) -> str:
    """Blanks; a pipe or an ampersand at the end of a line stays."""
    keep = match[0][0] if match[0][0] in "|&" else " "
    return keep + " " * (len(match[0]) - 1)
