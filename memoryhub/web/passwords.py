"""The password that other machines must give: kept as a hash in the data folder, guarded against guessing."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Final

from memoryhub import data_folder
from memoryhub.web import door

_FILE: Final = "password"


def read(folder: Path) -> str:
    """The kept hash, or an empty text when there is no password."""
    try:
        return (folder / _FILE).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def write(folder: Path, password: str) -> None:
    """Keep the hash of ``password`` (0600)."""
    data_folder.prepare(folder)
    data_folder.write_private(folder / _FILE, door.password_hash(password) + "\n")


def remove(folder: Path) -> bool:
    """Forget the password; False when there was none."""
    try:
        (folder / _FILE).unlink()
    except FileNotFoundError:
        return False
    return True


class Guesses:
    """Counts wrong passwords of everybody together: five in a minute, then nobody may try until it is over."""

    LIMIT: Final = 5
    SECONDS: Final = 60.0

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._wrong: list[float] = []

    def take(self) -> bool:
        """Reserve one try; False when there were too many lately. A try counts as wrong until ``forgive``."""
        with self._lock:
            now = self._clock()
            self._wrong = [at for at in self._wrong if now - at < self.SECONDS]
            if len(self._wrong) >= self.LIMIT:
                return False
            self._wrong.append(now)
            return True

    def forgive(self) -> None:
        """The last tries ended with the right password."""
        with self._lock:
            self._wrong.clear()
