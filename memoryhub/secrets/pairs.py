"""Names with their passwords: `login: name@host/Word!7`, `root/Word@99`, `(hub:Word!7)`, `me@host / Word!7`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.secrets.model import Secret
from memoryhub.secrets.values import (
    classes,
    is_default,
    is_named,
    is_no_value,
    looks_chosen,
    looks_like_password,
    readable,
)
from memoryhub.secrets.words import DEFAULT_USERS

_VALUE = r"([^\s\"'`“”「」,;，；。、（）()<>\[\]|/\u3400-\u9fff]{4,64})"
_AFTER_LOGIN = re.compile(r"[^\n:：]{0,40}?[:：]\s+|[:：]\s*|\s+(?:is|are|son|são|sont|sind|это)\s+|\s+")
_HOST_BEHIND = re.compile(r"@(?:\d{1,3}(?:\.\d{1,3}){3}|[a-z][\w-]*(?:\.[\w-]+)+)$")
_PAIR = re.compile(
    rf"(?:[^\s/|:，,;=]{{1,20}}=)?([\w.+-]{{2,40}}(?:@[\w.-]{{1,60}})?)(\s*[/|]\s*|:|：| {{1,2}}){_VALUE}(?!/)"
)
_ALONE = re.compile(_VALUE)
_SIGN = re.compile(r"[!#$%&*^@]")
_DIGIT = re.compile(r"\d")
_SIGN_OR_CAPITAL = re.compile(r"[!#$%&*^@A-Z]")

_KNOWN_USER = re.compile(
    rf"(?<![\w/.@-])({'|'.join(sorted(DEFAULT_USERS, key=len, reverse=True))})([/:]){_VALUE}(?!/)", re.IGNORECASE
)
_IN_BRACKETS = re.compile(rf"\([A-Za-z][\w.-]{{2,30}}\s*[:/]\s*{_VALUE}\)")
_BEHIND_MAIL = re.compile(rf"[\w.+-]{{1,40}}@[\w.-]{{2,60}}\s+[/|]\s+{_VALUE}")
_WELL_KNOWN = frozenset(
    {
        "admin/admin",
        "root/root",
        "root/toor",
        "guest/guest",
        "postgres/postgres",
        "minioadmin/minioadmin",
        "pi/raspberry",
    }
    | {"admin/password", "admin/123456", "admin/admin123", "test/test123", "root/123456", "elastic/changeme"}
)


def by_login(text: str, end: int, last: int) -> Iterator[Secret]:
    """Yield the password of a pair behind a word such as "login" that ends at `end`, on the same line."""
    separator = _AFTER_LOGIN.match(text, end, last)
    for at in dict.fromkeys((separator.end() if separator else end, end + 1)):
        pair = _PAIR.match(text, at, last)
        if pair and _is_pair(pair[1], pair[2], word := pair[3].rstrip(".:?*_")):
            known = word == pair[1] or is_default(word)
            yield Secret("default_login" if known else "login", pair.start(3), pair.start(3) + len(word))
            return
    alone = _ALONE.match(text, separator.end(), last) if separator and separator[0].strip() else None
    if alone and _SIGN.search(alone[0]) and _DIGIT.search(alone[0]) and looks_like_password(alone[0]):
        yield Secret("login", *alone.span(1))


def _is_pair(name: str, between: str, value: str) -> bool:
    if name.startswith("http"):
        return False
    if value == name.split("@")[0] or is_default(value):
        return between.strip() in {"/", ":", "|"} and not is_no_value(name + "x") and not value.isdigit()
    if between.isspace():
        return looks_chosen(value) and (_SIGN.search(value) is not None or classes(value) == 4)
    if between in {"/", ":", "："}:
        return looks_chosen(value) and not readable(value)
    return looks_like_password(value) and _DIGIT.search(value) is not None and not value.isdigit()


def by_user(text: str) -> Iterator[Secret]:
    """Yield passwords behind a user name without any label; folders such as `root/src` are left alone."""
    for pattern in (_IN_BRACKETS, _BEHIND_MAIL):
        for match in pattern.finditer(text):
            if looks_chosen(match[1]) and not readable(match[1]) and _SIGN_OR_CAPITAL.search(match[1]):
                yield Secret("login", *match.span(1))
    for match in _KNOWN_USER.finditer(text):
        value = _HOST_BEHIND.sub("", match[3].rstrip(".:?"))
        start = match.start(3)
        if f"{match[1]}/{value}".casefold() in _WELL_KNOWN:
            yield Secret("default_login", start, start + len(value))
        elif _unlikely_a_path(value) and (match[2] == "/" or any(map(str.isupper, value))):
            yield Secret("login", start, start + len(value))


def _unlikely_a_path(value: str) -> bool:
    return looks_chosen(value) and not readable(value) and (not is_named(value) or classes(value) == 4)
