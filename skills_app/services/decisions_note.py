"""What is noted of a decision before it is carried out, so that it can be written down even after a crash."""

from __future__ import annotations

import base64
import uuid
from typing import Any, Final

from skills_app.pending.claim import Claim
from skills_app.pending.records import PendingMemory, PendingSkill, Record, Unreadable
from skills_app.services.decisions_look import Look

APPROVE: Final = "approve"
EDIT: Final = "edit"
PARTLY: Final = "partly"
REJECT: Final = "reject"
DISCARD: Final = "discard"
HOLD: Final = "hold"  # a skill on disk is switched off until it is decided on
FROM_SHELL: Final = "approve-dangerous-from-shell"  # a Preference, set on the settings page: "yes"


def note_of(
    record: Record, taken: Claim, action: str, reason: str, via: str, now: Look | None = None
) -> dict[str, Any]:
    """What is to be known again of a decision, as JSON: the parts of its row, and the record's bytes."""
    judgement = now.judgement if now else None
    decision = {
        "action": action,
        "reason": reason,
        "via": via,
        "skill": record.name if isinstance(record, PendingSkill) else "",
        "verdict": judgement.verdict.value if judgement and judgement.verdict else "",
        "rules_version": judgement.rules_version if judgement else "",
    }
    about = {"summary": record.summary, "origin": record.origin, "created_at": record.created_at, "file": record.file}
    kind = {"subsystem": record.subsystem, "asked": record.action}
    if isinstance(record, PendingMemory):
        kind["target"] = record.target
    changed = (
        dict(now.record.payload)
        if now and action in (EDIT, PARTLY) and not isinstance(now.record, Unreadable)
        else None
    )
    ticked = sorted(judgement.ticks) if judgement else []
    return {
        **about,
        **kind,
        "claim": str(uuid.uuid4()),
        "payload": changed,
        "findings": ticked,
        "decision": decision,
        "record": base64.b64encode(taken.data).decode(),
    }
