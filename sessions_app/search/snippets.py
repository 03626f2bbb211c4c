"""The piece of a message that shows why it was found, with marks that no text of the message can forge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sessions_app.query_parts import Term
from sessions_app.search.documents import Document, Passage
from sessions_app.search.matching import spans, spans_by_term

START: Final = "\ue000"
END: Final = "\ue001"
_NEUTRAL: Final = {0xE000: "\ufffd", 0xE001: "\ufffd"}
_LENGTH: Final = 240
_LINE: Final = 120
_READ_AT_MOST: Final = 100_000  # characters of one text in which marks are looked for
_MOST_SPANS: Final = 40  # hits of one term that are weighed and marked
_MORE: Final = "…"


@dataclass(frozen=True)
class Snippet:
    """A marked piece of text, the lines before and after it, and the place it is from."""

    text: str
    before: str = ""
    after: str = ""
    place: str = "content"


def neutral(text: str) -> str:
    """Return the text without our own marks: it came from outside."""
    return text.translate(_NEUTRAL) if START in text or END in text else text


def snippet(document: Document, terms: Sequence[Term]) -> Snippet:
    """Return the piece of the message that holds most of the terms, or its beginning when none stands in one piece."""
    best: tuple[int, Passage, list[tuple[int, int]]] | None = None
    for passage in document.each_passage():
        text = passage.text[:_READ_AT_MOST]
        found = spans_by_term(terms, text, _MOST_SPANS)
        if found and (best is None or len(found) > best[0]):
            best = (len(found), passage, sorted(span for one in found for span in one))
            if len(found) == len(terms):
                break
    if best is None:
        first = document.passages[0] if document.passages else Passage("content", "")
        return Snippet(neutral(_flat(first.text[:_LENGTH])), place=first.place)
    _, passage, places = best
    return _cut(passage, places)


def mark(text: str, terms: Sequence[Term]) -> str:
    """Return a whole short text (a title) with the terms marked."""
    return _marked(text, 0, len(text), spans(terms, text))


def _cut(passage: Passage, found: list[tuple[int, int]]) -> Snippet:
    text = passage.text
    start, end = _window(text, found)
    body = _marked(text, start, end, found)
    body = (_MORE if start > 0 and text[start - 1] != "\n" else "") + body
    body += _MORE if end < len(text) and text[end] != "\n" else ""
    place = "call" if passage.place == "raw" else passage.place
    return Snippet(body, _line_before(text, start), _line_after(text, end), place)


def _window(text: str, found: list[tuple[int, int]]) -> tuple[int, int]:
    """Return where the densest stretch of hits lies, widened to line or word ends."""
    best, count = _densest(found)
    first, last = found[best][0], found[best + count - 1][1]
    room = max(0, _LENGTH - (last - first))
    line_start = text.rfind("\n", 0, first) + 1
    start = max(line_start, first - room // 3)
    line_end = text.find("\n", last)
    end = min(len(text) if line_end < 0 else line_end, max(last, start + _LENGTH))
    if start > line_start and (gap := text.find(" ", start, first)) >= 0:
        start = gap + 1
    return start, min(end, start + 2 * _LENGTH)


def _densest(found: list[tuple[int, int]]) -> tuple[int, int]:
    """Return where in rising spans the most of them lie close together, and how many."""
    best, most, end = 0, 1, 0
    for first, (start, _) in enumerate(found):
        limit = start + _LENGTH * 2 // 3
        end = max(end, first + 1)
        while end < len(found) and found[end][1] <= limit:
            end += 1
        if end - first > most:
            best, most = first, end - first
    return best, most


def _marked(text: str, start: int, end: int, found: Sequence[tuple[int, int]]) -> str:
    pieces, place = [], start
    for first, last in found:
        first, last = max(first, place), min(last, end)
        if first < last:
            pieces += [neutral(text[place:first]), START, neutral(text[first:last]), END]
            place = last
    return _flat("".join([*pieces, neutral(text[place:end])]))


def _line_before(text: str, start: int) -> str:
    lines = text[max(0, text.rfind("\n", 0, start) - 2_000) : max(0, text.rfind("\n", 0, start))].split("\n")
    return _short(next((line for line in reversed(lines) if line.strip()), "")) if "\n" in text[:start] else ""


def _line_after(text: str, end: int) -> str:
    line_end = text.find("\n", end)
    lines = text[line_end + 1 : line_end + 2_000].split("\n") if line_end >= 0 else []
    return _short(next((line for line in lines if line.strip()), ""))


def _short(line: str) -> str:
    flat = neutral(_flat(line))
    return flat if len(flat) <= _LINE else flat[:_LINE] + _MORE


def _flat(text: str) -> str:
    return " ".join(text.split())
