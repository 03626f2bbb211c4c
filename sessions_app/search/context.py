"""One search in progress: the connection, what is known of the file, the conditions, and the clock."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.values import as_text
from sessions_app.query_parts import SearchQuery
from sessions_app.search.documents import Document, documents, select
from sessions_app.search.filters import Conditions, not_rewound
from sessions_app.search.known import Known
from sessions_app.search.matching import matches
from sessions_app.search.results import Gap, Options
from sessions_app.search.statements import LONGEST_MS, ask, ask_raw

MOST_LISTED: Final = 1_000  # sessions whose ids are held at once


@dataclass
class Search:
    """What every step of a search needs."""

    conn: Connection
    known: Known
    query: SearchQuery
    options: Options
    conditions: Conditions
    session_ids: frozenset[bytes] | None = None  # the sessions that pass the filters, when they are not many
    gaps: list[Gap] = field(default_factory=list)
    fetched: dict[int, Document] = field(default_factory=dict)
    started: float = field(default_factory=time.perf_counter)
    worked_before: float = field(default_factory=time.thread_time)

    @property
    def elapsed_ms(self) -> float:
        """Milliseconds since the search began."""
        return (time.perf_counter() - self.started) * 1000

    @property
    def mostly_waited(self) -> bool:
        """Whether others used the processor for most of the time since the search began."""
        return (time.thread_time() - self.worked_before) * 1000 < self.elapsed_ms / 2

    def passing(self, ids: Sequence[int], *, of_any_session: bool = False, may_be_gone: bool = False) -> list[int]:
        """Return those ids whose messages pass the filters, in the same order. Raises OutOfTime.

        `of_any_session`: the messages are known to be of sessions that pass. `may_be_gone`: some may not exist.
        """
        hidden = frozenset[int]() if self.options.rewound else self.known.rewound
        where, values = list(self.conditions.on_row), list(self.conditions.row_values)
        by_session = bool(self.conditions.on_session) and not of_any_session
        if not by_session and not where and not may_be_gone:
            return [one for one in ids if one not in hidden]
        sql = (
            f"SELECT m.id, {'m.session_id' if by_session else 'NULL'} FROM json_each(?) AS wanted"  # noqa: S608
            f" CROSS JOIN messages AS m ON m.id = wanted.value{' WHERE ' if where else ''}{' AND '.join(where)}"
        )
        rows = ask_raw(self.conn, LONGEST_MS, sql, (json.dumps(list(ids)), *values))
        if not by_session:
            return [row[0] for row in rows if row[0] not in hidden]
        sessions = self.session_ids
        if sessions is None:
            sessions = self._passing_of({row[1] for row in rows})
        return [row[0] for row in rows if row[0] not in hidden and row[1] in sessions]

    def _passing_of(self, sessions: Collection[bytes]) -> frozenset[bytes]:
        """Return those of some sessions that pass the filters: fewer to look at than all that pass."""
        where = " AND ".join(["s.id IN (SELECT CAST(value AS TEXT) FROM json_each(?))", *self.conditions.on_session])
        sql = f"SELECT s.id FROM sessions AS s WHERE {where}"  # noqa: S608 - built from fixed words
        wanted = json.dumps([one.decode(errors="replace") for one in sessions if isinstance(one, bytes)])
        rows = ask_raw(self.conn, LONGEST_MS, sql, (wanted, *self.conditions.session_values))
        return frozenset(row[0] for row in rows)

    def passing_sessions(self, ids: Sequence[str]) -> list[str]:
        """Return those of some sessions that pass the filters, in the same order."""
        if not self.conditions.on_session:
            return list(ids)
        where = " AND ".join(["s.id IN (SELECT value FROM json_each(?))", *self.conditions.on_session])
        sql = f"SELECT s.id FROM sessions AS s WHERE {where}"  # noqa: S608 - built from fixed words
        rows = ask(self.conn, LONGEST_MS, sql, (json.dumps(list(ids)), *self.conditions.session_values))
        found = {as_text(row[0]) for row in rows}
        return [one for one in ids if one in found]

    def say(self, gap: Gap) -> None:
        """Record something that was not covered, once."""
        if gap not in self.gaps:
            self.gaps.append(gap)

    def row_conditions(self) -> tuple[list[str], list[object]]:
        """Return everything a message row `m` must fulfil besides the text."""
        where, values = self.conditions.all()
        visible = [] if self.options.rewound else [not_rewound(self.known.schema)]
        return [*visible, *where], list(values)

    def fetch(self, ids: Sequence[int]) -> list[Document]:
        """Return the messages with these ids, in that order; each is read once."""
        missing = [one for one in ids if one not in self.fetched]
        if missing:
            reasoning = self.options.reasoning
            sql = (
                f"SELECT {select(self.known.schema, 'm', reasoning=reasoning)} FROM messages AS m"  # noqa: S608
                " WHERE m.id IN (SELECT value FROM json_each(?))"
            )
            rows = ask(self.conn, LONGEST_MS, sql, (json.dumps(missing),))
            self.fetched.update((one.id, one) for one in documents(rows, reasoning=reasoning))
        return [self.fetched[one] for one in ids if one in self.fetched]

    def matching(self, found: Iterable[Document]) -> dict[int, Document]:
        """Return those of some messages that hold the query, by id."""
        return {one.id: one for one in found if matches(self.query, one)}
