"""A real dashboard in a process of its own, for tests that need the server and not only the views."""

from __future__ import annotations

import http.client
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit

ROOT = Path(__file__).parent.parent.parent
MEMORYHUB = [sys.executable, str(ROOT / "manage.py")]


def command(environ: Mapping[str, str], *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run one command to its end."""
    return subprocess.run(
        [*MEMORYHUB, *arguments],
        env=dict(environ),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


@dataclass
class Answer:
    """What a server answered."""

    status: int
    headers: http.client.HTTPMessage
    text: str


class Served(AbstractContextManager["Served"]):
    """``memoryhub serve`` from its ready line to its end."""

    def __init__(self, environ: Mapping[str, str], *arguments: str, program: list[str] | None = None) -> None:
        self.process = subprocess.Popen(
            [*(program or MEMORYHUB), "serve", *arguments],
            env=dict(environ),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.environ = dict(environ)
        self.cookie = ""
        self.link = ""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if found := re.fullmatch(r"MemoryHub ready: (\S+)\n", line):
            self.link = found[1]

    @property
    def url(self) -> str:
        return self.link.partition("/open/")[0]

    def __enter__(self) -> Served:
        assert self.link, self.finish()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.finish()

    def finish(self, how: int = signal.SIGTERM) -> tuple[int, str, str]:
        """End the process; return its status, the rest of its output, its errors."""
        if self.process.poll() is None and self.link:
            self.process.send_signal(how)
        out, err = self.process.communicate(timeout=120)
        return self.process.returncode, out, err

    def get(self, address: str, headers: Mapping[str, str] | None = None, method: str = "GET") -> Answer:
        """Ask for an address, with the cookie that was got before, following nothing."""
        parts = urlsplit(address if "://" in address else self.url + address)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request(method, target, headers={"Cookie": self.cookie, **(headers or {})})
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read().decode())
        connection.close()
        return answer

    def fresh_link(self) -> str:
        """What ``memoryhub open`` prints."""
        return command(self.environ, "open").stdout.strip()

    def come_in(self) -> Answer:
        """Open the link and keep the cookie."""
        answer = self.get(self.link)
        cookies = [value.partition(";")[0] for value in answer.headers.get_all("Set-Cookie", [])]
        self.cookie = "; ".join(cookie.strip() for cookie in cookies)
        return answer
