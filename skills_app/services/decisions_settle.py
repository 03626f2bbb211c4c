"""Waiting out Hermes' own approval, which knows no claims: it reads a record, applies it, then takes it away.

A patch may fit twice. So where its file was written a moment ago, and not by us, the record may be about to vanish;
and a Hermes that has read a record before we claimed it applies it a moment later.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from pathlib import PurePosixPath
from typing import Final

from memoryhub.hermes import files
from skills_app.pending.claim import Claim
from skills_app.pending.preview import Effect
from skills_app.pending.records import PendingSkill, Record
from skills_app.pending.skill_effect import SkillEffect
from skills_app.services.decisions_look import Look
from skills_app.writing import commit
from skills_app.writing.model import SkillWrite, WriteRefused

SETTLED: Final = 1.0  # seconds; between writing and removing Hermes takes a few milliseconds
GRACE: Final = 0.25  # seconds; between reading and writing, too
_STEP: Final = 0.02
_ours: OrderedDict[str, None] = OrderedDict()
_MOST: Final = 4096


def settle(record: Record, effect: Effect | None) -> bool:
    """Wait, at most a second, while somebody else may have applied this very record and is about to remove it.

    Returns whether it waited: then things may look otherwise.
    """
    if not isinstance(record, PendingSkill) or not isinstance(effect, SkillEffect):
        return False
    if not fits_twice(record):
        return False
    written, waited = _newest(effect), False
    while 0 <= time.time() - written < SETTLED and record.path.exists():
        time.sleep(_STEP)
        waited = True
    return waited


def let_others_finish(record: Record, taken: Claim) -> None:
    """Once a write is claimed: give a Hermes that has already read it the time to apply it, if it could fit twice."""
    if fits_twice(record):
        time.sleep(max(0.0, taken.taken_at + GRACE - time.monotonic()))


def fits_twice(record: Record) -> bool:
    """Whether a write leaves something behind that it would change again."""
    return isinstance(record, PendingSkill) and any(_fits_twice(write) for write in record.steps)


def was_done_elsewhere(look: Look) -> bool:
    """Whether a claimed write stands already as it should afterwards: Hermes was quicker."""
    effect = look.effect
    if not isinstance(effect, SkillEffect) or not effect.changes:
        return False
    try:
        return all(commit.is_made(change) for change in effect.changes)
    except (WriteRefused, files.FileProblem):
        return False


def _fits_twice(write: SkillWrite) -> bool:
    """Whether a patch leaves a text behind that it would change again."""
    old, new = ("".join((text or "").split()) for text in (write.old_string, write.new_string))
    return write.action == "patch" and bool(old) and old in new


def is_settled(effect: Effect | None) -> bool:
    """Whether nobody else wrote what an effect changes a moment ago."""
    return not isinstance(effect, SkillEffect) or not 0 <= time.time() - _newest(effect) < SETTLED


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
