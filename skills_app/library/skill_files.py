"""The files of one skill, seen without opening any; and reading one of them without being led elsewhere."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from skills_app.library.model import FileKind, Skill, SkillFile

MOST_FILES: Final = 5_000
MOST_BYTES: Final = 8 * 1024 * 1024
_SNIFFED: Final = 8_192
_TEXT_CONTROLS: Final = frozenset(b"\t\n\f\r\x1b")


class FileGone(Exception):
    """The file is not there, is no regular file, or leads out of the skill; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of one file, cut at the limit that was asked for; ``size`` is that of the whole file."""

    data: bytes
    size: int

    @property
    def is_complete(self) -> bool:
        """Whether ``data`` is all of it."""
        return len(self.data) >= self.size

    @property
    def is_text(self) -> bool:
        """Whether this looks like text in some encoding, judged by the first bytes and never by the name."""
        return looks_like_text(self.data[:_SNIFFED])


def list_files(folder: Path, roots: Sequence[Path], *, is_root: bool = False) -> tuple[tuple[SkillFile, ...], bool]:
    """List everything below a skill's folder, sorted by path, and whether that is all.

    Links are listed and not followed. ``roots`` are the real skills folders: a link that leads elsewhere is a LINK_OUT.
    ``is_root``: the folder is a whole skills folder, of which only the files directly in it are meant.
    """
    found: list[SkillFile] = []
    for each in _walk(folder, roots, is_root):
        if len(found) == MOST_FILES:
            return tuple(sorted(found, key=_by_path)), False
        found.append(each)
    return tuple(sorted(found, key=_by_path)), True


def _by_path(file: SkillFile) -> str:
    return file.path


def _walk(folder: Path, roots: Sequence[Path], is_root: bool) -> Iterator[SkillFile]:
    stack = [""]
    while stack:
        inner = stack.pop()
        try:
            with os.scandir(folder / inner) as entries:
                items = list(entries)
        except OSError:
            yield SkillFile(inner or ".", FileKind.UNREADABLE)
            continue
        for item in items:
            path = f"{inner}/{item.name}" if inner else item.name
            if not item.is_dir(follow_symlinks=False):
                yield _file(item, path, roots)
            elif not is_root:
                stack.append(path)


def _file(item: os.DirEntry[str], path: str, roots: Sequence[Path]) -> SkillFile:
    try:
        status = item.stat(follow_symlinks=False)
    except OSError:
        return SkillFile(path, FileKind.OTHER)
    kind, size, executable, target = FileKind.OTHER, 0, False, ""
    if stat.S_ISLNK(status.st_mode):
        kind, target = _link(Path(item.path), roots)
    elif stat.S_ISREG(status.st_mode):
        kind, size, executable = FileKind.FILE, status.st_size, bool(status.st_mode & 0o111)
    return SkillFile(path, kind, size, executable, target, status.st_mtime_ns, status.st_ctime_ns)


def _link(link: Path, roots: Sequence[Path]) -> tuple[FileKind, str]:
    try:
        target = os.fspath(link.readlink())
    except OSError:
        return FileKind.BROKEN_LINK, ""
    real = Path(os.path.realpath(link))
    if Path(os.path.realpath(link.parent)).is_relative_to(real):
        return FileKind.LOOP, target
    try:
        link.stat()
    except OSError as error:
        return (FileKind.LOOP if error.errno == errno.ELOOP else FileKind.BROKEN_LINK), target
    is_inside = any(real.is_relative_to(root) for root in roots)
    return (FileKind.LINK if is_inside else FileKind.LINK_OUT), target


def read_file(skill: Skill, path: str, max_bytes: int = MOST_BYTES) -> Content:
    """Read one file of a skill, at most ``max_bytes`` of it; raises FileGone.

    ``path`` is looked up among the skill's files first, so nothing of an address becomes a path. Only regular files are
    opened, without waiting, and without following a link in any part of the path below the skill's folder.
    """
    known = skill.file(path)
    if known is None:
        raise FileGone("The skill has no such file.")
    if known.kind is not FileKind.FILE:
        raise FileGone(f"This is no file but a {known.kind}, so it is not opened.")
    return read_inside(skill.path, path, max_bytes)


def read_inside(folder: Path, path: str, max_bytes: int = MOST_BYTES) -> Content:
    """Read the file at ``path`` (relative, posix, from a listing) below ``folder``; raises FileGone."""
    with open_inside(folder, path) as file:
        data = file.read(max_bytes)
        return Content(data, max(len(data), os.fstat(file.fileno()).st_size))


@contextmanager
def open_inside(folder: Path, path: str) -> Iterator[IO[bytes]]:
    """Open a regular file below ``folder``; raises FileGone, also for what goes wrong while reading.

    Each part is opened relative to the one before and no link is followed, so exchanging a folder for a link at the
    last moment leads nowhere.
    """
    opened: list[int] = []
    try:
        with os.fdopen(_open(folder, path.split("/"), opened), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileGone("This is no regular file, so it is not opened.")
            yield file
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "odd path"
        raise FileGone(f"The file cannot be read ({reason}).") from error
    finally:
        for handle in opened:
            os.close(handle)


def _open(folder: Path, parts: Sequence[str], opened: list[int]) -> int:
    """Return a handle of the file; those of the folders on the way are left in ``opened`` to be closed."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if os.open not in os.supports_dir_fd:
        return os.open(folder.joinpath(*parts), flags)
    opened.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
    for part in parts[:-1]:
        opened.append(os.open(part, flags | os.O_DIRECTORY, dir_fd=opened[-1]))
    return os.open(parts[-1], flags, dir_fd=opened[-1])


def looks_like_text(data: bytes) -> bool:
    """Whether bytes look like text: a Unicode mark, or no NUL and hardly any control characters."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return True
    if b"\0" in data:
        return False
    controls = sum(1 for byte in data if byte < 32 and byte not in _TEXT_CONTROLS)
    return controls * 50 <= len(data)
