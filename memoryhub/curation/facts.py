"""The facts in an entry that a rewording may lose: numbers, paths, commands, names, signs, negations and wishes.

Knows words and shapes only. What counts as the same fact in other words is in proof.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memoryhub.curation.health.model import Span
from memoryhub.curation.health.wording import Words, sentences, signs, words

_CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3"


class FactKind(StrEnum):
    """Kinds of facts, in the order in which they are looked for: what one kind took, the next leaves."""

    COMMAND = "command"  # in backticks, or an option such as --force
    PATH = "path"  # paths, addresses, hosts, file names
    QUOTE = "quote"
    NUMBER = "number"  # with its unit, version, date, time or port
    SIGN = "sign"  # an emoji may be the value itself
    NAME = "name"  # written like a name: Capitalised inside a sentence, CamelCase, snake_case, ALL CAPS
    NEGATION = "negation"
    WISH = "wish"


@dataclass(frozen=True)
class Fact:
    """One fact at a span of a text. ``about`` are the words a negation or wish is about, folded."""

    kind: FactKind
    text: str
    span: Span
    about: frozenset[str] = frozenset()


NEGATIONS: Final = Words(
    words(
        *(r"not", r"never", r"no", r"none", r"neither", r"nor", r"without", r"cannot", r"avoid(?:s|ing)?", r"stop"),
        *(
            r"(?:do|does|did|is|are|was|were|has|have|had|ca|wo|should|must|could|would|may)n['’]t",
            r"except",
            r"unless",
        ),
        *(r"nunca", r"sin", r"nicht", r"kein\w*", r"nie", r"ohne", r"jamais", r"sans", r"pas", r"não", r"sem"),
        *(r"не", r"нет", r"никогда", r"без", r"forbidden", r"skip", r"hates?", r"dislikes?", r"refuses?"),
    ),
    signs("不(?!过|同|仅|管|断)", "没", "别(?!名|的|人)", "无(?!论)", "禁止", "勿", "非(?!常)", "讨厌"),
)
WISHES: Final = Words(
    words(
        *(r"prefer(?:s|red|ence)?", r"wants?", r"likes?", r"loves?", r"expects?", r"insists?", r"always", r"must"),
        *(r"only", r"should", r"require[sd]?", r"needs?", r"favou?rs?", r"instead of", r"rather than", r"first"),
        *(r"prefiere", r"siempre", r"bevorzugt", r"immer", r"préfère", r"toujours", r"предпочитает", r"всегда"),
    ),
    signs("偏好", "喜欢", "希望", "要求", "必须", "总是", "只", "应该", "优先", "先"),
)

_COMMAND: Final = re.compile(r"`([^`\n]{1,300})`|(?<![\w-])(--?[A-Za-z][\w-]*(?:=[^\s,;]+)?)")
_PATH: Final = re.compile(
    r"[a-z][a-z0-9+.-]{1,15}://[^\s<>\"'`,;)\]]+"
    r"|(?<![\w.])(?:~|\.{1,2}|/|[A-Za-z]:\\|\$[A-Z_]+)?(?:[\\/][\w.@+~-]+)+/?"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    rf"|(?<![\w.{_CJK}])[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.[A-Za-z][A-Za-z0-9]{{0,9}}(?![\w.])"
)
_QUOTE: Final = re.compile(
    r"\"([^\"\n]{1,200})\"|“([^”\n]{1,200})”|「([^」\n]{1,200})」|(?<!\w)'([^'\n]{2,200})'(?!\w)"
)
_NUMBER: Final = re.compile(
    r"(?<![\w.])v?[:#$€£¥]?\d[A-Za-z0-9_.,:/-]*(?:\s?(?:%|ms|s|min|h|kb|mb|gb|tb|px|km|kg|days?|weeks?|months?|years?|hours?"
    r"|minutes?|am|pm|st|nd|rd|th|年|月|日|号|点|元|个|次|天|小时|分钟)(?![a-z]))?",
    re.IGNORECASE,
)
_SIGN: Final = re.compile("[\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")
_NAME: Final = re.compile(
    r"[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Z][A-Z0-9]+s?(?![a-z])|[^\W\d_a-z][^\W\d_]+(?:['’-][^\W\d_]+)*"
    r"|\b[a-z]+(?:-[a-z0-9]+)+\b"
)
_SHAPED: Final = re.compile(r"[_-]|[a-z][A-Z]")
_OPENS: Final = re.compile(r"(?:^\s*|[.!?:;。！？：；\n(]\s*|^[-*•]\s+)$")
_ORDINARY: Final = frozenset(
    re.findall(
        r"\w+",
        "a an and any all also always after as at ask be before but by do does don each every for from has have he her"
        " his if in is it its keep likes make must my never no not of on one only or our out over please prefers run"
        " set she should so that the their them then there they this to too until use used user users using wants was"
        " we what when where which while who will with without you your i",
    )
)
_WORD: Final = re.compile(rf"[{_CJK}]{{2}}|[^\W_{_CJK}]+")
_ABOUT: Final = 5  # words after a negation or wish that it may be about


def find_facts(text: str) -> tuple[Fact, ...]:
    """Return the facts of a text, rising by place; those of different kinds do not overlap but for the last two."""
    taken: list[Span] = []
    found: list[Fact] = []
    for kind, spans in (
        (FactKind.COMMAND, _groups(_COMMAND, text)),
        (FactKind.PATH, _groups(_PATH, text)),
        (FactKind.QUOTE, _groups(_QUOTE, text)),
        (FactKind.NUMBER, _groups(_NUMBER, text)),
        (FactKind.SIGN, _groups(_SIGN, text)),
        (FactKind.NAME, _names(text)),
    ):
        for start, end in spans:
            if not any(start < b and a < end for a, b in taken):
                taken.append((start, end))
                found.append(Fact(kind, text[start:end], (start, end)))
    found += _said(FactKind.NEGATION, NEGATIONS, text)
    found += _said(FactKind.WISH, WISHES, text)
    return tuple(sorted(found, key=lambda fact: (fact.span, fact.kind)))


def content_words(text: str) -> frozenset[str]:
    """Return the words of a text that carry meaning, folded and without their endings; pairs of Chinese characters."""
    return frozenset(stem(word) for word in _WORD.findall(text.casefold()) if word not in _ORDINARY)


def stem(word: str) -> str:
    """Return a word without the endings that a rewording changes."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)].rstrip("e")
    return word.rstrip("e") if len(word) > 4 else word


def _groups(pattern: re.Pattern[str], text: str) -> Iterator[Span]:
    for match in pattern.finditer(text):
        group = match.lastindex or 0
        start, end = match.span(group)
        while end > start and text[end - 1] in ".,:;/-" and not text[start:end].endswith("//"):
            end -= 1
        if end > start:
            yield start, end


def _names(text: str) -> Iterator[Span]:
    for match in _NAME.finditer(text):
        word = match[0]
        plain = word.isalpha() and (word[1:].islower() or not word[0].isascii())
        if (
            not (word[0].isupper() or _SHAPED.search(word))
            or word.casefold() in _ORDINARY
            or (plain and _OPENS.search(text[max(0, match.start() - 6) : match.start()]))
        ):
            continue
        yield match.span()


def _said(kind: FactKind, vocabulary: Words, text: str) -> Iterator[Fact]:
    for begin, end in sentences(text):
        for start, stop in vocabulary.spans(text[begin:end]):
            after = [stem(word) for word in _WORD.findall(text[begin + stop : end].casefold()) if word not in _ORDINARY]
            before = [stem(w) for w in _WORD.findall(text[begin : begin + start].casefold()) if w not in _ORDINARY]
            about = frozenset(after[:_ABOUT] or before[-_ABOUT:])
            yield Fact(kind, text[begin:end].strip(), (begin + start, begin + stop), about)
