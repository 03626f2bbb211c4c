"""One text in every spelling in which a memory file or a record of ours may hold it, to be found and cut out.

Line ends of any kind; UTF-8, UTF-16 and UTF-32 (told by their mark, as when a file is read); single bytes of
Windows-1252, which are shown as U+FFFD; the escapes of JSON.
"""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

MARK: Final = "[forgotten]"
MIN_LENGTH: Final = 4
_WIDE: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINE_ENDS: Final = ("\r\n", "\n", "\r")
_REPLACEMENT: Final = "\ufffd"


@dataclass(frozen=True)
class Spelling:
    """A text with LF line ends, ready to be looked for."""

    text: str

    def is_in(self, data: bytes) -> bool:
        """Whether a file's bytes hold the text."""
        return self._pattern(data)[0].search(data) is not None

    def is_in_json(self, data: bytes) -> bool:
        """Whether bytes of JSON hold the text, escaped or not."""
        escaped = (json.dumps(self.text, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False))
        return self.is_in(data) or any(one.encode("utf-8", "surrogatepass") in data for one in escaped)

    def is_in_text(self, text: str) -> bool:
        """Whether a decoded text holds it; an undecodable byte in it may stand as U+FFFD."""
        return self._decoded.search(text) is not None

    def cut(self, data: bytes) -> bytes:
        """The bytes with a mark in place of the text."""
        pattern, encoding = self._pattern(data)
        return pattern.sub(MARK.encode(encoding), data)

    def cut_text(self, text: str) -> str:
        """The decoded text with a mark in place of this one."""
        return self._decoded.sub(MARK, text)

    def _pattern(self, data: bytes) -> tuple[re.Pattern[bytes], str]:
        for mark, encoding in _WIDE:
            if data.startswith(mark):
                return self._wide(encoding), encoding
        return self._narrow, "utf-8"

    def _wide(self, encoding: str) -> re.Pattern[bytes]:
        ends = b"|".join(re.escape(end.encode(encoding)) for end in _LINE_ENDS)
        lines = (re.escape(line.encode(encoding, "surrogatepass")) for line in self.text.split("\n"))
        return re.compile((b"(?:" + ends + b")").join(lines))

    @cached_property
    def _narrow(self) -> re.Pattern[bytes]:
        return re.compile(b"".join(_bytes_of(character) for character in self.text))

    @cached_property
    def _decoded(self) -> re.Pattern[str]:
        return re.compile("".join(_texts_of(character) for character in self.text))


def _bytes_of(character: str) -> bytes:
    if character == "\n":
        return b"(?:\r\n|\n|\r)"
    plain = re.escape(character.encode("utf-8", "surrogatepass"))
    if character.isascii():
        return plain
    odd = b"[\x80-\xff]" if character == _REPLACEMENT else re.escape(_windows(character))
    return b"(?:" + plain + b"|" + odd + b")" if odd else plain


def _texts_of(character: str) -> str:
    if character == _REPLACEMENT:
        return r"[^\x00-\x7f]"
    if character == "\n":
        return "(?:\r\n|\n|\r)"
    if _windows(character):
        return f"[{re.escape(character)}{_REPLACEMENT}]"
    return re.escape(character)


def _windows(character: str) -> bytes:
    """The single byte of a character that is not ASCII in Windows-1252; empty when it has none."""
    try:
        return b"" if character.isascii() else character.encode("cp1252")
    except UnicodeEncodeError:
        return b""
