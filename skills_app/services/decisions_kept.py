"""Writing down a decision with the bytes it was about, and reading those bytes again. Rows are only ever added."""

from __future__ import annotations

import base64
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.db import transaction

from memoryhub.spellings import Spelling
from skills_app.models import Decision, KeptBytes, KeptFile
from skills_app.pending.journal import Entry, trimmed
from skills_app.writing.model import SkillChange, SkillState


def decision_record(entry: Entry, result: str = "applied", **details: Any) -> Decision:
    """Write down what a claim led to. Twice for one claim (after a crash) is once."""
    note = dict(entry.note)
    data, fields = base64.b64decode(note.pop("record", "")), note.pop("decision")
    with transaction.atomic():
        known = Decision.objects.filter(home=entry.home, details__claim=note["claim"]).first()
        if known is not None:
            return known
        decision = Decision.objects.create(
            home=entry.home,
            item=entry.item,
            digest=entry.sha256,
            files=_digests(entry),
            result=result,
            details={**note, **details, "skills": [_places(change) for change in entry.skills]},
            **fields,
        )
        KeptFile(decision=decision, role=KeptFile.RECORD, content=_bytes(data)).save()
        for change in map(trimmed, entry.skills):
            _keep(decision, KeptFile.BEFORE, change, change.before)
            _keep(decision, KeptFile.AFTER, change, change.after)
    return decision


def keep_state(decision: Decision, place: str, state: SkillState) -> None:
    """Keep all that a skill on disk held when it was decided on, to show later what changed since."""
    _keep_files(decision, KeptFile.AFTER, place, state)


def state_of(decision: Decision) -> SkillState | None:
    """What a skill on disk held when it was decided on; None when nothing was kept, or a text in it was forgotten."""
    rows = decision.kept.filter(role=KeptFile.AFTER).select_related("content")
    if not rows or any(row.content is not None and row.content.forgotten for row in rows):
        return None
    held = {row.path: bytes(row.content.data) for row in rows if row.content is not None}
    return SkillState(held, {row.path: row.link for row in rows if row.content is None})


def record_bytes(decision: Decision) -> bytes | None:
    """The bytes of the record that was decided on; None when a text in them was forgotten."""
    kept = decision.kept.filter(role=KeptFile.RECORD).select_related("content").first()
    content = kept.content if kept else None
    return None if content is None or content.forgotten else bytes(content.data)


def changes_of(decision: Decision) -> tuple[SkillChange, ...] | None:
    """What was changed in skills, file by file; None when a text in it was forgotten since."""
    states: dict[tuple[str, str], dict[str, Any]] = defaultdict(lambda: {"files": {}, "links": {}, "modes": {}})
    for kept in decision.kept.exclude(role=KeptFile.RECORD).select_related("content"):
        state = states[kept.role, kept.place]
        if kept.content is None:
            state["links"][kept.path] = kept.link
            continue
        if kept.content.forgotten:
            return None
        state["files"][kept.path] = bytes(kept.content.data)
        if kept.mode is not None:
            state["modes"][kept.path] = kept.mode
    return tuple(_change(place, states) for place in decision.details.get("skills", ()))


def text_count(spelling: Spelling) -> int:
    """How many pieces of what is kept for decisions hold a text."""
    contents = KeptBytes.objects.iterator(chunk_size=50)
    return sum(spelling.is_in_json(bytes(each.data)) for each in contents) + len(list(_holding(spelling)))


def text_forget(spelling: Spelling) -> int:
    """Cut a text out of everything kept for decisions; return how many pieces held it."""
    count = 0
    with transaction.atomic():
        for content in KeptBytes.objects.iterator(chunk_size=50):
            data = bytes(content.data)
            if spelling.is_in_json(data):
                count += 1
                _cut(content, spelling.cut(data))
        for decision in list(_holding(spelling)):
            count += 1
            decision.reason = spelling.cut_text(decision.reason)
            decision.details = _without(decision.details, spelling)
            decision.save(update_fields=["reason", "details"])
    return count


def _holding(spelling: Spelling) -> Iterable[Decision]:
    rows = Decision.objects.only("reason", "details").iterator(chunk_size=500)
    return (row for row in rows if spelling.is_in_text(row.reason) or _without(row.details, spelling) != row.details)


def _without(value: Any, spelling: Spelling) -> Any:
    """JSON with a mark in place of the text."""
    if isinstance(value, str):
        return spelling.cut_text(value)
    if isinstance(value, list):
        return [_without(each, spelling) for each in value]
    if isinstance(value, dict):
        return {key: _without(each, spelling) for key, each in value.items()}
    return value


def _cut(content: KeptBytes, data: bytes) -> None:
    """Replace kept bytes by what is left of them; what only an escaped spelling held goes whole."""
    if data == bytes(content.data):
        data = b""
    marked = hashlib.sha256(data + content.digest.encode()).hexdigest()
    KeptBytes.objects.filter(pk=content.pk).update(data=data, digest=marked, forgotten=True)


def _digests(entry: Entry) -> dict[str, str]:
    found = {f"{c.name}/{f.path}": _digest(f.after) for c in entry.skills for f in c.files}
    found |= {target: _digest(after) for target, (_, after) in entry.memory.items()}
    return {path.encode("utf-8", "replace").decode(): digest for path, digest in found.items()}


def _digest(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _places(change: SkillChange) -> dict[str, Any]:
    here = {"name": change.name, "folder": str(change.folder), "root": str(change.root)}
    return {**here, "had": change.before is not None, "has": change.after is not None}


def _change(place: Mapping[str, Any], states: Mapping[tuple[str, str], dict[str, Any]]) -> SkillChange:
    before, after = (
        SkillState(**states[role, place["folder"]]) if is_there else None
        for role, is_there in ((KeptFile.BEFORE, place["had"]), (KeptFile.AFTER, place["has"]))
    )
    return SkillChange(place["name"], Path(place["folder"]), Path(place["root"]), before, after)


def _keep(decision: Decision, role: str, change: SkillChange, state: SkillState | None) -> None:
    if state is not None:
        _keep_files(decision, role, str(change.folder), state)


def _keep_files(decision: Decision, role: str, place: str, state: SkillState) -> None:
    common = {"decision": decision, "role": role, "place": place}
    rows: Iterable[KeptFile] = [
        *(KeptFile(**common, path=p, content=_bytes(d), mode=state.modes.get(p)) for p, d in state.files.items()),
        *(KeptFile(**common, path=path, link=target) for path, target in state.links.items()),
    ]
    KeptFile.objects.bulk_create(rows)


def _bytes(data: bytes) -> KeptBytes:
    return KeptBytes.objects.get_or_create(digest=hashlib.sha256(data).hexdigest(), defaults={"data": data})[0]
