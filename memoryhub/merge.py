"""Three-way merge of lists of entries: takes one change back while what others did since stays.

Entries are told apart by text; of equal texts, the first in one list is the first in the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memoryhub import diffs

_Key = tuple[str, int]  # a text, and which of its copies


@dataclass(frozen=True)
class Merged:
    """The merged entries, and the texts that the change had touched and somebody has changed since."""

    entries: tuple[str, ...]
    conflicts: tuple[str, ...]


def merge_entries(base: Sequence[str], current: Sequence[str], wanted: Sequence[str]) -> Merged:
    """Apply the change from `base` to `wanted` to `current`.

    For an undo: base is the state right after the change, wanted the state before it, current what stands now. With
    nothing changed since, the result is `wanted`; with nothing to take back it is `current`. What only `current`
    added is never lost.
    """
    keep = _counts(base, current, wanted)
    old, now, new = ([key for key in _keys(texts) if key[1] <= keep[key[0]]] for texts in (base, current, wanted))
    skeleton, other = (new, now) if _reordered(old, new) else (now, new)
    merged = _placed(skeleton, other)
    return Merged(tuple(text for text, _ in merged), _conflicts(base, current, wanted))


def _keys(texts: Sequence[str]) -> list[_Key]:
    seen: Counter[str] = Counter()
    keys = []
    for text in texts:
        seen[text] += 1
        keys.append((text, seen[text]))
    return keys


def _counts(base: Sequence[str], current: Sequence[str], wanted: Sequence[str]) -> dict[str, int]:
    """Return how many copies of each text the merge holds."""
    old, now, new = Counter(base), Counter(current), Counter(wanted)
    return {text: _count(old[text], now[text], new[text]) for text in old | now | new}


def _count(old: int, now: int, new: int) -> int:
    if now > old and new > old:
        return max(now, new)  # both brought the same text
    if now < old and new < old:
        return min(now, new)
    return now + new - old


def _reordered(old: list[_Key], new: list[_Key]) -> bool:
    before, after = set(old), set(new)
    return [key for key in old if key in after] != [key for key in new if key in before]


def _placed(skeleton: list[_Key], other: list[_Key]) -> list[_Key]:
    """Return the skeleton with what only the other list has, each behind its neighbour there."""
    merged = list(skeleton)
    there = set(skeleton)
    for index, key in enumerate(other):
        if key in there:
            continue
        if index:
            place = merged.index(other[index - 1]) + 1
        else:
            following = next((later for later in other if later in there), None)
            place = merged.index(following) if following else len(merged)
        merged.insert(place, key)
        there.add(key)
    return merged


def _conflicts(base: Sequence[str], current: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the texts that the change puts something else in place of, and that are no longer there.

    A text that only had to go, and is gone, is no conflict; one that was reworded since is.
    """
    old, now, new = Counter(base), Counter(current), Counter(wanted)
    gone = [text for text in old if new[text] < old[text] and now[text] < old[text]]
    if not gone or new - old:
        return tuple(gone)
    reworded = {before for before, _ in diffs.entries(base, current).replaced}
    return tuple(text for text in gone if text in reworded)
