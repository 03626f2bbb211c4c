"""Homes whose entries are known to be used, faded, contradicted or never used, over 400 days of conversations.

Everything is made up from seeded syllables, so the words of entries are as rare as a project's own names are; common
words are ordinary English. With ``noise`` single words of entries turn up in conversations that have nothing to do with
them; with ``paraphrase`` a mention repeats only some of an entry's words.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.builders import Row, make_state_db, memory_call, message, session

DAY: Final = 86_400.0
DAYS: Final = 400
END: Final = 1_796_000_000.0  # the day on which the ranking is asked for
USED, FADED, CONTRADICTED, NEVER = "used", "faded", "contradicted", "never"
FATES: Final = (USED, FADED, CONTRADICTED, NEVER)
_SYLLABLES: Final = tuple(re.findall("..[nlrst]?", "kalomirentasvorneldupriqashabogantirulfenquizomarosthel"))
_COMMON: Final = tuple(
    re.findall(
        r"\w+",
        "the service runs on host with port and path so that deploys work when build passes check server test file"
        " config update user data name time change error result list page call key value start stop line type code set",
    )
)
_SHAPES: Final = (
    "{0} runs on {1}, port {n}, logs in {2}",
    "Deploy {0} from {1} only after {2} passes",
    "The {0} importer needs {1} and {2} to be set",
    "Prefers {0} over {1} when {2} is involved",
    "{0} talks to {1} through {2}, restart it with care",
    "Backups of {0} go to {1}, checked by {2}",
)


@dataclass(frozen=True)
class MadeEntry:
    """One entry of a made home and what became of it."""

    text: str
    fate: str
    names: tuple[str, ...]


def make(path: Path, seed: int, *, entries: int = 16, noise: bool = False, paraphrase: bool = False) -> list[MadeEntry]:
    """Make a state.db at ``path``; return its entries, as many of each fate."""
    chance = random.Random(seed)
    made = [_entry(chance, FATES[at % len(FATES)]) for at in range(entries)]
    sessions: list[Row] = []
    messages: list[Row] = []

    def converse(day: float, texts: list[str]) -> None:
        name, at = f"s{len(sessions):05d}", END - (DAYS - day) * DAY
        sessions.append(session(name, started_at=at, ended_at=at + 600))
        for turn, text in enumerate(texts):
            role = "user" if turn % 2 == 0 else "assistant"
            messages.append(message(name, role, text, timestamp=at + turn))

    for entry in made:
        name, at = f"w{len(sessions):05d}", END - (DAYS - 1) * DAY
        sessions.append(session(name, started_at=at, ended_at=at + 60))
        messages += memory_call(name, {"action": "add", "content": entry.text}, {"success": True}, timestamp=at)
        for day in _days(chance, entry.fate):
            converse(day, [_mention(chance, entry, paraphrase), _chatter(chance), _mention(chance, entry, paraphrase)])
        if entry.fate == CONTRADICTED:
            converse(260, [f"{entry.names[0]} is gone, use {_name(chance)} from now on", _chatter(chance)])
    for _ in range(3 * DAYS):
        talk = [_chatter(chance) for _ in range(4)]
        if noise:
            talk[0] += " " + chance.choice(chance.choice(made).names)
        converse(chance.uniform(2, DAYS), talk)
    messages.sort(key=lambda row: row["timestamp"])
    make_state_db(path, sessions=sessions, messages=messages)
    return made


def area_under_curve(good: list[int], bad: list[int]) -> float:
    """How often a good one ranks above a bad one, ties counting half."""
    pairs = [(1.0 if one > other else 0.5 if one == other else 0.0) for one in good for other in bad]
    return sum(pairs) / len(pairs)


def _entry(chance: random.Random, fate: str) -> MadeEntry:
    names = (_name(chance), _name(chance), _name(chance))
    return MadeEntry(chance.choice(_SHAPES).format(*names, n=chance.randrange(2000, 9999)), fate, names)


def _days(chance: random.Random, fate: str) -> list[float]:
    first, last = {USED: (5, DAYS), FADED: (5, 150), CONTRADICTED: (5, 250), NEVER: (0, 0)}[fate]
    return [chance.uniform(first, last) for _ in range((last - first) // 12)]


def _mention(chance: random.Random, entry: MadeEntry, paraphrase: bool) -> str:
    names = chance.sample(entry.names, 2 if chance.random() < 0.5 else 1) if paraphrase else entry.names
    return f"{_chatter(chance)} {' and '.join(names)} {_chatter(chance)}"


def _chatter(chance: random.Random) -> str:
    return " ".join(chance.choice(_COMMON) for _ in range(12))


def _name(chance: random.Random) -> str:
    return "".join(chance.choice(_SYLLABLES) for _ in range(chance.randrange(3, 5)))
