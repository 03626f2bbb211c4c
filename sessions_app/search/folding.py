"""Characters as the search index sees them: case and accents folded, what belongs to a word, scripts without spaces.

Follows FTS5's `unicode61` (accents removed the simple way). Every fold keeps one character for one, except that
combining accents vanish; `fold_map` says where each folded character came from.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from typing import Final

# unicode61 takes these for accents on the letter before them and drops them.
_COMBINING: Final = range(0x300, 0x332)
_APOSTROPHES: Final = dict.fromkeys(map(ord, "’＇"), "'")

# Scripts written without spaces between words (and Hangul, whose particles stick to the word): any piece may be
# looked for. Pairs of first and last code point, rising.
_UNSPACED: Final = (
    (0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x2E80, 0x2FDF), (0x3003, 0x3007),
    (0x3021, 0x3029), (0x3031, 0x303C), (0x3041, 0xA4CF), (0xA960, 0xA97F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC), (0x1AFF0, 0x1B2FF), (0x20000, 0x3FFFF),
)  # fmt: skip
_UNSPACED_STARTS: Final = tuple(first for first, _ in _UNSPACED)
UNSPACED_CLASS: Final = "".join(f"{chr(first)}-{chr(last)}" for first, last in _UNSPACED)  # for regular expressions
FIRST_UNSPACED: Final = chr(_UNSPACED_STARTS[0])


class _Folds(dict[int, str]):
    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold_character(chr(code))
        return folded


def _fold_character(character: str) -> str:
    if ord(character) in _COMBINING:
        return ""
    lower = "i" if character == "İ" else character.casefold()
    lower = lower if len(lower) == 1 else character
    parts = unicodedata.normalize("NFD", lower)
    has_plain_letter = len(parts) == 2 and parts[0].isascii() and parts[0].isalpha()
    return parts[0] if has_plain_letter and unicodedata.category(parts[1]) == "Mn" else lower


_FOLDS: Final = _Folds(_APOSTROPHES)


def fold(text: str) -> str:
    """Return the text in lower case and without accents, as the word index compares it."""
    return text.lower() if text.isascii() else text.translate(_FOLDS)


def fold_map(text: str) -> tuple[str, list[int] | None]:
    """Return the folded text, and for each of its characters the place in `text`; `None` when they are the same."""
    folded = fold(text)
    if len(folded) == len(text):
        return folded, None
    places = [place for place, character in enumerate(text) if _FOLDS[ord(character)]]
    return folded, places


def is_word_character(character: str) -> bool:
    """Say whether unicode61 takes the character for part of a word: letters, numbers, private use."""
    category = unicodedata.category(character)
    return category[0] in "LN" or category == "Co" or ord(character) in _COMBINING


def is_unspaced(character: str) -> bool:
    """Say whether the character belongs to a script that is written without spaces."""
    code = ord(character)
    if code < _UNSPACED_STARTS[0]:
        return False
    return code <= _UNSPACED[bisect_right(_UNSPACED_STARTS, code) - 1][1]


def has_unspaced(text: str) -> bool:
    """Say whether any character of the text belongs to a script without spaces."""
    return not text.isascii() and any(map(is_unspaced, text))


def is_whole_when_escaped(text: str) -> bool:
    """Say whether the word index holds the JSON escapes of a text without losing anything between them."""
    is_kept = all(character.isalnum() or not character.isascii() for character in text)
    return is_kept and not text[:1].isascii()


def words_of(text: str) -> list[str]:
    """Split a text into its words as unicode61 does, unfolded."""
    return "".join(character if is_word_character(character) else " " for character in text).split()
