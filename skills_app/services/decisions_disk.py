"""Deciding on dangerous skills that lie on disk already: approved as they are, or held (Hermes' list of disabled ones).

A skill waits while its verdict and tier together say "ask" and nobody has decided on exactly these bytes. One that was
approved and changed since has drifted, and waits again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from memoryhub.hermes.config_edit import set_disabled
from memoryhub.hermes.home import Home
from memoryhub.models import Preference
from memoryhub.services.memory import PAGE, SHELL
from skills_app.guard import RULES_VERSION
from skills_app.guard.model import Finding, Policy, Severity
from skills_app.judging import judge
from skills_app.library import content_digest
from skills_app.models import Decision
from skills_app.services import catalogue, decisions_kept, dismissals
from skills_app.services.decisions_note import APPROVE, FROM_SHELL, HOLD, REJECT
from skills_app.services.decisions_problems import DiskChanged, DiskNotAcknowledged, ItemGone, ShellRefused
from skills_app.services.verdicts import find_scan
from skills_app.shelf import Row
from skills_app.writing.shelf import read_state

if TYPE_CHECKING:
    from skills_app.services.decisions import Approval

PREFIX: Final = "disk:"


@dataclass(frozen=True)
class DiskItem:
    """A skill on disk that waits. ``approved`` is the approval of other bytes before it drifted; ``held`` our hold."""

    row: Row
    approved: Decision | None = None
    held: Decision | None = None

    @property
    def id(self) -> str:
        return PREFIX + self.row.skill.key

    @property
    def seen(self) -> str:
        """What a decision is bound to: the digest of the skill's bytes."""
        return self.row.digest


def disk_items(home: Home) -> tuple[DiskItem, ...]:
    """Every skill of a home that waits. One statement beside those of the catalogue."""
    decided: dict[str, list[Decision]] = {}
    for decision in _standing(home):
        decided.setdefault(decision.item, []).append(decision)
    rows = [row for row in catalogue.current(home).rows if row.policy is Policy.ASK and row.digest]
    return tuple(item for row in rows if (item := _item(row, decided.get(PREFIX + row.skill.key, []))) is not None)


def find_disk_item(home: Home, item: str) -> DiskItem | None:
    """The waiting skill of this id."""
    return next((each for each in disk_items(home) if each.id == item), None)


def ticks(home: Home, item: DiskItem) -> tuple[Finding, ...]:
    """The critical findings that nobody dismissed: what has to be ticked before approving."""
    kept = find_scan(item.row.digest)
    if kept is None:
        return ()
    judged = judge(kept.report, dismissals.by_skill(home).get(item.row.skill.key, ()))
    return tuple(finding for finding in judged.open if finding.severity is Severity.CRITICAL)


def disk_approve(home: Home, item: str, how: Approval) -> Decision:
    """Record that a person approved exactly these bytes, and release the skill if we hold it.

    Raises ItemGone, DiskChanged, DiskNotAcknowledged, ShellRefused and files.FileProblem.
    """
    found = _fresh(home, item, how.seen.effect if how.seen else None)
    if how.via == SHELL:
        if not Preference.objects.filter(key=FROM_SHELL, value="yes").exists():
            raise ShellRefused
    elif missing := {finding.fingerprint for finding in ticks(home, found)} - set(how.ticks):
        raise DiskNotAcknowledged(missing)
    if not how.reason.strip():
        raise DiskNotAcknowledged(())
    released = found.held is not None and bool(found.held.details.get("switched")) and found.row.skill.is_disabled
    if released:
        set_disabled(home.config_file, found.row.skill.name, False)
    decision = _record(home, found, APPROVE, how.reason, how.via, {"released": released})
    state = read_state(found.row.skill.path)
    if state is not None:
        decisions_kept.keep_state(decision, str(found.row.skill.path), state)
    return decision


def disk_reject(home: Home, item: str, *, seen: str | None = None, reason: str = "", via: str = PAGE) -> Decision:
    """Decide against a skill: it is switched off, if it is not yet, and stays so; its files stay. Raises as above."""
    return _switched_off(home, _fresh(home, item, seen), REJECT, reason, via)


def disk_hold(home: Home, item: str, *, seen: str | None = None, reason: str = "", via: str = PAGE) -> Decision:
    """Switch a skill off until it is decided on. It goes on waiting. Raises as above."""
    return _switched_off(home, _fresh(home, item, seen), HOLD, reason, via)


def take_back(home: Home, decision: Decision) -> None:
    """Undo what a decision on disk switched. Raises files.FileProblem."""
    name = str(decision.details.get("name", ""))
    if decision.details.get("released"):
        set_disabled(home.config_file, name, True)
    elif decision.details.get("switched"):
        set_disabled(home.config_file, name, False)
    catalogue.look(home)


def _switched_off(home: Home, found: DiskItem, action: str, reason: str, via: str) -> Decision:
    switched = not found.row.skill.is_disabled
    if switched:
        set_disabled(home.config_file, found.row.skill.name, True)
    elif found.held is not None:  # ours already: a rejection keeps it off, and approving later releases it
        switched = bool(found.held.details.get("switched"))
    return _record(home, found, action, reason, via, {"switched": switched})


def _standing(home: Home) -> Any:
    mine = Decision.objects.filter(home=home.key, item__startswith=PREFIX, action__in=(APPROVE, REJECT, HOLD))
    return mine.filter(undone_by__isnull=True).order_by("id")


def _item(row: Row, decided: list[Decision]) -> DiskItem | None:
    if any(one.digest == row.digest and one.action in (APPROVE, REJECT) for one in decided):
        return None
    approved = next((one for one in reversed(decided) if one.action == APPROVE), None)
    last = next((one for one in reversed(decided) if one.action != APPROVE), None)
    is_after = last is not None and (approved is None or last.pk > approved.pk)
    return DiskItem(row, approved, last if is_after else None)


def _fresh(home: Home, item: str, seen: str | None) -> DiskItem:
    """The item as the disk is now. Raises ItemGone or DiskChanged."""
    catalogue.look(home)
    found = find_disk_item(home, item)
    if found is None:
        raise ItemGone(item)
    if seen is not None and seen != found.seen:
        raise DiskChanged
    return found


def _record(home: Home, found: DiskItem, action: str, reason: str, via: str, details: Mapping[str, Any]) -> Decision:
    skill = found.row.skill
    catalogue.look(home)
    return Decision.objects.create(
        home=home.key,
        item=found.id,
        skill=skill.key,
        action=action,
        digest=found.row.digest,
        files={path.encode("utf-8", "replace").decode(): mark for path, mark in content_digest(skill).files},
        verdict=found.row.verdict.value if found.row.verdict else "",
        rules_version=RULES_VERSION,
        via=via,
        reason=reason,
        details={"name": skill.name, "file_of": "disk", **details},
    )
