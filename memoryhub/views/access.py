"""Fetch or 404: every place where an address names something of a home."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from memoryhub.entries import MemoryFile
from memoryhub.hermes.home import FILE_NAMES, Home
from memoryhub.models import Revision
from memoryhub.services import writes


def home_of(request: HttpRequest) -> Home:
    """The home that the request is about (set by ProfileMiddleware)."""
    home: Home = request.hermes_home  # type: ignore[attr-defined]
    return home


def target_or_404(target: str) -> str:
    """``memory`` or ``user``."""
    if target not in FILE_NAMES:
        raise Http404(_("There is no memory file %s.") % target)
    return target


def file_of(request: HttpRequest, target: str) -> MemoryFile:
    """The memory file as it now stands. Raises files.FileProblem, which the middleware turns into a page."""
    return writes.read(home_of(request), target_or_404(target))


def revision_or_404(request: HttpRequest, target: str, number: int) -> Revision:
    """A revision of this home's file."""
    home = home_of(request)
    found = Revision.objects.filter(home=home.key, target=target_or_404(target), id=number)
    revision = found.select_related("content").first()
    if revision is None:
        raise Http404(_("%(file)s has no revision %(number)s.") % {"file": FILE_NAMES[target], "number": number})
    return revision
