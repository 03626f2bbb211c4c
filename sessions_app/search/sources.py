"""Which index finds which term: a term becomes one or more SELECTs of message ids, or is left to reading the texts."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from memoryhub.hermes.state_db import Connection
from sessions_app.query_parts import Term
from sessions_app.search.folding import fold, has_unspaced, is_whole_when_escaped, is_word_character, words_of
from sessions_app.search.index_state import TRIGRAM, WORD, IndexState, quoted
from sessions_app.search.matching import pattern

VOCABULARY: Final = "temp.search_pieces"
WORDS_SEEN: Final = "temp.search_words"
# Words beginning with one or two letters fill half of a large index, and merging them cannot be interrupted.
_SHORTEST_PREFIX: Final = 3
_MOST_GLUED: Final = 60
_CODE_LENGTH: Final = 5  # of an escape as the word index sees it: u00e9


@dataclass(frozen=True)
class Source:
    """A SELECT of message ids. For `word` and `trigram`, `match` is an FTS5 expression; `range` has two bounds."""

    kind: Literal["word", "trigram", "range"]
    match: str = ""
    low: str = ""
    high: str = ""

    def sql(self) -> tuple[str, list[str]]:
        """Return the SELECT and its values."""
        if self.kind == "range":
            return f"SELECT doc AS rowid FROM {VOCABULARY} WHERE term >= ? AND term < ?", [self.low, self.high]  # noqa: S608
        table = WORD if self.kind == "word" else TRIGRAM
        return f"SELECT rowid FROM {table} WHERE {table} MATCH ?", [self.match]  # noqa: S608 - fixed names


def sources(term: Term, indexes: IndexState) -> tuple[Source, ...] | None:
    """Return where the term is found exactly; `None` when no index that can be asked finds it."""
    if term.kind == "literal":
        # The trigram index ends a text at its first NUL, so lists of parts are only in the word index.
        return literal_sources(term.text) if indexes.trigram.is_usable and indexes.word.is_usable else None
    if not indexes.word.is_usable or (term.kind == "prefix" and len(term.text) < _SHORTEST_PREFIX):
        return None
    return (Source("word", quoted(term.text) + ("*" if term.kind == "prefix" else "")),)


def superset(term: Term, indexes: IndexState) -> Source | None:
    """Return a source that surely holds every message with the term, and others; `None` when there is none."""
    if term.kind != "literal":
        exact = sources(term, indexes)
        return exact[0] if exact else None
    if not indexes.word.is_usable or has_unspaced(term.text) or not term.text.isascii():
        return None
    return _whole_words_in(term.text)


def _whole_words_in(text: str) -> Source | None:
    """Return the words that a message with this text must have: those that punctuation in the text separates."""
    first = 0
    while first < len(text) and is_word_character(text[first]):
        first += 1  # the first word may be the end of a longer one
    words = words_of(text[first:])
    if not words:
        return None
    is_open = is_word_character(text[-1])
    return Source("word", quoted(" ".join(words)) + ("*" if is_open else ""))


def same_words(term: Term) -> Source | None:
    """Return where the words of a literal text stand in a row, whatever their accents."""
    words = words_of(term.text)
    return Source("word", quoted(" ".join(words)) + "*") if words and not has_unspaced(term.text) else None


def literal_sources(text: str) -> tuple[Source, ...]:
    """Return where a text stands as it is, in the trigram index."""
    spellings = [text, *_escaped(text)]
    decomposed = unicodedata.normalize("NFD", text)
    if decomposed != text:
        spellings.append(decomposed)
    found = []
    if len(text) < 3:  # see is_short
        low = text.lower()
        found.append(Source("range", low=low, high=_after(low)))
    long = " OR ".join(quoted(spelling) for spelling in spellings if len(spelling) >= 3)
    if long:
        found.append(Source("trigram", long))
    if is_whole_when_escaped(text):
        found.append(_codes((text,)))
    return tuple(found)


def _codes(spellings: Sequence[str]) -> Source:
    """Return where the word index holds the texts as JSON escapes: it takes each escape for a word of its own."""
    escaped = (json.dumps(spelling)[1:-1] for spelling in spellings)
    return Source("word", " OR ".join(quoted(" ".join(words_of(one))) + "*" for one in dict.fromkeys(escaped)))


def is_short(term: Term) -> bool:
    """Say whether a text is shorter than the pieces of the trigram index, so that its list of pieces is needed."""
    return term.kind == "literal" and len(term.text) < 3


def _after(text: str) -> str:
    """Return the first text that sorts behind every text beginning with this one."""
    code = ord(text[-1]) + 1
    return text[:-1] + chr(0xE000 if 0xD800 <= code < 0xE000 else min(code, 0x10FFFF))


def _escaped(text: str) -> list[str]:
    """Return how JSON writes the text, once and nested, where that differs: Hermes stores tool arguments so."""
    spellings: list[str] = []
    for forms in ((text,), (text.lower(), text.upper(), text.title())):
        for form in forms:
            for to_ascii in (True, False):
                once = json.dumps(form, ensure_ascii=to_ascii)[1:-1]
                twice = json.dumps(once, ensure_ascii=to_ascii)[1:-1]
                spellings += [once, twice]
        if text.isascii():
            break
    return [spelling for spelling in dict.fromkeys(spellings) if spelling.lower() != text.lower()]


def escaped_words(term: Term, *, is_common: bool = False) -> tuple[Source, ...]:
    """Return where a word or phrase may stand glued to an escaped line break or tab, or with its letters escaped.

    For a common word only its first letters are asked for: the rest of it stands in too many messages.
    """
    words = words_of(term.text)
    if not words:
        return ()
    plain = " ".join(words)
    spellings = [f"\\{mark}{plain[:3] if is_common else plain}" for mark in ("n" if is_common else "ntr")]
    if not plain.isascii():
        spellings += _escaped(plain)
    if len(words) > 1:
        spellings += [joint.join(words) for joint in ("\\n", "\\\\n")]
    found = [Source("trigram", " OR ".join(map(quoted, spellings)))]
    if not plain.isascii():
        found.append(_codes((plain, plain.lower(), plain.upper(), plain.title())))
    return tuple(found)


def part_of_word(term: Term) -> tuple[Source, ...]:
    """Return where the term stands as any part of a word, also with its letters escaped; none when it is too short."""
    words = words_of(term.text)
    if len(words) != 1 or len(words[0]) < 3:
        return ()
    word = words[0]
    if word.isascii():
        return (Source("trigram", quoted(word)),)
    plain = dict.fromkeys((word, unicodedata.normalize("NFD", word)))
    if codes := _codes_in(word):
        return (Source("trigram", " OR ".join(map(quoted, plain))), codes)
    spellings = dict.fromkeys((*plain, *_escaped(word)))
    return (Source("trigram", " OR ".join(map(quoted, spellings))), *escaped_words(term))


def _codes_in(word: str) -> Source | None:
    """Return where the word index holds the escaped letters of a word and what follows them, whatever stands before.

    The trigram index needs a dozen lists for each spelling of these. `None` when a code would stand alone.
    """
    found = []
    for form in (word, word.lower(), word.upper(), word.title()):
        if form.isascii():
            continue
        pieces = words_of(json.dumps(form)[1:-1])[1 if form[0].isascii() else 0 :]
        if len(pieces) == 1 and len(pieces[0]) <= _CODE_LENGTH:
            return None
        found.append(quoted(" ".join(pieces)) + "*")
    return Source("word", " OR ".join(dict.fromkeys(found)))


def words_anywhere(term: Term) -> Source | None:
    """Return where all longer words of a phrase stand as parts of words; `None` when it has none."""
    words = [word for word in words_of(term.text) if len(word) >= 3]
    return Source("trigram", f"({' AND '.join(map(quoted, words))})") if words else None


def prepare(conn: Connection, indexes: IndexState, *, words: bool = False) -> None:
    """Make the term lists of the indexes readable, as temporary tables of this connection only."""
    made = [(VOCABULARY, indexes.trigram, "instance")]
    if words:
        made.append((WORDS_SEEN, indexes.word, "row"))
    conn.execute("PRAGMA query_only = OFF")  # the file itself stays read-only: it was opened so
    try:
        for table, index, kind in made:
            if index.is_usable:
                conn.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS {table} USING fts5vocab(main, {index.name}, {kind})")
    finally:
        conn.execute("PRAGMA query_only = ON")


def glued(term: Term, runs: Sequence[str]) -> tuple[Source, ...]:
    """Return a source of index words in which the term touches a script without spaces, out of all such words."""
    words = words_of(term.text)
    if len(words) != 1 or term.kind not in ("word", "prefix"):
        return ()
    word = fold(words[0])
    exact = [run for run in runs if word in run and pattern(term).search(run)]
    return (Source("word", " OR ".join(map(quoted, exact[:_MOST_GLUED]))),) if exact else ()
