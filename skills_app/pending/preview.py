"""The effect of one record, whatever it is for: a memory file's entries, or a skill's files."""

from __future__ import annotations

from collections.abc import Callable

from memoryhub.entries import MemoryFile
from skills_app.pending import memory_effect, skill_effect
from skills_app.pending.memory_effect import MemoryEffect
from skills_app.pending.records import PendingMemory, PendingSkill, Record
from skills_app.pending.skill_effect import SkillEffect
from skills_app.writing.shelf import Shelf

Effect = MemoryEffect | SkillEffect


def preview(
    record: Record, read_memory: Callable[[str], MemoryFile], shelf: Shelf, *, allow_flagged: bool = False
) -> Effect | None:
    """What applying ``record`` would do now; None for what is no record.

    ``read_memory`` gives a target's file as it stands and may raise files.FileProblem.
    """
    if isinstance(record, PendingMemory):
        return memory_effect.preview(read_memory(record.target), record.steps, allow_flagged=allow_flagged)
    if isinstance(record, PendingSkill):
        return skill_effect.preview(shelf, record.steps)
    return None
