"""A few small views, so that the door's machinery is tested on pages that do exactly one thing."""

from __future__ import annotations

from pathlib import Path

from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import HttpResponse
from django.template import Context, Template
from django.urls import include, path
from django.views.decorators.http import require_POST

from memoryhub.hermes.files import LockBusy, NotWritable
from memoryhub.hermes.state_db_problems import Damaged
from memoryhub.views.guard import guarded
from memoryhub.web.htmx import HubRequest, redirect_to, respond

done: list[str] = []
PROBLEMS = {
    "lock": LockBusy(Path("MEMORY.md"), "The agent is writing MEMORY.md."),
    "full": NotWritable(Path("MEMORY.md"), "MEMORY.md cannot be written (No space left on device)."),
    "state": Damaged(Path("state.db")),
    "own": OperationalError("database is locked"),
    "big": RequestDataTooBig("too big"),
    "ours": ZeroDivisionError("a mistake of ours with a secret in it"),
}


def whose(request: HubRequest) -> HttpResponse:
    return HttpResponse(request.hermes_home.name)


def form(request: HubRequest) -> HttpResponse:
    return HttpResponse(Template("{% form_guard %}").render(Context(_context(request))))


def _context(request: HubRequest) -> dict[str, object]:
    from django.middleware.csrf import get_token

    from memoryhub.context_processors import hub

    return hub(request) | {"csrf_token": get_token(request)}


def page(request: HubRequest) -> HttpResponse:
    return respond(request, "404.html", part="door/_form_refused.html", sentence="a <part>")


@require_POST
@guarded
def act(request: HubRequest) -> HttpResponse:
    """Does the thing and leads on; a text of "wrong" is refused, "crash" fails."""
    text = request.POST.get("text", "")
    if text == "wrong":
        return HttpResponse("no", status=422)
    if text == "crash":
        raise ZeroDivisionError
    done.append(text)
    return redirect_to(request, f"/led/{len(done)}/")


def fail(request: HubRequest, problem: str) -> HttpResponse:
    raise PROBLEMS[problem]


urlpatterns = [
    path("", include("memoryhub.urls")),
    path("test/whose/", whose),
    path("test/form/", form),
    path("test/page/", page),
    path("test/act/", act),
    path("test/fail/<str:problem>/", fail),
]
