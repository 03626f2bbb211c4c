"""Archiving a skill and bringing it back: its folder is moved, nothing is overwritten, and Hermes' records follow.

Hermes' rules hold: back to the top of the skills folder under its own name, never over an installed skill. What Hermes
tells apart by name alone is told apart by folder here.
"""

from __future__ import annotations

import os
import re
from datetime import datetime
from pathlib import Path
from typing import Final

from memoryhub.hermes import files
from skills_app.guard.model import Tier
from skills_app.library.model import RootKind, Skill
from skills_app.library.records import SUPPRESSED_FILE, Records
from skills_app.library.roots import ARCHIVE
from skills_app.library.usage import UsageRefused, set_state

_STAMPED: Final = re.compile(r"(.+)-\d{14}")


class RestoreRefused(Exception):
    """The skill stays in the archive; the text says why and what to do."""


def restored_name(skill: Skill) -> str:
    """The folder name that an archived skill gets back: without the time that the archive adds when a name is taken."""
    stamped = _STAMPED.fullmatch(skill.folder_name)
    return stamped[1] if stamped and skill.header_name != skill.folder_name else skill.folder_name


def restore_problem(skills: Path, skill: Skill, records: Records) -> str:
    """Why this archived skill cannot be brought back, as a sentence; empty when it can."""
    name = restored_name(skill)
    if skill.root.kind is not RootKind.ARCHIVE:
        return "This skill is not in the archive."
    if skill.path.is_symlink() or not skill.skill_file:
        return "This is no folder with a SKILL.md, so it is not brought back. Look at it in the archive."
    if any(name in (each.name, each.install_path) for each in records.hub.records):
        return f"A skill {name} was installed from the hub meanwhile. Uninstall it first, or keep this one archived."
    if os.path.lexists(skills / name):
        return f"A folder {name} is in the skills folder already. Rename or move it first; nothing is overwritten."
    return ""


def restore(skills: Path, skill: Skill, records: Records) -> Path:
    """Move an archived skill back and record it as active; return its new folder.

    Raises RestoreRefused with nothing changed. Where only Hermes' record cannot be written (FileProblem, UsageRefused),
    the folder is moved back into the archive first.
    """
    if problem := restore_problem(skills, skill, records):
        raise RestoreRefused(problem)
    target = skills / restored_name(skill)
    _move(skill.path, target)
    try:
        set_state(skills, skill.header_name or target.name, "active")
        _unsuppress(skills, {skill.header_name, target.name})
    except (files.FileProblem, UsageRefused):
        _move(target, skill.path)
        raise
    return target


def put_away_problem(skill: Skill) -> str:
    """Why this skill cannot be archived, as a sentence; empty when it can."""
    if skill.root.kind is not RootKind.HOME:
        return "Only skills of the home itself are archived."
    if skill.hub is not None:
        return "This skill was installed from the hub; hermes skills uninstall removes it."
    if skill.path.is_symlink() or not skill.skill_file or skill.relative == ".":
        return "This is no folder of its own with a SKILL.md, so it is not moved."
    return ""


def put_away(skills: Path, skill: Skill, now: datetime) -> Path:
    """Move a skill into the archive, with the time (UTC) in its name when that is taken, and record it as archived.

    Raises as ``restore`` does. A shipped skill is put on Hermes' list of those that an update leaves out.
    """
    if problem := put_away_problem(skill):
        raise RestoreRefused(problem)
    target = skills / ARCHIVE / skill.path.name
    if os.path.lexists(target):
        target = target.with_name(f"{target.name}-{now:%Y%m%d%H%M%S}")
    target.parent.mkdir(exist_ok=True)
    _move(skill.path, target)
    try:
        set_state(skills, skill.header_name or skill.folder_name, "archived")
        if skill.tier is Tier.BUILTIN:
            _suppress(skills, skill.header_name or skill.folder_name)
    except (files.FileProblem, UsageRefused):
        _move(target, skill.path)
        raise
    return target


def _suppress(skills: Path, name: str) -> None:
    path = skills / SUPPRESSED_FILE
    data = files.read_regular(path)
    lines = (data or b"").splitlines()
    if name.encode() not in lines:
        files.write_atomic(path, b"".join(line + b"\n" for line in (*lines, name.encode())), data)


def _move(source: Path, target: Path) -> None:
    """Rename a folder to a name that is free; an empty folder that appears meanwhile is not replaced either."""
    try:
        target.mkdir()  # takes the name; renaming a folder onto an empty one replaces it in one step
        try:
            source.replace(target)
        except OSError:
            target.rmdir()
            raise
    except FileExistsError as error:
        raise RestoreRefused(f"A folder {target.name} is there already. Nothing was changed.") from error
    except OSError as error:
        raise RestoreRefused(f"The folder cannot be moved ({error.strerror}). Nothing was changed.") from error


def _unsuppress(skills: Path, names: set[str]) -> None:
    """Take names off the list of shipped skills that an update must leave out; other lines stay byte for byte."""
    path = skills / SUPPRESSED_FILE
    data = files.read_regular(path)
    if data is None:
        return
    lines = data.splitlines(keepends=True)
    kept = b"".join(line for line in lines if line.strip().decode("utf-8", "replace") not in names - {""})
    if kept != data:
        files.write_atomic(path, kept, data)
