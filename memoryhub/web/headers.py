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


def security_headers(path: str, *, keepable: bool) -> dict[str, str]:
    """The headers of an answer for ``path``; ``keepable`` is true for static files, which bring their own caching.

    ``same-origin`` and not ``no-referrer``: with the latter Chromium sends ``Origin: null`` on plain forms, which are
    then refused. Only the open link, whose address holds a token, tells nobody where it came from. What is not a
    static file is private.
    """
    referrer = "no-referrer" if path.startswith("/open/") else "same-origin"
    private = {} if keepable else {"Cache-Control": "no-store"}
    return _ALWAYS | {"Referrer-Policy": referrer} | private
