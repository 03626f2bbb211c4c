"""What the skill views share: looking a key up, addresses that keep the profile and the filters."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from memoryhub.views.addresses import address
from memoryhub.web.htmx import HubRequest
from skills_app.services import catalogue
from skills_app.services.catalogue import Catalogue
from skills_app.shelf import Row

__all__ = ["address", "changed_query", "row_or_404"]


def row_or_404(request: HubRequest, key: str) -> tuple[Catalogue, Row]:
    """The library and the skill that an address names: looked up, never made into a path."""
    known = catalogue.current(request.hermes_home)
    row = known.find(key)
    if row is None:  # perhaps it appeared a moment ago
        catalogue.look(request.hermes_home)
        known = catalogue.current(request.hermes_home)
        row = known.find(key)
    if row is None:
        raise Http404(_("There is no such skill here."))
    return known, row


def changed_query(request: HubRequest, **changes: Any) -> str:
    """This page's address with some parts of its query changed; where in the list one is, is dropped."""
    query = request.GET.copy()
    for name in ("after", "before", "state"):
        query.pop(name, None)
    for name, value in changes.items():
        query.pop(name, None)
        if value is not None:
            query[name] = value
    return f"{request.path}?{query.urlencode()}" if query else request.path
