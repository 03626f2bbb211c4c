"""Literal secrets in memory texts: where a password, key or token stands that does not belong there.

Finds values, not words about them: names of variables, paths, masks, document ids and public identifiers are left
alone. Works on unquoted values in many languages, and reports only the value, so that the rest of an entry stays.
"""

from __future__ import annotations

from memoryhub.secrets.labelled import by_label
from memoryhub.secrets.model import MASK, Secret, mask
from memoryhub.secrets.pairs import by_user
from memoryhub.secrets.shapes import by_shape

__all__ = ["MASK", "READ", "Secret", "find_secrets", "mask"]

READ = 65_536  # characters that are looked at; no entry is longer, and time is bounded
_ORDER = ("private_key", "token", "url", "default_login", "login", "password", "key")


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Return the secrets of a text in order, without overlaps; spans are in code points and cover the value only."""
    read = text[:READ]
    found = [*by_shape(read), *by_label(read), *by_user(read)]
    kept: list[Secret] = []
    taken = bytearray(len(read))
    for secret in sorted(found, key=lambda each: (_ORDER.index(each.kind), each.start - each.end)):
        if not any(taken[secret.start : secret.end]):
            kept.append(secret)
            taken[secret.start : secret.end] = b"\1" * (secret.end - secret.start)
    return tuple(sorted(kept, key=lambda each: each.start))
