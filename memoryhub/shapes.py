"""Foreign shapes of memory files: byte-order marks, line ends, other encodings, damaged delimiters.

Finds and names them; the sentences are in services/sentences.py, the remedies in repair.py. Each kind comes from files
that owners published.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

_BOM: Final = "\ufeff"
_BULLET: Final = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+\S")
_SIGN: Final = re.compile(r"[-*+•]\s+(?=\S)")
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s+\S")


@dataclass(frozen=True)
class Notice:
    """Something odd about a file. ``repair`` names the remedy in repair.py, empty when there is none."""

    code: str
    data: dict[str, Any] = field(default_factory=dict)
    repair: str = ""


@dataclass(frozen=True)
class Decoded:
    """Bytes as text with LF line ends; ``bad_bytes`` are (offset, byte) pairs that are not UTF-8."""

    text: str
    encoding: str
    bad_bytes: tuple[tuple[int, int], ...] = ()


def decode(data: bytes) -> Decoded:
    """Decode a memory file as Hermes would, or, where Hermes cannot, well enough to show it.

    ``encoding`` is ``utf-8`` when Hermes can read it; otherwise ``utf-16``, ``utf-32`` or ``unknown``, where each byte
    that is not UTF-8 stands as U+FFFD.
    """
    for mark, encoding in (
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return Decoded(_line_feeds(data.decode(encoding, "replace")), encoding)
    try:
        return Decoded(_line_feeds(data.decode("utf-8")), "utf-8")
    except UnicodeDecodeError:
        bad = _bad_bytes(data)
        text = "".join("\ufffd" if "\udc80" <= c <= "\udcff" else c for c in data.decode("utf-8", "surrogateescape"))
        return Decoded(_line_feeds(text), "unknown", bad)


def from_windows_1252(data: bytes) -> str | None:
    """Decode UTF-8 whose odd bytes are Windows-1252; None when one of them means nothing there either."""
    out = []
    for character in data.decode("utf-8", "surrogateescape"):
        if not "\udc80" <= character <= "\udcff":
            out.append(character)
            continue
        try:
            out.append(bytes([ord(character) - 0xDC00]).decode("cp1252"))
        except UnicodeDecodeError:
            return None
    return _line_feeds("".join(out))


def _bad_bytes(data: bytes) -> tuple[tuple[int, int], ...]:
    bad, offset = [], 0
    for character in data.decode("utf-8", "surrogateescape"):
        if "\udc80" <= character <= "\udcff":
            bad.append((offset, ord(character) - 0xDC00))
            offset += 1
        else:
            offset += len(character.encode("utf-8"))
    return tuple(bad)


def _line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def notices(data: bytes, decoded: Decoded, pieces: Sequence[str], limit: int) -> tuple[Notice, ...]:
    """Everything odd about a file, in the order in which a person should read it."""
    found = list(_encoding_notices(data, decoded))
    found += _delimiter_notices(decoded.text.removeprefix(_BOM), pieces)
    copies = len(pieces) - len(set(pieces))
    if copies:
        found.append(Notice("exact_duplicates", {"copies": copies}, "dedupe"))
    if is_document(pieces):
        found.append(Notice("document", {}, "split"))
    for index, piece in enumerate(pieces):
        if len(piece) > limit:
            found.append(Notice("oversize_entry", {"place": index + 1, "chars": len(piece), "limit": limit}))
    return tuple(found)


def _encoding_notices(data: bytes, decoded: Decoded) -> list[Notice]:
    found = []
    if decoded.encoding in ("utf-16", "utf-32"):
        found.append(Notice("utf16", {"encoding": decoded.encoding.upper()}, "convert"))
    elif decoded.encoding == "unknown":
        offset, byte = decoded.bad_bytes[0]
        facts = {"count": len(decoded.bad_bytes), "offset": offset, "byte": f"{byte:02X}"}
        found.append(Notice("not_utf8", facts, "convert" if from_windows_1252(data) is not None else ""))
    else:
        if decoded.text.startswith(_BOM):
            found.append(Notice("bom", {}, "tidy"))
        if b"\r" in data:
            every = data.count(b"\n") == data.count(b"\r\n") == data.count(b"\r")
            found.append(Notice("line_ends", {"kind": "CRLF" if every else "mixed"}, "tidy"))
    return found


def _delimiter_notices(text: str, pieces: Sequence[str]) -> list[Notice]:
    found = []
    lines = text.split("\n")
    trailing = [n for n, line in enumerate(lines, 1) if line != "§" and line.strip() == "§"]
    if trailing:
        found.append(Notice("delimiter_with_blanks", {"lines": trailing}, "tidy"))
    glued = [n for n, piece in enumerate(pieces, 1) if "§" in piece.split("\n")]
    if glued:
        found.append(Notice("glued_delimiter", {"places": glued}, "tidy"))
    raw = text.split("\n§\n")
    blank = sum(1 for piece in raw if not piece.strip())
    if blank and len(raw) > 1:
        found.append(Notice("blank_entries", {"count": blank}, "tidy"))
    elif text.strip() != "\n§\n".join(pieces) and not glued and not trailing:
        found.append(Notice("blank_lines", {}, "tidy"))
    return found


def is_document(pieces: Sequence[str]) -> bool:
    """Whether a file looks hand-made: one entry of several headings, bullets or paragraphs."""
    if len(pieces) != 1:
        return False
    lines = [line for line in pieces[0].split("\n") if line.strip()]
    marked = sum(1 for line in lines if _BULLET.match(line) or _HEADING.match(line))
    return marked >= 2 or pieces[0].count("\n\n") >= 2


def split_document(text: str) -> list[str]:
    """Cut a hand-made document into entries: one per bullet or paragraph, headings kept with what follows.

    A heading becomes an entry of its own only when nothing follows it, so no word is lost. The sign of a bullet goes:
    it takes as much room as the delimiter that replaces it.
    """
    parts: list[list[str]] = []
    heading: list[str] = []
    fresh = True
    for line in text.split("\n"):
        if not line.strip():
            fresh = True
        elif _HEADING.match(line):
            heading.append(line.strip())
            fresh = True
        elif fresh or (_BULLET.match(line) and not line.startswith((" ", "\t"))):
            parts.append([*heading, _SIGN.sub("", line.rstrip(), count=1) if _BULLET.match(line) else line.rstrip()])
            heading, fresh = [], False
        else:
            parts[-1].append(line.rstrip())
    if heading:
        parts.append(heading)
    return ["\n".join(part).strip() for part in parts]
