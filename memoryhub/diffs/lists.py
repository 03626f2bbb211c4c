"""Two lists of entries compared: what came, what went, what was reworded, what only moved."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memoryhub.diffs.sequences import Match, rising
from memoryhub.diffs.texts import split_words

_ALIKE_AT_ITS_PLACE = 0.3
_ALIKE_ELSEWHERE = 0.6
_MOST_COMPARISONS = 2_500
_MOST_PAIRED = 1_000  # of more entries that came or went, only the first are looked at for rewordings


@dataclass(frozen=True)
class EntryDiff:
    """What happened between two lists of entries. A text that stays where it was is in none of these."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    replaced: tuple[tuple[str, str], ...]  # (before, after)
    moved: tuple[str, ...]


def entries(old: Sequence[str], new: Sequence[str], pairs: Sequence[tuple[str, str]] = ()) -> EntryDiff:
    """Compare two lists of entries; copies of one text count separately.

    `pairs` are (before, after) texts that are known to belong together. Others are paired when they are alike, more
    readily between the same neighbours.
    """
    same = _same_texts(old, new)
    kept = rising(same)
    left = sorted(set(range(len(old))) - {x for x, _ in same})
    come = sorted(set(range(len(new))) - {y for _, y in same})
    partner = _known(old, new, left, come, pairs)
    after = set(partner.values())
    for x, y in _alike(old, new, kept, left, come):
        if x not in partner and y not in after:
            partner[x] = y
            after.add(y)
    stayed = {x for x, _ in kept}
    return EntryDiff(
        added=tuple(new[y] for y in come if y not in after),
        removed=tuple(old[x] for x in left if x not in partner),
        replaced=tuple((old[x], new[partner[x]]) for x in left if x in partner),
        moved=tuple(old[x] for x, _ in same if x not in stayed),
    )


def similarity(first: str, second: str) -> float:
    """Return the share of words that two texts have in common, from 0 to 1 (characters, in Chinese)."""
    left, right = _bag(first), _bag(second)
    return _share(left, right, left.total() + right.total())


def _bag(text: str) -> Counter[str]:
    return Counter(word.casefold() for word in split_words(text) if word[0].isalnum())


def _same_texts(old: Sequence[str], new: Sequence[str]) -> list[Match]:
    """Return which entry is which, the first copy in the one list being the first in the other."""
    places: defaultdict[str, deque[int]] = defaultdict(deque)
    for y, text in enumerate(new):
        places[text].append(y)
    return [(x, places[text].popleft()) for x, text in enumerate(old) if places.get(text)]


def _known(
    old: Sequence[str], new: Sequence[str], left: list[int], come: list[int], pairs: Sequence[tuple[str, str]]
) -> dict[int, int]:
    partner: dict[int, int] = {}
    for before, after in pairs:
        x = next((x for x in left if old[x] == before and x not in partner), None)
        y = next((y for y in come if new[y] == after and y not in partner.values()), None)
        if x is not None and y is not None:
            partner[x] = y
    return partner


def _alike(old: Sequence[str], new: Sequence[str], kept: list[Match], left: list[int], come: list[int]) -> list[Match]:
    """Return pairs that seem to be one entry reworded, the likeliest first."""
    left, come = left[:_MOST_PAIRED], come[:_MOST_PAIRED]
    if not left or not come:
        return []
    before, after = [x for x, _ in kept], [y for _, y in kept]
    bags = {x: _bag(old[x]) for x in left}
    others = {y: _bag(new[y]) for y in come}
    sizes, other_sizes = ({at: bag.total() for at, bag in each.items()} for each in (bags, others))
    found: list[tuple[bool, float, Match]] = []
    for x, y in _candidates(left, come):
        elsewhere = bisect_left(before, x) != bisect_left(after, y)
        wanted = _ALIKE_ELSEWHERE if elsewhere else _ALIKE_AT_ITS_PLACE
        total = sizes[x] + other_sizes[y]
        if 2 * min(sizes[x], other_sizes[y]) < wanted * total:  # too unequal in length to be alike
            continue
        share = _share(bags[x], others[y], total)
        if share >= wanted:
            found.append((elsewhere, -share, (x, y)))
    return [pair for _, _, pair in sorted(found)]


def _candidates(left: list[int], come: list[int]) -> Iterator[Match]:
    """Yield the pairs worth a comparison: all of few, of many those that stand about as far down."""
    reach = len(come) if len(left) * len(come) <= _MOST_COMPARISONS else max(1, _MOST_COMPARISONS // len(left) // 2)
    for rank, x in enumerate(left):
        middle = rank * len(come) // len(left)
        for y in come[max(0, middle - reach) : middle + reach + 1]:
            yield x, y


def _share(left: Counter[str], right: Counter[str], total: int) -> float:
    few, many = (left, right) if len(left) < len(right) else (right, left)
    common = sum(min(count, many[word]) for word, count in few.items())
    return 2 * common / total if total else 0.0
