"""Who wrote what: memory tool calls in state.db explain changes found on disk, often some seconds later.

A change that a call explains becomes the agent's; the rest stays "outside". Entries that were there before MemoryHub
came are looked for by walking back through state.db, one short step at a time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from memoryhub.hermes import memory_calls as calls_of
from memoryhub.hermes import state_db
from memoryhub.hermes.home import Home
from memoryhub.hermes.memory_calls import MemoryCall
from memoryhub.models import EntryChange, Revision, Writer
from memoryhub.services import revisions

REVISITED_FOR: Final = timedelta(hours=1)
_CLOCK_SLACK: Final = timedelta(minutes=2)
_RECENT_ROWS: Final = 5_000
_STEP_LIMIT_MS: Final = 500


class Explainer:
    """Explains the changes of one home; remembers how far back its state.db has been read."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.wants_more = True
        self._oldest: int | None = None

    def step(self) -> None:
        """Explain recent changes and read one step further back. Raises state_db.StateDbProblem."""
        recent, unborn = _recent_changes(self.home), _unborn_entries(self.home)
        wants_past = self._oldest != 0 and (unborn.exists() or recent.exists())
        self.wants_more = wants_past
        if not (wants_past or recent.exists()):
            return
        with state_db.connect(self.home.state_db, limit_ms=_STEP_LIMIT_MS) as conn:
            newest = state_db.last_message_id(conn)
            latest_calls = calls_of.memory_calls(conn, after_id=max(0, newest - _RECENT_ROWS))
            past_calls = self._read_back(conn, newest) if wants_past else ()
        _explain_recent(recent, latest_calls)
        _explain_recent(recent.all(), past_calls)
        _explain_first(unborn, past_calls)

    def _read_back(self, conn: sqlite3.Connection, newest: int) -> Sequence[MemoryCall]:
        before = newest if self._oldest is None else self._oldest
        self._oldest = calls_of.step_back(conn, before)
        return calls_of.memory_calls(conn, after_id=self._oldest, up_to=before)


def explain(revision: Revision, calls: Sequence[MemoryCall]) -> None:
    """Explain what one found state changed by the calls of its time."""
    changes = EntryChange.objects.filter(revision=revision, writer__in=["", Writer.OUTSIDE]).select_related("revision")
    if revision.kind == revisions.FIRST:
        _explain_first(changes, calls)
    else:
        _explain_recent(changes, calls)


def _recent_changes(home: Home) -> QuerySet[EntryChange]:
    """Changes found on disk within the last hour that no tool call explains yet."""
    since = timezone.now() - REVISITED_FOR
    found = EntryChange.objects.filter(home=home.key, revision__created_at__gte=since, revision__kind=revisions.FOUND)
    return found.filter(writer=Writer.OUTSIDE).select_related("revision")


def _unborn_entries(home: Home) -> QuerySet[EntryChange]:
    """Entries that were there when a file was first seen."""
    return EntryChange.objects.filter(home=home.key, at=None).select_related("revision")


def _explain_recent(changes: QuerySet[EntryChange], calls: Sequence[MemoryCall]) -> None:
    if not calls:
        return
    touched = set()
    since: dict[int, datetime] = {}
    for change in changes:
        revision = change.revision
        begin = since.setdefault(revision.pk, _known_until(revision))
        call = _call_for(change, [each for each in calls if _is_within(each, begin, revision.created_at)])
        if call is not None:
            _attribute(change, call)
            touched.add(revision.pk)
    for revision in Revision.objects.filter(id__in=touched):
        if not revision.left_out and not revision.changes.exclude(writer=Writer.AGENT).exists():
            revision.writer = Writer.AGENT
            revision.save(update_fields=["writer"])


def _explain_first(changes: QuerySet[EntryChange], calls: Sequence[MemoryCall]) -> None:
    if not calls:
        return
    for change in changes:
        call = calls_of.explain(calls, change.target, change.text)
        if call is not None and call.timestamp is not None:
            change.at = call.timestamp
            if _is_reworded_by(call, change):
                change.versions = 2  # at least: what it said before was written earlier, by whom is not known
            else:
                change.born_at = call.timestamp
            _attribute(change, call)
            _pass_birth_on(change)


def _is_reworded_by(call: MemoryCall, change: EntryChange) -> bool:
    texts = {action.content for action in call.actions if action.action == "add" and action.target == change.target}
    return change.text not in texts


def _pass_birth_on(change: EntryChange) -> None:
    """Tell the later wordings of an entry, and its copies in the other file, when it was first written."""
    known, digests = {change.digest}, {change.digest}
    while change.born_at is not None and digests:
        later = EntryChange.objects.filter(home=change.home, born_at=None, id__gt=change.pk)
        later = later.exclude(kind=EntryChange.REMOVED).exclude(at=None)
        rows = list(later.filter(Q(old_digest__in=digests) | Q(digest__in=digests, kind=EntryChange.ADDED)))
        later.filter(pk__in=[row.pk for row in rows]).update(
            born_at=change.born_at, born_writer=change.born_writer or change.writer
        )
        digests = {row.digest for row in rows} - known
        known |= digests


def _call_for(change: EntryChange, calls: Sequence[MemoryCall]) -> MemoryCall | None:
    if change.kind == EntryChange.REMOVED:
        return calls_of.explain(calls, change.target, change.text, "vanished")
    return calls_of.explain(calls, change.target, change.text)


def _known_until(revision: Revision) -> datetime:
    """When the state before this one was known to stand: the change was made after that."""
    before = revisions.previous(revision)
    return min(before.created_at if before else revision.created_at, revision.created_at - REVISITED_FOR)


def _is_within(call: MemoryCall, begin: datetime, end: datetime) -> bool:
    return call.timestamp is not None and begin - _CLOCK_SLACK <= call.timestamp <= end + _CLOCK_SLACK


@transaction.atomic
def _attribute(change: EntryChange, call: MemoryCall) -> None:
    if change.born_writer in ("", Writer.OUTSIDE) and change.versions == 1:
        change.born_writer = Writer.AGENT
    found_at = change.revision.created_at
    if call.timestamp is not None and change.at == found_at:  # written before it was found
        change.at = min(call.timestamp, found_at)
        change.born_at = change.at if change.born_at == found_at else change.born_at
    change.writer = Writer.AGENT
    change.session_id, change.message_id = call.session_id, call.message_id
    change.save()
