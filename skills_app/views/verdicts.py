"""The verdict on one skill in sentences: what decided it, what follows, what was read, what Hermes' own guard says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from skills_app.guard.model import Coverage, FileRead, Policy, Read, Report, Tier, Verdict
from skills_app.judging import Choice, Judged
from skills_app.services.catalogue import Catalogue
from skills_app.shelf import Row
from skills_app.views import texts
from skills_app.views.words import Badge, choice_words, coverage_word, read_word, verdict_badge

SHOWN_FILES = 50


@dataclass(frozen=True)
class UnreadFile:
    """A file that was not scanned, and why."""

    path: str
    size: int
    word: str
    reason: str
    is_code: bool


@dataclass(frozen=True)
class VerdictView:
    """Everything the panel of the verdict shows."""

    badge: Badge
    explanation: str
    decider: str
    policy: str
    policy_sentence: str
    coverage: str
    coverage_sentence: str
    unread: tuple[UnreadFile, ...]
    more_unread: int
    scanned_at: datetime | None
    rules_version: str
    digest: str
    choice: str
    undismissed: str


def verdict_view(
    row: Row, known: Catalogue, report: Report | None, judged: Judged | None, at: datetime | None
) -> VerdictView:
    """Make the view; without a report it says that the skill is being checked, or why it is not."""
    unread = [each for each in report.files if each.read is not Read.SCANNED] if report else []
    unread.sort(key=lambda each: (not each.is_code, each.path))
    return VerdictView(
        badge=verdict_badge(row.verdict, row.unread),
        explanation=explanation(row, judged, report) if judged and report else row.unread or _("It is being checked."),
        decider=_decider(row),
        policy=row.policy.value if row.policy else "",
        policy_sentence=policy_sentence(row.skill.tier, row.policy),
        coverage=coverage_word(report.coverage) if report else "",
        coverage_sentence=_coverage_sentence(report) if report else "",
        unread=tuple(_unread(each) for each in unread[:SHOWN_FILES]),
        more_unread=max(0, len(unread) - SHOWN_FILES),
        scanned_at=at,
        rules_version=report.rules_version if report else "",
        digest=report.digest if report else "",
        choice=choice_words(known.choice) if known.choice is not Choice.OURS else "",
        undismissed=_undismissed(row, report),
    )


def explanation(row: Row, judged: Judged, report: Report) -> str:
    """What decided: Dangerous because of 1 finding; 14 others are informational."""
    deciding, others = len(judged.deciding), len(judged.open) - len(judged.deciding)
    if judged.verdict is Verdict.SAFE:
        first = _("Safe: nothing was found.") if not judged.open else ""
        return first or ngettext(
            "Safe: the one finding is informational.", "Safe: all %(n)s findings are informational.", others
        ) % {"n": others}
    if not deciding:
        return texts.line(report.reason, 600)
    words = {
        Verdict.DANGEROUS: ngettext("Dangerous because of %s finding", "Dangerous because of %s findings", deciding),
        Verdict.CAUTION: ngettext("Caution because of %s finding", "Caution because of %s findings", deciding),
    }[judged.verdict] % deciding
    if not others:
        return f"{words}."
    rest = ngettext("%s other is informational.", "%s others are informational.", others) % others
    return f"{words}; {rest}"


def _decider(row: Row) -> str:
    """What Hermes' own guard says, where that decides and is something else than ours."""
    if row.verdict is None or row.ours is None or row.verdict is row.ours:
        return ""
    return _("%s, says Hermes' own guard, which decides here. MemoryHub says:") % capfirst(
        verdict_badge(row.verdict).word
    )


def policy_sentence(tier: Tier, policy: Policy | None) -> str:
    """What follows from the tier and the verdict."""
    if policy is None:
        return ""
    if policy is Policy.ALLOW:
        return _("A skill of this tier with this verdict is allowed.")
    if policy is Policy.ASK:
        return _(
            "A skill of this tier with this verdict needs your decision. It is on disk, and the agent can load it."
        )
    return _("Hermes would refuse to install such a skill of this tier. It is on disk, and the agent can load it.")


def _coverage_sentence(report: Report) -> str:
    read = sum(1 for each in report.files if each.read is Read.SCANNED)
    facts = {"read": read, "all": len(report.files)}
    if report.coverage is Coverage.FULL:
        return ngettext("Its file was read in full.", "All %(all)s files were read.", len(report.files)) % facts
    return _("%(read)s of %(all)s files were read.") % facts


def _undismissed(row: Row, report: Report | None) -> str:
    """What the verdict would be without dismissals, when it would be another one."""
    if report is None or row.ours is None or row.ours is report.verdict:
        return ""
    return _("Without the dismissed findings it would be: %s.") % verdict_badge(report.verdict).word


def _unread(each: FileRead) -> UnreadFile:
    return UnreadFile(
        texts.line(each.path, 200), each.size, read_word(each.read), texts.line(each.reason), each.is_code
    )
