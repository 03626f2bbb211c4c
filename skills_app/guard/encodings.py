"""From bytes to text in whatever encoding: no byte of a file can keep the rest of it from being read."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SNIFFED: Final = 4_096
_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_LINE_ENDS: Final = re.compile("\r\n?|\x85|\u2028|\u2029|\x0b|\x0c")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text with LF line ends and without a byte order mark; ``note`` says what is unusual about its bytes."""

    text: str
    note: str = ""


def decode(data: bytes) -> Decoded:
    """Decode any bytes; what is not valid is read as Windows-1252, byte for byte."""
    encoding, start = _encoding(data)
    note = "" if encoding == "utf-8" else f"written in {encoding.upper()}"
    try:
        return Decoded(_line_ends(str(data[start:], encoding)), note)
    except UnicodeDecodeError:
        if encoding != "utf-8":
            return Decoded(_line_ends(str(data[start:], encoding, "replace")), f"not valid {encoding.upper()}")
    return Decoded(_line_ends(data[start:].decode("utf-8", _AS_WINDOWS)), "not valid UTF-8")


def looks_binary(data: bytes) -> bool:
    """Whether bytes begin like no text in any encoding."""
    return _encoding(data)[0] == "utf-8" and _has_controls(data[:_SNIFFED])


def turns_binary(data: bytes) -> bool:
    """Whether what begins as text goes on as something else, as an archive behind a script does."""
    if len(data) <= _SNIFFED or _encoding(data)[0] != "utf-8":
        return False
    middle = len(data) // 2
    return _has_controls(data[middle : middle + _SNIFFED]) or _has_controls(data[-_SNIFFED:])


def _has_controls(sample: bytes) -> bool:
    return len(_CONTROLS.findall(sample)) * 20 > len(sample)


def _encoding(data: bytes) -> tuple[str, int]:
    """The encoding and how many bytes its mark takes."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    sample = data[:_SNIFFED]
    nulls = sample.count(0)
    if nulls * 10 > len(sample) * 3 and len(sample) >= 4:
        return _wide(sample), 0
    return "utf-8", 0


def _wide(sample: bytes) -> str:
    """UTF-16 or UTF-32 without a mark, told by where the NULs stand; "utf-8" when they stand anywhere."""
    whole = len(sample) // 4
    by_place = [sample[place::4][:whole].count(0) for place in range(4)]
    most, least = whole * 9 // 10, whole // 10
    full = [count >= max(most, 1) for count in by_place]
    few = [count <= least for count in by_place]
    shapes = {
        "utf-32-le": few[0] and all(full[1:]),
        "utf-32-be": all(full[:3]) and few[3],
        "utf-16-le": few[0] and full[1] and few[2] and full[3],
        "utf-16-be": full[0] and few[1] and full[2] and few[3],
    }
    return next((name for name, fits in shapes.items() if fits), "utf-8")


def _line_ends(text: str) -> str:
    return _LINE_ENDS.sub("\n", text) if _LINE_ENDS.search(text) else text


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    """One invalid byte as Windows-1252 has it, or U+FFFD."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


_AS_WINDOWS: Final = "memoryhub_windows"
codecs.register_error(_AS_WINDOWS, _as_windows)
