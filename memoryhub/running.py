"""Which dashboards run on a data folder: one private file each, locked for as long as its process lives.

The lock decides, not the process id: a killed process lets go of it, and ids are used again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from memoryhub import data_folder
from memoryhub.hermes import files

_FOLDER: Final = "running"


@dataclass(frozen=True)
class Running:
    """A dashboard that runs now: its process, where it listens, whose home it shows."""

    pid: int
    host: str
    port: int
    home: str
    url: str


@contextmanager
def announced(folder: Path, running: Running) -> Iterator[None]:
    """Let ``memoryhub open`` find this dashboard until the block ends or the process dies."""
    path = folder / _FOLDER / f"{running.pid}.json"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with files.locked(path, wait=0):
        data_folder.write_private(path, json.dumps(asdict(running)))
        try:
            yield
        finally:
            _forget(path)


def find_running(folder: Path) -> tuple[Running, ...]:
    """The dashboards that run now, by port; files that dead ones left are removed."""
    found = (_read(path) for path in (folder / _FOLDER).glob("*.json"))
    return tuple(sorted((each for each in found if each), key=lambda each: (each.port, each.host)))


def _read(path: Path) -> Running | None:
    try:
        with files.locked(path, wait=0):  # nobody holds it: its process is dead
            _forget(path)
        return None
    except files.LockBusy:
        pass
    except files.FileProblem:
        return None
    try:
        return Running(**json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _forget(path: Path) -> None:
    path.unlink(missing_ok=True)
    if os.name == "posix":  # elsewhere an open file cannot be removed; an empty lock file does no harm
        files.lock_path(path).unlink(missing_ok=True)
