"""What a found secret is, and how it is masked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

MASK: Final = "••••••••"  # always eight: the mask tells nothing about the value


@dataclass(frozen=True)
class Secret:
    """The place of a secret's value in a text, in code points.

    `kind`: "token" (a known shape, such as a provider's key), "private_key", "url" (in an address), "password",
    "key" (a labelled key or token), "login" (a name with its password), "default_login" (one that everybody knows).
    """

    kind: str
    start: int
    end: int


def mask(text: str, secrets: Iterable[Secret]) -> str:
    """Return the text with each value replaced by the same eight dots."""
    parts: list[str] = []
    at = 0
    for secret in sorted(secrets, key=lambda each: each.start):
        if secret.end <= at:
            continue
        if secret.start >= at:
            parts += [text[at : secret.start], MASK]
        at = secret.end
    return "".join([*parts, text[at:]])
