"""Secrets in transcripts: what memory texts hide, and what tool output shows besides (settings, headers, PEM blocks).

Nothing stored is changed: masks are for showing and for exports. Here rather one mask too many than one too few.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from memoryhub import secrets
from memoryhub.secrets import MASK, Secret

__all__ = ["MASK", "Secret", "find", "mask", "masked"]

_STEP: Final = 60_000  # find_secrets looks at no more than 65,536 characters
_OVERLAP: Final = 4_000
_SHORT: Final = 4_000  # texts that are worth remembering the answer for
_NAMES_ONE: Final = (
    r"[\w.-]{0,60}(?:api[_-]?key|apikey|secret|token|passw(?:or)?d|passphrase|pwd|credentials?|private[_-]?key"
    r"|access[_-]?key|auth[_-]?key|session[_-]?key|encryption[_-]?key|signing[_-]?key|_key|_pass|_pw|cookie|_dsn|bearer)"
)
# NAME=value, "name": "value", name: value (one word), with the value alone as the group.
_ASSIGNED: Final = re.compile(
    rf"""(?<![\w.-])(?:{_NAMES_ONE})(?P<more>[\w.-]{{0,40}})(?:\\?["'])?[ \t]{{0,3}}(?:=|:|=>)[ \t]{{0,3}}
    (?:\\?"(?P<double>[^"\\\n]{{4,2000}})|\\?'(?P<single>[^'\\\n]{{4,2000}})|(?P<bare>[^\s"'`,;&|<>()\\{{}}\[\]]{{4,2000}}))""",
    re.IGNORECASE | re.VERBOSE,
)
_HEADER: Final = re.compile(
    r"\b(?:proxy-)?authorization\b\\?[\"']?[ \t]{0,3}[:=][ \t]{0,3}\\?[\"']?"
    r"(?:(?:bearer|basic|token|digest|apikey|negotiate)[ \t]+)?(?P<value>[^\s\"'\\,;]{4,4000})"
    r"|\b(?:x-api-key|x-auth-token|set-cookie|cookie)\b\\?[\"']?[ \t]{0,3}:[ \t]{0,3}\\?[\"']?"
    r"(?P<cookie>[^\n\"'\\]{4,4000})|\bbearer[ \t]+(?P<bearer>[A-Za-z0-9._~+/=-]{12,4000})",
    re.IGNORECASE,
)
_PEM: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END: Final = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_TAIL: Final = re.compile(r"(?:^[A-Za-z0-9+/]{60,76}$\n){3,400}", re.MULTILINE)
_IN_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]{1,20}://[^\s:/@?#\"'<>]{0,80}:(?P<value>[^\s@/\"'<>]{1,200})@", re.I)
_NAME: Final = re.compile(_NAMES_ONE, re.IGNORECASE)
# What stands for a value and is none.
_NO_VALUE: Final = re.compile(
    r"(?:\$|%\w+%|<|\{\{|\*{3}|x{4}|•|\.{3}|\[|true$|false$|none$|null$|undefined$|nil$|\d{1,3}$|os\.|process\.env|str$"
    r"|string$|int$|required$|optional$|\d+ ?(?:tokens?)?$)",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(
    r"s?(?:_?(?:count|limit|budget|usage|length|size|type|name|id|file|path|url|env|per)\w*)?$", re.I
)
_COUNT_NAME: Final = re.compile(
    r"(?:max|min|input|output|total|prompt|completion|num|n|cached?|reasoning)_?tokens?$", re.I
)


def find(text: str) -> tuple[Secret, ...]:
    """Return the places of secret values in a text of any length, in order, without overlaps."""
    return _remembered(text) if len(text) <= _SHORT else _found(text)


@lru_cache(maxsize=1024)
def _remembered(text: str) -> tuple[Secret, ...]:
    return _found(text)


def _found(text: str) -> tuple[Secret, ...]:
    if len(text) < 8:
        return ()
    found = [*_common(text), *_more(text)]
    kept: list[Secret] = []
    for one in sorted(found, key=lambda each: (each.start, -each.end)):
        if kept and one.start < kept[-1].end:
            if one.end > kept[-1].end:
                kept[-1] = Secret(kept[-1].kind, kept[-1].start, one.end)
        elif one.end > one.start:
            kept.append(one)
    return tuple(kept)


def find_named(name: str, text: str) -> tuple[Secret, ...]:
    """Return the places of secrets in the value of a named argument: all of it where the name says so."""
    if _NAME.fullmatch(name) and not _COUNT_NAME.search(name) and "\n" not in text and len(text) >= 4:
        return () if _NO_VALUE.match(text) else (Secret("key", 0, len(text)),)
    return find(text)


def masked(text: str) -> str:
    """Return a text with every secret value replaced by the same eight dots."""
    return mask(text, find(text))


def mask(text: str, found: Sequence[Secret]) -> str:
    """Replace the found values."""
    return secrets.mask(text, found)


def _common(text: str) -> Iterator[Secret]:
    for start in range(0, len(text), _STEP):
        stretch = text[max(0, start - _OVERLAP) : start + _STEP]
        at = max(0, start - _OVERLAP)
        for one in secrets.find_secrets(stretch):
            yield Secret(one.kind, one.start + at, one.end + at)


def _more(text: str) -> Iterator[Secret]:
    lower = text.lower()
    if "=" in text or ":" in text:
        yield from _assigned(text)
        yield from _headers(text)
    if "-----begin" in lower:
        yield from _pem(text)
    if "-----end" in lower or len(text) > 200:
        yield from (Secret("private_key", *found.span()) for found in _PEM_TAIL.finditer(text))
    if "://" in text and "@" in text:
        for found in _IN_ADDRESS.finditer(text):
            if not _NO_VALUE.match(found["value"]):
                yield Secret("url", *found.span("value"))


def _pem(text: str) -> Iterator[Secret]:
    """What stands between the lines of a private key; to the end where it is cut off."""
    at = 0
    while found := _PEM.search(text, at):
        end = _PEM_END.search(text, found.end())
        at = end.end() if end else len(text)
        yield Secret("private_key", found.end(), end.start() if end else len(text))


def _assigned(text: str) -> Iterator[Secret]:
    for found in _ASSIGNED.finditer(text):
        group = next(name for name in ("double", "single", "bare") if found[name] is not None)
        value, name = found[group], found[0][: found.start(group) - found.start()]
        if _NO_VALUE.match(value) or (found["more"] and _COUNTED.match(found["more"])):
            continue
        if _COUNT_NAME.search(name.rstrip("\"' \t=:>\\")) or not _may_be(value, group):
            continue
        yield Secret("key", *found.span(group))


def _may_be(value: str, group: str) -> bool:
    """Whether a value could be a secret: a word of prose after a colon is none."""
    if group != "bare":
        return " " not in value or len(value) < 60
    return not value.isalpha() or len(value) >= 16 or not value.islower()


def _headers(text: str) -> Iterator[Secret]:
    for found in _HEADER.finditer(text):
        group = found.lastgroup or "value"
        if not _NO_VALUE.match(found[group]):
            yield Secret("token", *found.span(group))
