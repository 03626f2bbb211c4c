"""Hermes homes and their profiles: which folder belongs to whom, and where things lie in it.

A profile is a home of its own under ``<root>/profiles/NAME``; ``default`` is the root. Knows paths only: reads no file
but ``active_profile`` and lists no folder but ``profiles``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DEFAULT: Final = "default"
TARGETS: Final = ("memory", "user")
FILE_NAMES: Final = {"memory": "MEMORY.md", "user": "USER.md"}
_PROFILE_NAME = re.compile(r"[^\s./\\:\0][^/\\:\0]{0,63}")


@dataclass(frozen=True)
class Home:
    """One home folder: its profile name, its path as given, and the root home it belongs to."""

    name: str
    path: Path
    root: Path

    @property
    def key(self) -> str:
        """What our own database knows this home by: its path with links resolved."""
        return os.path.realpath(self.path)  # never raises, whatever stands there

    @property
    def exists(self) -> bool:
        """Whether the folder is there; False also where the system does not let us look."""
        try:
            return self.path.is_dir()
        except OSError:
            return False

    @property
    def memories(self) -> Path:
        return self.path / "memories"

    @property
    def config_file(self) -> Path:
        return self.path / "config.yaml"

    @property
    def state_db(self) -> Path:
        return self.path / "state.db"

    @property
    def skills(self) -> Path:
        return self.path / "skills"

    @property
    def pending(self) -> Path:
        return self.path / "pending"

    def memory_path(self, target: str) -> Path:
        """The memory file of ``target`` (``memory`` or ``user``); a link is not followed."""
        return self.memories / FILE_NAMES[target]


def resolve_home(explicit: Path | None, environ: Mapping[str, str]) -> Home:
    """Choose the home: ``explicit``, else ``HERMES_HOME``, else ``~/.hermes``.

    A home that lies directly under a folder ``profiles`` is the profile of that name, and its root is two levels up:
    so starting inside a profile never leads to ``profiles/x/profiles/x``.
    """
    chosen = explicit or (Path(environ["HERMES_HOME"]) if environ.get("HERMES_HOME") else None)
    path = Path((chosen or Path.home() / ".hermes").expanduser().absolute())
    if path.parent.name == "profiles" and _PROFILE_NAME.fullmatch(path.name):
        return Home(path.name, path, path.parent.parent)
    return Home(DEFAULT, path, path)


def profiles(home: Home) -> tuple[Home, ...]:
    """List the root home and every profile under it, the root first, then by name."""
    folder = home.root / "profiles"
    try:
        names = sorted(p.name for p in folder.iterdir() if _is_profile(p))
    except OSError:
        names = []
    others = (Home(name, folder / name, home.root) for name in names if name != DEFAULT)
    return (Home(DEFAULT, home.root, home.root), *others)


def _is_profile(path: Path) -> bool:
    return bool(_PROFILE_NAME.fullmatch(path.name)) and is_utf8(path) and path.is_dir()


def is_utf8(path: Path) -> bool:
    """Whether a path, and what its links lead to, can stand in an address, on a page and in our database."""
    try:
        f"{path} {os.path.realpath(path)}".encode()
    except UnicodeEncodeError:
        return False
    return True


def find_profile(home: Home, name: str) -> Home | None:
    """Look ``name`` up among the profiles of ``home``; a name is never joined to a path."""
    return next((each for each in profiles(home) if each.name == name), None)


def active_profile(root: Path) -> str | None:
    """The profile that ``<root>/active_profile`` names, or None."""
    try:
        name = (root / "active_profile").read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return name or None
