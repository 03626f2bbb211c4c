"""What other apps add to our own pages and commands. Each names it on its AppConfig; nothing here knows an app by name.

An AppConfig may have methods ``figures(home)``, ``attention(request)``, ``background(home)``, ``panels(request)``,
``kept(spelling)`` and ``forget(spelling)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.apps import apps
from django.http import HttpRequest

from memoryhub.hermes.home import Home
from memoryhub.spellings import Spelling


@dataclass(frozen=True)
class Attention:
    """One thing that needs a look, and where; ``tone`` is red, amber, green or empty."""

    tone: str
    sentence: str
    url: str


@dataclass(frozen=True)
class Panel:
    """A part of the settings page: a template and what it needs as ``panel.values``."""

    template: str
    values: dict[str, Any] = field(default_factory=dict)


class Background(Protocol):
    """Something that runs beside ``serve``."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


def figures(home: Home) -> dict[str, Any]:
    """Parts of the status document by their name, for one profile."""
    return {name: value for ask in _methods("figures") for name, value in ask(home).items()}


def attention(request: HttpRequest) -> list[Attention]:
    """What the apps want looked at, worst first within each."""
    return [one for ask in _methods("attention") for one in ask(request)]


def backgrounds(home: Home) -> list[Background]:
    """What the apps want to run while the dashboard does; not yet started."""
    return [make(home) for make in _methods("background")]


def panels(request: HttpRequest) -> list[Panel]:
    """Parts of the settings page."""
    return [one for ask in _methods("panels") for one in ask(request)]


def kept(spelling: Spelling) -> int:
    """How many pieces of what the apps keep hold a text."""
    return sum(count(spelling) for count in _methods("kept"))


def forget(spelling: Spelling) -> None:
    """Have the apps cut a text out of everything they keep; inside the transaction of whoever forgets it."""
    for cut in _methods("forget"):
        cut(spelling)


def _methods(name: str) -> Iterator[Callable[..., Any]]:
    for config in apps.get_app_configs():
        if (method := getattr(config, name, None)) is not None:
            yield method
