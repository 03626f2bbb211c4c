"""Taking a record out of everybody's sight before it is decided on, so that nothing is applied twice.

The record is renamed to ``<file>.claimed-<pid>``: Hermes lists ``*.json`` only, and a rename succeeds once. As long as
a claim is being worked on, its file is locked (flock), by us and by a child that works for us; so a claim that is not
locked belongs to a process that died.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memoryhub.hermes import files
from skills_app.pending.records import MOST_BYTES

CLAIMED: Final = re.compile(r"(?P<file>.+\.json)\.claimed-(?P<pid>\d{1,10})", re.DOTALL)


class ClaimProblem(Exception):
    """A record cannot be taken; ``str()`` is a sentence. Nothing was changed."""


class RecordGone(ClaimProblem):
    """The record is not there any more: decided on elsewhere."""


class RecordChanged(ClaimProblem):
    """The record is not the one that was seen."""


class RecordBusy(ClaimProblem):
    """Somebody else is deciding on it at this moment."""


@dataclass
class Claim:
    """A record that nobody else can take. End it with ``finish`` or ``release``, once."""

    original: Path
    held: Path
    data: bytes
    handle: int  # the open, locked file
    is_open: bool = True
    taken_at: float = field(default_factory=time.monotonic)

    @property
    def sha256(self) -> str:
        return files.digest(self.data)

    def finish(self) -> None:
        """Delete the record: it was decided on."""
        self.held.unlink(missing_ok=True)
        sync_folder(self.held.parent)
        self._close()

    def release(self) -> None:
        """Put the record back where Hermes finds it."""
        try:
            put_back(self.held, self.original)
        finally:
            self._close()

    def _close(self) -> None:
        if self.is_open:
            self.is_open = False
            os.close(self.handle)


def take(path: Path, sha256: str) -> Claim:
    """Claim the record at ``path``, as a listing gave it, if it still holds the bytes with this digest.

    Raises RecordGone, RecordChanged or RecordBusy.
    """
    held = path.with_name(f"{path.name}.claimed-{os.getpid()}")
    handle = _open(path)
    try:
        data = _read(handle)
        if files.digest(data) != sha256:
            raise RecordChanged("The record was changed meanwhile, so nothing was done.")
        if held.exists():
            raise RecordBusy("This record is being decided on at this moment.")
        _rename(path, held, handle)
    except BaseException:
        os.close(handle)
        raise
    sync_folder(path.parent)
    return Claim(path, held, data, handle)


@contextmanager
def taken(path: Path, sha256: str) -> Iterator[Claim]:
    """Claim a record for a block; what is not finished at its end is put back."""
    claim = take(path, sha256)
    try:
        yield claim
    finally:
        if claim.is_open:
            with suppress(OSError, files.FileProblem):  # then it stays claimed and is put back at the next look
                claim.release()


def reopen(held: Path) -> int | None:
    """Lock a claim that a dead process left; None while somebody works on it, or when it is gone."""
    if not _can_lock() and _is_alive(held):
        return None
    try:
        return _open(held)
    except ClaimProblem:
        return None


def put_back(held: Path, original: Path) -> None:
    """Give a claimed record its own name again; never over another file."""
    if os.path.lexists(original):
        raise files.NotWritable(original, f"{original.name} is there again, so the claimed record was left beside it.")
    held.rename(original)
    sync_folder(original.parent)


def claims_in(folder: Path) -> list[Path]:
    """The claimed records of one folder, living or left over."""
    try:
        return sorted(path for path in folder.iterdir() if CLAIMED.fullmatch(path.name))
    except OSError:
        return []


def original_of(held: Path) -> Path:
    """Where a claimed record belongs."""
    found = CLAIMED.fullmatch(held.name)
    assert found is not None
    return held.with_name(found["file"])


def sync_folder(folder: Path) -> None:
    """Have a rename or removal on the disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _open(path: Path) -> int:
    """Open and lock a regular file, never through a link and never waiting."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except FileNotFoundError as error:
        raise RecordGone("The record is not there any more.") from error
    except OSError as error:
        reason = "it is a link" if error.errno == errno.ELOOP else error.strerror
        raise RecordChanged(f"The record cannot be opened ({reason}).") from error
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise RecordChanged("The record is no plain file.")
        _lock(handle)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _read(handle: int) -> bytes:
    with os.fdopen(os.dup(handle), "rb") as file:
        return file.read(MOST_BYTES + 1)


def _rename(path: Path, held: Path, handle: int) -> None:
    """Rename, and make sure that it was the file we opened: Hermes may have put another in its place."""
    try:
        path.rename(held)
    except FileNotFoundError as error:
        raise RecordGone("The record is not there any more.") from error
    except OSError as error:
        raise RecordBusy(f"The record cannot be taken ({error.strerror}). Nothing was changed.") from error
    if sys.platform != "win32" and held.lstat().st_ino != os.fstat(handle).st_ino:
        put_back(held, path)
        raise RecordChanged("The record was changed at this very moment, so nothing was done.")


def _can_lock() -> bool:
    return sys.platform != "win32"


if sys.platform == "win32":

    def _lock(handle: int) -> None:
        """Windows keeps an open file from being renamed, so the process id in the name has to do."""
else:
    import fcntl

    def _lock(handle: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise RecordBusy("This record is being decided on at this moment.") from error


def _is_alive(held: Path) -> bool:
    found = CLAIMED.fullmatch(held.name)
    try:
        os.kill(int(found["pid"]) if found else 0, 0)
    except (OSError, OverflowError):
        return False
    return True
