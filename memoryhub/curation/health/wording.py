"""How health rules read a text: words with borders that hold beside Chinese, sentences, and what is code or quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memoryhub.curation.health.model import Span

_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3]")
_VERBATIM: Final = re.compile(r"`[^`\n]{1,200}`|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|「[^」\n]{1,200}」")
_SENTENCE: Final = re.compile(r"[^.;!?。；！？\n]+(?:\.(?=\w)[^.;!?。；！？\n]+)*")


def words(*alternatives: str) -> re.Pattern[str]:
    r"""Compile alternatives of Latin, Cyrillic or other spaced script, case ignored.

    `\b` would see no border between a Chinese character and a letter, since both are word characters.
    """
    return re.compile(rf"(?<![^\W\d_{_RANGE}])(?:{'|'.join(alternatives)})(?![^\W\d_{_RANGE}])", re.IGNORECASE)


def signs(*alternatives: str) -> re.Pattern[str]:
    """Compile alternatives of a script without blanks."""
    return re.compile("|".join(alternatives))


_RANGE: Final = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3"


class Words:
    """Words of several scripts that mean the same to a rule."""

    def __init__(self, spaced: re.Pattern[str], unspaced: re.Pattern[str] | None = None) -> None:
        self._patterns = [spaced] if unspaced is None else [spaced, unspaced]

    def spans(self, text: str) -> tuple[Span, ...]:
        """Every place where one of the words stands, rising."""
        return tuple(sorted(match.span() for pattern in self._patterns for match in pattern.finditer(text)))

    def first(self, text: str) -> Span | None:
        """The first of these places, or None."""
        return min(self.spans(text), default=None)

    def within(self, text: str) -> bool:
        """Whether one of the words stands in the text."""
        return any(pattern.search(text) for pattern in self._patterns)


def sentences(text: str) -> Iterator[Span]:
    """Where each sentence stands; a dot inside a name or number ends none."""
    return (match.span() for match in _SENTENCE.finditer(text))


def without_verbatim(text: str) -> str:
    """The text with code and quotations blanked, offsets kept: they are talked about, not said."""
    return _VERBATIM.sub(lambda match: " " * len(match[0]), text)


def is_cjk(text: str) -> bool:
    """Whether a text is mainly Chinese, Japanese or Korean, technical words in Latin letters set aside."""
    return len(_CJK.findall(text)) * 4 >= len(text)
