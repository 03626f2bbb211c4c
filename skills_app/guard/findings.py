"""From a match to a finding: its line with the match marked, what stands around, and a fingerprint that stays."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from skills_app.guard.model import EXCERPT, Category, Finding, Place, Rule, Severity
from skills_app.guard.text import SourceText

CONTEXT: Final = 3  # lines above and below
_BLANKS: Final = re.compile(r"\s+")
_MOST_DECODED: Final = 600
_KEY: Final = re.compile(r"[\w+/=.~-]{12,}")


def make_finding(
    rule: Rule,
    source: SourceText,
    span: tuple[int, int],
    place: Place,
    *,
    severity: Severity,
    weakened: str = "",
    decoded: str = "",
    description: str = "",
) -> Finding:
    """The finding for a match at ``span`` of a text."""
    index = source.line_index(span[0])
    start, end = source.line_span(index)
    excerpt, left, right = cut(source.text[start:end], span[0] - start, min(span[1], end) - start)
    shown = masked if rule.category is Category.CREDENTIAL_EXPOSURE else _as_it_is
    return Finding(
        rule=rule.id,
        severity=severity,
        category=rule.category,
        file=source.path,
        line=index + 1,
        excerpt=shown(excerpt),
        description=description or rule.title,
        start=left,
        end=right,
        column=span[0] - start + 1,
        before=tuple(shown(source.line(number)[:EXCERPT]) for number in range(max(0, index - CONTEXT), index)),
        after=tuple(shown(source.line(number)[:EXCERPT]) for number in _following(source, index)),
        decoded=shown(decoded[:_MOST_DECODED]),
        place=place,
        weakened=weakened,
        fingerprint=fingerprint(rule.id, source.path, decoded or source.text[start:end][:2_000]),
    )


def masked(text: str) -> str:
    """A text with whatever may be a key or password hidden but for its beginning, character for character."""
    return _KEY.sub(lambda match: match[0][:4] + "•" * (len(match[0]) - 4), text)


def _as_it_is(text: str) -> str:
    return text


def _following(source: SourceText, index: int) -> range:
    return range(index + 1, min(index + 1 + CONTEXT, len(source.starts)))


def file_finding(rule: Rule, path: str, what: str, *, excerpt: str = "", severity: Severity | None = None) -> Finding:
    """A finding about a whole file; ``what`` is the sentence that says it."""
    return Finding(
        rule=rule.id,
        severity=severity or rule.severity,
        category=rule.category,
        file=path,
        line=0,
        excerpt=excerpt[:EXCERPT],
        description=what,
        fingerprint=fingerprint(rule.id, path, excerpt),
    )


def cut(line: str, start: int, end: int) -> tuple[str, int, int]:
    """A line cut to EXCERPT characters around a match, and where the match stands in that."""
    if len(line) <= EXCERPT:
        return line, start, end
    left = max(0, min(start - (EXCERPT - min(end - start, EXCERPT)) // 2, len(line) - EXCERPT))
    return line[left : left + EXCERPT], start - left, min(end - left, EXCERPT)


def fingerprint(rule: str, path: str, text: str) -> str:
    """16 hex digits of what was found where, whatever the line number and the blanks."""
    normal = _BLANKS.sub(" ", text).strip()
    return hashlib.sha256("\0".join((rule, path, normal)).encode("utf-8", "replace")).hexdigest()[:16]
