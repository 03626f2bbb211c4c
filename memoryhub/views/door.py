"""The door's own pages: the open link, the page that asks for it, the password, a refused form."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from django.middleware.csrf import rotate_token
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from memoryhub.services import door
from memoryhub.views.guard import typed_fields
from memoryhub.web import passwords
from memoryhub.web.door import find_token, password_matches
from memoryhub.web.headers import REFERRER, referrer_policy
from memoryhub.web.htmx import HubRequest

_guesses = passwords.Guesses()
_TELL_NOBODY = {REFERRER: referrer_policy(holds_token=True)}


@require_http_methods(["GET", "HEAD", "POST"])
def token_page(request: HubRequest) -> HttpResponse:
    """Ask for the open link; a POST brings one that was pasted."""
    if request.method != "POST":
        return _welcome(request) if request.door_is_open else closed_page(request, status=200)
    token = find_token(request.POST.get("link", ""))
    if token is None:
        return closed_page(request, _("That is not a link of memoryhub open. Paste the whole line."), status=422)
    return _use(request, token)


@require_http_methods(["GET", "HEAD"])
def open_link(request: HubRequest, token: str) -> HttpResponse:
    """Let the bearer of a fresh token in. Only a real visit uses it up: no preview, no prefetch."""
    if request.door_is_open:
        return _welcome(request)
    if request.method == "HEAD" or "prefetch" in request.headers.get("Sec-Purpose", ""):
        return HttpResponse(status=204, headers=_TELL_NOBODY)
    return _use(request, token)


@require_POST
def password(request: HubRequest) -> HttpResponse:
    """Let in who knows the password, where the dashboard can be reached by other machines."""
    kept = passwords.read(settings.DATA_DIR) if door.current_instance().is_public else ""
    if not kept:
        return closed_page(request, _("This dashboard takes no password; use the open link."), status=422)
    if not _guesses.take():
        response = closed_page(request, _("Too many wrong passwords. Wait a minute, then try again."), status=429)
        response.headers["Retry-After"] = str(int(passwords.Guesses.SECONDS))
        return response
    if not password_matches(request.POST.get("password", ""), kept):
        return closed_page(request, _("That is not the password."), status=422)
    _guesses.forgive()
    return _let_in(request)


def closed_page(request: HubRequest, sentence: str = "", status: int = 403) -> HttpResponse:
    """The page that asks for the open link. It knows nothing of the home, since anybody may see it."""
    path = request.get_full_path()
    context = {
        "continue_url": "/" if path.startswith(("/open/", "//")) else path,
        "sentence": sentence,
        "takes_password": door.current_instance().is_public,
    }
    return render(request, "door/closed.html", context, status=status)


def csrf_failure(request: HubRequest, reason: str = "") -> HttpResponse:
    """Say which header or field of a refused form was wrong, and how to allow what was meant."""
    origin = request.headers.get("Origin")
    wrong_origin = origin is not None and reason.startswith("Origin")
    context = {
        "origin": origin if wrong_origin else "",
        "origin_is_null": wrong_origin and origin == "null",
        "wrong_referer": reason.startswith("Referer"),
        "here": f"{request.scheme}://{request.get_host()}",
        "typed": typed_fields(request) if request.door_is_open else [],
    }
    return render(request, "door/csrf.html", context, status=403)


def _use(request: HubRequest, token: str) -> HttpResponse:
    if door.token_consume(token):
        return _let_in(request)
    return closed_page(request, _("This link was used already, is older than ten minutes, or never was one."))


def _let_in(request: HubRequest) -> HttpResponse:
    rotate_token(request)
    response = _welcome(request)
    door.enter(response)
    return response


def _welcome(request: HubRequest) -> HttpResponse:
    """A page that goes on by itself: after a redirect the browser would not send a strict cookie."""
    response = render(request, "door/welcome.html")
    response.headers[REFERRER] = referrer_policy(holds_token=True)
    return response
