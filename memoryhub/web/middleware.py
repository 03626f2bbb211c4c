"""What stands before every view, outermost first: Host, headers, time zone, errors, CSRF, door, profile.

The order is in settings.MIDDLEWARE and held by memoryhub.web.checks.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import DatabaseError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from memoryhub.data_folder import DataFolderProblem
from memoryhub.hermes.files import FileProblem, LockBusy, NotWritable
from memoryhub.hermes.home import find_profile
from memoryhub.hermes.state_db_problems import StateDbProblem
from memoryhub.services import door
from memoryhub.views.door import closed_page
from memoryhub.web.headers import REFERRER, referrer_policy, security_headers
from memoryhub.web.htmx import HubRequest, is_htmx, reload, respond
from memoryhub.web.zones import find_zone, server_zone

Next = Callable[[Any], HttpResponseBase]
_FOREIGN_HOST = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>400</title><h1>This address is not served here</h1>"
    "<p>Use the address that <code>memoryhub serve</code> printed. Another name needs "
    "<code>memoryhub serve --allow-host NAME</code>."
)


class HostMiddleware:
    """Refuse requests meant for another host: a foreign name that leads to 127.0.0.1 is how pages elsewhere read us."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if door.current_instance().accepts_host(request.META.get("HTTP_HOST")):
            return self.get_response(request)
        return _secured(
            request, HttpResponse(_FOREIGN_HOST, status=400, headers={"Content-Length": len(_FOREIGN_HOST)})
        )


class HeadersMiddleware:
    """Put the security headers on every answer, static files and error pages included."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return _secured(request, self.get_response(request))


def _secured(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    keepable = request.path_info.startswith(settings.STATIC_URL) and response.has_header("Cache-Control")
    for name, value in security_headers(keepable=keepable).items():
        response.headers[name] = value
    response.headers.setdefault(REFERRER, referrer_policy())
    if not keepable:
        patch_vary_headers(response, ["HX-Request"])
    return response


class TimeZoneMiddleware:
    """Write times in the zone that our script found in the browser, else in that of this machine."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response
        self.server_zone = server_zone(os.environ)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with timezone.override(find_zone(request.COOKIES.get("memoryhub_timezone", "")) or self.server_zone):
            return self.get_response(request)


class ErrorPagesMiddleware:
    """One 503 page for everything that Hermes' files, its database or our own database refuse; a page for 405."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HubRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            page = respond(request, "405.html", status=405)
            page.headers["Allow"] = response.headers["Allow"]
            return page
        return response

    def process_exception(self, request: HubRequest, exception: Exception) -> HttpResponseBase | None:
        """Answer 503 for what is unavailable; everything else is a mistake of ours and becomes the 500 page."""
        if not _is_unavailable(exception):
            return None
        return respond(
            request,
            "503.html",
            part="door/_unavailable.html",
            status=503,
            sentence=_sentence(exception),
            advice=_advice(exception),
        )


class CsrfMiddleware(CsrfViewMiddleware):
    """Django's check; origins of a tunnel or proxy come from ``serve --allow-origin``, exactly as written."""

    @property
    def allowed_origins_exact(self) -> frozenset[str]:  # type: ignore[override]
        return door.current_instance().allow_origins


class DoorMiddleware:
    """Let only browsers in that came through an open link (or gave the password); static files are answered before."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HubRequest) -> HttpResponseBase:
        request.door_is_open = door.has_entered(request)
        if request.door_is_open or request.path_info.startswith("/open/"):
            return self.get_response(request)
        if is_htmx(request):  # a page inside a part would be of no use
            return reload(status=403)
        return closed_page(request)


class ProfileMiddleware:
    """Give ``request.hermes_home``: the home of ``?profile=NAME`` (address or form), else the one served."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HubRequest) -> HttpResponseBase:
        home = door.current_instance().home
        name = request.GET.get("profile") or request.POST.get("profile")
        if name:
            found = find_profile(home, name)
            if found is None:
                raise Http404(f"There is no profile {name}.")
            home = found
        request.hermes_home = home
        return self.get_response(request)


def _is_unavailable(problem: Exception) -> bool:
    """Whether ``problem`` lies outside of our code. Django's bare DatabaseError is a damaged file of ours."""
    return type(problem) is DatabaseError or isinstance(
        problem, (FileProblem, StateDbProblem, OperationalError, DataFolderProblem)
    )


def _sentence(problem: Exception) -> str:
    """What happened, for a person."""
    if isinstance(problem, DatabaseError):
        return _("MemoryHub's own database cannot be used at the moment.")
    return str(problem)


def _advice(problem: Exception) -> str:
    """What to do about it."""
    match problem:
        case LockBusy():
            return _("Another program is writing. Wait a moment and load this page again.")
        case NotWritable():
            return _("Look at the rights of the file and its folder, and whether the disk is full.")
        case DatabaseError() | DataFolderProblem():
            return _(
                "Look whether the disk is full and whether the data folder belongs to you; memoryhub doctor tells."
            )
        case _:
            return _("memoryhub doctor looks at each file and says what to do.")
