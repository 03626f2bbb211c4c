"""Values found in columns of state.db: any type, half characters, encoded parts; made safe to handle as text."""

from __future__ import annotations

import json
import re
from typing import Any

# Hermes stores a list of parts (text, images) as this marker and JSON.
PARTS_MARKER = "\0json:"
_SURROGATE = re.compile("[\ud800-\udfff]")


def whole(text: str) -> str:
    """Return the text with lone surrogates (half characters) as U+FFFD, so that it can be encoded."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def as_text(value: object) -> str:
    """Return any column value as encodable text; NULL is the empty text."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return whole(value if isinstance(value, str) else str(value))


def as_json(value: object) -> Any:
    """Read a column value as JSON; `None` when it is not JSON (or JSON null)."""
    text = as_text(value)
    try:
        return json.loads(text) if text.strip() else None
    except (ValueError, RecursionError):
        return None


def plain_text(content: object) -> str:
    """Return the readable text of `messages.content`: text parts only when it holds encoded parts."""
    text = as_text(content)
    if not text.startswith(PARTS_MARKER):
        return text
    parts = as_json(text[len(PARTS_MARKER) :])
    if not isinstance(parts, list):
        return text[len(PARTS_MARKER) :]
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return whole("\n".join(piece for piece in texts if isinstance(piece, str)))
