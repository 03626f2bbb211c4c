"""What ``memoryhub scan PATH`` means: one skill, the skills below a folder, or a single file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from skills_app.guard.model import Report
from skills_app.guard.scanner import scan_texts
from skills_app.library.walk import SKILL_FILE, find_skills

MOST_BYTES = 64 * 1024 * 1024


class NoSkill(Exception):
    """There is nothing to scan at a path; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class Target:
    """One skill to be scanned, and what it is called."""

    name: str
    path: Path


def targets_at(path: Path) -> tuple[Target, ...]:
    """The skills at or below a folder. Raises NoSkill."""
    if not path.exists():
        raise NoSkill(f"There is nothing at {path}.")
    if not path.is_dir():
        raise NoSkill(f"{path} is no folder and no regular file.")
    real = Path(os.path.realpath(path))
    if (path / SKILL_FILE).is_file():
        return (Target(real.name, path),)
    found = [each for each in find_skills(path, [real]).folders if each.skill_file and not each.host]
    if not found:
        raise NoSkill(f"{path} is no skill and holds none: no folder in it has a file {SKILL_FILE}.")
    return tuple(Target(each.path.name, each.path) for each in found)


def scan_file(path: Path) -> Report:
    """Scan a single file as a skill that holds nothing else. Raises NoSkill when it cannot be read."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES)
    except OSError as error:
        raise NoSkill(f"{path} cannot be read: {error.strerror or 'for an unknown reason'}.") from error
    return scan_texts({path.name: data})
