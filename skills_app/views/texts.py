"""Texts of skills as they are shown: unseen characters named, secrets masked, matches marked. Makes no HTML."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from django.utils.translation import gettext as _

from memoryhub import visible
from memoryhub.secrets import MASK, find_secrets
from memoryhub.visible import Run

LONGEST_LINE: Final = 400
_MARK: Final = "finding"


def runs(text: str, marks: Sequence[tuple[int, int]] = ()) -> tuple[Run, ...]:
    """A text in runs: plain, marked, masked, and unseen characters by their names.

    A mark over a secret stays visible as a mark over its dots.
    """
    found: list[Run] = []
    at = 0
    for secret in find_secrets(text):
        found += visible.runs(text[at : secret.start], _within(marks, at, secret.start))
        found.append(Run(MASK, "secret", secret.kind))
        at = secret.end
    return (*found, *visible.runs(text[at:], _within(marks, at, len(text))))


def line(text: str, most: int = LONGEST_LINE) -> str:
    """A foreign text on one line as plain text, cut when it is long: names, descriptions, paths."""
    return _line(text[: most * 4], most)


@lru_cache(maxsize=8192)
def _line(text: str, most: int) -> str:
    whole = " ".join(text.split())
    cut = whole if len(whole) <= most else whole[: most - 1] + "…"
    return "".join(run.text if run.kind in ("text", "secret") else f"⟨{_label(run)}⟩" for run in runs(cut))


def for_markdown(text: str) -> str:
    """A text to be read as Markdown: secrets masked, unseen characters written out."""
    return "".join(run.text if run.kind in ("text", "secret") else f"⟨{_label(run)}⟩" for run in runs(text))


def _label(run: Run) -> str:
    if run.label.startswith("U+"):
        return run.label.split(" ", 1)[0]
    return _("hidden: %s") % run.label if run.label else run.kind


def _within(marks: Sequence[tuple[int, int]], start: int, end: int) -> list[tuple[int, int, str]]:
    return [(max(a, start) - start, min(b, end) - start, _MARK) for a, b in marks if a < end and b > start]
