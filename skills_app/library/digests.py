"""Digests of a skill's bytes: our own, which decisions are bound to, and those that Hermes computes.

Ours covers every entry: a file by its bytes and its executable bit, a link by the text of its target. Nothing here
follows a link out of the skills folders.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Final

from skills_app.library.model import FileKind, Skill, SkillFile
from skills_app.library.skill_files import FileGone, open_inside

_UNREAD: Final = "unread"
_STEP: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Digest:
    """SHA-256 of a whole skill and of each entry, in hexadecimal.

    ``files`` pairs a path with what stands there: ``f:`` (``x:`` with the executable bit) and the digest of the bytes,
    ``l:`` and that of a link's target, ``?:`` for what cannot be read. ``is_complete``: everything could be read.
    """

    sha256: str
    files: tuple[tuple[str, str], ...]
    is_complete: bool

    def changes(self, other: Digest) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """The paths added, changed and removed on the way from this one to ``other``."""
        mine, theirs = dict(self.files), dict(other.files)
        changed = (path for path in theirs if path in mine and mine[path] != theirs[path])
        return (
            tuple(path for path in theirs if path not in mine),
            tuple(changed),
            tuple(path for path in mine if path not in theirs),
        )


def content_digest(skill: Skill) -> Digest:
    """The digest of what is on disk now for the files that ``skill`` lists; list it again first. Never raises."""
    return digest_entries(_entry(skill.path, each) for each in skill.files)


def digest_entries(entries: Iterable[tuple[str, str]]) -> Digest:
    """The digest of (path, mark) pairs as in ``Digest.files``: for bytes that are not on disk (yet)."""
    ordered = tuple(sorted(entries))
    whole = hashlib.sha256()
    for path, mark in ordered:
        whole.update(os.fsencode(path) + b"\0" + mark.encode() + b"\0")
    return Digest(whole.hexdigest(), ordered, not any(mark.startswith("?:") for _, mark in ordered))


def file_mark(data: bytes, *, executable: bool = False) -> str:
    """The mark of a file that holds ``data``."""
    return f"{'x' if executable else 'f'}:{hashlib.sha256(data).hexdigest()}"


def link_mark(target: str) -> str:
    """The mark of a link to ``target``."""
    return f"l:{hashlib.sha256(os.fsencode(target)).hexdigest()}"


def _entry(folder: Path, file: SkillFile) -> tuple[str, str]:
    if file.kind is FileKind.FILE:
        try:
            found = _hash(folder, file.path, hashlib.sha256())
        except FileGone:
            return file.path, f"?:{_UNREAD}"
        return file.path, f"{'x' if file.executable else 'f'}:{found}"
    if file.target:
        return file.path, link_mark(file.target)
    return file.path, f"?:{file.kind}"


def _hash(folder: Path, path: str, into: hashlib._Hash) -> str:
    with open_inside(folder, path) as file:
        while step := file.read(_STEP):
            into.update(step)
    return into.hexdigest()


@dataclass(frozen=True, slots=True)
class HermesDigests:
    """What Hermes calls a skill's content hash: ``sha256:`` and 64 hex digits, in the order of 0.19.0 and of later.

    The two differ only where a folder's name is the beginning of another name beside it.
    """

    by_parts: str
    by_text: str

    def matches(self, content_hash: str) -> bool:
        """Whether a recorded hash, short (16 digits) or full, is one of these."""
        return len(content_hash) in (23, 71) and any(
            each.startswith(content_hash) for each in (self.by_parts, self.by_text)
        )


def hermes_digests(skill: Skill) -> HermesDigests | None:
    """Hermes' digests; None where it has none to compare, or where bytes lie outside or cannot be read."""
    paths = _hashed_by_hermes(skill)
    orders = (sorted(paths, key=_parts), sorted(paths))
    found = [_feed(hashlib.sha256(), skill.path, skill.root.real, order, b"\0") for order in orders]
    return HermesDigests(*(f"sha256:{each}" for each in found)) if None not in found else None


def shipped_md5(skill: Skill) -> str | None:
    """The MD5 that ``.bundled_manifest`` would have for what is on disk; None as for ``hermes_digests``."""
    return _md5(skill.path, skill.root.real, tuple(sorted(_hashed_by_hermes(skill), key=_parts)), skill.signature)


@lru_cache(maxsize=4096)  # a listing asks for it of every shipped skill
def _md5(folder: Path, root: Path, paths: tuple[str, ...], signature: str) -> str | None:
    return _feed(hashlib.md5(usedforsecurity=False), folder, root, paths, b"")


def _hashed_by_hermes(skill: Skill) -> list[str]:
    """Regular files, and links that lead to one."""
    kinds = (FileKind.FILE, FileKind.LINK, FileKind.LINK_OUT)
    return [each.path for each in skill.files if each.kind in kinds and (skill.path / each.path).is_file()]


def _parts(path: str) -> tuple[str, ...]:
    return PurePosixPath(path).parts


def _feed(into: hashlib._Hash, folder: Path, root: Path, paths: Iterable[str], between: bytes) -> str | None:
    try:
        for path in paths:
            into.update(path.encode() + between)
            real = Path(os.path.realpath(folder / path))
            with open_inside(root, real.relative_to(root).as_posix()) as file:
                while step := file.read(_STEP):
                    into.update(step)
    except (FileGone, ValueError):  # a name that is no UTF-8, or a link that leads out of the root
        return None
    return into.hexdigest()
