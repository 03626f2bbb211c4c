"""One message as something to search in: its readable texts, decoded, each with the place it stands in."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from memoryhub.hermes.state_schema import Schema
from memoryhub.hermes.tool_calls import tool_calls
from memoryhub.hermes.values import PARTS_MARKER, as_text, plain_text, whole
from sessions_app.search.folding import fold

# What a document needs of a message; columns that an old file lacks read as NULL.
COLUMNS: Final = ("id", "session_id", "role", "content", "tool_name", "tool_calls", "timestamp", "active", "compacted")
REASONING: Final = ("reasoning", "reasoning_content")
_ESCAPE: Final = re.compile(r"(?:\\\\?u[0-9a-fA-F]{4})+")
_CODE: Final = re.compile(r"[0-9a-fA-F]{4}")
_DEEPEST: Final = 40  # nested arguments beyond this are not followed


@dataclass(frozen=True)
class Passage:
    """A text of a message. `place` is content, call (tool name and arguments), raw (stored calls) or reasoning."""

    place: str
    text: str


@dataclass(frozen=True)
class Document:
    """A message row; texts are decoded when first asked for."""

    id: int
    session_id: str
    role: str
    content: object
    tool_name: str
    calls: object
    timestamp: object
    is_rewound: bool
    is_compacted: bool
    reasoning: str = ""

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The readable texts, best place for a snippet first."""
        return tuple(self.each_passage())

    def each_passage(self) -> Iterator[Passage]:
        """Yield the readable texts one by one: most often the first is enough."""
        if self.text:
            yield Passage("content", unescaped(self.text))
        if call := "\n".join(filter(None, (self.tool_name, *_said_by(self.calls)))):
            yield Passage("call", call)
        for place, text in (("raw", _text(self.calls)), ("reasoning", self.reasoning)):
            if text:
                yield Passage(place, text)

    @cached_property
    def folded(self) -> tuple[str, ...]:
        """The readable texts as they are compared; remembered documents are compared with every query."""
        return tuple(fold(passage.text) for passage in self.passages)

    @cached_property
    def folded_indexed(self) -> str:
        """The indexed text as it is compared."""
        return fold(self.indexed)

    @cached_property
    def everything(self) -> str:
        """All that may be compared with a query, folded: what is not in here is in none of the texts above."""
        return "\n".join((*self.folded, self.folded_indexed, fold(unescaped(self.indexed))))

    @cached_property
    def indexed(self) -> str:
        """The text as Hermes puts it into its search index: nothing decoded."""
        return f"{_text(self.content)} {self.tool_name} {_text(self.calls)}"

    @property
    def text(self) -> str:
        """The content, parts joined."""
        return self.content if isinstance(self.content, str) and not self.holds_parts else plain_text(self.content)

    @property
    def holds_parts(self) -> bool:
        """Whether the content is stored as encoded parts (text, images)."""
        return isinstance(self.content, str) and self.content.startswith(PARTS_MARKER)


def _text(value: object) -> str:
    """Return a column value as text; what comes as text from our connection is whole already."""
    return value if isinstance(value, str) else as_text(value)


def select(schema: Schema, table: str = "messages", *, reasoning: bool = False) -> str:
    """Return the column list of a SELECT whose rows `documents` can read; `table` is the name or alias in use."""
    wanted = (*COLUMNS, *(REASONING if reasoning else ()))
    return ", ".join(
        f"{table}.{name} AS {name}" if schema.has("messages", name) else f"NULL AS {name}" for name in wanted
    )


def documents(rows: Iterable[sqlite3.Row], *, reasoning: bool = False) -> Iterator[Document]:
    """Read rows selected with `select`."""
    for row in rows:
        thought = "\n".join(filter(None, dict.fromkeys(map(as_text, tuple(row)[9:11])))) if reasoning else ""
        yield Document(
            row[0], _text(row[1]), _text(row[2]), row[3], _text(row[4]), row[5], row[6],
            row[7] == 0 and not row[8], bool(row[8]), thought,
        )  # fmt: skip


def unescaped(text: str) -> str:
    """Return the text with JSON escapes of characters (backslash, u, four digits) read; pairs make one character."""
    return _ESCAPE.sub(_unescape, text) if "\\u" in text else text


def _unescape(found: re.Match[str]) -> str:
    units = b"".join(int(code, 16).to_bytes(2, "big") for code in _CODE.findall(found[0]))
    readable = units.decode("utf-16-be", "replace")
    return found[0] if any(character < " " or "\ud800" <= character <= "\udfff" for character in readable) else readable


def _said_by(calls: object) -> Iterator[str]:
    """Yield names and argument texts of the readable calls; an unreadable value yields its own text."""
    readable = tool_calls(calls)
    for call in readable:
        yield call.name
        if call.arguments is not None:
            yield from _texts_in(call.arguments, 0)
    if not readable or any(call.arguments is None for call in readable):
        yield unescaped(as_text(calls))


def _texts_in(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield whole(value)
    elif isinstance(value, Mapping) and depth < _DEEPEST:
        for key, inner in value.items():
            yield whole(str(key))
            yield from _texts_in(inner, depth + 1)
    elif isinstance(value, list) and depth < _DEEPEST:
        for inner in value:
            yield from _texts_in(inner, depth + 1)
    elif value is not None:
        yield str(value)
