"""What tells one state of state.db from another by its directory entries alone.

The files themselves are never opened here: closing any handle on them would drop SQLite's locks (case S41).
"""

from __future__ import annotations

from pathlib import Path


def signature(path: Path) -> tuple[tuple[int, int, int] | None, ...]:
    """Inode, size and modification time in nanoseconds of the database and of its log; None for what is not there.

    The time of the log changes a moment before readers can see what was written.
    """
    return tuple(_entry(path.with_name(name)) for name in (path.name, f"{path.name}-wal"))


def _entry(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
