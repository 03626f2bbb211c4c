"""The order "best": what a message says about the terms, how long it is, who said it, and how long ago."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from memoryhub.hermes.times import parse_time
from sessions_app.query_parts import Term
from sessions_app.search.documents import Document
from sessions_app.search.folding import fold
from sessions_app.search.matching import needle

# People look for what was said; output of tools repeats words without meaning them.
_ROLES: Final = {"user": 1.2, "assistant": 1.0, "tool": 0.75}
_HALF_LIFE_DAYS: Final = 60.0
_READ_AT_MOST: Final = 4_000  # characters
_TYPICAL_LENGTH: Final = 700


def ranked(documents: Iterable[Document], terms: Sequence[Term]) -> list[Document]:
    """Return the messages best first, the newer first among equals."""
    found = list(documents)
    newest = max((_seconds(one) for one in found), default=0.0)
    scores = {one.id: _relevance(one, terms) * weight(one.role, _seconds(one), newest) for one in found}
    return sorted(found, key=lambda one: (-scores[one.id], -one.id))


def weight(role: str, seconds: float, newest: float) -> float:
    """Return the factor for who said it and how old it is, compared with the newest hit."""
    days = max(0.0, newest - seconds) / 86_400
    return _ROLES.get(role, 0.9) * (1.0 + 0.6 * math.exp2(-days / _HALF_LIFE_DAYS))


def _relevance(document: Document, terms: Sequence[Term]) -> float:
    text = fold(document.indexed[:_READ_AT_MOST])
    total = 0.0
    for term in terms:
        count = text.count(needle(term))
        total += 1.0 + math.log(count) if count else 0.2
    return total / (0.6 + 0.4 * len(text) / _TYPICAL_LENGTH)


def _seconds(document: Document) -> float:
    stamp = document.timestamp
    if isinstance(stamp, float) and 0 < stamp < 1e11:
        return stamp
    moment = parse_time(stamp)
    return moment.timestamp() if moment else 0.0
