"""The slow, obvious search that the real one is compared with: every message is read, decoded and looked through."""

from __future__ import annotations

import json
import re
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from sessions_app.query_language import SearchQuery, Term

NO_SPACES = re.compile(r"[\u0e00-\u0fff\u1000-\u11ff\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff]")


def plain(text: str) -> str:
    """Lower case, without accents on Latin letters, straight apostrophes."""
    out = []
    for character in text.casefold() if text.isascii() else "".join(map(one_casefold, text)):
        base, *marks = unicodedata.normalize("NFD", character)
        latin = base.isascii() and base.isalpha() and len(marks) == 1
        if not 0x300 <= ord(character) <= 0x331:
            out.append(base if latin else character)
    return "".join(out).replace("’", "'")


def one_casefold(character: str) -> str:
    folded = character.casefold()
    return folded if len(folded) == 1 else character


def words(text: str) -> list[str]:
    """Runs of letters and digits; a script without spaces ends a word of another script."""
    found, run, kind = [], "", ""
    for character in plain(text) + " ":
        now = "" if not character.isalnum() else "run" if NO_SPACES.match(character) else "word"
        if now != kind or not now:
            if run:
                found.append(run)
            run = ""
        run += character if now else ""
        kind = now
    return found


def texts_of(row: sqlite3.Row) -> list[str]:
    """What a message says: its text, its tool's name, the names and arguments of its calls, and the stored calls."""
    content = row["content"] or ""
    if content.startswith("\0json:"):
        content = "\n".join(part.get("text", "") for part in json.loads(content[6:]))
    texts = [content, row["tool_name"] or ""]
    for call in json.loads(row["tool_calls"] or "[]"):
        texts.append(call["function"]["name"])
        texts.extend(leaves(json.loads(call["function"]["arguments"])))
    return [*texts, row["tool_calls"] or ""]


def leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from leaves(inner)
    elif isinstance(value, str):
        yield value


def found_in(term: Term, text: str) -> bool:
    if term.kind == "literal":
        return " ".join(plain(term.text).split()) in " ".join(plain(text).split())
    wanted, have = words(term.text), words(text)
    size = len(wanted)
    runs = (have[start : start + size] for start in range(len(have) - size + 1))
    if term.kind == "prefix":
        return any(run[0].startswith(wanted[0]) for run in runs)
    return any(run == wanted for run in runs)


def reference_ids(path: Path, query: SearchQuery) -> set[int]:
    """The ids of all messages that hold the query."""
    with closing(sqlite3.connect(path)) as conn:
        conn.row_factory = sqlite3.Row
        rows = conn.execute("SELECT * FROM messages WHERE active <> 0 OR compacted <> 0").fetchall()
    found = set()
    for row in rows:
        texts = texts_of(row)
        said = [any(any(found_in(term, text) for text in texts) for term in group) for group in query.groups]
        unsaid = any(found_in(term, text) for term in query.excluded for text in texts)
        if all(said) and not unsaid:
            found.add(row["id"])
    return found
