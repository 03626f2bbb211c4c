"""The filters of a query as SQL conditions on a message (`m`) and on its session."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from memoryhub.hermes.state_schema import Schema
from sessions_app.lineage import continues, knows_lineages
from sessions_app.query_parts import Filter, SearchQuery

# What tool answers look like when something failed. Read as patterns of LIKE.
_ERRORS: Final = (
    '%"error": "%', '%"error":"%', '%"error": {%', '%"error":{%', '%"success": false%', '%"success":false%',
    "error%", "traceback (most recent call last)%", "%traceback (most recent call last):%",
)  # fmt: skip
_EXIT_CODES: Final = ('*"exit_code": [1-9-]*', '*"exit_code":[1-9-]*')
# Seconds, whatever unit or text an importer wrote.
SECONDS: Final = (
    "CASE typeof(m.timestamp) WHEN 'text' THEN CASE WHEN m.timestamp GLOB '[0-9]*.[0-9]*' OR"
    " m.timestamp NOT GLOB '*[^0-9]*' THEN CAST(m.timestamp AS REAL) ELSE strftime('%s', m.timestamp) + 0 END"
    " ELSE CASE WHEN m.timestamp >= 1e17 THEN m.timestamp / 1e9 WHEN m.timestamp >= 1e14 THEN m.timestamp / 1e6"
    " WHEN m.timestamp >= 1e11 THEN m.timestamp / 1e3 ELSE m.timestamp END END"
)


@dataclass
class Conditions:
    """SQL conditions joined by AND. `on_session` are about `s`, a row of sessions; `on_row` about `m`, a message."""

    on_row: list[str] = field(default_factory=list)
    row_values: list[Any] = field(default_factory=list)
    on_session: list[str] = field(default_factory=list)
    session_values: list[Any] = field(default_factory=list)
    since: float | None = None
    until: float | None = None

    @property
    def is_empty(self) -> bool:
        """Whether every message passes."""
        return not self.on_row and not self.on_session

    def sessions(self) -> tuple[str, list[Any]]:
        """Return a SELECT of the session ids that pass."""
        return f"SELECT s.id FROM sessions AS s WHERE {' AND '.join(self.on_session)}", self.session_values  # noqa: S608

    def all(self) -> tuple[list[str], list[Any]]:
        """Return every condition as one on `m`."""
        if not self.on_session:
            return self.on_row, self.row_values
        sql, values = self.sessions()
        return [*self.on_row, f"m.session_id IN ({sql})"], [*self.row_values, *values]


def conditions(query: SearchQuery, schema: Schema, running: Collection[str]) -> Conditions:
    """Turn the filters of a query into conditions. A column that the file lacks holds nothing, so nothing passes."""
    made = Conditions()
    fields = dict.fromkeys((one.field, one.is_excluded) for one in query.filters)
    for name, is_excluded in fields:
        chosen = [one for one in query.filters if (one.field, one.is_excluded) == (name, is_excluded)]
        if name in ("before", "after"):
            _add_date(made, name, [one.moment for one in chosen if one.moment], schema)
        elif name in ("is", "has"):
            for one in chosen:
                _add_flag(made, one, schema, running)
        elif name != "profile":
            _add_choice(made, name, chosen, schema)
    return made


def not_rewound(schema: Schema) -> str:
    """Return the condition that hides undone messages; compacted ones stay."""
    if not schema.has("messages", "active"):
        return "1"
    return "(ifnull(m.active, 1) <> 0" + (" OR m.compacted <> 0)" if schema.has("messages", "compacted") else ")")


def _add_choice(made: Conditions, name: str, chosen: list[Filter], schema: Schema) -> None:
    choices, values = zip(*(_choice(name, one.value, schema) for one in chosen), strict=True)
    sql = f"({' OR '.join(choices)})"
    sql = f"NOT ifnull({sql}, 0)" if chosen[0].is_excluded else sql
    flat = [value for some in values for value in some]
    if name in ("role", "tool"):
        made.on_row.append(sql)
        made.row_values += flat
    else:
        made.on_session.append(sql)
        made.session_values += flat


def _choice(name: str, value: str, schema: Schema) -> tuple[str, list[Any]]:
    match name:
        case "source":
            return ("s.source IN (?, ?)", [value, value.lower()]) if schema.has("sessions", "source") else ("0", [])
        case "role":
            return ("m.role = ? COLLATE NOCASE", [value]) if schema.has("messages", "role") else ("0", [])
        case "session":
            return "(s.id = ? OR s.id LIKE ? ESCAPE '!')", [value, f"%{like(value)}%"]
        case "tool":
            return of_tool(value, schema)
        case "folder":
            return _contains(("cwd", "git_repo_root"), value, schema)
        case _:
            return _contains((name,), value, schema)


def _contains(columns: tuple[str, ...], value: str, schema: Schema) -> tuple[str, list[Any]]:
    there = [column for column in columns if schema.has("sessions", column)]
    sql = " OR ".join(f"s.{column} LIKE ? ESCAPE '!'" for column in there) or "0"
    return f"({sql})", [f"%{like(value)}%" for _ in there]


def of_tool(value: str, schema: Schema) -> tuple[str, list[Any]]:
    """Return the condition, and its values, that a message `m` calls the tool of this name or is its answer."""
    parts, values = [], []
    if schema.has("messages", "tool_name"):
        parts.append("m.tool_name = ? COLLATE NOCASE")
        values.append(value)
    if schema.has("messages", "tool_calls"):
        name = json.dumps(value)
        parts.append("m.tool_calls LIKE ? ESCAPE '!' OR m.tool_calls LIKE ? ESCAPE '!'")
        values += [f'%"name": {like(name)}%', f'%"name":{like(name)}%']
    return f"({' OR '.join(parts) or '0'})", values


def _add_date(made: Conditions, name: str, moments: list[datetime], schema: Schema) -> None:
    if not schema.has("messages", "timestamp"):
        made.on_row.append("0")
        return
    stamps = [moment.timestamp() for moment in moments]
    made.on_row.append(f"{SECONDS} {'<' if name == 'before' else '>='} ?")
    made.row_values.append(min(stamps) if name == "before" else max(stamps))
    if name == "before":
        made.until = min(stamps)
    else:
        made.since = max(stamps)


def _add_flag(made: Conditions, one: Filter, schema: Schema, running: Collection[str]) -> None:
    negation = "NOT " if one.is_excluded else ""
    if one.value == "error":
        made.on_row.append(f"{negation}ifnull({failed()}, 0)")
        made.row_values += [*_ERRORS, *_EXIT_CODES]
    elif one.value == "running":
        made.on_session.append(f"s.id {negation}IN (SELECT value FROM json_each(?))")  # noqa: S608 - fixed words
        made.session_values.append(json.dumps(sorted(running)))
    else:
        made.on_session.append(f"s.id {negation}IN ({_archived(schema)})")


def failed() -> str:
    """Return the condition that a message is the answer of a tool that failed; its values are in `failed_values`."""
    likes = " OR ".join("m.content LIKE ?" for _ in _ERRORS)
    globs = " OR ".join("m.content GLOB ?" for _ in _EXIT_CODES)
    return f"(m.role = 'tool' AND ({likes} OR {globs}))"


def _archived(schema: Schema) -> str:
    """Return a SELECT of the archived sessions; archiving one part of a lineage archives the conversation."""
    if not schema.has("sessions", "archived"):
        return "SELECT NULL WHERE 0"
    first = "SELECT id FROM sessions WHERE archived <> 0"
    if not knows_lineages(schema):
        return first
    parent_of, child_of = (
        f"SELECT {other}.id FROM talk JOIN sessions AS {one} ON {one}.id = talk.id"  # noqa: S608 - fixed words
        f" JOIN sessions AS {other} ON {continues(schema)}"
        for one, other in (("child", "parent"), ("parent", "child"))
    )
    return f"WITH RECURSIVE talk(id) AS ({first} UNION {parent_of} UNION {child_of}) SELECT id FROM talk"  # noqa: S608 - fixed words


def like(value: str) -> str:
    """Return the text for a LIKE pattern with ESCAPE '!'."""
    return value.replace("!", "!!").replace("%", "!%").replace("_", "!_")
