"""In which past conversations the distinctive words of entries came up: the search index asked for rare words.

Reads state.db through bounded statements. Memory calls, their answers and system messages are left out: they hold an
entry's words because it is an entry.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from math import log
from typing import Final

from memoryhub import likeness
from memoryhub.hermes.state_schema import probe
from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import as_text

COMMON: Final = 1_000  # messages that hold a word; words in more tell nothing about one entry
MOST_WORDS: Final = 8  # of one entry, the rarest
NEWEST: Final = 200  # messages of one word that are looked at, the newest
ENOUGH: Final = 3  # rare words; with fewer, two common words together stand for one
TOGETHER: Final = " + "  # joins the two words of a pair, which must stand in one message
_MOST_CANDIDATES: Final = 24
_MOST_COMMON: Final = 5
_MOST_PARENTS: Final = 40
_RUN: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3]{3,}")
_WORD_INDEX, _TRIGRAM_INDEX = "messages_fts", "messages_fts_trigram"


@dataclass(frozen=True)
class Use:
    """One conversation (a lineage, named by its first session) in which words of an entry came up.

    `message_id` is the newest message with one of them, in `session_id`; `share` is how much of the weight of the
    entry's distinctive words came up there, 0 to 1.
    """

    root: str
    session_id: str
    message_id: int
    at: datetime
    words: tuple[str, ...]
    share: float
    is_chance: bool = False  # one word of several: may well be about something else


@dataclass(frozen=True)
class Distinct:
    """The distinctive words of one entry with their weight (rarer weighs more); those never said are among them."""

    words: dict[str, float]

    @property
    def weight(self) -> float:
        return sum(self.words.values())


class UseReader:
    """Asks one state.db about many entries; remembers what it learned of a word, since entries share some."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        schema = probe(conn)
        self._tables = [name for name in (_WORD_INDEX, _TRIGRAM_INDEX) if schema.has(name)]
        self._total = _total(conn) if self._tables else 0
        self._counts: dict[str, int] = {}
        self._hits: dict[str, tuple[tuple[int, str, datetime], ...]] = {}
        self._roots: dict[str, str] = {}

    @property
    def can_ask(self) -> bool:
        """Whether there is an index and a message."""
        return self._total > 0

    def distinct(self, text: str) -> Distinct:
        """The words of an entry that are rare in the conversations, the rarest eight."""
        candidates = sorted(set(self._terms(text)), key=lambda term: (-len(term), term))[:_MOST_CANDIDATES]
        weights = self._weights(candidates)
        if len(weights) < ENOUGH:
            common = [term for term in candidates if term not in weights and not _RUN.fullmatch(term)][:_MOST_COMMON]
            weights |= self._weights([TOGETHER.join(pair) for pair in combinations(common, 2)])
        rarest = sorted(weights, key=lambda term: (-weights[term], term))
        said = [term for term in rarest if self._counts[term]][:MOST_WORDS]
        unsaid = [term for term in rarest if not self._counts[term] and TOGETHER not in term]
        return Distinct({term: weights[term] for term in (*said, *unsaid[: MOST_WORDS - len(said)])})

    def uses(self, distinct: Distinct) -> tuple[Use, ...]:
        """The conversations in which its words came up, newest first."""
        found: defaultdict[str, dict[str, tuple[int, str, datetime]]] = defaultdict(dict)
        for term in distinct.words:
            for hit in self._messages(term):
                found[self._root(hit[1])].setdefault(term, hit)
        uses = [_use(root, hits, distinct) for root, hits in found.items()]
        return tuple(sorted(uses, key=lambda use: use.at, reverse=True))

    def _terms(self, text: str) -> Iterator[str]:
        """Words as the word index holds them; of Chinese and its neighbours, threes of characters."""
        folded = likeness.fold(text)
        for word in likeness.rare_words(text):
            if word[0] <= "\u3000" and _WORD_INDEX in self._tables:
                yield word
        if _TRIGRAM_INDEX in self._tables:
            for run in _RUN.findall(folded):
                yield from (run[at : at + 3] for at in range(len(run) - 2))

    def _weights(self, terms: Sequence[str]) -> dict[str, float]:
        counts = {term: self._count(term) for term in terms}
        return {term: log(1 + self._total / max(1, count)) for term, count in counts.items() if count <= COMMON}

    def _count(self, term: str) -> int:
        if term not in self._counts:
            table = _table_of(term)
            row = self._conn.execute(
                f"SELECT count(*) FROM (SELECT rowid FROM {table} WHERE {table} MATCH ? LIMIT ?)",  # noqa: S608
                (_quoted(term), COMMON + 1),
            ).fetchone()
            self._counts[term] = int(row[0])
        return self._counts[term]

    def _messages(self, term: str) -> tuple[tuple[int, str, datetime], ...]:
        if term not in self._hits:
            table = _table_of(term)
            rows = self._conn.execute(
                f"SELECT m.id, m.session_id, m.timestamp FROM (SELECT rowid FROM {table} WHERE {table} MATCH ?"  # noqa: S608
                " ORDER BY rowid DESC LIMIT ?) AS hit JOIN messages AS m ON m.id = hit.rowid"
                " WHERE m.role <> 'system' AND ifnull(m.tool_name, '') <> 'memory'"
                " AND ifnull(m.tool_calls, '') NOT LIKE '%\"name\": \"memory\"%'",
                (_quoted(term), NEWEST),
            ).fetchall()
            self._hits[term] = tuple(
                (int(row[0]), as_text(row[1]), at) for row in rows if (at := parse_time(row[2])) is not None
            )
        return self._hits[term]

    def _root(self, session_id: str) -> str:
        if session_id not in self._roots:
            row = self._conn.execute(
                "WITH RECURSIVE up(id, depth) AS (VALUES (?, 0) UNION ALL SELECT s.parent_session_id, depth + 1"
                " FROM up JOIN sessions AS s ON s.id = up.id WHERE s.parent_session_id IS NOT NULL AND depth < ?)"
                " SELECT id FROM up ORDER BY depth DESC LIMIT 1",
                (session_id, _MOST_PARENTS),
            ).fetchone()
            self._roots[session_id] = as_text(row[0])
        return self._roots[session_id]


def _use(root: str, hits: dict[str, tuple[int, str, datetime]], distinct: Distinct) -> Use:
    newest = max(hits.values())
    words = tuple(term for term in distinct.words if term in hits)
    share = sum(distinct.words[term] for term in words) / distinct.weight
    return Use(root, newest[1], newest[0], newest[2], words, share, len(words) == 1 < len(distinct.words))


def _table_of(term: str) -> str:
    return _TRIGRAM_INDEX if _RUN.fullmatch(term) else _WORD_INDEX


def _quoted(term: str) -> str:
    """The term as a search string: words are phrases to the index, both of a pair must be there."""
    return " AND ".join('"' + word.replace('"', '""') + '"' for word in term.split(TOGETHER))


def _total(conn: sqlite3.Connection) -> int:
    row = conn.execute("SELECT max(id) FROM messages").fetchone()
    return int(row[0] or 0)


def words_of(distincts: Sequence[Distinct]) -> int:
    """How many different words these entries are asked about: what a progress bar counts."""
    return len({word for distinct in distincts for word in distinct.words})
