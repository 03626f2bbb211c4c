"""The bytes of a SKILL.md as text: which encoding it is in, and whether the agent can read it."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Final

from skills_app.library import header_sentences
from skills_app.library.model import Problem

_MARKED: Final = (
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)


@dataclass(frozen=True, slots=True)
class SkillText:
    """The text with line feeds only and without a byte-order mark, and what is wrong with the bytes."""

    text: str
    problems: tuple[Problem, ...] = ()


def decode(data: bytes, *, is_complete: bool = True) -> SkillText:
    """Decode what a SKILL.md holds; other encodings than UTF-8 are read for showing, with a problem. Never raises.

    Of data that is not ``is_complete`` the last character may be cut in two.
    """
    for mark, codec, name in _MARKED:
        if data.startswith(mark):
            return SkillText(_lines(data.decode(codec, "replace")), (header_sentences.encoding(name),))
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(data, final=is_complete)
    except UnicodeDecodeError:
        return SkillText(
            _lines(_legacy(data)), (header_sentences.encoding("in an older encoding, such as Windows-1252"),)
        )
    if text.startswith("\ufeff"):
        return SkillText(_lines(text[1:]), (header_sentences.byte_order_mark(),))
    return SkillText(_lines(text))


def _legacy(data: bytes) -> str:
    """Windows-1252 where the bytes allow it, else Latin-1, which allows everything."""
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
