"""One walk through all pages of a dashboard: ours by following its links, Hermes' by what its pages ask for."""

from __future__ import annotations

import re
from html import unescape
from typing import Final
from urllib.parse import urljoin, urlsplit

from tests.bench.servers import Dashboard, DidNotStart

_LINK: Final = re.compile(r'<(?:a|link|script)\b[^>]*?\s(?:href|src)="([^"#]+)')
HERMES_PAGES: Final = (
    *("/api/status", "/api/sessions", "/api/sessions/stats", "/api/profiles", "/api/profiles/active"),
    *("/api/memory", "/api/learning/graph", "/api/config", "/api/skills", "/api/curator"),
)


def walk_memoryhub(dashboard: Dashboard, at_most: int = 80) -> list[str]:
    """Follow every link from the front page, each address once; the addresses that were answered."""
    waiting, seen = ["/"], {"/"}
    for address in waiting:
        status, headers, body = dashboard.get(address)
        if status >= 400:
            raise DidNotStart(f"{address} answered {status}.")
        if not headers.get("Content-Type", "").startswith("text/html"):
            continue
        for link in _LINK.findall(body):
            parts = urlsplit(urljoin(f"http://here{address}", unescape(link)))
            found = parts.path + (f"?{parts.query}" if parts.query else "")
            if parts.netloc == "here" and found not in seen and len(waiting) < at_most:
                seen.add(found)
                waiting.append(found)
    return waiting


def walk_hermes(dashboard: Dashboard) -> list[str]:
    """The page with its script and style, and what it asks for to show what ours shows."""
    _, _, body = dashboard.get("/")
    addresses = ["/", *_LINK.findall(body), *HERMES_PAGES]
    for address in addresses:
        dashboard.get(address)
    return addresses
