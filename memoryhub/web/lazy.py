"""Views that are imported when first asked for: pages that few open need not delay the first one."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def view(path: str) -> Callable[..., Any]:
    """A view named by its module and function, such as ``sessions_app.views.lists.session_list``."""
    module, _dot, name = path.rpartition(".")

    def imported(request: Any, **arguments: Any) -> Any:
        return getattr(import_module(module), name)(request, **arguments)

    imported.__name__ = name
    imported.__module__ = module
    return imported
