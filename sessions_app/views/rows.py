"""One conversation of the list as it is shown: words for its state, its length and what it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryhub.web.htmx import HubRequest
from sessions_app import pieces
from sessions_app.families import AGENT, API, CRON, Session
from sessions_app.list_rows import Row
from sessions_app.money import Usage
from sessions_app.views.common import session_address

_MOST_TITLE = 160


@dataclass(frozen=True)
class Badge:
    """A word with a tone and, where it has one, a sign."""

    word: str
    tone: str = ""
    sign: str = ""


@dataclass(frozen=True)
class RowView:
    """One conversation, ready to show."""

    id: str
    url: str
    title: str
    is_words: bool
    source: str
    badges: tuple[Badge, ...]
    models: str
    folder: str
    branch: str
    last: datetime | None
    started: datetime | None
    length: str
    parts: int
    messages: int | None
    tools: int
    usage: Usage
    state: str
    below: tuple[RowView, ...] = ()
    above_url: str = ""

    def under(self, request: HubRequest, above: Session) -> RowView:
        """The same row, with the way to the conversation it came from."""
        return replace(self, above_url=session_address(request, above.id, above.rowid))


def row_view(request: HubRequest, row: Row, is_running: bool, below: tuple[RowView, ...] = ()) -> RowView:
    """Make the view of a row."""
    session = row.session
    text = row.title or row.words
    title = pieces.line(text)
    return RowView(
        id=f"session-{session.rowid}",
        url=session_address(request, session.id, session.rowid),
        title=title if len(title) <= _MOST_TITLE else title[:_MOST_TITLE] + "…",
        is_words=not row.title and bool(row.words),
        source=row.source,
        badges=tuple(_badges(session, is_running)),
        models=", ".join(map(pieces.line, row.models)),
        folder=_folder(row.folder),
        branch=pieces.line(row.branch),
        last=row.last,
        started=row.started,
        length=length_words(row.started, row.last),
        parts=len(session.parts),
        messages=row.messages,
        tools=row.tools,
        usage=row.usage,
        state="" if is_running else state_words(row.ended is not None, row.reason),
        below=below,
    )


def _badges(session: Session, is_running: bool) -> list[Badge]:
    found = []
    if is_running:
        found.append(Badge(_("running"), "green", "●"))
    if any(part.is_archived for part in session.parts):
        found.append(Badge(_("archived")))
    if session.is_branch:
        found.append(Badge(_("branch"), "accent", "↳"))
    elif session.background:
        found.append(Badge(background_word(session.background)))
    return found


def background_word(kind: str) -> str:
    """What kind of background work it is."""
    return {CRON: _("scheduled"), API: _("API"), AGENT: _("sub-agent")}[kind]


def state_words(has_ended: bool, reason: str) -> str:
    """How a conversation ended, as far as that is recorded."""
    if not has_ended:
        return _("no end recorded")
    known = {
        "user_exit": _("ended by you"),
        "cli_close": _("closed"),
        "compression": _("compressed; nothing followed"),
        "timeout": _("ended after a pause"),
        "reset": _("reset"),
        "session_reset": _("reset"),
        "new_session": _("another one was begun"),
        "error": _("ended by an error"),
        "completed": _("completed"),
        "cron_complete": _("completed"),
    }
    return known.get(reason) or (_("ended: %s") % pieces.line(reason.replace("_", " ")) if reason else _("ended"))


def length_words(start: datetime | None, end: datetime | None) -> str:
    """How long something took: 42 minutes, 3 hours, 2 days; nothing when that is not known."""
    if start is None or end is None or end < start:
        return ""
    minutes = int((end - start).total_seconds() // 60)
    if minutes < 1:
        return _("under a minute")
    if minutes < 90:
        return ngettext("%s minute", "%s minutes", minutes) % minutes
    hours = round(minutes / 60)
    if hours < 48:
        return ngettext("%s hour", "%s hours", hours) % hours
    days = round(hours / 24)
    return ngettext("%s day", "%s days", days) % days


def _folder(path: str) -> str:
    """The last two names of a folder: enough to know it by."""
    shown = pieces.line(path)
    names = [name for name in shown.replace("\\", "/").split("/") if name]
    return "/".join(names[-2:]) if len(names) > 2 else shown
