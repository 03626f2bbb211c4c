"""Who wrote what: calls of the memory tool found in state.db explain what was found on disk, however late they come."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from memoryhub.demo import tables
from memoryhub.entries import entry_digest
from memoryhub.hermes.home import Home
from memoryhub.models import EntryChange, Revision
from memoryhub.services import attribution, memory, revisions, writes
from memoryhub.services.attribution import Explainer
from memoryhub.services.revisions import Stamp
from memoryhub.services.watch import Watcher
from tests.builders import make_state_db, memory_call, message, session
from tests.memoryhub.cases import PAGE, D, entry_id

pytestmark = pytest.mark.django_db

Put = Callable[..., Path]
DONE = {"success": True, "done": True}
REFUSED = {"success": False, "error": "Memory is full."}


def call(text: str, at: datetime, answer: object = None, **arguments: str) -> list[dict[str, Any]]:
    wanted = {"action": "add", "target": "memory", "content": text} | arguments
    return memory_call("s1", wanted, DONE if answer is None else answer, timestamp=at.timestamp())


def have(home: Home, *rows: list[dict[str, Any]]) -> None:
    """Put messages into state.db, made when it is missing."""
    messages = [row for each in rows for row in each]
    if not home.state_db.exists():
        make_state_db(home.state_db, sessions=[session("s1")], messages=messages)
        return
    with closing(sqlite3.connect(home.state_db)) as conn:
        tables.insert_rows(conn, "messages", messages)
        conn.commit()


def explain(home: Home, steps: int = 1) -> Explainer:
    explainer = Explainer(home)
    for _step in range(steps):
        explainer.step()
    return explainer


def stamp(home: Home, text: str, target: str = "memory") -> Stamp:
    return revisions.stamps(home, writes.read(home, target))[entry_digest(text)]


def found(home: Home, put: Put, *texts: str, target: str = "memory") -> Revision:
    """Have somebody else write a file, and notice it."""
    put(D.join(texts).encode(), target)
    writes.read(home, target)
    return Revision.objects.latest("id")


def writer(revision: Revision) -> str:
    revision.refresh_from_db()
    return revision.writer


def test_a_call_that_arrives_late_turns_outside_into_the_agent(home: Home, put: Put) -> None:
    found(home, put, "old")
    change = found(home, put, "old", "Build with make ship")
    have(home, [message("s1")])
    explain(home)
    assert writer(change) == "outside"
    have(home, call("Build with make ship", timezone.now()))
    explain(home)
    assert writer(change) == "agent"
    made = stamp(home, "Build with make ship")
    assert (made.writer, made.born_writer, made.session_id, made.message_id) == ("agent", "agent", "s1", 2)


def test_the_watcher_notices_the_late_call_by_itself(home: Home, put: Put) -> None:
    found(home, put, "old")
    have(home, [message("s1")])
    watcher = Watcher(home)
    put(f"old{D}new".encode())
    watcher.look()
    change = Revision.objects.latest("id")
    assert writer(change) == "outside"
    have(home, call("new", timezone.now()))
    watcher.look()
    assert writer(change) == "agent"


def test_every_kind_of_change_is_explained(home: Home, put: Put) -> None:
    found(home, put, "tea at four", "allergic to cats", "stays")
    change = found(home, put, "coffee at four", "stays", "rides a bike")
    now = timezone.now()
    have(
        home,
        call("coffee at four", now, action="replace", old_text="tea"),
        call("", now, action="remove", old_text="allergic"),
        call("rides a bike", now),
    )
    explain(home)
    assert {row.writer for row in change.changes.all()} == {"agent"}
    assert writer(change) == "agent"


def test_a_revision_that_calls_explain_in_part_stays_outside_but_its_entries_know(home: Home, put: Put) -> None:
    found(home, put, "old")
    change = found(home, put, "old", "by the agent", "by an editor")
    have(home, call("by the agent", timezone.now()))
    explain(home)
    assert writer(change) == "outside"
    assert (stamp(home, "by the agent").writer, stamp(home, "by an editor").writer) == ("agent", "outside")


def test_changes_that_have_no_row_are_not_said_to_be_the_agents(
    home: Home, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revisions, "MOST_CHANGES", 1)
    found(home, put, "old")
    change = found(home, put, "old", "by the agent", "by an editor")
    have(home, call("by the agent", timezone.now()))
    explain(home)
    assert {row.writer for row in change.changes.all()} == {"agent"}
    assert writer(change) == "outside"


@pytest.mark.parametrize(
    ("call_text", "arguments", "answer"),
    [
        ("something else", {}, DONE),
        ("new", {"target": "user"}, DONE),
        ("new", {}, REFUSED),
        ("", {"action": "remove", "old_text": "new"}, DONE),
    ],
)
def test_a_call_that_did_something_else_explains_nothing(
    home: Home, put: Put, call_text: str, arguments: dict[str, str], answer: object
) -> None:
    found(home, put, "old")
    change = found(home, put, "old", "new")
    have(home, call(call_text, timezone.now(), answer, **arguments))
    explain(home)
    assert writer(change) == "outside"


def test_a_call_from_before_the_state_it_would_have_changed_explains_nothing(home: Home, put: Put) -> None:
    found(home, put, "old")
    change = found(home, put, "old", "new")
    have(home, call("new", timezone.now() - timedelta(hours=2)))
    explain(home)
    assert writer(change) == "outside"


def test_what_the_agent_wrote_while_nobody_watched_is_the_agents_at_its_own_time(home: Home, put: Put) -> None:
    first = found(home, put, "old")
    Revision.objects.filter(pk=first.pk).update(created_at=timezone.now() - timedelta(days=3))
    change = found(home, put, "old", "written yesterday")
    yesterday = timezone.now() - timedelta(days=1)
    have(home, call("written yesterday", yesterday))
    explain(home)
    assert writer(change) == "agent"
    made = stamp(home, "written yesterday")
    assert made.at == made.born_at
    assert made.at is not None
    assert abs(made.at - yesterday) < timedelta(seconds=1)


def test_a_call_far_back_is_reached_step_by_step(home: Home, put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attribution, "_RECENT_ROWS", 5)
    monkeypatch.setattr(attribution.calls_of.step_back, "__defaults__", (10,))
    first = found(home, put, "old")
    Revision.objects.filter(pk=first.pk).update(created_at=timezone.now() - timedelta(days=3))
    change = found(home, put, "old", "deep down")
    have(home, call("deep down", timezone.now() - timedelta(days=1)), [message("s1") for _ in range(60)])
    explainer = Explainer(home)
    steps = 0
    while explainer.wants_more and steps < 20:
        explainer.step()
        steps += 1
    assert 5 < steps < 10
    assert writer(change) == "agent"


def test_the_persons_own_changes_are_never_the_agents(home: Home) -> None:
    memory.entry_add(home, "memory", "mine", **PAGE)
    have(home, call("mine", timezone.now()))
    explain(home)
    assert stamp(home, "mine").writer == "you"


def test_an_agents_rewording_keeps_who_wrote_the_first_words(home: Home, put: Put) -> None:
    memory.entry_add(home, "memory", "the port is 22 on the server", **PAGE)
    found(home, put, "the port is 2222 on the server")
    have(home, call("the port is 2222 on the server", timezone.now(), action="replace", old_text="port is 22"))
    explain(home)
    made = stamp(home, "the port is 2222 on the server")
    assert (made.writer, made.born_writer, made.versions) == ("agent", "you", 2)


# Entries that were there before MemoryHub came


def test_entries_of_the_first_look_get_their_date_from_state_db(home: Home, put: Put) -> None:
    written = datetime(2026, 1, 5, 12, tzinfo=UTC)
    have(home, call("known fact", written), call("likes tea", written, target="user"))
    found(home, put, "known fact", "unknown fact")
    found(home, put, "likes tea", target="user")
    explain(home)
    for text, target in (("known fact", "memory"), ("likes tea", "user")):
        made = stamp(home, text, target)
        assert (made.at, made.born_at, made.writer, made.born_writer) == (written, written, "agent", "agent")
        assert made.session_id == "s1"
    assert stamp(home, "unknown fact").at is None


def test_an_entry_that_the_agent_reworded_before_we_came_has_a_change_and_no_birth(home: Home, put: Put) -> None:
    written = datetime(2026, 1, 5, 12, tzinfo=UTC)
    have(home, call("reworded fact", written, action="replace", old_text="fact"))
    found(home, put, "reworded fact")
    explain(home)
    made = stamp(home, "reworded fact")
    assert (made.at, made.writer, made.born_at, made.born_writer, made.versions) == (written, "agent", None, "", 2)


def test_a_birth_found_later_reaches_the_wordings_and_moves_since(home: Home, put: Put) -> None:
    found(home, put, "first wording", "other")
    for old, new in (("first wording", "second wording"), ("second wording", "third")):
        memory.entry_replace(home, "memory", entry_id(home, old), new, **PAGE)
    memory.entry_move(home, "memory", entry_id(home, "third"), **PAGE)
    assert stamp(home, "third", "user").born_at is None
    written = datetime(2026, 1, 5, 12, tzinfo=UTC)
    have(home, call("first wording", written))
    explain(home)
    made = stamp(home, "third", "user")
    assert (made.born_at, made.born_writer, made.writer) == (written, "agent", "you")
    assert stamp(home, "other").born_at is None


def test_once_all_is_read_nothing_is_read_again(home: Home, put: Put) -> None:
    found(home, put, "unknown fact")
    have(home, [message("s1") for _ in range(30)])
    explainer = explain(home, steps=2)
    assert not explainer.wants_more


def test_a_missing_state_db_leaves_everything_as_it_is(home: Home, put: Put) -> None:
    change = found(home, put, "old")
    Watcher(home).look()
    assert writer(change) == "outside"
    assert EntryChange.objects.get().at is None
