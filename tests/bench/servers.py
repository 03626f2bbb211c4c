"""Starts and ends the two dashboards that are compared, asks them for pages, and reads what memory they take."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PATIENCE: Final = 60.0


class DidNotStart(Exception):
    """A dashboard ended or stayed silent instead of answering; the text holds what it printed."""


@dataclass
class Dashboard:
    """A running dashboard. ``started`` is when its process was started, in seconds of the performance clock."""

    process: subprocess.Popen[str]
    port: int
    started: float
    headers: dict[str, str] = field(default_factory=dict)
    first_page: float = 0.0

    def __post_init__(self) -> None:
        self._connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def get(self, address: str) -> tuple[int, Mapping[str, str], str]:
        """Status, headers and body of one page, over a connection that stays open as a browser's does."""
        response, body = self._answer(address)
        return response.status, response.headers, body.decode("utf-8", "replace")

    def _answer(self, address: str) -> tuple[HTTPResponse, bytes]:
        try:
            return self._answer_on_this_connection(address)
        except ConnectionError:  # the server let go of an idle connection; a browser opens another
            self._connection.close()
            return self._answer_on_this_connection(address)

    def _answer_on_this_connection(self, address: str) -> tuple[HTTPResponse, bytes]:
        self._connection.request("GET", address, headers=self.headers)
        response = self._connection.getresponse()
        return response, response.read()

    def close(self) -> None:
        """Let go of the connection; the process is ended by who started it."""
        self._connection.close()

    def seconds(self, address: str) -> float:
        """How long one page takes to arrive whole; it must be a 200."""
        before = time.perf_counter()
        response, _ = self._answer(address)
        taken = time.perf_counter() - before
        if response.status != 200:
            raise DidNotStart(f"{address} answered {response.status}.")
        return taken

    def resident(self) -> int:
        """Resident memory of the server and whatever it started, in bytes."""
        return sum(_resident(pid) for pid in _family(self.process.pid))


@contextmanager
def memoryhub(home: Path, data_dir: Path) -> Iterator[Dashboard]:
    """Our dashboard on ``home``, entered by its open link; its first page behind the door has been answered."""
    start = [sys.executable, "-c", "from memoryhub.cli import main; main()"]
    command = [*start, "serve", "--no-open", "--port", "0", "--home", str(home)]
    with _process(command, {"MEMORYHUB_DATA_DIR": str(data_dir), "HOME": str(home.parent)}) as (process, started):
        link = _line_with(process, r"MemoryHub ready: \S*?:(\d+)(/\S*)")
        with closing(Dashboard(process, int(link[1]), started)) as dashboard:
            _, headers, _ = dashboard.get(link[2])
            dashboard.headers["Cookie"] = headers["Set-Cookie"].split(";")[0]
            dashboard.seconds("/")
            dashboard.first_page = time.perf_counter() - started
            yield dashboard


@contextmanager
def hermes(python: Path, home: Path) -> Iterator[Dashboard]:
    """The real Hermes dashboard on ``home``, with the token that its own page carries."""
    port = _free_port()
    command = [str(python.parent / "hermes"), "dashboard", "--no-open", "--skip-build", "--port", str(port)]
    with _process(command, {"HERMES_HOME": str(home), "HOME": str(home)}) as (process, started):
        body = _first_answer(process, port)
        with closing(Dashboard(process, port, started, first_page=time.perf_counter() - started)) as dashboard:
            token = re.search(r'SESSION_TOKEN__="([^"]+)"', body)
            dashboard.headers["X-Hermes-Session-Token"] = token[1] if token else ""
            yield dashboard


@contextmanager
def _process(command: list[str], extra: Mapping[str, str]) -> Iterator[tuple[subprocess.Popen[str], float]]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        env={**kept, **extra, "PYTHONUNBUFFERED": "1"},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        try:
            yield process, started
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _line_with(process: subprocess.Popen[str], pattern: str) -> re.Match[str]:
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if match := re.search(pattern, line):
            return match
    raise DidNotStart("".join(said))


def _first_answer(process: subprocess.Popen[str], port: int) -> str:
    deadline = time.perf_counter() + PATIENCE
    while process.poll() is None and time.perf_counter() < deadline:
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            connection.request("GET", "/")
            return connection.getresponse().read().decode("utf-8")
        except ConnectionError:
            time.sleep(0.005)
        finally:
            connection.close()
    raise DidNotStart(process.stdout.read() if process.stdout and process.poll() is not None else "no answer")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in _family(int(child)))]


def _resident(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    kilobytes = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(kilobytes[1]) * 1024 if kilobytes else 0
