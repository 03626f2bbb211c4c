"""What one running dashboard is: where it listens, which home it shows, who may ask.

``serve`` makes one and installs it with ``memoryhub.services.door.use_instance``.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from pathlib import Path

from memoryhub.hermes.home import Home
from memoryhub.web import door


@dataclass(frozen=True)
class Instance:
    """One dashboard. ``demo_reason`` is empty on a person's own home, else why a demo is shown ("asked", "missing")."""

    home: Home
    data_dir: Path
    host: str = "127.0.0.1"
    port: int = 8765
    allow_hosts: frozenset[str] = frozenset()
    allow_origins: frozenset[str] = frozenset()
    demo_reason: str = ""
    missing_home: str = ""
    hermes_python: Path | None = None

    @property
    def url(self) -> str:
        """Where a browser on this machine finds it, without a final slash."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 (compared, not bound)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def is_public(self) -> bool:
        """Whether other machines can reach it, so that a password is needed."""
        return not door.is_loopback(self.host)

    def cookie_name(self, purpose: str, key: str) -> str:
        """A cookie's name that no other dashboard on this machine uses: cookies do not know ports."""
        digest = hmac.new(key.encode(), f"{self.host} {self.port}".encode(), hashlib.sha256).hexdigest()
        return f"memoryhub_{purpose}_{digest[:10]}"

    def accepts_host(self, header: str | None) -> bool:
        """Whether a request with this ``Host`` header was meant for us; the port in it does not matter."""
        name = door.host_name(header)
        if name is None:
            return False
        return door.is_loopback(name) or name == self.host.lower() or name in self.allow_hosts
