"""Filters put into and taken out of a typed query, so that facets are links and the address is all there is."""

from __future__ import annotations

import re
from typing import Final

_PIECE: Final = re.compile(r'-?[A-Za-z]{2,20}:"[^"]*"|"[^"]*"|\S+')
_NEEDS_QUOTES: Final = re.compile(r'[\s"]')


def as_filter(field: str, value: str) -> str:
    """Return a filter as it is typed. A quote inside a value cannot be typed and is left out."""
    clean = " ".join(value.replace('"', " ").split())
    return f'{field}:"{clean}"' if _NEEDS_QUOTES.search(value) or not clean else f"{field}:{clean}"


def with_filter(text: str, field: str, value: str) -> str:
    """Add a filter to a query."""
    return f"{text.strip()} {as_filter(field, value)}".strip()


def without_filter(text: str, field: str, value: str) -> str:
    """Take a filter out of a query, however it is written."""
    return " ".join(piece for piece in _PIECE.findall(text) if not _is(piece, field, value))


def without_field(text: str, *fields: str) -> str:
    """Take all filters of some fields out of a query."""
    names = {field.lower() for field in fields}
    return " ".join(piece for piece in _PIECE.findall(text) if piece.partition(":")[0].lower() not in names)


def has_filter(text: str, field: str, value: str) -> bool:
    """Say whether a query holds a filter."""
    return any(_is(piece, field, value) for piece in _PIECE.findall(text))


def _is(piece: str, field: str, value: str) -> bool:
    name, colon, typed = piece.partition(":")
    return bool(colon) and name.lower() == field and typed.strip('"').lower() == value.replace('"', " ").strip().lower()
