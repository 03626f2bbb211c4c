"""What stands before every view that takes a form: was it made for this home, and was it sent before?"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpResponse
from django.utils.translation import gettext as _

from memoryhub.services import submissions
from memoryhub.web.door import fingerprint
from memoryhub.web.htmx import HubRequest, is_htmx, redirect_to, reload, respond

P = ParamSpec("P")
View = Callable[Concatenate[HubRequest, P], HttpResponse]
_OURS = {"csrfmiddlewaretoken", "home_fingerprint", "submission", "profile", "password"}


def guarded(view: View[P]) -> View[P]:
    """Refuse a POST made for another home (409), and let the same form do its work once.

    Browsers must send both fields of ``{% form_guard %}``; a script that sends no Origin, only cookie and CSRF token,
    may leave them out, since it has no tab that could be old.
    """

    @wraps(view)
    def wrapper(request: HubRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.method != "POST":
            return view(request, *args, **kwargs)
        if refusal := _refusal(request):
            return refusal
        key = submissions.submission_key(request)
        if key and (earlier := submissions.submission_claim(key)):
            return _same_again(request, earlier)
        return _once(key, lambda: view(request, *args, **kwargs))

    return wrapper


def _refusal(request: HubRequest) -> HttpResponse | None:
    mark = request.POST.get("home_fingerprint", "")
    from_browser = "Origin" in request.headers or "Sec-Fetch-Site" in request.headers
    if mark and mark != fingerprint(request.hermes_home.key):
        return _answer(request, _("This form was made for another home. Nothing was changed."), 409)
    if from_browser and not (mark and request.POST.get("submission")):
        return _answer(request, _("This form came without its two guard fields. Nothing was changed."), 400)
    return None


def _once(key: str, work: Callable[[], HttpResponse]) -> HttpResponse:
    """Do ``work``; keep the id only when it succeeded."""
    succeeded = False
    try:
        response = work()
        succeeded = response.status_code < 400
    finally:
        if key and not succeeded:
            submissions.submission_free(key)
    if key and succeeded:
        submissions.submission_finish(key, response.headers.get("Location") or response.headers.get("HX-Redirect", ""))
    return response


def _same_again(request: HubRequest, earlier: submissions.Earlier) -> HttpResponse:
    """Answer a form that was sent before: lead to where the first one led."""
    if not earlier.is_finished:
        return _answer(request, _("This was sent already and is still being worked on."), 409)
    if is_htmx(request) and not earlier.location:
        return reload()
    return redirect_to(request, earlier.location or "/")


def typed_fields(request: HubRequest) -> list[tuple[str, str]]:
    """What a person typed into a form that is not taken, so that the page can give it back."""
    given = ((name, str(text)) for name, texts in request.POST.lists() if name not in _OURS for text in texts)
    return [(name, text) for name, text in given if text.strip()]


def _answer(request: HubRequest, sentence: str, status: int) -> HttpResponse:
    return respond(
        request,
        "door/form_refused.html",
        part="door/_form_refused.html",
        status=status,
        sentence=sentence,
        typed=typed_fields(request),
    )
