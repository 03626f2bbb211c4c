"""Work that nobody should wait for: getting to know a home's sessions before the first look, and anew while one looks.

What it needs is imported when it is needed: the start of the dashboard does not wait for it either.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from memoryhub.hermes.state_db import Connection

FIRST_WAIT: Final = 2.0  # seconds: the first page comes first
INTERVAL: Final = 5.0
LIMIT_MS: Final = 240


class Keeper:
    """Runs beside the dashboard in a thread of its own."""

    def __init__(self, path: Path, *, first_wait: float = FIRST_WAIT, interval: float = INTERVAL) -> None:
        self.path, self.first_wait, self.interval = path, first_wait, interval
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="session-keeper", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Ask the thread to end and wait for it."""
        self._stopping.set()
        self._thread.join(timeout=5)

    def get_ready(self) -> None:
        """Look at all sessions and at the indexes, so that the first person who does finds it done."""
        from memoryhub.web import markup  # noqa: F401 - the Markdown reader takes long to import
        from sessions_app.catalogue import catalogue
        from sessions_app.search.known import known

        _read(self.path, lambda conn: catalogue(conn, self.path, is_asked=False))
        _read(self.path, lambda conn: known(conn, self.path))

    def look(self) -> None:
        """Read anew what people are looking at and what the agent has changed since."""
        from sessions_app.catalogue import renew, wants_renewal

        for path in wants_renewal():
            _read(path, partial(renew, path))

    def _run(self) -> None:
        if self._stopping.wait(self.first_wait):
            return
        self.get_ready()
        while not self._stopping.wait(self.interval):
            self.look()


def _read(path: Path, work: Callable[[Connection], object]) -> None:
    from memoryhub.hermes import state_db

    try:
        state_db.read(path, LIMIT_MS, work)
    except state_db.StateDbProblem:
        return  # the page says what is wrong
