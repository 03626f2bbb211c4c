"""Our own data folder: private from the first byte, with a key that is made once.

Knows modes and atomic creation, not what the files mean.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

DATABASE: Final = "memoryhub.sqlite3"
_KEY: Final = "secret.key"


class DataFolderProblem(Exception):
    """The data folder cannot be used; the text is a sentence for a person."""


def prepare(folder: Path) -> None:
    """Create ``folder`` (0700) and an empty database file (0600), so that SQLite never makes a readable one.

    Raises DataFolderProblem.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(folder / DATABASE, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise DataFolderProblem(
            f"The data folder {folder} cannot be used ({error.strerror}). Name another one with MEMORYHUB_DATA_DIR."
        ) from error


def write_private(path: Path, text: str) -> None:
    """Write ``text`` so that only this account can read it (0600), all or nothing."""
    temporary = _new_private(path, text)
    temporary.replace(path)


def secret_key(folder: Path) -> str:
    """The key that signs our cookies: read, or made once. Of two processes that make it at once, one wins.

    Raises DataFolderProblem when there is none and none can be written.
    """
    path = folder / _KEY
    if existing := _read_key(path):
        return existing
    prepare(folder)
    try:
        temporary = _new_private(path, secrets.token_urlsafe(48))
        _move_unless_there(temporary, path)
    except OSError as error:
        raise DataFolderProblem(f"The key file {path} cannot be written ({error.strerror}).") from error
    return _read_key(path)


def _read_key(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise DataFolderProblem(f"The key file {path} cannot be read; delete it to get a new one.") from error


def _new_private(path: Path, text: str) -> Path:
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    handle = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return temporary


def _move_unless_there(temporary: Path, path: Path) -> None:
    try:
        os.link(temporary, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links: the last of two first starts wins
        temporary.replace(path)
        return
    temporary.unlink()
