"""The `tool_calls` column and the answers of the memory tool, in all the shapes that interrupted streams leave.

Knows the JSON only: no tables, no files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from memoryhub.hermes.values import as_json, as_text, plain_text, whole

ACTIONS: Final = ("add", "replace", "remove")
# Long answers may be cut; the verdict stands at their beginning.
_VERDICT: Final = re.compile(r'"success"\s*:\s*(true|false)')
_STAGED: Final = re.compile(r'"staged"\s*:\s*true')


@dataclass(frozen=True)
class ToolCall:
    """One call: `arguments` is None when they cannot be read."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None


def tool_calls(value: object) -> tuple[ToolCall, ...]:
    """Return the readable calls of a `tool_calls` value: a list, one object, or either as JSON in a string."""
    found = as_json(value)
    if isinstance(found, str):
        found = as_json(found)
    items = found if isinstance(found, list) else [found]
    return tuple(call for item in items if (call := _call(item)) is not None)


def memory_actions(arguments: Mapping[str, Any] | None) -> Iterator[tuple[str, str, str, str]]:
    """Yield (action, target, content, old_text) for each operation of a memory call, single or in a batch."""
    if arguments is None:
        return
    target = _text(arguments.get("target")) or "memory"  # the tool's own default
    batch = arguments.get("operations")
    operations = as_json(batch) if isinstance(batch, str) else batch
    for one in operations if isinstance(operations, list) and operations else [arguments]:
        if isinstance(one, Mapping) and _text(one.get("action")) in ACTIONS:
            texts = (_text(one.get("content")), _text(one.get("old_text")))
            yield (_text(one.get("action")), target, *texts)


def outcome(content: object) -> tuple[bool | None, str]:
    """Read the memory tool's answer: whether the write was done, and the pending record's id if it was staged.

    `(None, "")` when there is no answer or it tells nothing.
    """
    text = plain_text(content)
    answer = as_json(text)
    if not isinstance(answer, dict):
        verdict = _VERDICT.search(text)
        answer = {"success": verdict[1] == "true", "staged": bool(_STAGED.search(text))} if verdict else {}
    if answer.get("staged") is True:
        return False, _text(answer.get("pending_id")) or "?"
    if isinstance(answer.get("success"), bool):
        return answer["success"], ""
    return (False, "") if answer.get("error") else (None, "")


def _call(item: object) -> ToolCall | None:
    if not isinstance(item, dict):
        return None
    function = item.get("function", item)
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return None
    arguments = function.get("arguments", function.get("input"))
    if isinstance(arguments, str):
        arguments = as_json(arguments)
    identity = item.get("id") or item.get("call_id") or ""
    return ToolCall(as_text(identity), whole(function["name"]), arguments if isinstance(arguments, dict) else None)


def _text(value: object) -> str:
    if isinstance(value, str):
        return whole(value).strip()
    return "" if value is None else json.dumps(value)
