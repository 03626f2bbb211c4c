"""A look at the skills folders that reads no file: has anything changed since the last look?

Names, sizes, modes and both times of every entry, so that a file changed in place counts even with its time set back.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from skills_app.library.model import Root

MOST_ENTRIES: Final = 300_000


def glance(roots: Iterable[Root], others: Iterable[Path] = ()) -> str:
    """A digest that stays the same while nothing below ``roots`` and none of the files ``others`` changes.

    Links are not followed. 2,000 skills of five files take some 0.1 s.
    """
    seen = hashlib.sha256()
    stack = [os.fspath(root.real) for root in roots if not root.problem]
    left = MOST_ENTRIES
    while stack and left > 0:
        folder = stack.pop()
        try:
            with os.scandir(folder) as entries:
                items = sorted(entries, key=_name)
        except OSError:
            continue
        seen.update(os.fsencode(folder))
        for item in items:
            left -= 1
            seen.update(_mark(item))
            if item.is_dir(follow_symlinks=False):
                stack.append(item.path)
    for path in others:
        seen.update(_stamp(path))
    return seen.hexdigest()


def _name(item: os.DirEntry[str]) -> str:
    return item.name


def _mark(item: os.DirEntry[str]) -> bytes:
    try:
        found = item.stat(follow_symlinks=False)
    except OSError:
        return os.fsencode(item.name)
    return os.fsencode(f"{item.name}\0{found.st_mode}\0{found.st_size}\0{found.st_mtime_ns}\0{found.st_ctime_ns}\0")


def _stamp(path: Path) -> bytes:
    try:
        found = path.stat()
    except OSError:
        return b"-"
    return f"{found.st_ino}\0{found.st_size}\0{found.st_mtime_ns}\0{found.st_ctime_ns}\0".encode()
