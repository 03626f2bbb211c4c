"""Addresses of our own pages that keep the profile, and the page that a form should lead back to."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import Resolver404, resolve, reverse

from memoryhub.services import door
from memoryhub.views.access import home_of

# Pages that can be shown again after something was done from them; each answers GET.
_PAGES: Final = frozenset({"files", "history", "revision", "backups", "backup", "prompt"})


def address(request: HttpRequest, name: str, *args: Any, **query: Any) -> str:
    """The address of a page by its URL name, for the profile shown; parts of the query that are None are left out."""
    facts = {key: value for key, value in query.items() if value not in (None, "")}
    home = home_of(request)
    if home != door.current_instance().home:
        facts.setdefault("profile", home.name)
    url = reverse(name, args=args)
    return f"{url}?{urlencode(facts)}" if facts else url


def page_to_return_to(request: HttpRequest) -> str:
    """The page of ours that a form names in its field ``back``; the memory page when it names none."""
    path = request.POST.get("back", "")
    try:
        match = resolve(path)
    except Resolver404:
        return address(request, "memory:files")
    if match.url_name == "overview" and not match.namespace:
        return address(request, "overview")
    if match.namespace != "memory" or match.url_name not in _PAGES:
        return address(request, "memory:files")
    return address(request, f"memory:{match.url_name}", *match.kwargs.values())
