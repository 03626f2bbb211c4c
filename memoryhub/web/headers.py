"""The security headers of every answer, and which answers a browser may keep."""

from __future__ import annotations

from typing import Final

POLICY: Final = "default-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'"
_ALWAYS: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
REFERRER: Final = "Referrer-Policy"


def security_headers(*, keepable: bool) -> dict[str, str]:
    """The headers of an answer; ``keepable`` is true for static files, which bring their own caching.

    What is not a static file is private.
    """
    return _ALWAYS | ({} if keepable else {"Cache-Control": "no-store"})


def referrer_policy(*, holds_token: bool = False) -> str:
    """``same-origin``, as with ``no-referrer`` Chromium sends ``Origin: null`` on plain forms, which are then refused.

    Only a page whose address holds a working token, and which has no form, tells nobody where it came from.
    """
    return "no-referrer" if holds_token else "same-origin"
