"""Repairs of foreign memory files: what the file would hold afterwards. Proposes only; store.py writes.

No repair drops a word: each either keeps every entry's text or cuts and joins at delimiters. One that would take the
file further over its limit is not proposed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memoryhub import shapes
from memoryhub.entries import DELIMITER_LINE, EntryRefused, MemoryFile, as_entries, check_fits, parse, serialize

CODES: Final = ("convert", "tidy", "split", "dedupe")


@dataclass(frozen=True)
class Repair:
    """One remedy: the entries and bytes the file would have."""

    code: str
    texts: tuple[str, ...]
    data: bytes


def offers(memory: MemoryFile) -> tuple[Repair, ...]:
    """The repairs that a file's notices ask for, each once."""
    wanted = {notice.repair for notice in memory.notices}
    return tuple(repair for code in CODES if code in wanted and (repair := find(memory, code)) is not None)


def find(memory: MemoryFile, code: str) -> Repair | None:
    """The repair called ``code``, or None when it would change nothing or cannot be done."""
    if memory.data is None or code not in CODES:
        return None
    texts = _texts_after(memory, code)
    if texts is None or serialize(texts) == memory.data:
        return None
    try:
        check_fits(memory, texts)
    except EntryRefused:
        return None
    return Repair(code, tuple(texts), serialize(texts))


def _texts_after(memory: MemoryFile, code: str) -> list[str] | None:
    if code == "convert":
        return None if memory.decodable else _converted(memory)
    if not memory.decodable:
        return None
    if code == "tidy":
        return _tidied(memory.texts)
    if code == "dedupe":
        return list(dict.fromkeys(memory.texts))
    if len(memory.texts) != 1:
        return None
    parts = shapes.split_document(memory.texts[0])
    return parts if len(parts) > 1 else None


def _tidied(texts: Sequence[str]) -> list[str]:
    """Make every line that holds only § (and blanks) the delimiter that it looks like."""
    pieces: list[str] = []
    for text in texts:
        piece: list[str] = []
        for line in [*text.split("\n"), DELIMITER_LINE]:
            if line.strip() == DELIMITER_LINE:
                pieces.append("\n".join(piece).strip())
                piece = []
            else:
                piece.append(line)
    return [piece for piece in pieces if piece]


def _converted(memory: MemoryFile) -> list[str] | None:
    data = memory.data or b""
    if memory.encoding == "unknown":
        text = shapes.from_windows_1252(data)
    else:
        text = shapes.decode(data).text
        text = None if "\ufffd" in text else text
    if text is None:
        return None
    again = parse(text.encode("utf-8"), memory.target, memory.limit)
    return [entry.text for entry in as_entries(_tidied(again.texts))]
