"""Two or three versions of a text, compared word by word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memoryhub.diffs.sequences import Match, matches, rising

_MOST_CHANGES = 400  # words that may differ within a stretch, and in all, before a comparison is given up

# Scripts without blanks between words: Thai and its neighbours, kana, ideographs, Hangul.
_SOLID = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_WORD = re.compile(rf"[{_SOLID}]|[^\W{_SOLID}]+|\n|[^\S\n]+|.")


@dataclass(frozen=True)
class Piece:
    """A stretch of a comparison: "same", "del" (only in the old text) or "add" (only in the new one)."""

    kind: str
    text: str


@dataclass(frozen=True)
class Block:
    """A stretch of three versions: "same", "now" or "yours" (only that one changed it), "both" (alike), "conflict"."""

    kind: str
    base: str
    now: str
    yours: str


def split_words(text: str) -> list[str]:
    """Return a text cut into words, blanks and signs; joined they are the text again."""
    return _WORD.findall(text)


def words(old: str, new: str) -> tuple[Piece, ...]:
    """Compare two texts word by word; "same" and "del" pieces make the old one, "same" and "add" the new one."""
    left, right = split_words(old), split_words(new)
    pieces: list[Piece] = []
    at = (0, 0)
    for run in [*_runs(_stay(left, right)), (len(left), len(right), 0)]:
        before, after = "".join(left[at[0] : run[0]]), "".join(right[at[1] : run[1]])
        at = (run[0] + run[2], run[1] + run[2])
        same = "".join(left[run[0] : at[0]])
        pieces += [Piece(kind, text) for kind, text in (("del", before), ("add", after), ("same", same)) if text]
    return tuple(pieces)


def three_way(base: str, now: str, yours: str) -> tuple[Block, ...]:
    """Compare what stands now, and what you wrote, with the text that both began with.

    The `base` of all blocks makes the base, and so on. One text of all is `now` of "now" blocks and `yours` of the
    others, once each "conflict" has been decided.
    """
    tokens = [split_words(text) for text in (base, now, yours)]
    to_now, to_yours = dict(_stay(tokens[0], tokens[1])), dict(_stay(tokens[0], tokens[2]))
    anchors = [(index, to_now[index], to_yours[index]) for index in to_now if index in to_yours]
    blocks: list[Block] = []
    at = (0, 0, 0)
    for anchor in anchors:
        blocks.append(_block(_cut(tokens, at, anchor)))
        at = (anchor[0] + 1, anchor[1] + 1, anchor[2] + 1)
        blocks.append(_block(_cut(tokens, anchor, at)))
    end = (len(tokens[0]), len(tokens[1]), len(tokens[2]))
    return _joined([*blocks, _block(_cut(tokens, at, end))])


Place = tuple[int, int, int]


def _cut(tokens: list[list[str]], start: Place, end: Place) -> tuple[str, str, str]:
    base, now, yours = ("".join(tokens[i][start[i] : end[i]]) for i in range(3))
    return base, now, yours


def _block(texts: tuple[str, str, str]) -> Block:
    base, now, yours = texts
    if now == yours:
        return Block("same" if now == base else "both", *texts)
    return Block("yours" if now == base else "now" if yours == base else "conflict", *texts)


def _joined(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks without empty ones, and neighbours of one kind as one."""
    joined: list[Block] = []
    for block in blocks:
        if not (block.base or block.now or block.yours):
            continue
        if joined and joined[-1].kind == block.kind:
            last = joined.pop()
            block = Block(block.kind, last.base + block.base, last.now + block.now, last.yours + block.yours)
        joined.append(block)
    return tuple(joined)


def _stay(left: list[str], right: list[str]) -> list[Match]:
    """Return which words stay; runs of nothing but blanks and signs between changes count as changed."""
    found = matches(left, right, _MOST_CHANGES)
    if found is None:
        found = _by_lines(left, right)
    runs = list(_runs(found))
    ends = {(0, 0), (len(left), len(right))}
    kept: list[Match] = []
    for x, y, length in runs:
        edge = (x, y) in ends or (x + length, y + length) in ends
        if edge or any(word[0].isalnum() for word in left[x : x + length]):
            kept += [(x + step, y + step) for step in range(length)]
    return kept


def _runs(found: Sequence[Match]) -> Iterator[tuple[int, int, int]]:
    """Yield (first, second, length) of matches that follow one another in both texts."""
    length = 0
    for index, (x, y) in enumerate(found):
        length += 1
        if index + 1 == len(found) or found[index + 1] != (x + 1, y + 1):
            yield x - length + 1, y - length + 1, length
            length = 0


def _by_lines(left: list[str], right: list[str]) -> list[Match]:
    """Return matches of texts with many changes: lines that both have once, and words between them while they last."""
    budget = _MOST_CHANGES
    found: list[Match] = []
    at = (0, 0)
    for x, y, length in [*_unique_lines(left, right), (len(left), len(right), 0)]:
        between = matches(left[at[0] : x], right[at[1] : y], budget)
        if between is not None:
            budget -= x - at[0] + y - at[1] - 2 * len(between)
            found += [(i + at[0], j + at[1]) for i, j in between]
        found += [(x + step, y + step) for step in range(length)]
        at = (x + length, y + length)
    return found


def _unique_lines(left: list[str], right: list[str]) -> list[tuple[int, int, int]]:
    first, second = _lines(left), _lines(right)
    common = [line for line in first if line in second]
    pairs = {(first[line][0], second[line][0]): first[line][1] for line in common}
    return [(x, y, pairs[x, y]) for x, y in rising(sorted(pairs))]


def _lines(tokens: list[str]) -> dict[tuple[str, ...], tuple[int, int]]:
    """Return the lines that occur once, with their place and length in words."""
    places: dict[tuple[str, ...], tuple[int, int]] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    start = 0
    for index, word in enumerate(tokens):
        if word == "\n" or index + 1 == len(tokens):
            line = tuple(tokens[start : index + 1])
            seen[line] += 1
            places[line] = (start, len(line))
            start = index + 1
    return {line: place for line, place in places.items() if seen[line] == 1 and len(line) > 2}
