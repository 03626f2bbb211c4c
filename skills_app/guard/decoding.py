"""What encoded stretches of a text say, one level deep: base64, hexadecimal, percent, escapes, character references."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from html import unescape
from typing import Final
from urllib.parse import unquote_to_bytes

from skills_app.guard.snippets import substituted
from skills_app.guard.text import SourceText
from skills_app.guard.variants import Piece

MOST: Final = 300_000  # characters of decoded text that are looked at in one file
LONGEST: Final = 65_536  # encoded characters of one stretch
_LEAST_TEXT: Final = 12
_LEAST_WORD: Final = 20

_BASE64: Final = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{20,}+(?:[ \t]*\n[ \t]*[A-Za-z0-9+/_-]{16,}+)*+={0,2}")
_HEX: Final = re.compile(r"(?<![\w/+])(?:0x)?((?:[0-9a-fA-F]{2}){12,}+)(?![\w/+=])")
_RUNS: Final = re.compile(
    r"(?:(?:\\x[0-9a-fA-F]{2}|\\u00[0-9a-fA-F]{2}|\\u\{[0-9a-fA-F]{2}\}|\\[0-3]?[0-7]{2}|%[0-9a-fA-F]{2}"
    r"|&#x?[0-9a-fA-F]{2,4};|0x[0-9a-fA-F]{2},?[ ]?)[\w./:-]{0,3}){3,2000}"
)
_RUN_NEEDED: Final = re.compile(r"\\[xu0-3]|%[2-7][0-9a-fA-F]|&#|0x[2-7]")
_ONE: Final = re.compile(
    r"\\x([0-9a-fA-F]{2})|\\u00([0-9a-fA-F]{2})|\\u\{([0-9a-fA-F]{2})\}|(\\[0-3]?[0-7]{2})|(%[0-9a-fA-F]{2})"
    r"|(&#x?[0-9a-fA-F]{2,4};)|0x([0-9a-fA-F]{2}),?[ ]?"
)


def decoded(source: SourceText) -> Iterator[Piece]:
    """Everything encoded that says something readable."""
    left = MOST
    for piece in _pieces(source):
        yield piece
        left -= max(len(piece.text), piece.origin[1] - piece.origin[0])
        if left < 0:
            return


def _pieces(source: SourceText) -> Iterator[Piece]:
    text = source.text
    long_words = [word for word in text.split() if len(word) >= _LEAST_WORD]
    if any(_from_base64(match[0][:64]) for word in long_words for match in _BASE64.finditer(word)):
        for match in _BASE64.finditer(text):
            if said := _from_base64(match[0][:LONGEST]):
                yield Piece(said, match.span(), how="decoded from base64")
    if any(_from_hex(match[1][:64]) for word in long_words for match in _HEX.finditer(word)):
        for match in _HEX.finditer(text):
            if said := _from_hex(match[1][:LONGEST]):
                yield Piece(said, match.span(), how="decoded from hexadecimal digits")
    yield from _escaped(source)


def _escaped(source: SourceText) -> Iterator[Piece]:
    """Lines with runs of escapes, the escapes decoded."""
    done = 0
    while needed := _RUN_NEEDED.search(source.text, done):
        start, end = source.line_span(source.line_index(needed.start()))
        start, end = max(start, needed.start() - 1_000), min(end, needed.start() + 20_000)
        done = max(end, needed.end())
        if _RUNS.search(source.text, needed.start(), end):
            piece = substituted(source.text[start:end], start, _ONE, _character, "with escapes decoded")
            if piece is not None:
                yield piece


def _character(match: re.Match[str]) -> str:
    """What one escape stands for; itself when that is no ordinary character."""
    digits = match[1] or match[2] or match[3] or match[7]
    if digits:
        said = chr(int(digits, 16))
    elif match[4]:
        said = chr(int(match[4][1:], 8))
    elif match[5]:
        said = unquote_to_bytes(match[5]).decode("latin-1")
    else:
        said = unescape(match[6])
    return said if said.isprintable() or said in "\n\t" else match[0]


def _from_base64(token: str) -> str:
    packed = "".join(token.split()).translate(_URL_SAFE)
    if not _may_be_base64(packed):
        return ""
    head = _b64(packed[:64])
    if not _readable(head) and not _readable_wide(head):
        return ""
    return _as_text(_b64(packed))


def _may_be_base64(packed: str) -> bool:
    """Words and paths are no base64: letters of both cases or digits are mixed in it."""
    return not packed.islower() and not packed.isupper() and not packed.isdigit()


def _b64(packed: str) -> bytes:
    packed = packed.rstrip("=")
    packed = packed[: len(packed) - (len(packed) % 4 == 1)]
    try:
        return base64.b64decode(packed + "=" * (-len(packed) % 4))
    except (binascii.Error, ValueError):
        return b""


def _from_hex(digits: str) -> str:
    return _as_text(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _as_text(data: bytes) -> str:
    wide = _readable_wide(data)
    if not wide and not _readable(data):
        return ""
    return data.decode("utf-16-le" if wide else "utf-8", "replace").replace("\r\n", "\n")


def _readable(data: bytes) -> bool:
    """Whether bytes are text: nearly all of it printable, with letters."""
    head = data[:512]
    odd = len(head.translate(None, _PRINTABLE))
    return (
        len(data) >= _LEAST_TEXT and odd * 20 <= len(head) and len(head.translate(None, _LETTERS)) * 10 <= len(head) * 6
    )


def _readable_wide(data: bytes) -> bool:
    """Whether bytes are UTF-16 of Latin text, as PowerShell takes its encoded commands."""
    return len(data) >= 2 * _LEAST_TEXT and not any(data[1:512:2]) and _readable(data[:1024:2])


_PRINTABLE: Final = bytes([*range(32, 127), 9, 10, 13])
_LETTERS: Final = bytes([*range(65, 91), *range(97, 123)])
_URL_SAFE: Final = str.maketrans("-_", "+/")
