"""What every page knows: the home and its profiles, where one can go, which version this is."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.apps import apps
from django.db import DatabaseError
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from memoryhub import __version__
from memoryhub.hermes.home import active_profile, profiles
from memoryhub.models import Preference
from memoryhub.services import door
from memoryhub.web.door import fingerprint


def hub(request: HttpRequest) -> dict[str, Any]:
    """The names that base.html uses. Outside the door only the version: anybody can see those pages."""
    if not getattr(request, "door_is_open", False):
        return {"version": __version__, "door_is_open": False}
    instance = door.current_instance()
    home = getattr(request, "hermes_home", instance.home)
    return {
        "version": __version__,
        "door_is_open": True,
        "home": home,
        "profiles": profiles(home),
        "profile": home.name,
        "profile_query": "" if home == instance.home else f"?{urlencode({'profile': home.name})}",
        "agent_profile": active_profile(home.root),
        "nav": _navigation(request.path),
        "search_url": _search_url(request.path),
        "keys_enabled": keys_enabled(),
        "demo_reason": instance.demo_reason,
        "missing_home": instance.missing_home,
        "fingerprint": fingerprint(home.key),
        "zone": timezone.get_current_timezone_name(),
    }


def keys_enabled() -> bool:
    """Whether single-letter keys work; a person can switch them off (WCAG 2.1.4)."""
    try:
        return not Preference.objects.filter(key="keys", value="off").exists()
    except DatabaseError:  # the page that says so must still be shown
        return True


def _search_url(path: str) -> str:
    """Where the header's search box leads; empty without an app that searches, and on its own pages with their box."""
    names = (getattr(config, "search_url_name", "") for config in apps.get_app_configs())
    url = reverse(name) if (name := next(filter(None, names), "")) else ""
    return "" if url and path.startswith(url) else url


def _navigation(path: str) -> list[dict[str, Any]]:
    """The entries of all installed apps whose page exists, the current one marked."""
    entries = []
    for config in apps.get_app_configs():
        for entry in getattr(config, "navigation", ()):
            try:
                url = reverse(entry.url_name)
            except NoReverseMatch:
                continue
            is_current = path == url if url == "/" else path.startswith(url)
            entries.append({"url": url, "label": entry.label, "key": entry.key, "is_current": is_current})
    return entries
