"""Making planned changes real by our own code: what was planned on must still stand, all files or none.

Each file is replaced whole (temporary file, fsync, rename). A deleted skill loses its SKILL.md first, so that at no
moment half a skill can be found. Nothing behind a link is touched.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath

from memoryhub.hermes import files
from skills_app.writing import shelf
from skills_app.writing.model import FileChange, SkillChange, SkillState, WriteRefused
from skills_app.writing.rules import SKILL_FILE


class TargetChanged(WriteRefused):
    """The skill is not what was planned on: somebody wrote it meanwhile. Nothing was changed."""

    def __init__(self, name: str) -> None:
        super().__init__("changed", f"{name} was changed meanwhile, so nothing was written.", name=name)


def commit(changes: Sequence[SkillChange]) -> None:
    """Bring all changes about, or none. Raises TargetChanged, WriteRefused and files.FileProblem."""
    for change in changes:
        if not holds(change.folder, change.before):
            raise TargetChanged(change.name)
    try:
        for change in changes:
            _write(change)
            if not is_made(change):
                raise TargetChanged(change.name)
    except (WriteRefused, files.FileProblem, OSError) as error:
        revert(changes)
        if isinstance(error, OSError):
            reason = error.strerror or type(error).__name__
            raise files.NotWritable(changes[-1].folder, f"The skill cannot be written ({reason}).") from error
        raise


def inverse(change: SkillChange) -> SkillChange:
    """The change that takes this one back."""
    return replace(change, before=change.after, after=change.before)


def revert(changes: Sequence[SkillChange]) -> tuple[str, ...]:
    """Take back what stands of the changes, file by file; return the files that somebody else wrote since.

    Works on a change that was made in part, too. Files that others wrote stay as they are.
    """
    foreign: list[str] = []
    for change in reversed(changes):
        now = shelf.read_state(change.folder) or SkillState({})
        after = change.after or SkillState({})
        before = change.before or SkillState({})
        ours = {f.path for f in change.files if now.files.get(f.path) == f.after}
        theirs = [f.path for f in change.files if now.files.get(f.path) not in (f.before, f.after)]
        foreign += [f"{change.name}/{path}" for path in theirs]
        part = {path: data for path, data in after.files.items() if path in ours}
        back = {path: before.files[path] for path in ours if path in before.files}
        links = {path: to for path, to in after.links.items() if path in now.links}
        state = SkillState(part, links) if part or links or change.after else None
        goal = SkillState(back, before.links, before.modes) if change.before else None
        _write(replace(change, before=state, after=goal))
    return tuple(foreign)


def clear_up(changes: Sequence[SkillChange]) -> None:
    """Remove what a writer of ours that died left: temporary files, folders of a skill not yet made or just deleted."""
    for change in changes:
        for file in change.files:
            files.remove_strays(change.folder / PurePosixPath(file.path))
        if None in (change.before, change.after) and shelf.read_state(change.folder) in (None, SkillState({})):
            _remove_folders(change)


def holds(folder: Path, state: SkillState | None) -> bool:
    """Whether a folder holds exactly these files and links, whatever their modes; an empty folder counts as none."""
    return _content(shelf.read_state(folder)) == _content(state)


def is_made(change: SkillChange) -> bool:
    """Whether the files that differ stand as they should afterwards, whatever else was written to the skill."""
    now = shelf.read_state(change.folder) or SkillState({})
    return all(now.files.get(file.path) == file.after for file in change.files)


def is_unmade(change: SkillChange) -> bool:
    """Whether the files that differ stand as they did before."""
    now = shelf.read_state(change.folder) or SkillState({})
    return all(now.files.get(file.path) == file.before for file in change.files)


def _write(change: SkillChange) -> None:
    after = change.after or SkillState({})
    for file in sorted(change.files, key=_order):
        path = _inside(change, file.path)
        if file.after is None:
            path.unlink(missing_ok=True)
            _remove_empty(path.parent, change.folder)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_atomic(path, file.after, file.before)
        if file.path in after.modes and file.before is None:
            path.chmod(after.modes[file.path])
    _write_links(change)
    if change.after is None:
        _remove_folders(change)


def _order(file: FileChange) -> tuple[bool, bool, str]:
    """SKILL.md goes before all others and comes after them."""
    is_head, is_removed = file.path == SKILL_FILE, file.after is None
    return (is_removed, is_head != is_removed, file.path)


def _write_links(change: SkillChange) -> None:
    before = change.before.links if change.before else {}
    after = change.after.links if change.after else {}
    for path in before.keys() - after.keys():
        _inside(change, path).unlink(missing_ok=True)
    for path in after.keys() - before.keys():
        link = _inside(change, path)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(after[path])


def _inside(change: SkillChange, path: str) -> Path:
    """A file's place, once its folder is sure to lie in the skill and the skill in its root."""
    place = change.folder / PurePosixPath(path)
    real = Path(os.path.realpath(change.root)) / change.folder.relative_to(change.root)
    if Path(os.path.realpath(place.parent)) != real / PurePosixPath(path).parent:
        raise WriteRefused("link", f"A link leads {path} out of the skill, so nothing was written.", path=path)
    return place


def _remove_empty(folder: Path, skill: Path) -> None:
    """Remove a folder of a skill that has become empty, as Hermes does."""
    if folder != skill:
        with suppress(OSError):
            folder.rmdir()


def _remove_folders(change: SkillChange) -> None:
    """Remove the folders of a deleted skill, and its category when that is empty now."""
    for here, _, names in os.walk(change.folder, topdown=False):
        with suppress(OSError):
            for name in filter(shelf.is_temporary, names):
                Path(here, name).unlink()
            Path(here).rmdir()
    if change.folder.parent != change.root:
        with suppress(OSError):
            change.folder.parent.rmdir()


def _content(state: SkillState | None) -> tuple[dict[str, bytes], dict[str, str]]:
    return (dict(state.files), dict(state.links)) if state else ({}, {})
