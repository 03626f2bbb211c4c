"""Django's messages in a cookie of this dashboard's own: cookies do not know ports, and a message may hold an Undo."""

from __future__ import annotations

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage

from memoryhub.services import door


class Notices(CookieStorage):
    """The messages of one dashboard."""

    @property
    def cookie_name(self) -> str:  # type: ignore[override]
        """The cookie that only this dashboard reads."""
        return door.current_instance().cookie_name("notices", str(settings.SECRET_KEY))
