"""Message rows become turns: what was said, thought and called, each call with its result, and what broke between.

Pure: knows neither words for people nor HTML; every text comes out as it is stored, decoded and encodable.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from memoryhub.hermes.times import parse_time
from memoryhub.hermes.tool_calls import tool_calls
from memoryhub.hermes.values import PARTS_MARKER, as_json, as_text, plain_text, whole
from sessions_app.conversation import is_undone
from sessions_app.images import Image, images_of
from sessions_app.tool_errors import is_error

_LONGEST_FIELDS: Final = 100_000
_MOST_FIELDS: Final = 30
_SHORT: Final = 80

Kind = Literal["user", "assistant", "tool", "system", "other"]
KINDS: Final[dict[str, Kind]] = {
    "user": "user", "assistant": "assistant", "tool": "tool", "system": "system", "developer": "system",
}  # fmt: skip


@dataclass(frozen=True)
class Result:
    """The answer of a tool."""

    id: int
    text: str
    name: str
    at: datetime | None
    is_error: bool
    images: tuple[Image, ...] = ()
    is_undone: bool = False


@dataclass(frozen=True)
class Call:
    """One tool call. `arguments` are (name, text) pairs, None when they cannot be read; `raw` is then what is stored.

    A call whose name cannot be read either has the name "".
    """

    id: str
    name: str
    arguments: tuple[tuple[str, str], ...] | None
    raw: str = ""
    result: Result | None = None


@dataclass
class Turn:
    """One message as it is shown. `kind` is one of a fixed set, safe as a class name; `role` is what is stored.

    `part` is the place of its session in the conversation. A `tool` turn stands alone: its call is not in the window.
    """

    id: int
    kind: Kind
    role: str
    at: datetime | None
    text: str
    part: int = 0
    reasoning: str = ""
    calls: list[Call] = field(default_factory=list)
    images: tuple[Image, ...] = ()
    result: Result | None = None
    tokens: int | None = None
    finish: str = ""
    is_undone: bool = False
    is_compacted: bool = False
    is_cut: bool = False
    is_another: bool = False  # a further result of a call that has one


def turns(rows: Iterable[sqlite3.Row], parts: Sequence[str] = ()) -> list[Turn]:
    """Return the turns of rows in order of reading; `parts` are the session ids of the conversation, in order."""
    places = {name: place for place, name in enumerate(parts)}
    made: list[Turn] = []
    for row in rows:
        turn = _turn(row, places.get(as_text(row["session_id"]), 0))
        if turn.kind == "tool" and _answer(made, row, turn):
            continue
        made.append(turn)
    return made


def _turn(row: sqlite3.Row, part: int) -> Turn:
    role = as_text(row["role"])
    content = as_text(row["content"])
    kind = KINDS.get(role, "other")
    turn = Turn(
        id=row["id"],
        kind=kind,
        role=role,
        at=parse_time(row["timestamp"]),
        text=plain_text(content),
        part=part,
        reasoning="\n\n".join(dict.fromkeys(filter(None, map(as_text, (row["reasoning"], row["reasoning_content"]))))),
        calls=calls_of(row["tool_calls"]),
        images=images_of(content),
        tokens=row["token_count"] if isinstance(row["token_count"], int) and row["token_count"] > 0 else None,
        finish=as_text(row["finish_reason"]),
        is_undone=is_undone(row),
        is_compacted=bool(row["compacted"]),
        is_cut=content.startswith(PARTS_MARKER) and not isinstance(as_json(content[len(PARTS_MARKER) :]), list),
    )
    if kind == "tool":
        turn.result = _result(row, turn)
    return turn


def _result(row: sqlite3.Row, turn: Turn) -> Result:
    name = as_text(row["tool_name"])
    return Result(turn.id, turn.text, name, turn.at, is_error(turn.text), turn.images, turn.is_undone)


def _answer(made: list[Turn], row: sqlite3.Row, turn: Turn) -> bool:
    """Put a result to the call it answers, when that stands in one of the turns just before."""
    answered = as_text(row["tool_call_id"])
    for before in reversed(made[-40:]):
        if before.kind == "user":
            return False
        for place, call in enumerate(before.calls):
            turn.is_another = turn.is_another or bool(answered and call.id == answered and call.result)
            if call.result is None and (call.id == answered if answered else call.name == as_text(row["tool_name"])):
                before.calls[place] = Call(call.id, call.name, call.arguments, call.raw, turn.result)
                return True
    return False


def calls_of(value: object) -> list[Call]:
    """Read a `tool_calls` value whatever it holds: unreadable calls come out with the text that stands there."""
    text = as_text(value).strip()
    if not text:
        return []
    found = as_json(text)
    if isinstance(found, str):
        found = as_json(found) if as_json(found) is not None else found
    if isinstance(found, list):
        return [_call(item) for item in found]
    return [_call(found, text)]


def _call(item: object, text: str = "") -> Call:
    raw = text or json.dumps(item, ensure_ascii=False)
    readable = tool_calls(raw if text else json.dumps(item)) if isinstance(item, dict) else ()
    if not readable:
        return Call("", "", None, whole(raw))
    call = readable[0]
    if call.arguments is None:
        function: Any = item.get("function", item) if isinstance(item, dict) else {}
        stored = function.get("arguments") if isinstance(function, dict) else None
        if stored in (None, "", "null"):
            return Call(call.id, call.name, ())
        return Call(call.id, call.name, None, as_text(stored if isinstance(stored, str) else raw))
    return Call(call.id, call.name, tuple((whole(str(name)), _shown(value)) for name, value in call.arguments.items()))


def fields_of(answer: str) -> tuple[tuple[str, str], ...]:
    """Read a tool's answer that is a JSON object as (name, text) pairs, longest texts last; none for other answers."""
    found = as_json(answer) if answer[:1] == "{" and len(answer) <= _LONGEST_FIELDS else None
    if not isinstance(found, dict) or len(found) > _MOST_FIELDS:
        return ()
    pairs = [(whole(str(name)), _shown(value)) for name, value in found.items()]
    return tuple(sorted(pairs, key=lambda pair: len(pair[1]) > _SHORT))


def _shown(value: object) -> str:
    """An argument as a person reads it: text as it is, the rest as JSON set out in lines."""
    if isinstance(value, str):
        return whole(value)
    try:
        return whole(json.dumps(value, ensure_ascii=False, indent=2))
    except (RecursionError, ValueError):
        return "…"
