"""Turn what goes wrong into a page that says what happened and what to do, once for all views."""

from __future__ import annotations

from collections.abc import Callable

from django.db import DatabaseError, OperationalError
from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from memoryhub.data_folder import DataFolderProblem
from memoryhub.hermes.files import FileProblem, LockBusy, NotWritable
from memoryhub.hermes.state_db_problems import StateDbProblem
from memoryhub.web.htmx import respond


def is_unavailable(problem: Exception) -> bool:
    """Whether ``problem`` lies outside of our code. Django's bare DatabaseError is a damaged file of ours."""
    return type(problem) is DatabaseError or isinstance(
        problem, (FileProblem, StateDbProblem, OperationalError, DataFolderProblem)
    )


class ErrorPagesMiddleware:
    """One 503 page for everything that Hermes' files, its database or our own database refuse; a page for 405."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            page = respond(request, "405.html", status=405)
            page.headers["Allow"] = response.headers["Allow"]
            return page
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        """Answer 503 for what is unavailable; everything else is a mistake of ours and becomes the 500 page."""
        if not is_unavailable(exception):
            return None
        return respond(
            request,
            "503.html",
            part="door/_unavailable.html",
            status=503,
            sentence=sentence(exception),
            advice=advice(exception),
        )


def sentence(problem: Exception) -> str:
    """What happened, for a person."""
    if isinstance(problem, DatabaseError):
        return _("MemoryHub's own database cannot be used at the moment.")
    return str(problem)


def advice(problem: Exception) -> str:
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
