"""Messages as hits: with their session's names, their lineage, and the piece of text that was found."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import as_text
from sessions_app.lineage import roots
from sessions_app.query_parts import Term
from sessions_app.search.context import Search
from sessions_app.search.documents import Document
from sessions_app.search.results import Hit
from sessions_app.search.snippets import mark, neutral, snippet
from sessions_app.search.statements import LONGEST_MS, ask
from sessions_app.search.titles import Named

_SESSION: tuple[str, ...] = ("id", "title", "source", "model", "started_at", "archived")


def hits_of(search: Search, found: Sequence[Document], terms: Sequence[Term]) -> tuple[Hit, ...]:
    """Turn messages into hits, in the same order."""
    ids = dict.fromkeys(one.session_id for one in found)
    rows = session_rows(search, ids)
    firsts = roots(search.conn, search.known.schema, ids)
    return tuple(_hit(one, rows.get(one.session_id), firsts[one.session_id], terms) for one in found)


def named_hits(search: Search, found: Sequence[Named], terms: Sequence[Term]) -> tuple[Hit, ...]:
    """Turn sessions that were found by title or id into hits."""
    ids = [one.session_id for one in found]
    rows = session_rows(search, ids)
    firsts = roots(search.conn, search.known.schema, ids)
    hits = []
    for one in found:
        row = rows.get(one.session_id)
        title = as_text(row["title"]) if row else ""
        text = mark(one.session_id if one.place == "session" else title, terms)
        hits.append(
            Hit(
                None,
                one.session_id,
                firsts[one.session_id],
                neutral(title),
                "",
                *_origin(row),
                parse_time(row["started_at"]) if row else None,
                text,
                place=one.place,
                is_archived=_is_archived(row),
            )
        )
    return tuple(hits)


def session_rows(search: Search, ids: Iterable[str]) -> dict[str, sqlite3.Row]:
    """Return the rows of sessions by id; a session that is not recorded has none."""
    columns = search.known.schema.select("sessions", *_SESSION)
    sql = f"SELECT {columns} FROM sessions WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608 - fixed names
    return {as_text(row["id"]): row for row in ask(search.conn, LONGEST_MS, sql, (json.dumps(list(ids)),))}


def _hit(one: Document, row: sqlite3.Row | None, first: str, terms: Sequence[Term]) -> Hit:
    piece = snippet(one, terms)
    return Hit(
        one.id, one.session_id, first, neutral(as_text(row["title"])) if row else "", neutral(one.role), *_origin(row),
        parse_time(one.timestamp), piece.text, piece.before, piece.after, piece.place,
        _is_archived(row), one.is_rewound, one.is_compacted,
    )  # fmt: skip


def _origin(row: sqlite3.Row | None) -> tuple[str, str]:
    return (neutral(as_text(row["source"])), neutral(as_text(row["model"]))) if row else ("", "")


def _is_archived(row: sqlite3.Row | None) -> bool:
    return bool(row and row["archived"])
