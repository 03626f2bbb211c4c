"""What sessions are called: all titles and ids, folded, kept as lines of one text because that is quick to search."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Final

from memoryhub.hermes.state_db import Connection
from memoryhub.hermes.state_schema import Schema
from memoryhub.hermes.values import as_text
from sessions_app.search.folding import fold
from sessions_app.search.statements import OutOfTime, ask

_RECENT: Final = 200
_NEWEST: Final = 4_000


@dataclass(frozen=True)
class Lines:
    """A text of lines, and where each line starts."""

    text: str = ""

    @cached_property
    def starts(self) -> list[int]:
        """The place of the first character of each line."""
        return list(accumulate((len(line) + 1 for line in self.text.split("\n")), initial=0))

    def line(self, number: int) -> str:
        """Return one line."""
        return self.text[self.starts[number] : self.starts[number + 1] - 1]


@dataclass(frozen=True)
class Names:
    """The ids of all sessions, oldest first; their folded titles and ids in the same order."""

    ids: tuple[str, ...] = ()
    titles: Lines = field(default_factory=Lines)
    folded_ids: Lines = field(default_factory=Lines)


def look_at_names(conn: Connection, schema: Schema, old: Names | None) -> Names:
    """Return what sessions are called; with `old`, only the newest sessions are read again."""
    title = "title" if schema.has("sessions", "title") else "NULL"
    sql = f"SELECT id, {title} FROM sessions ORDER BY rowid DESC"  # noqa: S608 - fixed words
    try:
        rows = ask(conn, 200, sql + (" LIMIT ?" if old else ""), (_RECENT,) if old else ())
    except OutOfTime:
        rows = ask(conn, 200, sql + " LIMIT ?", (_NEWEST,))
    new = {as_text(row[0]): fold(" ".join(as_text(row[1]).split())) for row in reversed(rows)}
    if old is not None and old.ids:
        first = max(0, len(old.ids) - 2 * _RECENT)
        recent = {old.ids[number]: old.titles.line(number) for number in range(first, len(old.ids))}
        if all(recent.get(one) == said for one, said in new.items()):
            return old
        before = dict(zip(old.ids, old.titles.text.split("\n"), strict=True))
        new = {**before, **new}
    ids = (fold(" ".join(one.split())) for one in new)
    return Names(tuple(new), Lines("\n".join(new.values())), Lines("\n".join(ids)))
