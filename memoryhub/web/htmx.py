"""Answer with a page or with its part; the only place that asks whether htmx is asking.

Also says what a request carries here (``HubRequest``), for views to name as their first argument.
"""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django_htmx.middleware import HtmxDetails

from memoryhub.hermes.home import Home


class HubRequest(HttpRequest):
    """A request as views get it: what our middleware adds, with its type."""

    htmx: HtmxDetails
    door_is_open: bool
    hermes_home: Home


def is_htmx(request: HttpRequest) -> bool:
    """Whether a part is wanted. A restored history entry wants the whole page again."""
    details = cast(HubRequest, request).htmx
    return bool(details) and not details.history_restore_request


def is_asked_from(request: HttpRequest, path: str) -> bool:
    """Whether the page that asks is the one at ``path``; a request that does not say is taken for one of it."""
    page = cast(HubRequest, request).htmx.current_url
    return not page or urlsplit(page).path == path


def respond(
    request: HttpRequest, template: str, *, part: str | None = None, status: int = 200, **context: Any
) -> HttpResponse:
    """Render ``template``, or ``part`` of it when htmx asks and there is one."""
    chosen = part if part and is_htmx(request) else template
    return render(request, chosen, context, status=status)


def redirect_to(request: HttpRequest, url: str) -> HttpResponse:
    """Lead to ``url`` after something was done: 303, which htmx follows too and then swaps what it finds there."""
    return HttpResponseRedirect(url, status=303) if not is_htmx(request) else _htmx_redirect(url)


def reload(status: int = 200) -> HttpResponse:
    """Have htmx load the whole page again."""
    return HttpResponse(status=status, headers={"HX-Refresh": "true"})


def _htmx_redirect(url: str) -> HttpResponse:
    return HttpResponse(status=204, headers={"HX-Redirect": url})
