"""Which entries say the same: equal when spelling is set aside, or sharing the words that are rare in their file.

Character similarity finds almost none of the pairs that a careful owner would merge; shared rare words, weighed by how
rare they are, find about a third of them, and are right in more than four of five cases.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log

from memoryhub.stop_words import STOP_WORDS

SHARED_WORDS = 3
SHARE = 0.40  # of the weight of the smaller entry

_MOST_HOLDERS = 12  # a word in more entries than this is not rare, however long the file is
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\ufe00-\ufe0f]")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3"
_TOKEN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:[-._/@][^\W_{_CJK}]+)*")
_SUBJECT = re.compile(r"(?:the )?user(?:'s|’s)? ")
_HEADING = re.compile(r"(?:[^\n:>]{1,60} > )+[^\n:>]{1,60}:")


@dataclass(frozen=True)
class Pair:
    """Two entries, by their place (from 0), that say the same or overlap.

    `reason`: "exact" (the same text), "folded" (the same but for form, case, blanks or a leading "the user"),
    "overlap" (they share rare words).
    """

    first: int
    second: int
    reason: str


def fold(text: str) -> str:
    """Return a text without what the eye passes over: Unicode form, case, width, runs of blanks, invisible characters.

    A filter folds what it looks for and what it looks in; so `café` finds both ways of writing é, in any case.
    """
    seen = _UNSEEN.sub("", unicodedata.normalize("NFKC", text))
    return unicodedata.normalize("NFKC", " ".join(seen.split()).casefold())


def near_duplicates(texts: Sequence[str]) -> tuple[Pair, ...]:
    """Return the pairs of entries of one file that say the same or overlap, in order of place.

    Of several entries that are equal, each is paired with the first of them only.
    """
    pairs = {(pair.first, pair.second): pair for pair in _equal(texts)}
    repeated = {second for _, second in pairs}
    alone = [place for place in range(len(texts)) if place not in repeated]
    for first, second in _overlapping([texts[place] for place in alone]):
        pair = Pair(alone[first], alone[second], "overlap")
        pairs[pair.first, pair.second] = pair
    return tuple(pairs[places] for places in sorted(pairs))


def alike(text: str, others: Sequence[str]) -> tuple[int, ...]:
    """Return the places (from 0) of those texts that say the same as `text`, or overlap with it."""
    folded = _without_subject(text)
    same = {place for place, other in enumerate(others) if _without_subject(other) == folded}
    overlapping = {second - 1 for first, second in _overlapping([text, *others]) if first == 0}
    return tuple(sorted(same | overlapping))


def _equal(texts: Sequence[str]) -> list[Pair]:
    first: dict[str, int] = {}
    pairs = []
    for place, text in enumerate(texts):
        before = first.setdefault(_without_subject(text), place)
        if before != place:
            pairs.append(Pair(before, place, "exact" if texts[before] == text else "folded"))
    return pairs


def _without_subject(text: str) -> str:
    return _SUBJECT.sub("", fold(text), count=1) if text[:8].casefold().startswith(("user", "the user")) else fold(text)


def _overlapping(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of texts that share enough of their rare words."""
    bags = [rare_words(text) for text in _without_headings(texts)]
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for place, bag in enumerate(bags):
        for word in bag:
            holders[word].append(place)
    weights = {word: log(1 + len(texts) / len(places)) for word, places in holders.items()}
    totals = [sum(weights[word] for word in bag) for bag in bags]
    shared = _shared(holders, weights, max(2, min(len(texts) // 5, _MOST_HOLDERS)))
    return [
        (first, second)
        for (first, second), (count, weight) in shared.items()
        if count >= SHARED_WORDS and weight >= SHARE * min(totals[first], totals[second])
    ]


def _shared(
    holders: dict[str, list[int]], weights: dict[str, float], rare: int
) -> dict[tuple[int, int], tuple[int, float]]:
    """Return, for each pair that shares rare words, how many they are and what they weigh."""
    counts: Counter[tuple[int, int]] = Counter()
    weight: defaultdict[tuple[int, int], float] = defaultdict(float)
    for word, places in holders.items():
        if 1 < len(places) <= rare:
            for pair in combinations(places, 2):
                counts[pair] += 1
                weight[pair] += weights[word]
    return {pair: (count, weight[pair]) for pair, count in counts.items()}


def rare_words(text: str) -> frozenset[str]:
    """Return the words of a text that can be rare; of Chinese and its neighbours, pairs of characters."""
    words: set[str] = set()
    for token in _TOKEN.findall(fold(text)):
        if token[0] > "\u3000":
            words.update(token[at : at + 2] for at in range(len(token) - 1))
        elif len(token) > 1:
            words.add(token)
    return frozenset(words - STOP_WORDS)


def _without_headings(texts: Sequence[str]) -> Iterable[str]:
    """Return the texts without a path of headings that several begin with; a migration leaves these behind."""
    headings = [match[0] if (match := _HEADING.match(text)) else "" for text in texts]
    count = Counter(headings)
    for text, heading in zip(texts, headings, strict=True):
        yield text[len(heading) :] if heading and count[heading] > 1 else text
