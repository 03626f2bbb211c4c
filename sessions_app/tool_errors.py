"""Whether a tool's answer says that something failed."""

from __future__ import annotations

import re
from typing import Any, Final

from memoryhub.hermes.values import as_json

_LONGEST_JSON: Final = 100_000
_BEGINNING: Final = 1_000
_WORDS: Final = re.compile(
    r"\s*(?:error\b|fatal\b|traceback \(most recent call last\)|exception\b|command failed|permission denied)", re.I
)
_INSIDE: Final = re.compile(
    r'Traceback \(most recent call last\):|"success"\s*:\s*false|"exit_code"\s*:\s*-?[1-9]|"error"\s*:\s*(?:"[^"]|\{)'
)


def is_error(text: str) -> bool:
    """Say whether an answer is an error: by its JSON where it is JSON, else by how it begins."""
    found = as_json(text) if text[:1] in "{[" and len(text) <= _LONGEST_JSON else None
    if isinstance(found, dict):
        return _says_error(found)
    return bool(_WORDS.match(text[:_BEGINNING]) or _INSIDE.search(text[:_LONGEST_JSON]))


def _says_error(answer: dict[str, Any]) -> bool:
    if answer.get("success") is False or answer.get("ok") is False:
        return True
    code = answer.get("exit_code", answer.get("returncode", 0))
    if isinstance(code, int) and not isinstance(code, bool) and code != 0:
        return True
    return bool(answer.get("error")) and answer.get("success") is not True
