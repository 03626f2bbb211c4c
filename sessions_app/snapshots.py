"""Two memory blocks of system prompts compared, entry by entry: what went, what came, what was reworded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from memoryhub import diffs
from memoryhub.diffs import Piece

_BETWEEN: Final = "\n§\n"
_HEADER_LINES: Final = 3


def compare(then: str, now: str) -> tuple[Piece, ...]:
    """Return the old block in its order with what became of each entry, then the entries that are new.

    "same" and "del" pieces make the old block; an entry that only moved is the same.
    """
    if not (then and now):
        return diffs.words(then, now)
    (old_head, old), (new_head, new) = _cut(then), _cut(now)
    return (*diffs.words(old_head, new_head), *_entries(old, new))


def _cut(block: str) -> tuple[str, list[str]]:
    """The header of a block with its last line break, and its entries."""
    lines = block.split("\n", _HEADER_LINES)
    head = "".join(f"{line}\n" for line in lines[:_HEADER_LINES])
    return head, lines[_HEADER_LINES].split(_BETWEEN) if len(lines) > _HEADER_LINES else []


def _entries(old: list[str], new: list[str]) -> Iterator[Piece]:
    change = diffs.entries(old, new)
    reworded, gone = dict(change.replaced), Counter(change.removed)
    between = ""
    for entry in old:
        if gone[entry]:
            gone[entry] -= 1
            yield Piece("del", between + entry)
        elif (after := reworded.pop(entry, None)) is not None:
            yield Piece("same", between)
            yield from diffs.words(entry, after)
        else:
            yield Piece("same", between + entry)
        between = _BETWEEN
    for entry in change.added:
        yield Piece("add", between + entry)
        between = _BETWEEN
