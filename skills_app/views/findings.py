"""Findings as they are shown: the matched words marked in their lines, what the rule says, and dismissing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from memoryhub.visible import Run
from memoryhub.web.htmx import HubRequest
from skills_app.guard.model import Finding, Severity
from skills_app.judging import Judged, Scope
from skills_app.library.model import FileKind, Skill
from skills_app.models import Dismissal
from skills_app.services.rules import find_rule
from skills_app.views import texts
from skills_app.views.common import address
from skills_app.views.words import Badge, category_word, kind_word, role_word, scope_words, severity_badge

SHOWN = 25  # findings of one list that are shown at first


@dataclass(frozen=True)
class Line:
    """One line around a match."""

    number: int
    runs: tuple[Run, ...]
    is_hit: bool


@dataclass(frozen=True)
class DismissedView:
    """Why a finding was dismissed, when, and how far that reaches."""

    id: int
    reason: str
    author: str
    at: datetime
    scope: str
    url: str


@dataclass(frozen=True)
class FindingView:
    """One finding, ready to show. ``mark`` names it in forms; ``id`` is its place on the page."""

    id: str
    mark: str
    severity: Badge
    tone: str
    title: str
    rule: str
    rule_url: str
    category: str
    place: str
    url: str
    where: str
    lines: tuple[Line, ...]
    decoded: tuple[Run, ...]
    weakened: str
    why: str
    harmless: str
    check: str
    dismissed: DismissedView | None
    dismiss_url: str
    scopes: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class FindingLists:
    """The findings of a skill: those that decide, those that inform, those that were dismissed."""

    deciding: tuple[FindingView, ...]
    others: tuple[FindingView, ...]
    dismissed: tuple[FindingView, ...]
    hidden: int  # of ``others`` and ``dismissed``, until all are asked for


def finding_lists(
    request: HubRequest, skill: Skill, judged: Judged, records: Iterable[Dismissal], *, everything: bool
) -> FindingLists:
    """Make the views, at most a page full of them unless everything is asked for."""
    by_id = {record.pk: record for record in records}
    deciding = judged.deciding
    numbered = [
        (finding, None if dismissed is None else by_id.get(dismissed.id), f"finding-{number}")
        for number, (finding, dismissed) in enumerate(judged.findings, 1)
    ]
    first = [each for each in numbered if each[1] is None and each[0] in deciding]
    others = [each for each in numbered if each[1] is None and each[0] not in deciding]
    gone = [each for each in numbered if each[1] is not None]

    def views(each: Sequence[tuple[Finding, Dismissal | None, str]]) -> tuple[FindingView, ...]:
        shown = each if everything else each[:SHOWN]
        return tuple(_view(request, skill, finding, record, name) for finding, record, name in shown)

    made = views(first), views(others), views(gone)
    return FindingLists(*made, hidden=len(numbered) - sum(map(len, made)))


def finding_mark(finding: Finding) -> str:
    """What names a finding in a form: the same as long as rule, file and text are."""
    return finding.fingerprint or f"{finding.rule}:{finding.line}"


def _view(request: HubRequest, skill: Skill, finding: Finding, record: Dismissal | None, name: str) -> FindingView:
    rule = find_rule(finding.rule)
    file = texts.line(finding.file, 200)
    return FindingView(
        id=name,
        mark=finding_mark(finding),
        severity=severity_badge(finding.severity),
        tone={Severity.CRITICAL: "red", Severity.HIGH: "amber"}.get(finding.severity, ""),
        title=rule.title if rule else texts.line(finding.description),
        rule=finding.rule,
        rule_url=address(request, "skills:rules") + f"#rule-{finding.rule}" if rule else "",
        category=category_word(finding.category),
        place=f"{file}:{finding.line}" if finding.line else file,
        url=_source_url(request, skill, finding),
        where=_where(finding),
        lines=_lines(finding),
        decoded=texts.runs(finding.decoded) if finding.decoded else (),
        weakened=texts.line(finding.weakened),
        why=rule.why if rule else texts.line(finding.description),
        harmless=rule.harmless if rule else "",
        check=rule.check if rule else "",
        dismissed=_dismissed(request, skill, record) if record else None,
        dismiss_url=address(request, "skills:dismiss", skill.key),
        scopes=tuple((scope.value, scope_words(scope)) for scope in Scope),
    )


def _where(finding: Finding) -> str:
    place = finding.place
    if place is None:
        return ""
    language = f" ({texts.line(place.language, 20)})" if place.language else ""
    return _("%(role)s of %(kind)s") % {"role": role_word(place.role) + language, "kind": kind_word(place.kind)}


def _lines(finding: Finding) -> tuple[Line, ...]:
    """The line with its match marked, and those around it, with their numbers."""
    if not finding.excerpt:
        return ()
    hit = Line(finding.line, texts.runs(finding.excerpt, [(finding.start, finding.end)]), True)
    above = [
        Line(finding.line - len(finding.before) + place, texts.runs(text), False)
        for place, text in enumerate(finding.before)
    ]
    below = [Line(finding.line + place, texts.runs(text), False) for place, text in enumerate(finding.after, 1)]
    return (*above, hit, *below)


def _source_url(request: HubRequest, skill: Skill, finding: Finding) -> str:
    path = finding.file.partition("!/")[0]
    known = skill.file(path)
    if known is None or known.kind is not FileKind.FILE:  # of a link, only where it leads is said
        return ""
    line = finding.line if path == finding.file else 0
    url = address(request, "skills:file", skill.key, path=path, line=line or None)
    return f"{url}#L{line}" if line else url


def _dismissed(request: HubRequest, skill: Skill, record: Dismissal) -> DismissedView:
    return DismissedView(
        id=record.pk,
        reason=texts.line(record.reason, 1_000),
        author=record.author,
        at=record.created_at,
        scope=scope_words(record.scope),
        url=address(request, "skills:withdraw", skill.key, record.pk),
    )
