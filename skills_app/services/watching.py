"""Beside ``serve``: notice changed skills within seconds, scan them in the background, then ask Hermes' own guard."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from django.db import DatabaseError, close_old_connections

from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import Home, profiles
from skills_app.library import Listing
from skills_app.services import catalogue, decisions, hermes_verdicts, scanning
from skills_app.services import decisions_previews as previews

log = logging.getLogger(__name__)

PAUSE: Final = 0.5  # seconds between two looks at the least
PAUSE_OF_HERMES: Final = 2.0
_SHARE: Final = 10  # a look takes at most one part in this many of the time


class SkillWatcher:
    """Watches the skills of a home and all its profiles in a thread of its own."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._stopping = threading.Event()
        self._watched: dict[str, Home] = {}
        self._filled: dict[str, Home] = {}
        self._threads = (
            threading.Thread(target=self._run, args=(self.look,), name="skill-watch", daemon=True),
            threading.Thread(target=self._run, args=(self.ask_hermes,), name="hermes-guard", daemon=True),
            threading.Thread(target=self._run, args=(self.preview,), name="staged-writes", daemon=True),
        )

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Ask the thread to end, with the scans it started, and wait for it."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(timeout=5)
        self.stop_watching()

    def stop_watching(self) -> None:
        """Let pages look at the disk themselves again."""
        for home in self._watched.values():
            catalogue.watched(home, -1)
        for home in self._filled.values():
            previews.filling(home, -1)
        self._watched.clear()
        self._filled.clear()

    def look(self) -> float:
        """Look once at every profile and scan some of what changed. The seconds that may pass until the next look."""
        began, is_busy = time.monotonic(), False
        listings = [(home, self._listing(home)) for home in profiles(self.home)]
        took = time.monotonic() - began
        for home, listing in listings:
            waiting = scanning.outdated(home, listing)
            if waiting and not self._stopping.is_set():
                scanning.scan_outdated(home, waiting[: scanning.AT_ONCE], self._stopping.is_set)
                is_busy = is_busy or len(waiting) > scanning.AT_ONCE
        return 0.0 if is_busy else max(PAUSE, took * _SHARE)

    def ask_hermes(self) -> float:
        """Ask Hermes' own guard about some skills. The seconds that may pass until it is asked about more."""
        is_over = self._stopping.is_set
        done = [
            hermes_verdicts.ask_some(home, catalogue.current(home).listing, is_over) for home in profiles(self.home)
        ]
        return 0.0 if any(done) else PAUSE_OF_HERMES

    def preview(self) -> float:
        """Repair left-over claims, and compute what staged writes would do. The seconds until the next time."""
        began, is_over = time.monotonic(), self._stopping.is_set
        for home in profiles(self.home):
            if home.key not in self._filled:
                self._filled[home.key] = home
                previews.filling(home, 1)
            self._recover(home)
            previews.fill(home, is_over=is_over)
        return max(PAUSE, (time.monotonic() - began) * _SHARE)

    def _recover(self, home: Home) -> None:
        """Repair what a process that died while it decided has left; a folder is listed when there is nothing."""
        try:
            decisions.recover(home)
        except FileProblem:
            log.warning("A claimed record could not be repaired; trying again.", exc_info=True)

    def _listing(self, home: Home) -> Listing:
        if home.key not in self._watched:
            self._watched[home.key] = home
            catalogue.watched(home, 1)
        return catalogue.look(home)

    def _run(self, step: Callable[[], float]) -> None:
        while not self._stopping.is_set():
            pause = PAUSE
            try:
                pause = step()
            except DatabaseError:
                log.warning("Our own database could not be written; trying again.", exc_info=True)
            finally:
                close_old_connections()
            self._stopping.wait(pause)
