"""Reading and writing Hermes' files beside a running agent: its lock, atomic replacement, no surprises.

Knows nothing of what the files say. Every failure is a FileProblem whose text is a sentence for a person.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

MAX_BYTES: Final = 8 * 1024 * 1024
LOCK_WAIT: Final = 2.0
_STRAY: Final = ".mem_mh-{name}-"


class FileProblem(Exception):
    """A file that Hermes owns cannot be used; nothing was changed."""

    def __init__(self, path: Path, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path


class NotAFile(FileProblem):
    """A folder, pipe or device stands where a file is expected."""


class Unreadable(FileProblem):
    """The system refuses to read the file."""


class TooLarge(FileProblem):
    """The file is larger than we are willing to read."""


class LockBusy(FileProblem):
    """Another program holds Hermes' lock."""


class NotWritable(FileProblem):
    """The system refuses to write the file."""


class Overtaken(FileProblem):
    """A program that takes no lock wrote the file while we were about to."""


def digest(data: bytes) -> str:
    """SHA-256 of ``data`` in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def read_regular(path: Path, max_bytes: int = MAX_BYTES) -> bytes | None:
    """Return the bytes of ``path``, or None when there is nothing.

    Only regular files are opened, and without blocking: a pipe in place of a file must not stop the server.
    Raises NotAFile, Unreadable or TooLarge.
    """
    try:
        _require_regular(path, path.stat().st_mode)
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(path, f"{path.name} cannot be read ({_reason(error)}).") from error
    with os.fdopen(handle, "rb") as file:
        _require_regular(path, os.fstat(file.fileno()).st_mode)
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise TooLarge(path, f"{path.name} is larger than {max_bytes // (1024 * 1024)} MiB, so it is not read.")
    return data


def _require_regular(path: Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise NotAFile(path, f"{path.name} is a folder, not a file.")
    if not stat.S_ISREG(mode):
        raise NotAFile(path, f"{path.name} is a pipe or a device, not a file.")


def lock_path(path: Path) -> Path:
    """Where Hermes locks ``path``: a file of its own beside it, which is never deleted."""
    return path.with_name(path.name + ".lock")


def has_lock_file(path: Path) -> bool:
    """Whether a lock file lies beside ``path``; False also where the system does not let us look."""
    try:
        return lock_path(path).is_file()
    except OSError:
        return False


@contextmanager
def locked(path: Path, wait: float = LOCK_WAIT) -> Iterator[None]:
    """Hold the exclusive lock that Hermes itself takes before it writes ``path``.

    Waits at most ``wait`` seconds, then raises LockBusy. The lock file's existence means nothing; only the lock does.
    """
    try:
        file = lock_path(path).open("a+b")
    except OSError as error:
        raise NotWritable(path, f"{path.name} cannot be locked for writing ({_reason(error)}).") from error
    with file:
        try:
            _acquire(path, file, wait)
        except OSError as error:  # some file systems know no locks
            raise NotWritable(path, f"{path.name} cannot be locked for writing ({_reason(error)}).") from error
        yield  # closing the file releases the lock


def _acquire(path: Path, file: IO[bytes], wait: float) -> None:
    deadline = time.monotonic() + wait
    while not _try_lock(file):
        if time.monotonic() >= deadline:
            raise LockBusy(path, f"The agent is writing {path.name} at this moment. Nothing was changed; try again.")
        time.sleep(0.02)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: IO[bytes]) -> bool:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def write_atomic(path: Path, data: bytes, seen: bytes | None) -> None:
    """Replace what ``path`` holds, all or nothing, and have it on the disk when this returns.

    ``seen`` is what the caller, who holds the lock, found there (None: no file). Editors take no lock, so it is
    compared again at the last moment. A link stays a link (its target is replaced); mode and owner are kept; a new
    file is private (0600). Raises Overtaken or NotWritable, with the file as it was and no temporary file left.
    """
    real = Path(os.path.realpath(path))
    temporary = real.with_name(_STRAY.format(name=real.name) + f"{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        before = real.stat() if real.exists() else None
        if before is not None and not _is_writable(real, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        _write_new(temporary, data, before)
        if read_regular(real) != seen:
            raise Overtaken(path, f"Another program wrote {path.name} at this very moment. Nothing was changed.")
        temporary.replace(real)
    except (OSError, FileProblem) as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, FileProblem):
            raise
        raise NotWritable(path, f"{path.name} cannot be written ({_reason(error)}). Nothing was changed.") from error
    _sync_folder(real.parent)


def _write_new(temporary: Path, data: bytes, like: os.stat_result | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
        file.write(data)
        if like is not None and hasattr(os, "fchmod"):
            if (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
                with suppress(OSError):  # only root may give a file away; the mode still is kept
                    os.fchown(file.fileno(), like.st_uid, like.st_gid)
            os.fchmod(file.fileno(), stat.S_IMODE(like.st_mode))
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # some file systems cannot sync a folder; the bytes themselves are already safe
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_problem(path: Path) -> str:
    """Why ``path`` should not be written, as a sentence; empty when it can be.

    A file without any write bit is meant to stay as it is, even where the system would let its owner write.
    """
    real = Path(os.path.realpath(path))
    if real.exists() and not _is_writable(real, os.W_OK):
        return f"{path.name} is write-protected."
    folder = next((each for each in real.parents if each.exists()), real.parent)
    if not _is_writable(folder, os.W_OK | os.X_OK):
        return f"The folder {folder} is write-protected, so {path.name} cannot be replaced safely."
    return ""


def _is_writable(path: Path, wanted: int) -> bool:
    """Whether nothing on the path itself forbids writing; what is not there, or has just gone, forbids nothing."""
    try:
        allowed = path.stat().st_mode & 0o222
    except (FileNotFoundError, NotADirectoryError):
        return True
    return bool(allowed) and (os.access(path, wanted) or not path.exists())


def remove_strays(path: Path) -> int:
    """Delete temporary files that a killed process of ours left beside ``path``; return how many.

    The caller holds the lock of ``path``, so none of them is in use.
    """
    real = Path(os.path.realpath(path))
    prefix = _STRAY.format(name=real.name)
    try:
        strays = [p for p in real.parent.iterdir() if p.name.startswith(prefix) and p.name.endswith(".tmp")]
    except OSError:
        return 0
    for stray in strays:
        with suppress(OSError):
            stray.unlink()
    return len(strays)


def link_target(path: Path) -> Path | None:
    """Where ``path`` leads when it or its folder is a link, all links resolved; None where there is none to see."""
    try:
        return Path(os.path.realpath(path)) if path.is_symlink() or path.parent.is_symlink() else None
    except OSError:
        return None


def contained(path: Path, root: Path) -> bool:
    """Whether ``path`` lies in ``root`` once every link in both is resolved."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
