"""What stands before every view, outermost first: Host, headers, CSRF, the door, the profile and its time zone.

The order is in settings.MIDDLEWARE and held by memoryhub.web.checks.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.cache import patch_vary_headers

from memoryhub.hermes.home import find_profile
from memoryhub.services import door
from memoryhub.views.door import closed_page
from memoryhub.web.headers import security_headers
from memoryhub.web.htmx import is_htmx, reload

Next = Callable[[HttpRequest], HttpResponseBase]
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
        return _secured(request, HttpResponse(_FOREIGN_HOST, status=400))


class HeadersMiddleware:
    """Put the security headers on every answer, static files and error pages included."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return _secured(request, self.get_response(request))


def _secured(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    keepable = request.path_info.startswith(settings.STATIC_URL) and response.has_header("Cache-Control")
    for name, value in security_headers(request.path_info, keepable=keepable).items():
        response.headers[name] = value
    if not keepable:
        patch_vary_headers(response, ["HX-Request"])
    return response


class CsrfMiddleware(CsrfViewMiddleware):
    """Django's check; origins of a tunnel or proxy come from ``serve --allow-origin``, exactly as written."""

    @property
    def allowed_origins_exact(self) -> frozenset[str]:  # type: ignore[override]
        return door.current_instance().allow_origins


class DoorMiddleware:
    """Let only browsers in that came through an open link (or gave the password); static files are answered before."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
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

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        home = door.current_instance().home
        name = request.GET.get("profile") or request.POST.get("profile")
        if name:
            found = find_profile(home, name)
            if found is None:
                raise Http404(f"There is no profile {name}.")
            home = found
        request.hermes_home = home
        return self.get_response(request)
