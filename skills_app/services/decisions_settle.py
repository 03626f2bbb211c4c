"""Waiting out Hermes' own approval: it applies a write first and takes the record away a moment later.

A patch may fit twice, so where its file was written a moment ago, and not by us, the record may be about to vanish.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from pathlib import PurePosixPath
from typing import Final

from memoryhub.hermes import files
from skills_app.pending.preview import Effect
from skills_app.pending.records import PendingSkill, Record
from skills_app.pending.skill_effect import SkillEffect

SETTLED: Final = 1.0  # seconds; between writing and removing Hermes takes a few milliseconds
_STEP: Final = 0.02
_ours: OrderedDict[str, None] = OrderedDict()
_MOST: Final = 4096


def settle(record: Record, effect: Effect | None) -> None:
    """Wait, at most a second, while somebody else may have applied this very record and is about to remove it."""
    if not isinstance(record, PendingSkill) or not isinstance(effect, SkillEffect):
        return
    if not any(write.action == "patch" for write in record.steps):
        return
    written = _newest(effect)
    while 0 <= time.time() - written < SETTLED and record.path.exists():
        time.sleep(_STEP)


def remember(effect: SkillEffect) -> None:
    """Note what we wrote ourselves: it needs no waiting."""
    for change, file in effect.files:
        if file.after is not None:
            _ours[f"{change.folder}/{file.path} {files.digest(file.after)}"] = None
    while len(_ours) > _MOST:
        _ours.popitem(last=False)


def _newest(effect: SkillEffect) -> float:
    """When a file that is to be changed was last written by somebody else; 0 for none."""
    times = [0.0]
    for change, file in effect.files:
        if file.before is None or f"{change.folder}/{file.path} {files.digest(file.before)}" in _ours:
            continue
        try:
            times.append((change.folder / PurePosixPath(file.path)).lstat().st_mtime)
        except OSError:
            continue
    return max(times)
