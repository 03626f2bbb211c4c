"""What the eye cannot see in a text, made into labelled runs: invisible, control, bidirectional and stray characters.

Ordinary emoji (joined ones, flags, emoji selectors) and letters with their marks are text. Threat phrases or masked
secrets are passed in as marks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from memoryhub.threats.hidden import is_flag, selector_text, tag_text

Mark = tuple[int, int, str]  # start, end (code points) and what it marks, for instance "threat"


@dataclass(frozen=True)
class Run:
    """A stretch of text shown in one way.

    `kind` is "text", "mark" for text inside a mark (`label` says which), or what the characters are: "invisible",
    "control", "bidi", "blank", "tag", "private", "bad"; then `label` names them ("U+200B ZERO WIDTH SPACE"; of tags
    and runs of selectors, the letters that they stand for). The label of plain text is "".
    """

    text: str
    kind: str
    label: str = ""


def runs(text: str, marks: Sequence[Mark] = ()) -> tuple[Run, ...]:
    """Return a text as runs that joined are the text again.

    Where marks overlap, the later in the sequence wins. Characters that cannot be seen are runs of their own, also
    inside a mark.
    """
    found: list[Run] = []
    at = 0
    for start, end, kind, label in _odd(text):
        found += _marked(text, at, start, marks)
        found.append(Run(text[start:end], kind, label))
        at = end
    return (*found, *_marked(text, at, len(text), marks))


def has_unseen(text: str) -> bool:
    """Return whether a text holds anything that `runs` would label."""
    return next(_odd(text), None) is not None


def _marked(text: str, start: int, end: int, marks: Sequence[Mark]) -> Iterator[Run]:
    """Yield plain text from start to end, cut where a mark begins or ends."""
    if start >= end:
        return
    inside = [mark for mark in marks if mark[0] < end and mark[1] > start]
    edges = sorted({start, end, *(min(max(edge, start), end) for mark in inside for edge in mark[:2])})
    for left, right in pairwise(edges):
        over = [kind for first, last, kind in inside if first <= left and right <= last]
        yield Run(text[left:right], "mark", over[-1]) if over else Run(text[left:right], "text")


# Everything that may need a label; most texts hold none of it. U+3000 is the ordinary blank of Chinese and Japanese.
_SUSPECT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    "\u2028-\u202f\u205f-\u206f\u2800\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_BLANK = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u2028\u2029\u2800]")
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]+")

# What may stand before an emoji selector or a joiner, and after a joiner: pictographs, digits of keycaps, skin tones.
_PICTURE = re.compile(
    "[#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u27bf\u2934\u2935\u2b05-\u2b55"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
# Scripts in which joiners shape words: Arabic and its neighbours, the scripts of India and South-East Asia.
_JOINING = re.compile("[\u0600-\u08ff\u0900-\u0dff\u0e00-\u0fff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc]")
_IDEOGRAPH = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u1820-\u18aa\u1000-\u109f]")

_NAMES = {
    "\x00": "NULL", "\x07": "BELL", "\x08": "BACKSPACE", "\x0b": "LINE TABULATION", "\x0c": "FORM FEED",
    "\r": "CARRIAGE RETURN", "\x1b": "ESCAPE", "\x7f": "DELETE", "\x85": "NEXT LINE",
}  # fmt: skip


def _odd(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield (start, end, kind, label) of what needs a label, in order."""
    at = 0
    for match in _SUSPECT.finditer(text):
        start = match.start()
        if start < at:
            continue
        if flag := _flag_end(text, start):
            at = flag
        elif run := _TAGS.match(text, start):
            at = run.end()
            yield start, at, "tag", tag_text(run[0]) or _named(run[0][0])
        elif (run := _SELECTORS.match(text, start)) and not _ordinary_selector(text, start, run.end()):
            at = run.end()
            yield start, at, "tag" if selector_text(run[0]) else "invisible", selector_text(run[0]) or _named(run[0][0])
        elif not run and not _joins(text, start):
            at = start + 1
            yield start, at, _kind(text[start]), _named(text[start])


def _flag_end(text: str, start: int) -> int:
    """Return the end of a region's flag whose first tag stands at `start`, or 0."""
    if not start or text[start - 1] != "\U0001f3f4":
        return 0
    end = is_flag(text, start - 1)
    return end if end > start else 0


def _ordinary_selector(text: str, start: int, end: int) -> bool:
    """Return whether a run of variation selectors only chooses the look of the character before it."""
    if end - start != 1 or not start:
        return False
    before = text[start - 1]
    if text[start] in "\ufe0e\ufe0f":
        return bool(_PICTURE.match(before))
    return bool(_IDEOGRAPH.match(before))


def _joins(text: str, at: int) -> bool:
    """Return whether a joiner does its ordinary work: inside an emoji, or in a script that needs it."""
    if text[at] not in "\u200c\u200d" or not at or at + 1 == len(text):
        return False
    before, after = text[at - 1], text[at + 1]
    if text[at] == "\u200d" and _PICTURE.match(after):
        return bool(_PICTURE.match(before)) or (before == "\ufe0f" and at > 1 and bool(_PICTURE.match(text[at - 2])))
    return bool(_JOINING.match(before) and _JOINING.match(after))


def _kind(char: str) -> str:
    if _BIDI.match(char):
        return "bidi"
    if _BLANK.match(char):
        return "blank"
    category = unicodedata.category(char)
    if category == "Cs" or char == "\ufffd" or (category == "Cn" and char not in "\u2065\ufff0"):
        return "bad"
    return {"Cc": "control", "Co": "private"}.get(category, "invisible")


@lru_cache(maxsize=512)
def _named(char: str) -> str:
    name = _NAMES.get(char) or unicodedata.name(char, "")
    if not name:
        name = {"Co": "PRIVATE USE", "Cs": "SURROGATE", "Cc": "CONTROL"}.get(unicodedata.category(char), "NO CHARACTER")
    return f"U+{ord(char):04X} {name}"
