"""The skills of a home as writes find them: by folder name, over all roots, read when needed, changed only in memory.

Hermes looks a skill up by its folder's name; links are not followed, neither by it nor by us.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from memoryhub.hermes import files
from skills_app.library.walk import find_skills
from skills_app.writing.model import SkillChange, SkillState, WriteRefused

MOST_FILES: Final = 2_000
MOST_TOTAL: Final = 32 << 20  # bytes of one skill that are read
_MOST_USAGE: Final = 16 << 20


@dataclass(frozen=True)
class Held:
    """One folder as it stands (``before``) and as planned so far (``now``); None where there is no such folder."""

    name: str
    folder: Path
    root: Path
    before: SkillState | None
    now: SkillState | None


class Shelf:
    """Skills by folder name, with what has been planned on top. Nothing here writes."""

    def __init__(self, roots: Sequence[Path], folders: Mapping[str, Sequence[tuple[Path, Path]]]) -> None:
        self.roots = tuple(roots)
        self._folders = folders
        self._held: dict[Path, Held] = {}

    @classmethod
    def of(cls, roots: Sequence[Path]) -> Shelf:
        """Look through the roots once; the first is the home's own ``skills``."""
        found = [
            (each.path, root)
            for root in roots
            for each in find_skills(root, [Path(os.path.realpath(root))]).folders
            if each.skill_file == "SKILL.md"
        ]
        return cls.from_known(roots, found)

    @classmethod
    def from_known(cls, roots: Sequence[Path], skills: Iterable[tuple[Path, Path]]) -> Shelf:
        """The same from skills that were found already: (folder, root), both as the roots name them."""
        folders: dict[str, list[tuple[Path, Path]]] = {}
        for path, root in skills:
            if path.name and _is_plain(path, root):
                folders.setdefault(path.name, []).append((path, root))
        return cls(roots, folders)

    def over(self) -> Shelf:
        """A fresh copy to plan on, sharing what was looked up."""
        return Shelf(self.roots, self._folders)

    @property
    def own(self) -> Path:
        """The home's own folder of skills, where new ones go."""
        return self.roots[0]

    def find(self, name: str) -> Held | None:
        """The skill of this folder name, as planned so far. Refuses when several have it, or it cannot be read."""
        found = self._planned(name)
        if len(found) > 1:
            raise WriteRefused(
                "two_skills",
                f"There are {len(found)} skills in a folder called {name}; which one is meant cannot be told.",
                folders=[str(each.folder) for each in found],
            )
        return found[0] if found else None

    def held(self, folder: Path, root: Path) -> Held:
        """This very folder, read from disk the first time."""
        if folder not in self._held:
            state = read_state(folder)
            self._held[folder] = Held(folder.name, folder, root, state, state)
        return self._held[folder]

    def put(self, held: Held, now: SkillState | None) -> None:
        """Plan that a folder holds ``now``."""
        self._held[held.folder] = replace(held, now=now)

    def changes(self) -> tuple[SkillChange, ...]:
        """What was planned, skill by skill, in the order in which they were touched."""
        differing = [h for h in self._held.values() if h.before != h.now]
        return tuple(SkillChange(h.name, h.folder, h.root, h.before, h.now) for h in differing)

    def pinned(self) -> frozenset[str]:
        """The names that the usage record marks as pinned; none when it cannot be read, as in Hermes."""
        usage = read_usage(self.own)
        return frozenset(n for n, record in usage.items() if isinstance(record, dict) and record.get("pinned"))

    def _planned(self, name: str) -> list[Held]:
        known = [self.held(folder, root) for folder, root in self._folders.get(name, ())]
        extra = [held for held in self._held.values() if held.name == name and held not in known]
        return [each for each in (*known, *extra) if each.now is not None and "SKILL.md" in _paths(each.now)]


def read_usage(own: Path) -> dict[str, Any]:
    """Hermes' usage record of a home's skills; empty when it is missing or damaged."""
    try:
        tree = json.loads(files.read_regular(own / ".usage.json", _MOST_USAGE) or b"{}")
    except (files.FileProblem, ValueError, RecursionError):
        return {}
    return tree if isinstance(tree, dict) else {}


def read_state(folder: Path) -> SkillState | None:
    """Everything in a folder, links by where they lead; None when there is no folder. Raises WriteRefused."""
    if folder.is_symlink():
        raise WriteRefused("link", f"{folder.name} is a link to a folder, which is not written through.")
    if not folder.is_dir():
        if folder.exists():
            raise WriteRefused("not_a_folder", f"A file called {folder.name} stands where the skill would be.")
        return None
    try:
        return _read_tree(folder)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise WriteRefused("unreadable", f"The skill {folder.name} cannot be read whole ({reason}).") from error
    except files.FileProblem as problem:
        raise WriteRefused("unreadable", f"The skill {folder.name} cannot be read whole: {problem}") from problem


def _read_tree(folder: Path) -> SkillState:
    held, links, modes, total = dict[str, bytes](), dict[str, str](), dict[str, int](), 0
    for here, below, names in os.walk(folder, onerror=_raise):
        for name in [*names, *below]:
            if is_temporary(name):
                continue
            path = Path(here, name)
            relative, status = path.relative_to(folder).as_posix(), path.lstat()
            if stat.S_ISLNK(status.st_mode):
                links[relative] = os.fspath(path.readlink())
            elif not stat.S_ISDIR(status.st_mode):
                data = files.read_regular(path, MOST_TOTAL) or b""
                held[relative], modes[relative], total = data, stat.S_IMODE(status.st_mode), total + len(data)
        if len(held) + len(links) > MOST_FILES or total > MOST_TOTAL:
            raise WriteRefused("too_large", f"The skill {folder.name} is too large to be looked through.")
    return SkillState(held, links, modes)


def is_temporary(name: str) -> bool:
    """Whether a file is one that Hermes or we were writing when a process died: never a part of the skill."""
    return name.startswith(".") and (".tmp." in name or name.endswith(".tmp"))


def _raise(error: OSError) -> None:
    raise error


def _paths(state: SkillState) -> set[str]:
    return {*state.files, *state.links}


def _is_plain(path: Path, root: Path) -> bool:
    """Whether no link leads to it: Hermes does not find what only a link leads to."""
    return Path(os.path.realpath(path)) == Path(os.path.realpath(root)) / path.relative_to(root)
