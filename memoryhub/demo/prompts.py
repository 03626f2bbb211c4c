"""The system prompt of a made-up session: a character, the memory snapshot of that day, the skills."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache
from typing import Final

from memoryhub.demo.story import DELIMITER, LIMITS, Write, replay
from memoryhub.gauge import hermes_percent
from memoryhub.hermes import prompt
from memoryhub.hermes.home import FILE_NAMES

CHARACTER: Final = (
    "You are Hermes, a careful assistant on Lin Yue's machines. Answer in the language of the question. Say what you "
    "did and what you did not check. Ask before anything is paid, sent or deleted."
)


def usage(entries: Sequence[str], target: str) -> str:
    """How full a file is, in the words of the memory tool's answer."""
    chars, limit = len(DELIMITER.join(entries)), LIMITS[target]
    return f"{hermes_percent(chars, limit)}% — {chars:,}/{limit:,} chars"


def system_prompt(writes: Sequence[Write], until: timedelta, skills: Sequence[str]) -> str:
    """The whole prompt of a session that began `until` before now."""
    blocks = (_snapshot(tuple(replay(writes, target, until)), target) for target in LIMITS)
    index = "Skills you can load with skill_view: " + ", ".join(skills)
    return "\n\n".join(part for part in (CHARACTER, *blocks, index) if part)


@lru_cache(maxsize=256)
def _snapshot(entries: tuple[str, ...], target: str) -> str:
    return prompt.block(entries, target, LIMITS[target], file_name=FILE_NAMES[target]).text
