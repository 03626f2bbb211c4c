"""The gauge: used characters against the limit, one segment per entry, and the word for how full a file is.

Knows the arithmetic only: no files, no words for people. Lengths are code points; positions and widths are
percent of the drawn bar (0 to 100), so that a template can write them straight into SVG attributes.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

Script = Literal["latin", "cjk"]
State = Literal["over", "full", "no_room", "nearly_full", "fine"]

DELIMITER_CHARS: Final = 3  # newline, §, newline
NEARLY_FULL_PERCENT: Final = 90
USUAL_ENTRY: Final = {"memory": 172, "user": 122}  # median lengths of 840 published entries (curation.md 1)
CJK_NAMES: Final = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")


class Sized(Protocol):
    """Anything with an id and a length: an entry of a memory file."""

    @property
    def id(self) -> str: ...
    @property
    def chars(self) -> int: ...


@dataclass(frozen=True)
class Segment:
    """One entry on the bar: where it starts, how wide it is, and how much of the limit it takes."""

    id: str
    number: int  # 1 for the oldest entry
    chars: int
    share: int  # percent of the limit, rounded half up; of what is used when there is no limit
    x: float
    width: float
    tone: str  # "plain", or what the caller said about this entry ("caution", "danger", "duplicate")
    is_past_limit: bool  # this entry, or a part of it, lies beyond the limit

    @property
    def place(self) -> dict[str, str]:
        """Where the segment and its sign lie, as SVG attributes write it whatever the language."""
        middle = round(self.x + self.width / 2, 3)
        return {"x": f"{self.x}%", "width": f"{self.width}%", "middle": f"{middle}%"}


@dataclass(frozen=True)
class Gauge:
    """A memory file's use of its limit, ready to draw."""

    target: str
    segments: tuple[Segment, ...]
    used: int
    limit: int
    left: int  # never negative
    over_by: int  # never negative
    percent: int  # as Hermes prints it: truncated, never above 100
    true_percent: int  # truncated, uncapped
    state: State
    limit_x: float  # where the limit lies on the bar: 100 unless the file is over it
    next_cost: int  # what one more entry costs beside its own text: 0 for the first, else 3
    room_for_next: int  # the longest text that can still be added
    usual: int  # the length of a usual entry in this file and script
    is_usual_room: bool  # a usual entry still fits

    @property
    def over_width(self) -> float:
        """How much of the bar lies past the limit."""
        return round(100 - self.limit_x, 3)

    @property
    def is_dense(self) -> bool:
        """Too many segments for a visible gap between them."""
        return len(self.segments) > 80


def used_chars(lengths: Iterable[int]) -> int:
    """Characters of entries of these lengths, joined with their delimiters."""
    lengths = tuple(lengths)
    return sum(lengths) + DELIMITER_CHARS * max(0, len(lengths) - 1)


def hermes_percent(used: int, limit: int) -> int:
    """Percent as Hermes prints it: a floating-point quotient, truncated (29 of 100 is 28), capped at 100."""
    return min(100, int(used / limit * 100)) if limit > 0 else 0


def usual_entry(target: str, script: Script) -> int:
    """Length of a target's median entry; Chinese, Japanese and Korean say the same in half the characters."""
    length = USUAL_ENTRY.get(target, USUAL_ENTRY["memory"])
    return length // 2 if script == "cjk" else length


def script_of(texts: Iterable[str]) -> Script:
    """`cjk` when most letters of the texts are Chinese, Japanese or Korean, else `latin`."""
    cjk = letters = 0
    for text in texts:
        for char in text:
            if char.isalpha():
                letters += 1
                cjk += char >= "\u1100" and unicodedata.name(char, "").startswith(CJK_NAMES)
    return "cjk" if cjk * 2 > letters else "latin"


def state_of(used: int, limit: int, *, target: str, script: Script, is_empty: bool = False) -> State:
    """The one word for how full a file is, worst first (decisions.md 15)."""
    room = limit - used
    if room < 0:
        return "over"
    if room <= DELIMITER_CHARS:
        return "full"
    if room - (0 if is_empty else DELIMITER_CHARS) < usual_entry(target, script):
        return "no_room"
    if used * 100 >= NEARLY_FULL_PERCENT * limit:
        return "nearly_full"
    return "fine"


def build(
    entries: Sequence[Sized],
    *,
    limit: int,
    target: str,
    script: Script = "latin",
    tones: Mapping[str, str] | None = None,
) -> Gauge:
    """Lay the entries out on a bar as long as the limit, or as the text when that is longer.

    `entries` are those the agent counts, in file order (an exact copy of an earlier one is not counted).
    `tones` maps an entry's id to what is said about it.
    """
    used = used_chars(entry.chars for entry in entries)
    limit = max(0, limit)
    next_cost = DELIMITER_CHARS if entries else 0
    usual = usual_entry(target, script)
    room_for_next = max(0, limit - used - next_cost)
    return Gauge(
        target=target,
        segments=_segments(entries, used, limit, tones or {}),
        used=used,
        limit=limit,
        left=max(0, limit - used),
        over_by=max(0, used - limit),
        percent=hermes_percent(used, limit),
        true_percent=used * 100 // limit if limit else 0,
        state=state_of(used, limit, target=target, script=script, is_empty=not entries),
        limit_x=round(limit * 100 / max(limit, used, 1), 3) if used > limit else 100.0,
        next_cost=next_cost,
        room_for_next=room_for_next,
        usual=usual,
        is_usual_room=room_for_next >= usual,
    )


def _segments(entries: Sequence[Sized], used: int, limit: int, tones: Mapping[str, str]) -> tuple[Segment, ...]:
    scale = 100 / max(limit, used, 1)
    segments = []
    start = 0
    for number, entry in enumerate(entries, 1):
        segments.append(
            Segment(
                id=entry.id,
                number=number,
                chars=entry.chars,
                share=int(entry.chars * 100 / (limit or used or 1) + 0.5),
                x=round(start * scale, 3),
                width=round(entry.chars * scale, 3),
                tone=tones.get(entry.id, "plain"),
                is_past_limit=start + entry.chars > limit,
            )
        )
        start += entry.chars + DELIMITER_CHARS
    return tuple(segments)


def pushed_out(entries: Sequence[Sized], *, limit: int, length: int) -> tuple[str, ...]:
    """Ids of the oldest entries that adding a text of `length` would evict, on Hermes versions that evict.

    Nothing is evicted for a text that would not fit into an empty file: that is refused.
    """
    if length > limit:
        return ()
    used = used_chars(entry.chars for entry in entries)
    gone = 0
    while gone < len(entries) and used + DELIMITER_CHARS + length > limit:
        used -= entries[gone].chars + (DELIMITER_CHARS if gone < len(entries) - 1 else 0)
        gone += 1
    return tuple(entry.id for entry in entries[:gone])
