"""What can be known of a pattern before it is tried: how long a match can be, and with which letters it begins.

Asks the parser of the regular expression module itself; where that is not to be had nothing is known, and whole texts
are searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

LONGEST: Final = 6_000  # a match that may be longer has no width worth using
_MOST: Final = 300  # beginnings that are told apart
_ENOUGH: Final = 12  # letters of one beginning
_Beginnings = tuple[frozenset[str], bool]  # and whether they are exactly what was read so far
_NOTHING: Final[_Beginnings] = (frozenset([""]), False)


@dataclass(frozen=True)
class Known:
    """``width``: the longest match, 0 when there is no bound; ``ahead``: how far behind it a pattern may look.

    ``beginnings``: every match begins with one of these; empty when that is not known. ``in_line``: no match goes over
    the end of a line.
    """

    width: int = 0
    ahead: int = 1
    beginnings: frozenset[str] = field(default_factory=frozenset)
    in_line: bool = False

    def offsets(self, hints: Iterable[str]) -> dict[str, frozenset[int]]:
        """Where in a match each hint stands when every beginning holds one; empty when one does not."""
        found: dict[str, set[int]] = {}
        for beginning in self.beginnings:
            at, hint = min(((beginning.find(hint), hint) for hint in hints if hint in beginning), default=(-1, ""))
            if at < 0:
                return {}
            found.setdefault(hint, set()).add(at)
        return {hint: frozenset(offsets) for hint, offsets in found.items()}


def read_pattern(pattern: str, flags: int) -> Known:
    """What is known of a pattern."""
    parser = getattr(re, "_parser", None)
    if parser is None:
        return Known()
    parsed = parser.parse(pattern, flags)
    width = int(parsed.getwidth()[1])
    strings, _ = _of_items(list(parsed))
    is_useful = all(len(string) > 1 for string in strings)
    ahead = _ahead(list(parsed))
    return Known(
        width=width if width <= LONGEST and ahead <= LONGEST else 0,
        ahead=ahead + 1,
        beginnings=strings if is_useful else frozenset(),
        in_line=not _matches_line_end(list(parsed)),
    )


def _of_items(items: Sequence[tuple[Any, Any]]) -> _Beginnings:
    """The beginnings of what a sequence matches."""
    current: frozenset[str] = frozenset([""])
    for index, (op, value) in enumerate(items):
        if str(op) in _REPEATS and value[0] == 0:
            inner, _ = _of_items(list(value[2]))
            rest, exact = _of_items(items[index + 1 :])
            return _joined(current, (inner | rest, exact and False))
        strings, exact = _joined(current, _of_one(str(op), value))
        if not exact or len(strings) > _MOST:
            return (strings if len(strings) <= _MOST else current), False
        current = strings
    return current, True


def _joined(before: frozenset[str], after: _Beginnings) -> _Beginnings:
    strings = frozenset((first + second)[:_ENOUGH] for first in before for second in after[0])
    return strings, after[1] and all(len(string) < _ENOUGH for string in strings)


def _of_one(op: str, value: Any) -> _Beginnings:
    if op == "LITERAL":
        return frozenset([chr(value)]), True
    if op in ("AT", "ASSERT", "ASSERT_NOT"):
        return frozenset([""]), True
    if op == "SUBPATTERN":
        return _of_items(list(value[3]))
    if op == "ATOMIC_GROUP":
        return _of_items(list(value))
    if op == "BRANCH":
        branches = [_of_items(list(branch)) for branch in value[1]]
        return frozenset().union(*(strings for strings, _ in branches)), all(exact for _, exact in branches)
    if op == "IN" and len(value) <= 4 and all(str(kind) == "LITERAL" for kind, _ in value):
        return frozenset(chr(code) for _, code in value), True
    if op in _REPEATS:
        strings, exact = _of_items(list(value[2]))
        return strings, exact and value[0] == value[1] == 1
    return _NOTHING


def _ahead(items: Sequence[tuple[Any, Any]]) -> int:
    """How far a pattern looks ahead of where it stands, at most."""
    longest = 0
    for op, value in items:
        name = str(op)
        if name in ("ASSERT", "ASSERT_NOT"):
            direction, inner = value
            longest = max(longest, int(inner.getwidth()[1]) if direction > 0 else 0, _ahead(list(inner)))
        elif name in _REPEATS:
            longest = max(longest, _ahead(list(value[2])))
        elif name == "SUBPATTERN":
            longest = max(longest, _ahead(list(value[3])))
        elif name == "ATOMIC_GROUP":
            longest = max(longest, _ahead(list(value)))
        elif name == "BRANCH":
            longest = max([longest, *(_ahead(list(branch)) for branch in value[1])])
    return longest


def _matches_line_end(items: Sequence[tuple[Any, Any]]) -> bool:
    """Whether a pattern may match the end of a line; what it only looks at does not count."""
    return any(_one_matches_line_end(str(op), value) for op, value in items)


def _one_matches_line_end(op: str, value: Any) -> bool:
    if op in ("AT", "ASSERT", "ASSERT_NOT", "ANY"):
        return False
    if op == "LITERAL":
        return bool(value == _NEWLINE)
    if op == "NOT_LITERAL":
        return bool(value != _NEWLINE)
    if op == "IN":
        negated = str(value[0][0]) == "NEGATE"
        return negated != any(_in_set(str(kind), member) for kind, member in value)
    if op == "BRANCH":
        return any(_matches_line_end(list(branch)) for branch in value[1])
    if op in _REPEATS:
        return _matches_line_end(list(value[2]))
    if op == "SUBPATTERN":
        return _matches_line_end(list(value[3]))
    return _matches_line_end(list(value)) if op == "ATOMIC_GROUP" else True


def _in_set(kind: str, member: Any) -> bool:
    """Whether a member of a set of characters stands for the end of a line."""
    if kind == "LITERAL":
        return bool(member == _NEWLINE)
    if kind == "RANGE":
        return bool(member[0] <= _NEWLINE <= member[1])
    return kind == "CATEGORY" and str(member) in ("CATEGORY_SPACE", "CATEGORY_NOT_DIGIT", "CATEGORY_NOT_WORD")


_NEWLINE: Final = 10
_REPEATS: Final = frozenset(["MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"])
