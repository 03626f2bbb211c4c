"""Builds the demo home: a root home with a profile `work`, all of it made up, the same for the same seed and time."""

from __future__ import annotations

import shutil
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Final

from memoryhub.demo import (
    folders,
    occasions,
    pending_texts,
    skill_texts,
    story,
    story_home,
    story_work,
    topics_job_zh,
    topics_life_en,
    topics_work_en,
    topics_zh,
)
from memoryhub.demo.chronicle import Chronicle, Session
from memoryhub.demo.database import write_state_db
from memoryhub.demo.scripts import parse
from memoryhub.hermes.home import DEFAULT

PROFILE: Final = "work"
STORIES: Final = {DEFAULT: story_home.HOME, PROFILE: story_work.WORK}
"""What was written to the memory files of each profile, by its name."""
_BUILT_AT: Final = "demo.txt"


def build_demo_home(folder: Path, now: datetime, seed: int = 1) -> None:
    """Build the demo home at `folder`, which must not exist; `now` (aware) is the moment its dates lead up to.

    It appears all at once: built beside its place under a hidden name, then renamed. FileExistsError when
    something is there already, OSError when the disk refuses.
    """
    if folder.exists() or folder.is_symlink():
        raise FileExistsError(f"There is already something at {folder}.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        _build_root(building, now, seed)
        _build_work(building / "profiles" / PROFILE, now, seed)
        folders.write_text(building / _BUILT_AT, f"{now.isoformat()}\n")
        building.rename(folder)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise


def built_at(folder: Path) -> datetime | None:
    """The moment that the dates of the demo home at `folder` lead up to; None when it is no demo home."""
    try:
        return datetime.fromisoformat((folder / _BUILT_AT).read_text("utf-8").strip())
    except (OSError, ValueError):
        return None


def _build_root(home: Path, now: datetime, seed: int) -> None:
    writes = story.dated(STORIES[DEFAULT], now)
    folders.write_memories(home, writes, now)
    folders.write_backup(home, writes, now, days=117)
    folders.write_skills(home, skill_texts.SKILLS, now)
    folders.write_pending(home, "memory", pending_texts.MEMORY, now)
    folders.write_pending(home, "skills", pending_texts.SKILLS, now)
    folders.write_text(home / "pending" / "memory" / f"{pending_texts.CUT_ID}.json", pending_texts.CUT_RECORD)
    topics = [topic for text in (topics_work_en, topics_life_en, topics_zh) for topic in parse(text.TEXT)]
    names = [skill.name for skill in skill_texts.SKILLS if not skill.archived]
    write_state_db(home / "state.db", _root_sessions(Chronicle(now, f"root {seed}", topics, writes, names)))


def _build_work(home: Path, now: datetime, seed: int) -> None:
    writes = story.dated(STORIES[PROFILE], now)
    folders.write_memories(home, writes, now)
    folders.write_skills(home, skill_texts.WORK_SKILLS, now)
    names = [skill.name for skill in skill_texts.WORK_SKILLS]
    chronicle = Chronicle(now, f"work {seed}", parse(topics_job_zh.TEXT), writes, names)
    write_state_db(home / "state.db", [*_remembered(chronicle), *occasions.everyday(chronicle, 60)])


def _root_sessions(chronicle: Chronicle) -> list[Session]:
    return [
        *_remembered(chronicle),
        *occasions.made_skills(chronicle, skill_texts.SKILLS),
        *occasions.staged(chronicle, "memory", pending_texts.MEMORY),
        *occasions.staged(chronicle, "skills", pending_texts.SKILLS),
        *occasions.lineages(chronicle, ["staging", "slowquery", "tideutc", "migration"]),
        *occasions.relatives(
            chronicle,
            [
                *(("branch", key, days) for key, days in (("flaky", 15), ("letter", 61), ("photos", 133))),
                *(("delegate", "research", days) for days in (4, 28, 73, 155, 201, 340)),
            ],
        ),
        *occasions.oddities(chronicle),
        *occasions.jobs(chronicle, digests=54, invoices=36),
        *occasions.everyday(chronicle, 190),
        occasions.long_day(chronicle, days=44, subjects=48),
        occasions.running(chronicle, "packaging"),
    ]


def _remembered(chronicle: Chronicle) -> list[Session]:
    return [chronicle.remember(write) for write in chronicle.writes if write.is_tool_call]
