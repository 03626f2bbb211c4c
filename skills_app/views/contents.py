"""What a skill holds: SKILL.md as a page, and its files with what became of each in the scan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from memoryhub.web.htmx import HubRequest
from memoryhub.web.markup import to_html
from skills_app.guard.model import FileRead, Read, Report
from skills_app.library import FileGone, read_file
from skills_app.library.model import FileKind, Skill, SkillFile
from skills_app.library.skill_text import decode
from skills_app.views import texts
from skills_app.views.common import address
from skills_app.views.words import read_word

SHOWN_FILES = 100
_MOST_TEXT = 200_000  # bytes of SKILL.md that are read for the page


@dataclass(frozen=True)
class FileView:
    """One file of the skill."""

    path: str
    url: str
    size: int | None
    notes: tuple[str, ...]
    tone: str


def contents(request: HubRequest, skill: Skill, report: Report | None) -> dict[str, Any]:
    """SKILL.md rendered, and the list of files."""
    everything = request.GET.get("files") == "all"
    read = {each.path: each for each in report.files} if report else {}
    shown = skill.files if everything else skill.files[:SHOWN_FILES]
    return {
        "body": skill_body(skill),
        "body_url": address(request, "skills:file", skill.key, path=skill.skill_file) if skill.skill_file else "",
        "files": [_file(request, skill, each, read) for each in shown],
        "file_count": len(skill.files),
        "more_files": len(skill.files) - len(shown),
        "all_files_url": address(request, "skills:show", skill.key, files="all") + "#files",
        "files_complete": skill.files_complete,
        "size": skill.size,
    }


def skill_body(skill: Skill) -> SafeString:
    """SKILL.md below its header as safe HTML; empty when it cannot be read."""
    try:
        data = read_file(skill, skill.skill_file, _MOST_TEXT).data
    except FileGone:
        return SafeString("")
    text = decode(data).text
    if skill.header_text and text.startswith("---\n"):
        text = text.split("\n---", 1)[-1].partition("\n")[2]
    html = to_html(texts.for_markdown(text), image_words=_("external image not loaded: %s"))
    return mark_safe(html)  # noqa: S308  made safe by web/markup.py, the one place that may


def _file(request: HubRequest, skill: Skill, file: SkillFile, read: Mapping[str, FileRead]) -> FileView:
    found = read.get(file.path) or read.get(file.shown)
    notes, tone = [], ""
    if file.kind is not FileKind.FILE:
        notes.append(_kind_words(file))
        tone = "red" if file.kind in (FileKind.LINK_OUT, FileKind.LOOP) else ""
    elif found is not None and found.read is not Read.SCANNED:
        notes.append(read_word(found.read))
        tone = "amber" if found.is_code else ""
    if file.executable:
        notes.append(_("executable"))
    is_shown = file.kind is FileKind.FILE and file.path == file.shown
    url = address(request, "skills:file", skill.key, path=file.path) if is_shown else ""
    return FileView(
        texts.line(file.shown, 300), url, file.size if file.kind is FileKind.FILE else None, tuple(notes), tone
    )


def _kind_words(file: SkillFile) -> str:
    target = texts.line(file.target.encode("utf-8", "replace").decode(), 200)
    words = {
        FileKind.LINK: _("link to %s, inside the skills folders"),
        FileKind.LINK_OUT: _("link to %s, out of the skills folders; not followed"),
        FileKind.BROKEN_LINK: _("link to %s, where nothing is"),
        FileKind.LOOP: _("link to %s, which leads back to itself"),
        FileKind.UNREADABLE: _("cannot be opened"),
        FileKind.OTHER: _("neither file nor folder"),
    }[file.kind]
    return words % target if "%s" in words else words
