"""The system prompt of a made-up session: a character, the memory snapshot of that day, the skills."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from memoryhub.demo.story import DELIMITER, LIMITS, Write, replay

_RULE: Final = "═" * 46
_HEADERS: Final = {"memory": "MEMORY (your personal notes)", "user": "USER PROFILE (who the user is)"}
_FILES: Final = {"memory": "MEMORY.md", "user": "USER.md"}
# Hermes' threat check hits a key below ~/.ssh and shows its own line in place of the entry.
_FLAGGED: Final = (("~/.ssh", "ssh_access"),)
CHARACTER: Final = (
    "You are Hermes, a careful assistant on Lin Yue's machines. Answer in the language of the question. Say what you "
    "did and what you did not check. Ask before anything is paid, sent or deleted."
)


def used(entries: Sequence[str]) -> int:
    """Characters of the joined entries, as Hermes counts them."""
    return len(DELIMITER.join(entries))


def usage(entries: Sequence[str], target: str) -> str:
    """How full a file is, in the words of the memory tool's answer."""
    chars, limit = used(entries), LIMITS[target]
    return f"{min(100, chars * 100 // limit)}% — {chars:,}/{limit:,} chars"


def snapshot(entries: Sequence[str], target: str) -> str:
    """The block of one memory file as it is frozen into a prompt; empty when there are no entries."""
    if not entries:
        return ""
    shown = [_shown(entry, target) for entry in entries]
    return "\n".join((_RULE, f"{_HEADERS[target]} [{usage(shown, target)}]", _RULE, DELIMITER.join(shown)))


def system_prompt(writes: Sequence[Write], until: timedelta, skills: Sequence[str]) -> str:
    """The whole prompt of a session that began `until` before now."""
    blocks = (snapshot(replay(writes, target, until), target) for target in ("memory", "user"))
    index = "Skills you can load with skill_view: " + ", ".join(skills)
    return "\n\n".join(part for part in (CHARACTER, *blocks, index) if part)


def _shown(entry: str, target: str) -> str:
    for sign, pattern in _FLAGGED:
        if sign in entry:
            return (
                f"[BLOCKED: {_FILES[target]} entry contained threat pattern(s): {pattern}. Removed from system prompt; "
                "use memory(action=remove) to delete the original.]"
            )
    return entry
