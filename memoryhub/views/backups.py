"""Copies that Hermes left beside a memory file: listed, compared with today, brought back entry by entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from memoryhub import backups as copies
from memoryhub import diffs
from memoryhub.backups import Archived, Backup
from memoryhub.entries import MemoryFile, as_entries, entry_digest, parse, serialize
from memoryhub.hermes.config import read_config
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import FILE_NAMES
from memoryhub.views import past
from memoryhub.views.access import home_of, target_or_404
from memoryhub.views.addresses import address
from memoryhub.views.changes import change_rows, shown
from memoryhub.views.file_view import OTHER
from memoryhub.views.guard import guarded
from memoryhub.views.past import PastEntry, Today
from memoryhub.web.htmx import respond

PAGE: Final = 25
LINES: Final = 50
RAW_SHOWN: Final = 2_000


@dataclass(frozen=True)
class BackupRow:
    """One copy of the list, compared with today's file. ``problem`` is a sentence when it cannot be read."""

    name: str
    at: datetime | None
    size: int
    is_archive: bool
    url: str
    count: int = 0
    missing: int = 0
    is_same: bool = False
    problem: str = ""


@dataclass(frozen=True)
class LineView:
    """One line of the archive: its entry as on other pages of the past, else the line as it stands."""

    line: int
    at: datetime | None
    entry: PastEntry | None
    raw: str


@require_safe
def backups(request: HttpRequest, target: str) -> HttpResponse:
    """The copies of one file, the newest first."""
    found = copies.find_backups(home_of(request).memories, target_or_404(target))
    today = past.today_of(request, target)
    start = _start([backup.name for backup in found], request.GET.get("before", ""))
    shown_now = found[start : start + PAGE]
    has_more = len(found) > start + PAGE
    context: dict[str, Any] = {
        "rows": [_row(request, backup, target, today) for backup in shown_now],
        "total": len(found),
        "older": address(request, "memory:backups", target, before=shown_now[-1].name) if has_more else None,
        "newer": address(request, "memory:backups", target) if start else None,
    }
    return respond(request, "memoryhub/backups.html", **_frame(request, target, today), **context)


@require_safe
def backup(request: HttpRequest, target: str, name: str) -> HttpResponse:
    """One copy beside today's file."""
    return _show(request, target, _backup_or_404(request, target, name))


@require_POST
@guarded
def backup_restore(request: HttpRequest, target: str, name: str) -> HttpResponse:
    """Bring one entry of a copy back, at the newest place."""
    found = _backup_or_404(request, target, name)
    data = copies.read_backup(found)
    then = _archive_as_file(data, target) if found.is_archive else parse(data, target, _limit(request, target))
    back = address(request, "memory:backup", target, name, before=request.POST.get("before"))
    return past.restore_one(
        request, then, back=back, show=lambda status: _show(request, target, found, status=status), reason=name
    )


def _backup_or_404(request: HttpRequest, target: str, name: str) -> Backup:
    found = copies.find_backup(home_of(request).memories, target_or_404(target), name)
    if found is None:
        raise Http404(_("There is no such copy of %s.") % FILE_NAMES[target])
    return found


def _show(request: HttpRequest, target: str, found: Backup, *, status: int = 200) -> HttpResponse:
    today = past.today_of(request, target)
    frame: dict[str, Any] = {**_frame(request, target, today), "backup": found}
    try:
        data = copies.read_backup(found)
    except FileProblem as problem:
        return respond(request, "memoryhub/backup.html", status=503, **frame, problem=str(problem))
    show = _archive_context if found.is_archive else _copy_context
    return respond(
        request, "memoryhub/backup.html", status=status, **frame, **show(request, target, found, data, today)
    )


def _copy_context(request: HttpRequest, target: str, found: Backup, data: bytes, today: Today) -> dict[str, Any]:
    then = parse(data, target, _limit(request, target))
    revealed = request.GET.get("show") == "secrets"
    entries = past.past_entries(then, today.memory, revealed=revealed)
    known = set(then.texts)
    since = [text for text in today.memory.texts if text not in known][: past.MOST_ENTRIES] if today.memory else []
    return {
        "memory": then,
        "entries": entries,
        "is_now": today.memory is not None and today.memory.data == data,
        "missing": _missing(then, today.memory),
        "since": change_rows(diffs.EntryDiff(tuple(since), (), (), ())),
        "notices": past.notices(then, found.name),
        "entry_url": address(request, "memory:backup_restore", target, found.name),
        "revealed": revealed,
        "has_secrets": any(entry.has_secret for entry in entries),
        "reveal_url": address(request, "memory:backup", target, found.name, show="" if revealed else "secrets"),
    }


def _archive_context(request: HttpRequest, target: str, found: Backup, data: bytes, today: Today) -> dict[str, Any]:
    everything = copies.parse_archive(data)
    mine = copies.archived_for(everything, target)
    start = _start([str(line.line) for line in mine], request.GET.get("before", "") or request.POST.get("before", ""))
    revealed = request.GET.get("show") == "secrets"
    lines = mine[start : start + LINES]
    has_more = len(mine) > start + LINES
    return {
        "lines": _line_views(lines, target, today.memory, revealed),
        "count": len(mine),
        "others": len(everything) - len(mine),
        "before": request.GET.get("before", "") if start else "",
        "older": _archive_url(request, target, before=lines[-1].line) if has_more else None,
        "newer": _archive_url(request, target) if start else None,
        "entry_url": address(request, "memory:backup_restore", target, found.name),
        "revealed": revealed,
        "has_secrets": True,
        "reveal_url": _archive_url(request, target, show="" if revealed else "secrets"),
    }


def _archive_url(request: HttpRequest, target: str, **query: object) -> str:
    return address(request, "memory:backup", target, copies.ARCHIVE, **query)


def _line_views(lines: Sequence[Archived], target: str, now: MemoryFile | None, revealed: bool) -> list[LineView]:
    then = _as_file([line.text for line in lines if line.text], target)
    entries = iter(past.past_entries(then, now, revealed=revealed))
    return [
        LineView(line.line, line.at, next(entries) if line.text else None, shown(line.raw[:RAW_SHOWN]))
        for line in lines
    ]


def _archive_as_file(data: bytes, target: str) -> MemoryFile:
    lines = copies.archived_for(copies.parse_archive(data), target)
    return _as_file([line.text for line in lines if line.text], target)


def _as_file(texts: Sequence[str], target: str) -> MemoryFile:
    """The archive's texts as the entries of a file, each as it is, whatever it holds."""
    return MemoryFile(target, 0, serialize(texts), as_entries(texts), tuple(dict.fromkeys(texts)))


def _row(request: HttpRequest, backup: Backup, target: str, today: Today) -> BackupRow:
    url = address(request, "memory:backup", target, backup.name)
    known = BackupRow(backup.name, backup.at, backup.size, backup.is_archive, url)
    try:
        data = copies.read_backup(backup)
    except FileProblem as problem:
        return BackupRow(**{**known.__dict__, "problem": str(problem)})
    limit = _limit(request, target)
    then = _archive_as_file(data, target) if backup.is_archive else parse(data, target, limit)
    present = {entry_digest(text) for text in today.memory.texts} if today.memory else set()
    missing = {entry_digest(text) for text in then.texts} - present
    is_same = today.memory is not None and today.memory.data == data
    return BackupRow(**{**known.__dict__, "count": len(then.texts), "missing": len(missing), "is_same": is_same})


def _missing(then: MemoryFile, now: MemoryFile | None) -> str:
    if now is None:
        return _("The entries of this copy")
    present = set(now.texts)
    count = sum(1 for text in then.texts if text not in present)
    if not count:
        return _("Every entry of this copy stands in today's file.")
    said = ngettext(
        "%s entry of this copy is not in today's file.", "%s entries of this copy are not in today's file.", count
    )
    return said % count


def _start(keys: Sequence[str], before: str) -> int:
    """Where the page after the one that ended with ``before`` begins; the first page when that is not there."""
    return keys.index(before) + 1 if before in keys else 0


def _limit(request: HttpRequest, target: str) -> int:
    return read_config(home_of(request).config_file).limit(target)


def _frame(request: HttpRequest, target: str, today: Today) -> dict[str, Any]:
    return {
        "target": target,
        "file_name": FILE_NAMES[target],
        "other": OTHER[target],
        "today": today,
        "history_url": address(request, "memory:history", target),
        "backups_url": address(request, "memory:backups", target),
        "other_url": address(request, "memory:backups", OTHER[target]),
    }
