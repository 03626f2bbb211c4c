"""A text of a transcript as it is shown: unseen characters named, secrets masked, hits marked. Makes no HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from memoryhub import visible
from memoryhub.visible import Run
from sessions_app import masking
from sessions_app.query_parts import Term
from sessions_app.search.matching import spans
from sessions_app.search.snippets import END, START, neutral

_LONGEST_MARKED: Final = 200_000
_LONGEST_LINE: Final = 2_000
_MASK_RUN: Final = "secret"
_MOST_MARKS: Final = 2_000
_IN_ADDRESS: Final = re.compile(r"(?:://|mailto:|\]\()[^\s<>]*$")


def runs(text: str, terms: Sequence[Term] = (), *, name: str = "", revealed: bool = False) -> tuple[Run, ...]:
    """Return the text in runs: "text", "mark" (a hit), "secret" (masked), and the kinds of unseen characters.

    `name` is that of an argument whose value the text is; it may say that all of it is secret.
    """
    marks = [(start, end, "hit") for start, end in _hits(text, terms)]
    secrets = () if revealed else masking.find_named(name, text)
    if not secrets:
        return visible.runs(text, marks)
    found: list[Run] = []
    at = 0
    for secret in secrets:
        found += visible.runs(text[at : secret.start], _within(marks, at, secret.start))
        found.append(Run(masking.MASK, _MASK_RUN, secret.kind))
        at = secret.end
    return (*found, *visible.runs(text[at:], _within(marks, at, len(text))))


def has_secret(text: str) -> bool:
    """Whether anything of the text is masked."""
    return bool(masking.find(text))


def line(text: str, *, revealed: bool = False) -> str:
    """Return a text on one line as plain text, cut when it is very long: titles, names, attributes."""
    return _line(text if len(text) <= _LONGEST_LINE else text[:_LONGEST_LINE] + "…", revealed)


@lru_cache(maxsize=1024)
def _line(text: str, revealed: bool) -> str:
    shown = text if revealed else masking.masked(text)
    return "".join(
        run.text if run.kind in ("text", "mark") else f"⟨{run.label or run.kind}⟩"
        for run in visible.runs(" ".join(shown.split()))
    )


def value_line(name: str, text: str) -> str:
    """Return the value of a named argument on one line; nothing but the mask when its name says that it is secret."""
    return line(masking.mask(text, masking.find_named(name, text)))


def for_markdown(text: str, terms: Sequence[Term] = (), *, revealed: bool = False) -> str:
    """Return the text to be read as Markdown: as `runs`, with U+E000 … U+E001 around each word of a hit."""
    parts: list[str] = []
    for run in runs(text, terms, revealed=revealed):
        if run.kind == "mark" and not _is_in_address("".join(parts[-3:])):
            parts += [f"{START}{neutral(run.text)}{END}"]
        elif run.kind == "mark" or run.kind in ("text", _MASK_RUN):
            parts.append(neutral(run.text))
        else:
            parts.append(f"⟨{run.label.split(' ', 1)[0] or run.kind}⟩")
    return "".join(parts)


def _is_in_address(before: str) -> bool:
    """Whether a text ends inside an address: marks there would change where a link leads."""
    return bool(_IN_ADDRESS.search(before[-2_000:]))


def marked_line(snippet: str) -> str:
    """Return a snippet that carries marks, with secrets masked and unseen characters named; marks are kept."""
    plain = snippet.replace(START, "").replace(END, "")
    secrets = masking.find(plain)
    if secrets:
        snippet = _masked_around_marks(snippet, secrets)
    return "".join(
        run.text if run.kind in ("text", "mark") or run.text in (START, END) else f"⟨{run.label.split(' ', 1)[0]}⟩"
        for run in visible.runs(snippet)
    )


def _masked_around_marks(snippet: str, secrets: Sequence[masking.Secret]) -> str:
    """Mask values given by their places in the snippet without marks; marks inside a value go, a mark stays closed."""
    starts = {one.start: one.end for one in secrets}
    parts: list[str] = []
    place, until, is_open = 0, -1, False
    for char in snippet:
        if char in (START, END):
            if place >= until:
                parts.append(char)
                is_open = char == START
            continue
        if place in starts:
            until = starts[place]
            parts.append(f"{END}{masking.MASK}" if is_open else masking.MASK)
            is_open = False
        if place >= until:
            parts.append(char)
        place += 1
    return "".join(parts) + (END if is_open else "")


def _hits(text: str, terms: Sequence[Term]) -> list[tuple[int, int]]:
    return spans(terms, text[:_LONGEST_MARKED])[:_MOST_MARKS] if terms else []


def _within(marks: Sequence[tuple[int, int, str]], start: int, end: int) -> list[tuple[int, int, str]]:
    return [(max(a, start) - start, min(b, end) - start, kind) for a, b, kind in marks if a < end and b > start]
