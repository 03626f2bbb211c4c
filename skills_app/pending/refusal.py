"""Why a staged write cannot be applied, and which ways out there are. The same words for memory and skills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

EDIT, RETARGET, MAKE_ROOM, ACKNOWLEDGE, REJECT = "edit", "retarget", "make_room", "acknowledge", "reject"

_WAYS: Final[Mapping[str, tuple[str, ...]]] = {
    "too_long_by": (MAKE_ROOM, EDIT),
    "text_gone": (RETARGET, EDIT),
    "two_matches": (RETARGET,),
    "threat": (EDIT, ACKNOWLEDGE),
    "name_taken": (RETARGET, EDIT),
    "no_skill": (RETARGET,),
    "two_skills": (),
    "path_leaves": (EDIT,),
    "bad_path": (EDIT,),
    "bad_name": (EDIT,),
    "bad_category": (EDIT,),
    "header": (EDIT,),
    "too_large": (EDIT,),
    "delimiter_line": (EDIT,),
    "control_character": (EDIT,),
    "empty": (EDIT,),
}


@dataclass(frozen=True)
class Refusal:
    """One reason why applying would fail. ``step`` counts from 1 in a batch, None elsewhere."""

    code: str
    sentence: str
    data: Mapping[str, Any] = field(default_factory=dict, hash=False)
    step: int | None = None

    @property
    def ways_out(self) -> tuple[str, ...]:
        """What the person can do about it, the likeliest first; rejecting is always one."""
        return (*_WAYS.get(self.code, ()), REJECT)
