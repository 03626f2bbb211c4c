"""What a staged memory write does to the entries of a file. ``apply`` is what the write path calls under the lock.

Hermes' rules: the old text must stand in one entry (equal entries count as one), a batch is all or nothing and only its
end result must fit, an entry that is there already is not added again. Ours beside them: a text that could not be read
back is refused, and a file that is too large may be made smaller.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from memoryhub import entries, store
from memoryhub.entries import EntryRefused, MemoryFile
from skills_app.pending.refusal import Refusal
from skills_app.pending.shapes import MemoryStep

ALREADY_THERE: Final = "already_there"


@dataclass(frozen=True)
class StepEffect:
    """What one step does: the entry that goes and the one that comes, None where there is none."""

    action: str
    removed: str | None
    added: str | None
    note: str = ""  # ALREADY_THERE, or empty


@dataclass(frozen=True)
class MemoryEffect:
    """A file's entries before and after; ``after`` is None when refused. ``digest`` is of the file's bytes."""

    target: str
    digest: str
    limit: int
    used: int
    used_after: int | None
    before: tuple[str, ...] = field(repr=False)
    after: tuple[str, ...] | None = field(repr=False)
    steps: tuple[StepEffect, ...] = field(repr=False)
    refusal: Refusal | None

    @property
    def seen(self) -> str:
        """SHA-256 of what goes and what comes: the same when applied as when seen, whatever else was written."""
        parts = [[step.action, step.removed, step.added, step.note] for step in self.steps]
        return hashlib.sha256(json.dumps([self.target, parts, self.refusal is None]).encode()).hexdigest()

    @property
    def changes_nothing(self) -> bool:
        """Whether the file says all of it already."""
        return self.after is not None and all(step.note == ALREADY_THERE for step in self.steps)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """(old, new) texts of entries that are reworded."""
        return tuple((s.removed, s.added) for s in self.steps if s.removed is not None and s.added is not None)


def preview(memory: MemoryFile, steps: Sequence[MemoryStep], *, allow_flagged: bool = False) -> MemoryEffect:
    """What ``apply`` would do to ``memory``, or why it would refuse. Never raises."""
    effects: list[StepEffect] = []
    refusal, after = None, None
    try:
        after = tuple(apply(memory, steps, allow_flagged=allow_flagged, effects=effects))
    except EntryRefused as refused:
        data = dict(refused.data)
        refusal = Refusal(refused.code, str(refused), data, data.pop("step", None))
    used_after = None if after is None else entries.used(tuple(dict.fromkeys(after)))
    return MemoryEffect(
        memory.target,
        memory.digest,
        memory.limit,
        memory.used,
        used_after,
        memory.texts,
        after,
        tuple(effects),
        refusal,
    )


def apply(
    memory: MemoryFile,
    steps: Sequence[MemoryStep],
    *,
    allow_flagged: bool = False,
    effects: list[StepEffect] | None = None,
) -> list[str]:
    """The entries after all steps. Raises EntryRefused, with the step in ``data`` when there are several.

    ``effects`` collects what each step did.
    """
    texts = list(dict.fromkeys(memory.texts))  # Hermes counts equal entries as one, and keeps one when it writes
    done = [] if effects is None else effects
    if not memory.decodable:
        raise EntryRefused("not_text", "The file is not UTF-8; convert it first.")
    for place, step in enumerate(steps, 1):
        try:
            done.append(_take(texts, step, allow_flagged))
        except EntryRefused as refused:
            if len(steps) > 1:
                refused.data["step"] = place
            raise
    _check_fits(memory, texts, steps)
    if all(each.note == ALREADY_THERE for each in done):
        return list(memory.texts)
    return texts


def _take(texts: list[str], step: MemoryStep, allow_flagged: bool) -> StepEffect:
    """Do one step to ``texts`` in place."""
    if step.action == "add":
        added = _new(step, allow_flagged)
        if added in texts:
            return StepEffect("add", None, added, ALREADY_THERE)
        texts.append(added)
        return StepEffect("add", None, added)
    if step.action == "remove":
        return StepEffect("remove", texts.pop(_place(texts, step)), None)
    added = _new(step, allow_flagged)
    place = _place(texts, step)
    removed, texts[place] = texts[place], added
    return StepEffect("replace", removed, added)


def _new(step: MemoryStep, allow_flagged: bool) -> str:
    if not (step.content or "").strip():
        raise EntryRefused("empty", "It gives no text to write down.")
    text = entries.clean(step.content or "")
    store.check_threats(text, allow_flagged)
    return text


def _place(texts: Sequence[str], step: MemoryStep) -> int:
    old = (step.old_text or "").replace("\r\n", "\n").strip()
    if not old:
        raise EntryRefused("missing", "It does not say which entry it means.", field="old_text")
    found = [place for place, text in enumerate(texts) if old in text]
    if not found:
        raise EntryRefused("text_gone", "The entry that it means is not there any more.", old_text=old)
    if len({texts[place] for place in found}) > 1:
        matches = [texts[place] for place in found]
        sentence = f"It could mean {len(matches)} different entries."
        raise EntryRefused("two_matches", sentence, old_text=old, matches=matches)
    return found[0]


def _check_fits(memory: MemoryFile, texts: Sequence[str], steps: Sequence[MemoryStep]) -> None:
    """Refuse what is over the limit, as Hermes does; but what makes a file that is over it smaller may go on."""
    if all(step.action == "remove" for step in steps):
        return
    total = entries.used(texts)
    if total > memory.limit and total > memory.used:
        over = total - memory.limit
        sentence = f"The file would be {over:,} characters over its limit of {memory.limit:,}."
        raise EntryRefused("too_long_by", sentence, over=over, limit=memory.limit, total=total)
