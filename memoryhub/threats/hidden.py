"""Sentences in characters without a shape: tag characters and runs of variation selectors, decoded."""

from __future__ import annotations

import re

from memoryhub.threats.matching import Span

# A flag of a region: black flag, two letters of a country, up to four of a region, all as tags, and a closing tag
# (Unicode Technical Standard 51). Nothing else uses tag characters.
_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a]{2}[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,4}\U000e007f")
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
# One selector after a letter or an emoji is ordinary, two in a row never are.
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")


def hidden_sentences(text: str) -> list[tuple[Span, str]]:
    """Return where invisible letters stand (in code points of the text) and what they say."""
    seen = _FLAG.sub(lambda match: "\U0001f3f4" * len(match[0]), text)
    found = [(match.span(), tag_text(match[0])) for match in _TAGS.finditer(seen)]
    found += [(match.span(), selector_text(match[0])) for match in _SELECTORS.finditer(seen)]
    return sorted(found)


def is_flag(text: str, start: int) -> int:
    """Return the end of the region's flag that begins at `start`, or `start` when there is none."""
    match = _FLAG.match(text, start)
    return match.end() if match else start


def tag_text(tags: str) -> str:
    """Return tag characters as the letters that they stand for; those without a letter vanish."""
    codes = (ord(tag) - 0xE0000 for tag in tags)
    return "".join(chr(code) for code in codes if 0x20 <= code < 0x7F)


def selector_text(selectors: str) -> str:
    """Return the bytes that a run of variation selectors can carry, as text; "" when they are not text."""
    codes = map(ord, selectors)
    data = bytes(code - 0xFE00 if code < 0x10000 else code - 0xE0100 + 16 for code in codes)
    text = data.decode("utf-8", "replace")
    return text if text.isprintable() and "\ufffd" not in text else ""
