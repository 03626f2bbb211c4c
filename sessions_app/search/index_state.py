"""What state the two search indexes are in: there, complete, behind, or damaged without saying so.

SQLite's own checks call a damaged FTS5 index fine, so a word of the newest messages must be found through it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.state_schema import Schema
from memoryhub.hermes.values import as_text, plain_text
from sessions_app.search.folding import words_of
from sessions_app.search.statements import IndexBroken, OutOfTime, ask, ask_index

WORD: Final = "messages_fts"
TRIGRAM: Final = "messages_fts_trigram"
_NEWEST_ROWS: Final = 60
_MOST_PROBES: Final = 3
_MOST_GAPS: Final = 3_000
_PLAIN_WORD: Final = re.compile(r"(?<![^\s.,;:()\"'/=\[\]{}-])[A-Za-z0-9]{3,24}(?![^\s.,;:()\"'/=\[\]{}-])")


@dataclass(frozen=True)
class Index:
    """One search index. `problem` is missing, empty, damaged, or "" when it can be asked.

    `newest` is the last message it knows; `gaps` are earlier messages that are not in it. `covers_tools` and
    `covers_calls` say whether tool results and tool calls are in it at all.
    """

    name: str
    problem: str = ""
    newest: int = 0
    gaps: tuple[int, ...] = ()
    has_leftovers: bool = False
    covers_tools: bool = True
    covers_calls: bool = True

    @property
    def is_usable(self) -> bool:
        """Whether it can be asked."""
        return not self.problem

    @property
    def covers_all(self) -> bool:
        """Whether every kind of text is in it."""
        return self.covers_tools and self.covers_calls


@dataclass(frozen=True)
class IndexState:
    """Both indexes and the newest message of the file."""

    word: Index
    trigram: Index
    last_id: int

    @property
    def is_behind(self) -> bool:
        """Whether messages are missing from an index that can be asked."""
        usable = [one for one in (self.word, self.trigram) if one.is_usable]
        return any(one.newest < self.last_id or one.gaps for one in usable)


def look_at_indexes(conn: Connection, schema: Schema, *, thorough: bool = True) -> IndexState:
    """Probe both indexes. `thorough` also compares row counts, which takes some milliseconds on a large file."""
    last = int(ask(conn, 100, "SELECT ifnull(max(id), 0) FROM messages")[0][0])
    columns = schema.select("messages", "id", "role", "content", "tool_calls")
    sql = f"SELECT {columns} FROM messages ORDER BY id DESC LIMIT ?"  # noqa: S608 - names from a fixed list
    rows = ask(conn, 200, sql, (_NEWEST_ROWS,))
    if len(rows) == _NEWEST_ROWS and all(as_text(row[1]) == "tool" for row in rows):
        said = sql.replace("ORDER BY", "WHERE role IS NOT 'tool' ORDER BY")
        rows += ask(conn, 200, said, (_MOST_PROBES,))
    word, trigram = (_look(conn, schema, name, rows, thorough) for name in (WORD, TRIGRAM))
    return IndexState(word, trigram, last)


def look_at_newest(conn: Connection, schema: Schema, old: IndexState) -> IndexState:
    """Return a known state with what was written since; whether the indexes still answer is not tried."""
    last = int(ask(conn, 100, "SELECT ifnull(max(id), 0) FROM messages")[0][0])
    try:
        word, trigram = (replace(one, newest=_newest_of(conn, schema, one.name)) for one in (old.word, old.trigram))
    except IndexBroken:
        return with_gaps_of(old, look_at_indexes(conn, schema, thorough=False))
    return IndexState(word, trigram, last)


def with_gaps_of(old: IndexState, new: IndexState) -> IndexState:
    """Return a new state with what only a thorough look finds from an old one."""
    word, trigram = (
        replace(after, gaps=before.gaps, has_leftovers=before.has_leftovers)
        for before, after in ((old.word, new.word), (old.trigram, new.trigram))
    )
    return IndexState(word, trigram, new.last_id)


def _look(conn: Connection, schema: Schema, name: str, rows: Sequence[sqlite3.Row], thorough: bool) -> Index:
    if name not in schema.tables:
        return Index(name, "missing")
    try:
        newest, gaps, leftovers = _rows_of(conn, schema, name, thorough)
        if newest == 0 and rows:
            return Index(name, "empty")
        known = [row for row in rows if row[0] <= newest]
        if not _is_sound(conn, name, known):
            return Index(name, "damaged", newest)
        tools = _finds_any(conn, name, (row for row in known if as_text(row[1]) == "tool"), 2)
        calls = _finds_any(conn, name, (row for row in known if row[3]), 3)
    except (IndexBroken, OutOfTime):
        return Index(name, "damaged")
    return Index(
        name, "", newest, gaps if tools is not False else (), leftovers, tools is not False, calls is not False
    )


def _rows_of(conn: Connection, schema: Schema, name: str, thorough: bool) -> tuple[int, tuple[int, ...], bool]:
    """Return the newest row of an index, rows of messages that it lacks, and whether it has rows too many."""
    known, key = _rows_in(schema, name)
    newest = _newest_of(conn, schema, name)
    if not thorough:
        return newest, (), False
    try:
        counted, held = ask_index(
            conn,
            120,
            # A count of all rows reads a small index; one with a bound would read the messages themselves.
            "SELECT (SELECT count(*) FROM messages) - (SELECT count(*) FROM messages WHERE id > ?),"  # noqa: S608 - fixed names
            f" (SELECT count(*) FROM {known})",
            (newest,),
        )[0]
        gaps = _gaps(conn, known, key, newest) if counted > held else ()
        return newest, gaps, held > counted
    except OutOfTime:
        return newest, (), False


def _rows_in(schema: Schema, name: str) -> tuple[str, str]:
    """Return the table, and its column, that lists the rows of an index."""
    return (f"{name}_docsize", "id") if schema.has(f"{name}_docsize") else (name, "rowid")


def _newest_of(conn: Connection, schema: Schema, name: str) -> int:
    table, key = _rows_in(schema, name)
    return int(ask_index(conn, 100, f"SELECT ifnull(max({key}), 0) FROM {table}")[0][0])  # noqa: S608 - fixed names


def _gaps(conn: Connection, known: str, key: str, newest: int) -> tuple[int, ...]:
    sql = (
        f"SELECT m.id FROM messages AS m LEFT JOIN {known} AS k ON k.{key} = m.id"  # noqa: S608 - fixed names
        f" WHERE k.{key} IS NULL AND m.id <= ? ORDER BY m.id DESC LIMIT ?"
    )
    return tuple(row[0] for row in ask_index(conn, 240, sql, (newest, _MOST_GAPS)))


def _is_sound(conn: Connection, name: str, rows: Iterable[sqlite3.Row]) -> bool:
    """Say whether one of the newest messages with words is found by a word of its own."""
    return _finds_any(conn, name, (row for row in rows if as_text(row[1]) != "tool"), 2) is not False


def _finds_any(conn: Connection, name: str, rows: Iterable[sqlite3.Row], column: int) -> bool | None:
    """Say whether a word of a column is found for any of the first rows; `None` when there is none to try."""
    tried = 0
    for row in rows:
        text = as_text(row[column]) if column == 3 else _indexed_part(row[column], name)
        if (wanted := _word_to_try(text, name)) is None:
            continue
        sql = f"SELECT 1 FROM {name} WHERE {name} MATCH ? AND rowid = ?"  # noqa: S608 - one of two fixed names
        if ask_index(conn, 100, sql, (quoted(wanted), row[0])):
            return True
        tried += 1
        if tried == _MOST_PROBES:
            break
    return False if tried else None


def _indexed_part(content: object, name: str) -> str:
    """Return the text of a message that an index holds: the trigram index ends it at the first NUL."""
    return as_text(content).split("\0")[0] if name == TRIGRAM else plain_text(content)


def _word_to_try(text: str, name: str) -> str | None:
    head = text[:2_000]
    if found := _PLAIN_WORD.search(head):
        return found[0]
    for word in words_of(head[:-20] if len(text) > len(head) else head):
        if len(word) >= 3 and "\\" not in head:
            return word if name == WORD else word[:3]
    return None


def quoted(text: str) -> str:
    """Return the text as an FTS5 string, so that nothing in it is syntax."""
    return '"' + text.replace('"', '""') + '"'
