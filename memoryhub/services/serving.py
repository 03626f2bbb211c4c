"""Running the dashboard: waitress, the watcher, the browser, and a clean end."""

from __future__ import annotations

import ctypes
import os
import secrets
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn

from django.core.wsgi import get_wsgi_application
from waitress import wasyncore
from waitress.server import create_server

from memoryhub import data_folder, running
from memoryhub.hermes.home import Home
from memoryhub.services import door, hooks, watch
from memoryhub.web.access_log import Application, logged
from memoryhub.web.instance import Instance

THREADS: Final = 6
_MAX_BODY: Final = 16 * 1024 * 1024
_BROWSER_SECONDS: Final = 60.0
_HEAD_START: Final = 2.0  # seconds
_M_ARENA_MAX: Final = -8  # its number in malloc.h
_HEAPS: Final = 2
LEADS_TO: Final = (
    '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>MemoryHub</title>'
    '<meta http-equiv="refresh" content="0; url={link}"><p><a href="{link}">MemoryHub</a>\n'
)


def serve(
    instance: Instance, sockets: list[socket.socket], say: Callable[[str], None], *, browser: bool, log: bool
) -> None:
    """Answer until the process is told to end; ``say`` gets the line with the open link once pages are answered."""
    _share_heaps()
    door.use_instance(instance)
    application = get_wsgi_application()
    me = running.Running(os.getpid(), instance.host, instance.port, str(instance.home.path), instance.url)
    with (
        _ending_on_signals(),
        running.announced(instance.data_dir, me),
        _watching(instance),
        _server(logged(application) if log else application, sockets) as server,
    ):
        say(f"MemoryHub ready: {door.open_link(door.token_create())}")
        with _opened(instance.data_dir) if browser else nullcontext():
            server.run()


def _share_heaps() -> None:
    """Let all threads share a few heaps, where the C library is glibc: with one each, all keep what they once took."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _HEAPS)


def can_show_a_browser(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a window can appear: without a display, Linux would start a text browser in this very terminal."""
    if platform.startswith(("win", "darwin", "cygwin")):
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


@contextmanager
def _server(application: Application, sockets: list[socket.socket]) -> Iterator[Any]:
    """waitress on ``sockets``; when the block ends, every connection and the sockets themselves are closed."""
    channels: dict[int, Any] = {}
    server = create_server(
        application,
        map=channels,
        sockets=sockets,
        threads=THREADS,
        ident=None,
        max_request_body_size=_MAX_BODY,
        clear_untrusted_proxy_headers=True,
    )
    try:
        yield server
    finally:
        wasyncore.close_all(channels)


@contextmanager
def _ending_on_signals() -> Iterator[None]:
    """Let SIGTERM end the server like Ctrl+C does: answers under way are finished, the files removed."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(0)

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _watching(instance: Instance) -> Iterator[None]:
    watch.start(instance.home)
    is_over = threading.Event()
    beside = threading.Thread(target=_run_backgrounds, args=(instance.home, is_over), name="backgrounds", daemon=True)
    beside.start()
    try:
        yield
    finally:
        is_over.set()
        beside.join()
        watch.stop()


def _run_backgrounds(home: Home, is_over: threading.Event) -> None:
    """Run what the apps do beside the pages, once the first page had the processor for itself, until it is over."""
    if is_over.wait(_HEAD_START):
        return
    others = hooks.backgrounds(home)
    for other in others:
        other.start()
    is_over.wait()
    for other in others:
        other.stop()


@contextmanager
def _opened(folder: Path) -> Iterator[None]:
    """Start the browser on a private file that leads to an open link: a process list shows the file's name only."""
    for old in folder.glob("open-*.html"):
        old.unlink(missing_ok=True)
    path = folder / f"open-{secrets.token_hex(8)}.html"
    data_folder.write_private(path, LEADS_TO.format(link=door.open_link(door.token_create())))
    threading.Thread(target=webbrowser.open, args=(path.as_uri(),), daemon=True).start()
    later = threading.Timer(_BROWSER_SECONDS, path.unlink, kwargs={"missing_ok": True})
    later.daemon = True
    later.start()
    try:
        yield
    finally:
        later.cancel()
        path.unlink(missing_ok=True)
