"""Pairs of a well-known user name and a password without any label: `root/Word@99`, `admin:Word!7`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.secrets.model import Secret
from memoryhub.secrets.values import looks_chosen, readable
from memoryhub.secrets.words import DEFAULT_USERS

_PAIR = re.compile(
    rf"(?<![\w/.@-])({'|'.join(sorted(DEFAULT_USERS, key=len, reverse=True))})([/:])"
    r"([^\s/\"'`,;，；。、()（）<>]{4,64})(?!/)",
    re.IGNORECASE,
)
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


def by_user(text: str) -> Iterator[Secret]:
    """Yield passwords behind a well-known user name; folders such as `root/src` are left alone."""
    for match in _PAIR.finditer(text):
        value = match[3].rstrip(".:?!" if match[3].isalnum() else ".:?")
        start = match.start(3)
        if f"{match[1]}/{value}".casefold() in _WELL_KNOWN:
            yield Secret("default_login", start, start + len(value))
        elif looks_chosen(value) and not readable(value) and (match[2] == "/" or any(map(str.isupper, value))):
            yield Secret("login", start, start + len(value))
