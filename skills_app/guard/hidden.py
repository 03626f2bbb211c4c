"""Characters that nobody sees, or that pass for others: what they hide, found by code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from memoryhub.threats.hidden import hidden_sentences
from skills_app.guard.findings import make_finding
from skills_app.guard.model import Finding, Kind, Rule, Severity
from skills_app.guard.places import Places
from skills_app.guard.text import SourceText

Row = Callable[[str], Rule]  # a rule by its id

_SUSPECT: Final = re.compile(
    "[\u00ad\u034f\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\ufe00-\ufe0f\U000e0000-\U000e0fff\U0001d173-\U0001d17a]+"
)
_BIDI: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
_OPENING: Final = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"
_RTL: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LATIN: Final = re.compile("[A-Za-z0-9]")
_MIXED: Final = re.compile(
    "(?<![\\w])(?=[a-z\u0370-\u03ff\u0400-\u04ff]*[a-z]{2})(?=[a-z]*[\u0370-\u03ff\u0400-\u04ff])"
    "[a-z\u0370-\u03ff\u0400-\u04ff]{4,40}(?![\\w])",
    re.IGNORECASE,
)
_CONFUSABLE: Final = re.compile(
    "[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u03bf\u03b1\u03c1\u03bd\u03b9"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7]"
)
_MOST: Final = 25
_BLANK_LINES: Final = re.compile(r"\n{200,}+")
_BLANKS: Final = re.compile(r"[ \t\u00a0\u2000-\u200a\u3000]{300,}+")


def hidden_findings(source: SourceText, places: Places, row: Row) -> Iterator[Finding]:
    """Everything hidden in one text, at most so many of each kind."""
    if any(map(_SUSPECT.match, source.unusual)):
        taken: set[int] = set()
        for span, said in hidden_sentences(source.text)[:_MOST]:
            taken.update(range(span[0], min(span[1], span[0] + 4_000)))
            if len(said.strip()) >= 3:
                yield _make(row("hidden_sentence"), source, places, span, said)
            else:
                yield _make(row("invisible_unicode"), source, places, span, _names(source.text[slice(*span)]))
        yield from _invisible(source, places, row, taken)
    if any(map(_CONFUSABLE.match, source.unusual)):
        yield from _mixed(source, places, row)
    for pattern in (_BLANK_LINES, _BLANKS) if _may_be_blank(source) else ():
        behind = (match for match in pattern.finditer(source.text) if _goes_on(source.text, match.end()))
        for match in islice(behind, _MOST):
            what = (
                f"{match.end() - match.start() - 1} empty lines" if pattern is _BLANK_LINES else "a long run of blanks"
            )
            yield _make(row("blank_run"), source, places, (match.end(), match.end() + 1), what)


def _goes_on(text: str, at: int) -> bool:
    """Whether something stands behind a run of blanks, in the line where that ends."""
    return at < len(text) and text[at] != "\n"


def _may_be_blank(source: SourceText) -> bool:
    text = source.text
    return "\n" * 200 in text or " " * 50 in text or "\t" * 20 in text or any(map(str.isspace, source.unusual))


def _invisible(source: SourceText, places: Places, row: Row, taken: set[int]) -> Iterator[Finding]:
    lines: dict[tuple[str, int], tuple[int, int]] = {}
    for match in _SUSPECT.finditer(source.text):
        for at in range(match.start(), min(match.end(), match.start() + 64)):
            rule = "" if at in taken else _meaning(source.text, at)
            if rule:
                lines.setdefault((rule, source.line_index(at)), (at, at + 1))
    for (rule, index), span in list(lines.items())[: 2 * _MOST]:
        if rule == "bidi_control" and _is_balanced(source.line(index)):
            continue
        yield _make(row(rule), source, places, span, _names(source.text[slice(*span)]))


def _meaning(text: str, at: int) -> str:
    """The rule that an invisible character breaks; "" where it does its ordinary work."""
    char, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if _BIDI.match(char):
        return "bidi_control"
    if "\ufe00" <= char <= "\ufe0f" or char >= "\U000e0000" or char in "\u200e\u200f":
        return "" if not (_LATIN.match(before) and _LATIN.match(after)) else "invisible_unicode"
    if char in "\u200c\u200d" and not _is_latin(before, after):
        return ""  # emoji, and scripts that need joiners
    if char in "\u00ad\ufeff\u200b\u2060" and not (before.isalnum() and after.isalnum() and _is_latin(before, after)):
        return ""  # a chance to break a line, or a mark left by an editor, between words
    return "invisible_unicode"


def _is_latin(before: str, after: str) -> bool:
    return bool(_LATIN.match(before) or _LATIN.match(after))


def _is_balanced(line: str) -> bool:
    """Right-to-left text with as many closing marks as opening ones."""
    opening = sum(line.count(char) for char in _OPENING)
    closing = line.count("\u202c") + line.count("\u2069")
    return opening == closing and bool(_RTL.search(line))


def _mixed(source: SourceText, places: Places, row: Row) -> Iterator[Finding]:
    lines: dict[int, tuple[int, int]] = {}
    for match in _MIXED.finditer(source.text):
        if _CONFUSABLE.search(match[0]):
            lines.setdefault(source.line_index(match.start()), match.span())
    for span in list(lines.values())[:_MOST]:
        yield _make(row("homoglyphs"), source, places, span, "")


def _names(chars: str) -> str:
    return " ".join(f"U+{ord(char):04X}" for char in chars[:8])


def _make(rule: Rule, source: SourceText, places: Places, span: tuple[int, int], said: str) -> Finding:
    place = places.at(*span).place
    own = [rule.at[key] for key in (place.role, place.kind) if key in rule.at]
    severity = max([rule.severity, *own], key=lambda each: each.rank)
    if place.kind in (Kind.TEST, Kind.ASSET) and rule.id != "hidden_sentence":
        severity = max(severity, Severity.MEDIUM, key=lambda each: each.rank)
    return make_finding(rule, source, span, place, severity=severity, decoded=said)
