"""One line for each answer, without query strings and tokens."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from typing import Any

from memoryhub.web.logs import without_token

log = logging.getLogger("memoryhub.access")
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def logged(application: Application) -> Application:
    """Wrap a WSGI application so that each request is logged: method, path, status, milliseconds."""

    def wrapper(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        began = time.perf_counter()

        def started(status: str, *args: Any, **kwargs: Any) -> Any:
            milliseconds = (time.perf_counter() - began) * 1000
            path = without_token(environ.get("PATH_INFO", ""))
            log.info("%s %r %s %.0f ms", environ.get("REQUEST_METHOD"), path, status[:3], milliseconds)
            return start_response(status, *args, **kwargs)

        return application(environ, started)

    return wrapper
