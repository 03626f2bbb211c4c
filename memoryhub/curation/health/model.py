"""What a health rule is and what it finds. Data only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, Literal

ALARM: Final = "alarm"  # the rule is sure: something should be done
QUESTION: Final = "question"  # the owner knows better: "leave it" is a good answer

Remedy = Literal["cut", "remove", "merge", "move", "shorten", "split", "skill", "repair", "check"]
Span = tuple[int, int]  # offsets in the entry's text, the end not included


@dataclass(frozen=True)
class Asked:
    """What a rule is asked about: one entry, the file it stands in (`memory` or `user`), and the day."""

    text: str
    target: str
    today: date


@dataclass(frozen=True)
class Rule:
    """One thing that is looked for in entries.

    `find` returns the spans that the finding rests on, none when there is nothing to say; it is None for what needs
    more than one entry. `matches` and `look_alikes` are entries of our own writing that must and must not be found,
    as (target, text).
    """

    code: str
    level: Literal["alarm", "question"]
    title: str
    why: str
    leave: str  # when it is right as it is
    remedies: tuple[Remedy, ...]
    find: Callable[[Asked], tuple[Span, ...]] | None = None
    matches: tuple[tuple[str, str], ...] = ()
    look_alikes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Finding:
    """One thing to say about the entry at `place` (from 0) of the file `target`.

    `others` are the entries it is about too, as (target, place). `data` holds what the sentence needs.
    """

    code: str
    level: str
    target: str
    place: int
    spans: tuple[Span, ...] = ()
    others: tuple[tuple[str, int], ...] = ()
    data: dict[str, Any] = field(default_factory=dict, hash=False)
