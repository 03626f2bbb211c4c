"""Who used and who wrote a skill, from the tool calls of state.db; nothing where it cannot be asked."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryhub.hermes import skill_calls, state_db
from memoryhub.hermes.home import Home
from memoryhub.hermes.skill_calls import SkillCall
from memoryhub.hermes.state_schema import last_message_id, probe
from memoryhub.hermes.values import as_text
from memoryhub.services.watch import signature
from skills_app.library import Authorship
from skills_app.library.model import Skill

LIMIT_MS: Final = 240
_MOST_CALLS: Final = 400  # of one skill that its page looks at
_MOST_STEPS: Final = 20
_LONGEST_READ: Final = 5_000  # calls that one look at a new database takes in


@dataclass(frozen=True)
class SkillUse:
    """A session that viewed, made or changed a skill; ``message_id`` is its newest such call."""

    session_id: str
    message_id: int
    title: str
    words: str
    at: datetime | None


def uses_of(home: Home, skill: Skill) -> tuple[SkillUse, ...]:
    """The sessions that used a skill, newest first."""
    names = {name for name in (skill.name, skill.folder_name) if name}

    def ask(conn: state_db.Connection) -> tuple[list[SkillCall], dict[str, str]]:
        found = skill_calls.skill_calls(conn, names=names, limit=_MOST_CALLS, steps=_MOST_STEPS)
        return list(found.calls), _titles(conn, {call.session_id for call in found.calls})

    try:
        calls, titles = state_db.read(home.state_db, LIMIT_MS, ask)
    except state_db.StateDbProblem:
        return ()
    by_session: dict[str, list[SkillCall]] = {}
    for call in calls:
        by_session.setdefault(call.session_id, []).append(call)
    return tuple(_use(session, calls, titles.get(session, "")) for session, calls in by_session.items())


def _use(session_id: str, calls: list[SkillCall], title: str) -> SkillUse:
    viewed = sum(1 for call in calls if call.action == "view")
    wrote = sum(1 for call in calls if call.writes)
    made = any(call.action == "create" and call.writes for call in calls)
    words = []
    if made:
        words.append(_("created it"))
    elif wrote:
        words.append(ngettext("changed it", "changed it %s times", wrote) % wrote if wrote > 1 else _("changed it"))
    if viewed:
        words.append(_("viewed it") if viewed == 1 else _("viewed it %s times") % viewed)
    return SkillUse(
        session_id, calls[0].message_id, title, ", ".join(words) or _("tried to change it"), calls[0].timestamp
    )


def _titles(conn: state_db.Connection, sessions: set[str]) -> dict[str, str]:
    schema = probe(conn)
    if not sessions or not schema.has("sessions", "title"):
        return {}
    marks = ", ".join("?" * len(sessions))
    rows = conn.execute(f"SELECT id, title FROM sessions WHERE id IN ({marks})", sorted(sessions)).fetchall()  # noqa: S608
    return {as_text(row[0]): as_text(row[1]) for row in rows if row[1]}


class _Authors:
    """What is known so far of the skills that tool calls wrote, of one home."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.seen: object = None
        self.last_id = 0
        self.calls: dict[str, str] = {}


_known: dict[str, _Authors] = {}


def authorship(home: Home) -> Authorship:
    """Which skills a skill_manage call made or changed, a sentence each; reads only what is new since last asked."""
    known = _known.setdefault(home.key, _Authors())
    with known.lock:
        now = (signature(home.state_db), signature(home.state_db.with_name("state.db-wal")))
        if now != known.seen:
            known.seen = now
            _read_new(home, known)
        return Authorship(calls=dict(known.calls))


def _read_new(home: Home, known: _Authors) -> None:
    def ask(conn: state_db.Connection) -> tuple[tuple[SkillCall, ...], int]:
        newest = last_message_id(conn)
        if newest < known.last_id:  # another database stands in its place
            known.last_id = 0
            known.calls.clear()
        tools = (skill_calls.MANAGE,)
        found = skill_calls.skill_calls(conn, tools=tools, after_id=known.last_id, limit=_LONGEST_READ)
        return found.calls, newest

    try:
        calls, newest = state_db.read(home.state_db, LIMIT_MS, ask)
    except state_db.StateDbProblem:
        return
    known.last_id = newest
    for call in reversed(calls):
        if call.writes and call.succeeded:
            known.calls[call.name] = _sentence(call)


def _sentence(call: SkillCall) -> str:
    """Which call wrote a skill, as evidence of who made it."""
    if call.timestamp is None:
        return _("The agent wrote it itself: skill_manage %s in a session.") % call.action
    facts = {"action": call.action, "day": date_format(localtime(call.timestamp), "j M Y")}
    return _("The agent wrote it itself: skill_manage %(action)s in a session of %(day)s.") % facts
