"""Checks that keep promises of the door from being undone by an edit of the settings."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import Error, register

_ORDER = [
    "memoryhub.web.middleware.HostMiddleware",
    "memoryhub.web.middleware.HeadersMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "memoryhub.web.middleware.CsrfMiddleware",
    "memoryhub.web.middleware.DoorMiddleware",
]


@register
def door_stands_in_front(**kwargs: Any) -> list[Error]:
    """The Host check is first of all, the headers cover static files, the door lies inside CSRF."""
    present = [name for name in settings.MIDDLEWARE if name in _ORDER]
    if present == _ORDER and settings.MIDDLEWARE[0] == _ORDER[0]:
        return []
    return [
        Error(
            "The middleware is not in the order that keeps other pages and accounts out.",
            hint="Keep this order in MIDDLEWARE: " + ", ".join(_ORDER),
            id="memoryhub.E001",
        )
    ]
