"""The door's memory: the running instance, one-time links, the cookie that says who entered."""

from __future__ import annotations

import os
from datetime import datetime

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from memoryhub.hermes.home import resolve_home
from memoryhub.models import OpenToken
from memoryhub.web import door, passwords
from memoryhub.web.instance import Instance

_installed: Instance | None = None


def use_instance(instance: Instance | None) -> None:
    """Make ``instance`` the one that answers in this process; ``serve`` does it once, before the first request."""
    global _installed
    _installed = instance
    if instance is not None:
        settings.CSRF_COOKIE_NAME = instance.cookie_name("csrf", str(settings.SECRET_KEY))


def current_instance() -> Instance:
    """The instance that answers here; without ``serve`` (tests, wsgi) the default one of the environment."""
    if _installed is not None:
        return _installed
    return Instance(home=resolve_home(None, os.environ), data_dir=settings.DATA_DIR)


def token_create(now: datetime | None = None) -> str:
    """Make a link's token that works once, for ten minutes. Old ones are swept out on the way."""
    now = now or timezone.now()
    OpenToken.objects.filter(expires_at__lt=now - door.TOKEN_LIFE).delete()
    token = door.new_token()
    OpenToken.objects.create(token_hash=door.token_hash(token), expires_at=now + door.TOKEN_LIFE)
    return token


def token_consume(token: str, now: datetime | None = None) -> bool:
    """Use ``token`` up; True for the one caller who did. One statement, so that of two at once one wins."""
    now = now or timezone.now()
    fresh = OpenToken.objects.filter(token_hash=door.token_hash(token), used_at__isnull=True, expires_at__gt=now)
    return fresh.update(used_at=now) == 1


def open_link(token: str) -> str:
    """The address that ``token`` opens the dashboard by."""
    return f"{current_instance().url}/open/{token}/"


def enter(response: HttpResponse) -> None:
    """Give the browser the cookie that every page asks for."""
    response.set_cookie(
        _cookie_name(),
        signing.dumps("entered", salt=_salt()),
        max_age=door.COOKIE_LIFE,
        httponly=True,
        samesite="Strict",
    )


def has_entered(request: HttpRequest) -> bool:
    """Whether the request carries this dashboard's cookie, signed by us and not older than a month."""
    value = request.COOKIES.get(_cookie_name(), "")
    try:
        signing.loads(value, salt=_salt(), max_age=door.COOKIE_LIFE)
    except signing.BadSignature:
        return False
    return True


def _cookie_name() -> str:
    return current_instance().cookie_name("door", str(settings.SECRET_KEY))


def _salt() -> str:
    """A cookie counts for one dashboard, and where a password is asked only as long as that password is."""
    instance = current_instance()
    kept = passwords.read(instance.data_dir) if instance.is_public else ""
    return f"memoryhub.door:{instance.host}:{instance.port}:{door.fingerprint(kept)}"
