"""A whole conversation as Markdown or as JSON; secrets masked by choice. `export_page` writes the HTML file.

Works on turns, a stretch at a time, so that a conversation of any length is written in little memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sessions_app import masking
from sessions_app.facts import PartFacts
from sessions_app.images import Image
from sessions_app.pieces import line
from sessions_app.transcript import Call, Result, Turn

FORMATS: Final = {
    "md": ("text/markdown; charset=utf-8", "md"),
    "json": ("application/json; charset=utf-8", "json"),
    "html": ("text/html; charset=utf-8", "html"),
}
_SAFE: Final = re.compile(r"[^A-Za-z0-9]+")
_FENCE: Final = re.compile(r"`{3,}")


@dataclass(frozen=True)
class Export:
    """What to write. `image` returns (kind, bytes) of an image of a message, None when it is not stored inline."""

    title: str
    parts: tuple[PartFacts, ...]
    turns: Iterable[Turn]
    is_masked: bool
    made_at: datetime
    image: Callable[[int, Image], tuple[str, bytes] | None] | None = None

    def shown(self, text: str) -> str:
        """A text as it is exported."""
        return masking.masked(text) if self.is_masked else text

    def value(self, name: str, text: str) -> str:
        """The value of a named argument as it is exported."""
        return masking.mask(text, masking.find_named(name, text)) if self.is_masked else text


def file_name(session_id: str, form: str) -> str:
    """Return a fixed, safe name: letters and digits of the session's id only, never of its title."""
    name = _SAFE.sub("-", session_id).strip("-")[:60] or "session"
    return f"conversation-{name}.{FORMATS[form][1]}"


def written(export: Export, form: str) -> Iterator[str]:
    """Yield the file's text in pieces; `form` is md or json (html: `sessions_app.export_page`)."""
    return {"md": _markdown, "json": _json}[form](export)


def _markdown(export: Export) -> Iterator[str]:
    yield f"# {_plain_heading(export.shown(export.title))}\n\n"
    for part in export.parts:
        yield f"- {facts_words(part)}\n"
    yield f"- Exported {export.made_at.isoformat(timespec='seconds')}; {mask_words(export)}\n"
    at = 0
    for turn in export.turns:
        if turn.part != at:
            at = turn.part
            yield "\n---\n\n*The conversation was compressed here and went on in another session.*\n"
        yield f"\n## {heading(turn)}\n\n"
        if turn.reasoning:
            yield f"<details><summary>Reasoning</summary>\n\n{_fenced(export.shown(turn.reasoning))}\n\n</details>\n\n"
        if turn.text:
            yield (_fenced if turn.kind == "tool" else _quiet)(export.shown(turn.text)) + "\n"
        for image in turn.images:
            yield f"\n*{image_words(image)}*\n"
        for call in turn.calls:
            yield from _call_markdown(export, call)


def _call_markdown(export: Export, call: Call) -> Iterator[str]:
    yield f"\n**Tool: {_quiet(call.name) or 'unreadable call'}**\n\n"
    if call.arguments is None:
        yield _fenced(export.shown(call.raw)) + "\n"
    for name, value in call.arguments or ():
        yield f"{_quiet(name)}:\n\n{_fenced(export.value(name, value))}\n"
    if call.result is not None:
        yield f"\nResult{' (error)' if call.result.is_error else ''}:\n\n{_fenced(export.shown(call.result.text))}\n"


def _quiet(text: str) -> str:
    """Text in Markdown that cannot become HTML of a viewer: tags are not read as tags."""
    return text.replace("<", "&lt;")


def _plain_heading(text: str) -> str:
    return _quiet(" ".join(text.split())) or "Conversation"


def _fenced(text: str) -> str:
    longest = max((len(found[0]) for found in _FENCE.finditer(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _json(export: Export) -> Iterator[str]:
    head = {
        "title": export.shown(export.title),
        "exported_at": export.made_at.isoformat(timespec="seconds"),
        "secrets": "masked" if export.is_masked else "included",
        "parts": [_part_json(part, export) for part in export.parts],
    }
    yield _dumped(head)[:-1] + ', "messages": ['
    for place, turn in enumerate(export.turns):
        yield (",\n" if place else "\n") + _dumped(_turn_json(turn, export))
    yield "\n]}\n"


def _dumped(value: object) -> str:
    """JSON that may stand anywhere: what HTML or JavaScript could take for its own is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _part_json(part: PartFacts, export: Export) -> dict[str, Any]:
    return {
        "session_id": part.id,
        "title": export.shown(part.title),
        "source": part.source,
        "model": part.model,
        "started_at": _iso(part.started),
        "ended_at": _iso(part.ended),
        "end_reason": part.reason,
        "messages": part.messages,
        "tokens": part.usage.tokens,
        "cost_usd": part.usage.cost,
        "cost_is_actual": part.usage.is_actual,
    }


def _turn_json(turn: Turn, export: Export) -> dict[str, Any]:
    return {
        "id": turn.id,
        "part": turn.part + 1,
        "role": turn.role,
        "time": _iso(turn.at),
        "text": export.shown(turn.text),
        "reasoning": export.shown(turn.reasoning),
        "images": [{"kind": image.kind, "bytes": image.size, "host": image.host} for image in turn.images],
        "undone": turn.is_undone,
        "compacted": turn.is_compacted,
        "tool_calls": [_call_json(call, export) for call in turn.calls],
        **({"tool_name": turn.result.name, "is_error": turn.result.is_error} if turn.result else {}),
    }


def _call_json(call: Call, export: Export) -> dict[str, Any]:
    pairs = None if call.arguments is None else {name: export.value(name, value) for name, value in call.arguments}
    return {
        "id": call.id,
        "name": call.name,
        "arguments": pairs,
        **({"unreadable": export.shown(call.raw)} if pairs is None else {}),
        "result": _result_json(call.result, export) if call.result else None,
    }


def _result_json(result: Result, export: Export) -> dict[str, Any]:
    return {
        "id": result.id,
        "name": result.name,
        "time": _iso(result.at),
        "is_error": result.is_error,
        "text": export.shown(result.text),
    }


def image_words(image: Image) -> str:
    """What stands for an image where it is not shown."""
    if image.kind:
        return f"image ({image.kind}, {image.size:,} bytes)"
    return f"image not stored here{f' ({image.host})' if image.host else ''}"


def heading(turn: Turn) -> str:
    """Who said something, and when."""
    who = {"user": "You", "assistant": "Agent", "tool": "Tool", "system": "System"}.get(turn.kind, line(turn.role))
    when = f" · {turn.at.isoformat(timespec='seconds')}" if turn.at else ""
    return f"{who}{when}{' · undone' if turn.is_undone else ''}"


def facts_words(part: PartFacts) -> str:
    """A part of the conversation on one line."""
    known = (f"Session {part.id}", part.source, part.model, _iso(part.started), f"{part.messages:,} messages")
    return _quiet(", ".join(line(one) for one in known if one))


def mask_words(export: Export) -> str:
    """Whether secrets are in it."""
    return "secrets masked" if export.is_masked else "secrets included"


def _iso(at: datetime | None) -> str | None:
    return at.isoformat(timespec="seconds") if at else None
