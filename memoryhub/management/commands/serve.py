"""``memoryhub serve``: run the dashboard on the person's home, or on a demo home when there is none."""

from __future__ import annotations

import os
import socket
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from memoryhub import running
from memoryhub.env import hermes_python
from memoryhub.hermes.files import contained
from memoryhub.hermes.home import Home, resolve_home
from memoryhub.listening import CannotListen, listen
from memoryhub.management.commands._common import HubCommand, data_dir, require_utf8, with_profile
from memoryhub.services import serving
from memoryhub.services.migration import migrate_once
from memoryhub.web import door, passwords
from memoryhub.web.instance import Instance


class Command(HubCommand):
    """Check what was asked for, open the port, then hand over to memoryhub.services.serving."""

    help = "run the dashboard and open it in the browser"
    takes_json = False
    needs_database = False  # the port first, then the database

    def options(self, parser: ArgumentParser) -> None:
        """Where to listen, what to show, who may ask."""
        add = parser.add_argument
        add("--port", type=_port, default=8765, help="0 takes a free one (default: 8765)")
        add("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
        add("--no-open", action="store_true", help="do not start the browser")
        add("--demo", action="store_true", help="show a demo home with made-up memory and sessions")
        add("--allow-host", action="append", default=[], metavar="NAME", help="a further name for Host headers")
        add("--allow-origin", action="append", default=[], metavar="ORIGIN", help="a proxy's https://name[:port]")
        add("--hermes-python", type=Path, metavar="FILE", help="the Python that runs Hermes (else HERMES_PYTHON)")

    def run(self, **options: Any) -> None:
        """Serve until the process is told to end."""
        folder = data_dir()
        asked: dict[str, Any] = {
            "host": _checked_host(options["host"], folder),
            "allow_hosts": _allowed_hosts(options["allow_host"]),
            "allow_origins": _allowed_origins(options["allow_origin"]),
            "hermes_python": options["hermes_python"] or hermes_python(os.environ),
            **_choose_home(options, folder),
        }
        self.check()
        sockets = _listen(asked["host"], options["port"], folder)
        migrate_once(folder)
        if "demo_reason" in asked:
            from memoryhub.services.demo_history import demo_history_record

            demo_history_record(asked["home"])
        instance = Instance(data_dir=folder, port=sockets[0].getsockname()[1], **asked)
        browser = not options["no_open"] and serving.can_show_a_browser(os.environ)
        serving.serve(instance, sockets, self._say, browser=browser, log=options["verbosity"] > 1)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.write("The link works once, for ten minutes; memoryhub open prints a new one. Ctrl+C ends.")
        self.stdout.flush()


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise ValueError
    return port


def _checked_host(given: str, folder: Path) -> str:
    """The address to listen on; one that other machines reach needs a password first."""
    host = given.strip("[]")
    if door.is_loopback(host) or passwords.read(folder):
        return host
    raise CommandError(
        f"Other machines could reach {host}, so a password is needed first. Set it with: memoryhub password"
    )


def _allowed_hosts(names: Iterable[str]) -> frozenset[str]:
    """The names of ``--allow-host``, as they are compared; no wildcard, no port."""
    allowed = set()
    for given in names:
        name = door.host_name(given)
        if name is None or ":" in given.rpartition("]")[2]:
            raise CommandError(f"--allow-host takes one host name without port or wildcard, not {given!r}.")
        allowed.add(name)
    return frozenset(allowed)


def _allowed_origins(origins: Iterable[str]) -> frozenset[str]:
    """The origins of ``--allow-origin``, exactly as a browser sends them."""
    allowed = frozenset(origins)
    for origin in allowed:
        if not door.is_origin(origin):
            raise CommandError(f"--allow-origin takes https://name or https://name:port, not {origin!r}.")
    return allowed


def _choose_home(options: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The home to show, and why it is a demo if it is: what an Instance needs to know of it."""
    if options["demo"]:
        return {"home": _demo_home(folder), "demo_reason": "asked"}
    found = resolve_home(options["home"], os.environ)
    if found.exists:
        if contained(folder, found.root):
            raise CommandError(
                f"The data folder {folder} lies inside the Hermes home; set MEMORYHUB_DATA_DIR elsewhere."
            )
        return {"home": with_profile(require_utf8(found), options["profile"])}
    if options["home"] or found.path.exists():
        raise CommandError(f"There is no Hermes home at {found.path}. Name one with --home DIR, or try --demo.")
    return {"home": _demo_home(folder), "demo_reason": "missing", "missing_home": str(found.path)}


def _demo_home(folder: Path) -> Home:
    """The made-up home in the data folder; built when it is not there, so that what was tried in it stays."""
    path = folder / "demo"
    if not path.is_dir():
        from memoryhub.demo import build_demo_home

        try:
            build_demo_home(path, timezone.now())
        except OSError as error:
            if not path.is_dir():  # it is there when another start was quicker
                raise CommandError(f"The demo home cannot be made in {folder} ({error.strerror}).") from error
    return resolve_home(path, {})


def _listen(host: str, port: int, folder: Path) -> list[socket.socket]:
    """Open the port; when it is taken, say by whom and what to do."""
    try:
        return listen(host, port)
    except CannotListen as problem:
        if not problem.in_use:
            raise CommandError(str(problem)) from problem
        ours = next((each for each in running.find_running(folder) if each.port == port), None)
        if ours is None:
            raise CommandError(f"{problem} Choose another one, for example: --port {port + 1}") from problem
        raise CommandError(
            f"Port {port} is in use: the dashboard for {ours.home} is at {ours.url}. For a link to it run "
            f"memoryhub open; for a second dashboard add --port {port + 1}"
        ) from problem
