"""Which Python the installed Hermes runs in: named outright, or behind the `hermes` command.

Never set on a page, never guessed from a home: a home's files could name any program.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

_SHOWN = 4096  # bytes of a launcher that are read
_WRAPPED = re.compile(r"""(?:exec|'''exec')\s+["']?(/[^"'\s]+)""")
_NAME = re.compile(r"python(?:\d+(?:\.\d+)?)?$")
_MOST_HOPS = 4


def find_python(environ: Mapping[str, str], explicit: Path | None = None) -> Path | None:
    """Return the agent's Python: `explicit` (--hermes-python), HERMES_PYTHON, or that of the `hermes` command on PATH.

    None when none is named and no command is found. What is named outright is returned as it is, so that a wrong name
    becomes a clear error when it is started.
    """
    if explicit is not None:
        return explicit.expanduser()
    if named := environ.get("HERMES_PYTHON"):
        return Path(named).expanduser()
    command = shutil.which("hermes", path=environ.get("PATH", ""))
    return _python_behind(Path(command), environ) if command else None


def _python_behind(command: Path, environ: Mapping[str, str]) -> Path | None:
    """Return the Python that a launcher starts, through links and shell wrappers."""
    for _ in range(_MOST_HOPS):
        command = command.resolve()
        lines = _first_lines(command)
        named = _interpreter(lines[0], environ)
        if named and _NAME.match(named.name):
            return named
        wrapped = next((Path(match[1]) for line in lines[1:] if (match := _WRAPPED.search(line))), None)
        if wrapped is None:
            return _beside(command)
        if _NAME.match(wrapped.name):
            return wrapped
        command = wrapped
    return None


def _first_lines(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            return file.read(_SHOWN).decode("utf-8", "replace").splitlines() or [""]
    except OSError:
        return [""]


def _interpreter(line: str, environ: Mapping[str, str]) -> Path | None:
    """Return the program of a `#!` line; `/usr/bin/env python3` is looked up."""
    words = line.removeprefix("#!").split() if line.startswith("#!") else []
    if not words:
        return None
    if Path(words[0]).name != "env":
        return Path(words[0])
    named = next((word for word in words[1:] if not word.startswith("-")), "")
    found = shutil.which(named, path=environ.get("PATH", "")) if named else None
    return Path(found) if found else None


def _beside(command: Path) -> Path | None:
    python = command.with_name("python")
    return python if python.exists() else None
