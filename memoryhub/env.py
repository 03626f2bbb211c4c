"""Which environment variables MemoryHub listens to, and what they say.

Every name begins with MEMORYHUB_ (``HERMES_HOME`` and ``HERMES_PYTHON`` belong to Hermes) and has a row in
docs/configuration.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import platformdirs

_YES: Final = frozenset({"1", "true", "yes", "on"})
_NO: Final = frozenset({"", "0", "false", "no", "off"})


class BadVariable(Exception):
    """An environment variable holds something that cannot be meant."""


def data_dir(environ: Mapping[str, str]) -> Path:
    """Where our own database, key and history lie: ``MEMORYHUB_DATA_DIR``, else the platform's data folder."""
    named = environ.get("MEMORYHUB_DATA_DIR")
    path = Path(named).expanduser() if named else platformdirs.user_data_path("memoryhub", appauthor=False)
    return path.absolute()


def debug(environ: Mapping[str, str]) -> bool:
    """Whether ``MEMORYHUB_DEBUG`` asks for Django's debug pages (for people who work on MemoryHub)."""
    return _flag(environ, "MEMORYHUB_DEBUG")


def hermes_python(environ: Mapping[str, str]) -> Path | None:
    """The Python that runs Hermes, when ``HERMES_PYTHON`` names one."""
    named = environ.get("HERMES_PYTHON")
    return Path(named).expanduser().absolute() if named else None


def _flag(environ: Mapping[str, str], name: str) -> bool:
    value = environ.get(name, "").strip().lower()
    if value not in _YES | _NO:
        raise BadVariable(f"{name} is {value!r}; it must be 1 or 0.")
    return value in _YES
