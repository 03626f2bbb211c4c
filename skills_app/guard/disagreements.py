"""Where our guard and Hermes' own say different things about one skill, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from skills_app.guard.hermes_guard import HermesFinding, HermesVerdict
from skills_app.guard.model import Finding, Report, Severity

_DECIDING: Final = (Severity.CRITICAL, Severity.HIGH)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One thing that only one side finds grave: a sentence for people, and where it is."""

    reason: str
    file: str
    line: int
    ours: Finding | None = None
    theirs: HermesFinding | None = None


def compare(ours: Report, theirs: HermesVerdict) -> tuple[Disagreement, ...]:
    """What explains that the verdicts differ; nothing when they agree.

    Each deciding finding of one side that the other does not have, or finds mild, is one disagreement.
    """
    if theirs.verdict is None or theirs.verdict is ours.verdict:
        return ()
    if theirs.verdict.rank > ours.verdict.rank:
        worst = {"dangerous": ("critical",), "caution": ("critical", "high")}[theirs.verdict.value]
        grave = [one for one in theirs.findings if one.severity in worst]
        return tuple(_milder(ours, one) for one in grave)
    deciding = [one for one in ours.findings if one.severity in _DECIDING]
    found = tuple(_graver(theirs, one) for one in deciding)
    return found or (Disagreement(f"Only ours says so: {ours.reason}", ".", 0),)


def _milder(ours: Report, one: HermesFinding) -> Disagreement:
    """Why something that Hermes finds grave does not weigh as much with us."""
    here = [each for each in ours.findings if (each.file, each.line) == (one.file, one.line)]
    same = next((each for each in here if each.rule == one.rule), None) or next(iter(here), None)
    if same is None:
        reason = f"Hermes finds {one.rule} here; ours finds nothing that could do harm in this line."
    elif same.weakened:
        reason = f"Hermes finds {one.rule} here; ours calls it {same.severity}: {same.weakened}"
    else:
        reason = f"Hermes finds {one.rule} here ({one.severity}); ours calls it {same.severity}."
    return Disagreement(reason, one.file, one.line, same, one)


def _graver(theirs: HermesVerdict, one: Finding) -> Disagreement:
    """Why Hermes does not see what we find grave."""
    here = [each for each in theirs.findings if (each.file, each.line) == (one.file, one.line)]
    if here:
        reason = (
            f"Ours calls {one.rule} {one.severity}; Hermes finds {here[0].rule} here and calls it {here[0].severity}."
        )
        return Disagreement(reason, one.file, one.line, one, here[0])
    if not one.line:
        reason = f"Hermes does not look for {one.rule}."
    elif one.decoded:
        reason = f"{one.rule} shows only once the text is joined or decoded, which Hermes does not do."
    elif not any(each.file == one.file for each in theirs.findings):
        reason = f"Hermes finds nothing in this file, and opens only some kinds of files. Ours finds {one.rule}."
    else:
        reason = f"Hermes has no rule that matches this line; ours finds {one.rule}."
    return Disagreement(reason, one.file, one.line, one)
