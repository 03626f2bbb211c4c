"""The entries of the header: each app names its own in ``AppConfig.navigation`` and appears only when installed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class Words(Protocol):
    """A text, perhaps translated when it is shown."""

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class NavEntry:
    """One link of the header: the URL's name, its words, and the letter after ``g`` that leads there."""

    url_name: str
    label: Words
    key: str
