"""MEMORY.md and USER.md as a format: bytes to entries and back, counted as Hermes counts.

Facts about the format: docs/what-we-read-and-write.md, checked against the real Hermes in tests/interop. Knows no path
and writes nothing.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final

from memoryhub import gauge, shapes
from memoryhub.shapes import Notice

DELIMITER: Final = "\n§\n"
DELIMITER_LINE: Final = "§"
REMEMBERED: Final = 256 * 1024  # bytes; no more than 32 such files are kept in memory
BYTE_ORDER_MARK: Final = "\ufeff"
_ALLOWED_CONTROLS: Final = "\n\t"


class EntryRefused(ValueError):
    """A text cannot become an entry; ``code`` says why and ``data`` by how much. ``str()`` is a sentence."""

    def __init__(self, code: str, sentence: str, **data: Any) -> None:
        super().__init__(sentence)
        self.code = code
        self.data = data


@dataclass(frozen=True)
class Entry:
    """One entry as it stands in the file. ``copy`` counts exact duplicates from 1; ``index`` is its place from 0."""

    id: str
    text: str
    index: int
    copy: int = 1

    @property
    def chars(self) -> int:
        return len(self.text)


@dataclass(frozen=True)
class MemoryFile:
    """One state of a memory file. ``data`` is None when there is no file; ``limit`` is in characters."""

    target: str
    limit: int
    data: bytes | None
    entries: tuple[Entry, ...]
    agent_entries: tuple[str, ...]
    notices: tuple[Notice, ...] = ()
    drift: bool = False
    decodable: bool = True
    encoding: str = "utf-8"
    bad_bytes: tuple[tuple[int, int], ...] = field(default=(), repr=False)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return tuple(entry.text for entry in self.entries)

    @cached_property
    def used(self) -> int:
        """Characters that Hermes counts: its entries joined with their delimiters, further copies left out."""
        return used(self.agent_entries)

    @property
    def percent(self) -> int:
        """``used`` against ``limit`` as Hermes prints it: truncated, at most 100."""
        return gauge.hermes_percent(self.used, self.limit)

    @property
    def room(self) -> int:
        """Characters left; negative when over the limit."""
        return self.limit - self.used

    @property
    def room_for_one_more(self) -> int:
        """How long one more entry may be, its delimiter paid; never negative."""
        return max(0, self.room - (len(DELIMITER) if self.agent_entries else 0))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the bytes; empty when there is no file."""
        return "" if self.data is None else hashlib.sha256(self.data).hexdigest()

    @cached_property
    def is_normal(self) -> bool:
        """Whether writing these entries would leave every byte but a final newline as it is."""
        return self.data is None or self.data.removesuffix(b"\n") == serialize(self.texts)

    def find(self, entry_id: str) -> Entry | None:
        """The entry with this id, or None."""
        return next((entry for entry in self.entries if entry.id == entry_id), None)


def entry_digest(text: str) -> str:
    """A short digest of an entry's text: the id of its first copy."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def used(texts: Sequence[str]) -> int:
    """Characters (code points) of ``texts`` joined with their delimiters."""
    return sum(map(len, texts)) + len(DELIMITER) * max(0, len(texts) - 1)


def serialize(texts: Sequence[str]) -> bytes:
    """The bytes of a file that holds exactly these entries."""
    return DELIMITER.join(texts).encode("utf-8")


def as_entries(texts: Sequence[str]) -> tuple[Entry, ...]:
    """Number the texts and give each its id: the digest, and ``-2``, ``-3`` … for further exact copies."""
    seen: dict[str, int] = {}
    entries = []
    for index, text in enumerate(texts):
        copy = seen[text] = seen.get(text, 0) + 1
        suffix = "" if copy == 1 else f"-{copy}"
        entries.append(Entry(entry_digest(text) + suffix, text, index, copy))
    return tuple(entries)


def parse(data: bytes | None, target: str, limit: int) -> MemoryFile:
    """Read a memory file's bytes. Never raises: what is odd about them is in ``notices``."""
    if data is None:
        return MemoryFile(target, limit, None, (), ())
    return _read(data, target, limit) if len(data) > REMEMBERED else _remembered(data, target, limit)


@lru_cache(maxsize=32)
def _remembered(data: bytes, target: str, limit: int) -> MemoryFile:
    """One page reads the same bytes several times; reading is pure."""
    return _read(data, target, limit)


def _read(data: bytes, target: str, limit: int) -> MemoryFile:
    decoded = shapes.decode(data)
    agent_pieces = split(decoded.text)
    pieces = _unmarked(agent_pieces)
    agent_entries = tuple(dict.fromkeys(agent_pieces))
    drift = decoded.text.strip() != DELIMITER.join(agent_pieces) or any(len(e) > limit for e in agent_pieces)
    return MemoryFile(
        target=target,
        limit=limit,
        data=data,
        entries=as_entries(pieces),
        agent_entries=agent_entries,
        notices=shapes.notices(data, decoded, pieces, limit),
        drift=drift,
        decodable=decoded.encoding == "utf-8",
        encoding=decoded.encoding,
        bad_bytes=decoded.bad_bytes,
    )


def split(text: str) -> list[str]:
    """Split as Hermes does: on newline, §, newline exactly; pieces are stripped and empty ones vanish."""
    return [piece for raw in text.split(DELIMITER) if (piece := raw.strip())]


def _unmarked(pieces: list[str]) -> list[str]:
    """Take byte-order marks off the first entry: there they belong to the file, not to the text."""
    for place, piece in enumerate(pieces):
        text = piece
        while text.startswith(BYTE_ORDER_MARK):
            text = text.removeprefix(BYTE_ORDER_MARK).lstrip()
        if text:
            return [text, *pieces[place + 1 :]]
    return []


def clean(text: str) -> str:
    """Return ``text`` as it would be stored: line ends as LF, blanks at both ends gone.

    Raises EntryRefused when it is empty, holds a line that is only ``§``, a control character other than newline and
    tab, or half of a surrogate pair.
    """
    stored = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not stored:
        raise EntryRefused("empty", "An entry needs some text.")
    if any(line.strip() == DELIMITER_LINE for line in stored.split("\n")):
        raise EntryRefused(
            "delimiter_line", "A line that holds only § separates entries, so it cannot stand inside one."
        )
    for place, character in enumerate(stored):
        kind = unicodedata.category(character)
        if kind == "Cc" and character not in _ALLOWED_CONTROLS:
            code = f"U+{ord(character):04X}"
            raise EntryRefused(
                "control_character",
                f"Character {place + 1} is the control character {code}, which an entry cannot hold.",
                character=code,
                place=place + 1,
            )
        if kind == "Cs":
            raise EntryRefused("surrogate", f"Character {place + 1} is half of a character and cannot be stored.")
    return stored


def check_fits(memory: MemoryFile, texts: Sequence[str]) -> None:
    """Refuse only what makes the file larger than its limit and larger than it was. Raises EntryRefused."""
    total = used(tuple(dict.fromkeys(texts)))
    if total > memory.limit and total > memory.used:
        over = total - memory.limit
        raise EntryRefused(
            "too_long_by",
            f"The file would be {over:,} characters over its limit of {memory.limit:,}.",
            over=over,
            limit=memory.limit,
            total=total,
        )


def checked_bytes(texts: Sequence[str]) -> bytes:
    """Serialize ``texts`` and make sure that reading them gives the same list. Raises EntryRefused."""
    data = serialize(texts)
    if _unmarked(split(data.decode("utf-8"))) != list(texts):
        raise EntryRefused("not_round_trip", "These entries would not read back as they are, so nothing was saved.")
    return data
