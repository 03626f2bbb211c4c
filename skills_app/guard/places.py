"""What a piece of a text is where it stands: prose, code, comment, quotation, deny list or prohibition.

Blocks are found once a text; what a sentence, a comment or a list says is asked only where something was found.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from skills_app.guard import polarity
from skills_app.guard.code_places import CodePlaces
from skills_app.guard.markdown_places import Block, find_blocks
from skills_app.guard.model import Kind, Place, Role
from skills_app.guard.text import SourceText

PROSE: Final = frozenset(["markdown", "text", "html", "latex"])
_SENTENCE: Final = 240
_POLARITIES: Final = {"dont": Role.PROHIBITION, "deny": Role.DENY_LIST}


@dataclass(frozen=True, slots=True)
class Spot:
    """A place, how plainly the text there says that it is no instruction, and in which words.

    ``steps`` is by how many severities evidence there is milder; what is said around a sentence counts less than what
    the sentence says itself.
    """

    place: Place
    steps: int = 0
    why: str = ""


@dataclass
class Places:
    """The places of one text."""

    source: SourceText
    _code: dict[int, CodePlaces] = field(default_factory=dict)

    @cached_property
    def blocks(self) -> list[Block]:
        """The stretches of the text by role; code is one stretch."""
        if self.source.language in PROSE:
            return find_blocks(self.source.text)
        return [Block(0, Role.CODE, self.source.language)]

    @cached_property
    def _starts(self) -> list[int]:
        return [block.start for block in self.blocks]

    def at(self, start: int, end: int) -> Spot:
        """The place of a match."""
        index = bisect_right(self._starts, start) - 1
        block = self.blocks[index]
        if block.role is Role.CODE:
            return self._in_code(block, index, start, end)
        if block.role in (Role.HEADER, Role.COMMENT):
            return Spot(Place(self.source.kind, block.role, block.language))
        return self._in_prose(block, index, start, end)

    def _in_code(self, block: Block, index: int, start: int, end: int) -> Spot:
        kind, language = self.source.kind, block.language
        code = self._code.get(index) or self._code.setdefault(index, self._code_places(index, language))
        is_fence = self.source.language in PROSE
        if code.is_comment(start):
            return Spot(Place(kind, Role.COMMENT, language), 1 if is_fence else 2, "It stands in a comment.")
        if code.is_listed((start, end)):
            return Spot(Place(kind, Role.DENY_LIST, language), 1, "It is an element of a list of what is refused.")
        if block.polarity:
            role = _POLARITIES[block.polarity]
            return Spot(Place(kind, role, language), 1, _ABOVE[block.polarity])
        return Spot(Place(kind, Role.CODE, language))

    def _code_places(self, index: int, language: str) -> CodePlaces:
        first = self.source.line_index(self.blocks[index].start)
        following = self.blocks[index + 1].start if index + 1 < len(self.blocks) else len(self.source.text)
        return CodePlaces(self.source, language, first, self.source.line_index(following))

    def _in_prose(self, block: Block, index: int, start: int, end: int) -> Spot:
        kind = self.source.kind
        begin = max(block.start, start - _SENTENCE)
        before, after = self.source.text[begin:start], self.source.text[end : end + _SENTENCE]
        if polarity.forbids(before, after):
            return Spot(Place(kind, Role.PROHIBITION), 2, "The sentence forbids it.")
        quoted = polarity.is_quoted(before, after) or polarity.is_in_backticks(before, after)
        if quoted and polarity.talks_about(before):
            return Spot(Place(kind, Role.QUOTE), 2, "It is quoted in a sentence that speaks about such texts.")
        if block.polarity:
            return Spot(Place(kind, _POLARITIES[block.polarity]), 2 if quoted else 1, _ABOVE[block.polarity])
        if polarity.is_quoted(before, after) or block.role is Role.QUOTE:
            return Spot(Place(kind, Role.QUOTE), 1, "It is a quotation.")
        if polarity.is_in_backticks(before, after):
            return Spot(Place(kind, Role.INLINE_CODE))
        return Spot(Place(kind, Role.PROSE), int(polarity.warns(before)), _TALKS)


_TALKS: Final = "The sentence speaks about such texts."
_ABOVE: Final = {
    "dont": "What stands above it says that this must not be done.",
    "deny": "What stands above it says that this is looked for or refused.",
}

__all__ = ["Kind", "Places", "Spot"]
