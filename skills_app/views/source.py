"""One file of a skill as text: numbered lines, what cannot be seen made visible, findings marked where they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from memoryhub.visible import Run
from memoryhub.web.htmx import HubRequest, respond
from skills_app.guard.model import Finding
from skills_app.library import FileGone, read_file
from skills_app.library.model import Skill
from skills_app.library.skill_text import decode
from skills_app.services.verdicts import find_scan
from skills_app.shelf import Row
from skills_app.views import texts
from skills_app.views.common import address, row_or_404
from skills_app.views.rows import shown_name
from skills_app.views.words import severity_badge

MOST_BYTES: Final = 4 * 1024 * 1024
PER_PAGE: Final = 1_000  # lines
_MOST_CHARACTERS: Final = 200_000  # of one page
_LONGEST: Final = 2_000  # characters of one line
_FOLDED: Final = 12  # empty lines in a row that are folded into one
_ABOVE: Final = 20  # lines shown above the one that an address names


@dataclass(frozen=True)
class SourceLine:
    """One line, or ``folded`` empty ones."""

    number: int
    runs: tuple[Run, ...]
    folded: int = 0
    more: int = 0  # characters that are not shown
    findings: tuple[tuple[str, str], ...] = ()  # tone and title


@require_safe
def file_show(request: HubRequest, key: str) -> HttpResponse:
    """A page of one file; the path is looked up among the skill's files, never joined to a folder."""
    _known, row = row_or_404(request, key)
    path = request.GET.get("path", "")
    try:
        content = read_file(row.skill, path, MOST_BYTES)
    except FileGone as gone:
        raise Http404(str(gone)) from None
    head = _head(request, row.skill, path, content.size)
    if not content.is_text:
        return respond(request, "skills_app/source.html", head=head, lines=None)
    lines = decode(content.data).text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    shown = _shown(request, row, path, lines)
    return respond(request, "skills_app/source.html", head=head, is_complete=content.is_complete, **shown)


def _shown(request: HubRequest, row: Row, path: str, lines: Sequence[str]) -> dict[str, Any]:
    """The page of the file that the address asks for, and the ways on."""
    scan = find_scan(row.digest)
    marks = [one for one in scan.report.findings if one.file == path] if scan else []
    start = _start(request, len(lines))
    shown, end = _page(lines, start, marks)
    return {
        "lines": shown,
        "count": len(lines),
        "first": start,
        "last": end,
        "earlier": _address(request, row.skill, path, max(1, start - PER_PAGE)) if start > 1 else None,
        "later": _address(request, row.skill, path, end + 1) if end < len(lines) else None,
        "jumps": [_jump(request, row.skill, path, one) for one in marks[:50]],
    }


def _head(request: HubRequest, skill: Skill, path: str, size: int) -> dict[str, Any]:
    return {
        "path": texts.line(path, 300),
        "size": size,
        "skill": shown_name(skill),
        "url": address(request, "skills:show", skill.key),
    }


def _address(request: HubRequest, skill: Skill, path: str, start: int) -> str:
    return address(request, "skills:file", skill.key, path=path, start=start)


def _jump(request: HubRequest, skill: Skill, path: str, finding: Finding) -> dict[str, Any]:
    url = address(request, "skills:file", skill.key, path=path, line=finding.line or None)
    badge = severity_badge(finding.severity)
    return {"url": f"{url}#L{finding.line}", "line": finding.line, "rule": finding.rule, "badge": badge}


def _start(request: HubRequest, count: int) -> int:
    """The first line to show, from 1: as asked, or a little above the line that is named."""
    wanted = _number(request.GET.get("start", "")) or 1
    if line := _number(request.GET.get("line", "")):
        wanted = max(1, line - _ABOVE) if line > PER_PAGE else 1
    return max(1, min(wanted, count))


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _page(lines: Sequence[str], start: int, findings: Sequence[Finding]) -> tuple[list[SourceLine], int]:
    """The lines from ``start`` on, as many as a page holds, and the last that was taken."""
    by_line: defaultdict[int, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_line[finding.line].append(finding)
    found: list[SourceLine] = []
    room, last = _MOST_CHARACTERS, start - 1
    for line in _folded(lines, start):
        if len(found) == PER_PAGE or room < 0:
            break
        text = lines[line.number - 1]
        room -= min(len(text), _LONGEST)
        last = line.number + max(0, line.folded - 1)
        found.append(line if line.folded else _line(line.number, text, by_line[line.number]))
    return found, last


def _folded(lines: Sequence[str], start: int) -> Iterator[SourceLine]:
    """Every line by its number; a long run of empty ones as one."""
    number = start
    while number <= len(lines):
        end = number
        while end <= len(lines) and not lines[end - 1].strip():
            end += 1
        if end - number >= _FOLDED:
            yield SourceLine(number, (), folded=end - number)
            number = end
        else:
            yield SourceLine(number, ())
            number += 1


def _line(number: int, text: str, findings: Sequence[Finding]) -> SourceLine:
    shown = text[:_LONGEST]
    marks = []
    for finding in findings:
        words = finding.excerpt[finding.start : finding.end]
        at = shown.find(words) if words else -1
        if at >= 0:
            marks.append((at, at + len(words)))
    said = tuple((severity_badge(one.severity).tone, f"{one.severity.value}: {one.rule}") for one in findings)
    return SourceLine(number, texts.runs(shown, marks), more=len(text) - len(shown), findings=said)
