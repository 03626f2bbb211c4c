"""Where skills lie below a root: each real folder once, links to folders noted and never followed out of the roots.

The agent's rules: a folder with a file SKILL.md is a skill; version control, caches and environments are passed over,
and so are the four support folders of a skill. Skills inside skills count.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

SKILL_FILE: Final = "SKILL.md"
SUPPORT_FOLDERS: Final = frozenset(["references", "templates", "assets", "scripts"])
_VERSION_CONTROL: Final = (".git", ".github")
_HERMES_OWN: Final = (".hub", ".archive", ".curator_backups", ".locks")
_ENVIRONMENTS: Final = (".venv", "venv", "node_modules", "site-packages", ".tox", ".nox")
_CACHES: Final = ("__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache")
PASSED_OVER: Final = frozenset((*_VERSION_CONTROL, *_HERMES_OWN, *_ENVIRONMENTS, *_CACHES))
MOST_FOLDERS: Final = 20_000
DEEPEST: Final = 40
_Mark = tuple[int, int]  # device and inode


@dataclass(slots=True)
class Folder:
    """One folder that is, or should be, a skill. ``relative`` is posix below the root, "." for the root itself."""

    path: Path
    relative: str
    skill_file: str = ""  # as written on disk; "" when there is none
    host: str = ""  # the skill it lies in, "" when in none
    target: str = ""  # where it leads, when it is a link that is not followed
    reason: str = ""  # why it could not be listed
    aliases: list[str] = field(default_factory=list)

    @property
    def order(self) -> str:
        """What the agent sorts by, which decides between skills of one name."""
        return SKILL_FILE if self.relative == "." else f"{self.relative}/{SKILL_FILE}"


@dataclass(slots=True)
class Found:
    """Everything one walk saw: skills and would-be skills in the agent's order."""

    folders: list[Folder] = field(default_factory=list)
    loops: list[str] = field(default_factory=list)  # links that lead back to a folder they lie in
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class _Step:
    """A folder still to be listed: where it really is, where the walk came to it, and the skill around it."""

    real: Path
    path: Path
    relative: str
    host: str = ""
    depth: int = 0

    def below(self, name: str, host: str) -> _Step:
        relative = name if self.relative == "." else f"{self.relative}/{name}"
        return _Step(self.real / name, self.path / name, relative, host, self.depth + 1)


class _Walk:
    """The state of one walk."""

    def __init__(self, roots: Sequence[Path], apart: frozenset[Path]) -> None:
        self.roots = roots
        self.apart = apart
        self.found = Found()
        self.empty: list[Folder] = []  # without any SKILL.md: skills that lost theirs, unless skills lie below
        self.seen: dict[_Mark, Folder | None] = {}
        self.links: list[_Step] = []


def find_skills(root: Path, roots: Sequence[Path], apart: frozenset[Path] = frozenset()) -> Found:
    """Find the skills below ``root``.

    ``roots`` are the real paths that links may lead into; ``apart`` those among them that are listed by themselves,
    although they may lie below this one. Never raises; a folder that cannot be listed is found, with its reason.
    """
    walk = _Walk(roots, apart)
    _descend(walk, _Step(Path(os.path.realpath(root)), root, "."))
    for link in walk.links:  # grows on the way; all real folders are known before
        _follow(walk, link)
    walk.found.folders += _lost(walk.empty, walk.found.folders)
    walk.found.folders.sort(key=lambda each: each.order)
    return walk.found


def _descend(walk: _Walk, start: _Step) -> None:
    stack = [start]
    while stack:
        step = stack.pop()
        mark = _mark(step.real)
        if mark is None or mark in walk.seen or (step.depth and step.real in walk.apart):
            continue
        if len(walk.seen) >= MOST_FOLDERS or step.depth > DEEPEST:
            walk.found.is_complete = False
            continue
        walk.seen[mark] = None
        stack += _look(walk, step, mark)


def _look(walk: _Walk, step: _Step, mark: _Mark) -> list[_Step]:
    """List one folder: note the skill it is, if it is one, and return the folders to go on with."""
    try:
        with os.scandir(step.real) as entries:
            items = list(entries)
    except OSError as error:
        reason = error.strerror or "for an unknown reason"
        walk.found.folders.append(Folder(step.path, step.relative, host=step.host, reason=reason))
        return []
    name = _skill_file(items)
    is_skill = name == SKILL_FILE and not any(each.name == name and _is_folder(each) for each in items)
    if name:
        folder = Folder(step.path, step.relative, name, step.host)
        walk.found.folders.append(folder)
        walk.seen[mark] = folder
    elif step.depth and not step.host and step.path.name not in SUPPORT_FOLDERS and _looks_like_a_skill(items):
        walk.empty.append(Folder(step.path, step.relative))
    host = step.relative if is_skill else step.host
    passed = PASSED_OVER | SUPPORT_FOLDERS if is_skill else PASSED_OVER
    inner = [each for each in items if each.name not in passed]
    walk.links += [step.below(each.name, host) for each in inner if each.is_symlink() and each.name != name]
    return [step.below(each.name, host) for each in inner if _is_folder(each)]


def _follow(walk: _Walk, link: _Step) -> None:
    """Decide about a link to a folder: a loop, another way to a known skill, a way out, or more to list."""
    real = Path(os.path.realpath(link.real))
    mark = _mark(real)
    if mark is None:
        if not link.host:
            walk.found.folders.append(Folder(link.path, link.relative, target=_target(link.real), reason="broken"))
        return
    if not real.is_dir() or any(real.is_relative_to(each) for each in walk.apart):
        return
    if link.real.parent.is_relative_to(real):
        walk.found.loops.append(link.relative)
    elif not any(real.is_relative_to(each) for each in walk.roots):
        if not link.host:
            walk.found.folders.append(Folder(link.path, link.relative, target=os.fspath(real)))
    elif mark not in walk.seen:
        _descend(walk, _Step(real, link.path, link.relative, link.host, link.depth))
    elif (known := walk.seen[mark]) is not None:
        known.aliases.append(link.relative)


def _lost(empty: Sequence[Folder], skills: Iterable[Folder]) -> list[Folder]:
    """Those folders without a SKILL.md that have no skill below them and do not lie in another such folder."""
    above = {parent for each in skills for parent in _parents(each.relative)}
    lost = {each.relative: each for each in empty if each.relative not in above}
    return [each for each in lost.values() if not any(parent in lost for parent in _parents(each.relative))]


def _parents(relative: str) -> list[str]:
    parts = relative.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _skill_file(items: Sequence[os.DirEntry[str]]) -> str:
    names = [each.name for each in items if each.name.lower() == SKILL_FILE.lower()]
    return SKILL_FILE if SKILL_FILE in names else min(names, default="")


def _looks_like_a_skill(items: Iterable[os.DirEntry[str]]) -> bool:
    return any(
        each.name in SUPPORT_FOLDERS
        if _is_folder(each)
        else not each.name.startswith(".") and each.name != "DESCRIPTION.md" and not each.is_symlink()
        for each in items
    )


def _is_folder(item: os.DirEntry[str]) -> bool:
    return item.is_dir(follow_symlinks=False)


def _mark(real: Path) -> _Mark | None:
    try:
        found = real.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _target(link: Path) -> str:
    try:
        return os.fspath(link.readlink())
    except OSError:
        return ""
