"""Messages whose stored text differs from what they say: tool arguments with escapes, lists of parts with pictures.

The indexes hold them as they are stored, so every query is compared with the newest of them, decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.state_schema import Schema
from memoryhub.hermes.values import PARTS_MARKER, as_text
from sessions_app.search.documents import Document, documents, select
from sessions_app.search.index_state import TRIGRAM, WORD, IndexState
from sessions_app.search.statements import IndexBroken, OutOfTime, ask, ask_index

_MOST: Final = 150
_MOST_CHARACTERS: Final = 1_500_000
_MOST_PARTS: Final = 100
_RECENT: Final = 300  # messages that are looked at again whenever the file changed
# Escapes as nested JSON writes them (tool arguments), and how a list of parts begins.
_ESCAPES: Final = r'"\\u" OR "\\n" OR "\\t" OR "\\r"'
_PARTS: Final = '^ "json type" OR ^ "json text" OR ^ "json image"'
_PICTURE: Final = re.compile(r'(data:[^"\\]{60})[^"\\]+')


def all_encoded(conn: Connection, schema: Schema, indexes: IndexState, old: Sequence[Document]) -> tuple[Document, ...]:
    """Return the newest of these messages, found by the indexes; `old` are known and not read again."""
    calls = _escaped_calls(conn, schema) if indexes.trigram.is_usable else ()
    parts = _lists_of_parts(conn, schema, old) if indexes.word.is_usable else ()
    return (*calls, *parts)


def with_recent(conn: Connection, schema: Schema, indexes: IndexState, old: Sequence[Document]) -> tuple[Document, ...]:
    """Return the known ones and those among the messages written last."""
    since = max(0, indexes.last_id - _RECENT)
    columns = ("content", "tool_calls")
    tests = ("substr(CAST(m.content AS BLOB), 1, ?) = ?", "instr(m.tool_calls, '\\') > 0")
    there = [test for name, test in zip(columns, tests, strict=True) if schema.has("messages", name)]
    marker = PARTS_MARKER.encode()
    values = [len(marker), marker] if schema.has("messages", "content") else []
    sql = (
        f"SELECT {select(schema, 'm')} FROM messages AS m WHERE m.id >= ? AND ({' OR '.join(there) or '0'})"  # noqa: S608
        " ORDER BY m.id DESC"
    )
    try:
        new = [*documents(ask(conn, 100, sql, (since, *values)))]
    except OutOfTime:
        return tuple(old)
    before = [one for one in old if one.id < since]
    is_known = {one.id: one for one in old}
    calls = [is_known.get(one.id, one) for one in new if not one.holds_parts and indexes.trigram.is_usable]
    parts = [_without_pictures(one) for one in new if one.holds_parts and indexes.word.is_usable]
    calls += [one for one in before if not one.holds_parts]
    parts += [one for one in before if one.holds_parts]
    return (*calls[:_MOST], *parts[:_MOST_PARTS])


def _escaped_calls(conn: Connection, schema: Schema) -> Iterator[Document]:
    sql = (
        f"SELECT {select(schema, 'm')} FROM {TRIGRAM} CROSS JOIN messages AS m ON m.id = {TRIGRAM}.rowid"  # noqa: S608
        f" WHERE {TRIGRAM} MATCH ? ORDER BY {TRIGRAM}.rowid DESC LIMIT ?"
    )
    try:
        rows = ask_index(conn, 100, sql, (_ESCAPES, _MOST))
    except (OutOfTime, IndexBroken):
        return
    characters = 0
    for document in documents(rows):
        characters += len(document.indexed)
        if characters > _MOST_CHARACTERS:
            break
        if not document.holds_parts and "\\" in as_text(document.calls):
            yield document


def _lists_of_parts(conn: Connection, schema: Schema, old: Sequence[Document]) -> Iterator[Document]:
    before = {one.id: one for one in old if one.holds_parts}
    sql = f"SELECT rowid FROM {WORD} WHERE {WORD} MATCH ? ORDER BY rowid DESC LIMIT ?"  # noqa: S608
    read = f"SELECT {select(schema, 'm')} FROM messages AS m WHERE m.id = ?"  # noqa: S608 - fixed names
    try:
        for (one,) in ask_index(conn, 100, sql, (_PARTS, _MOST_PARTS)):
            if one in before:
                yield before[one]
                continue
            for document in documents(ask(conn, 100, read, (one,))):
                if document.holds_parts:
                    yield _without_pictures(document)
    except (OutOfTime, IndexBroken):
        return


def _without_pictures(document: Document) -> Document:
    return replace(document, content=_PICTURE.sub(r"\1", str(document.content)))
