"""The demo's invented past: one state a write, each with its time and writer, ending in the very files on disk."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.test import Client

from memoryhub.demo import build, build_demo_home, story
from memoryhub.entries import entry_digest
from memoryhub.hermes import state_db
from memoryhub.hermes.home import TARGETS, Home, profiles, resolve_home
from memoryhub.models import EntryChange, Revision
from memoryhub.services import memory, revisions, undo, writes
from memoryhub.services.demo_history import demo_history_record
from memoryhub.services.undo import NothingToUndo
from memoryhub.services.watch import Watcher
from memoryhub.web.instance import Instance
from tests.memoryhub.cases import PAGE
from tests.web.served import Served

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 6, 15, 14, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "home"
    build_demo_home(folder, NOW)
    return folder


@pytest.fixture
def demo(built: Path, tmp_path: Path) -> Home:
    """A demo home of the test's own, its past recorded; it is the one that HERMES_HOME names."""
    shutil.copytree(built, tmp_path / "hermes")
    home = resolve_home(tmp_path / "hermes", {})
    demo_history_record(home)
    return home


def states(home: Home, target: str) -> list[Revision]:
    return list(Revision.objects.filter(home=home.key, target=target).order_by("id"))


def everything() -> list[tuple[object, ...]]:
    return [*Revision.objects.order_by("id").values_list(), *EntryChange.objects.order_by("id").values_list()]


def test_every_write_of_the_story_is_a_state_of_its_time(demo: Home) -> None:
    for profile in profiles(demo):
        written = story.dated(build.STORIES[profile.name], NOW)
        for target in TARGETS:
            moments = [NOW - write.ago for write in written if write.target == target]
            assert [state.created_at for state in states(profile, target)] == moments
            assert moments == sorted(moments)
            assert all(state.used <= state.limit for state in states(profile, target))


def test_nothing_is_found_when_the_files_are_looked_at(demo: Home) -> None:
    before = everything()
    for profile in profiles(demo):
        for target in TARGETS:
            newest = revisions.latest(profile, target)
            assert revisions.data_of(newest) == profile.memory_path(target).read_bytes()
            writes.read(profile, target)
    watcher = Watcher(demo)
    for _look in range(3):
        watcher.look()
    assert everything() == before


def test_the_agents_writes_are_explained_by_their_tool_calls(demo: Home) -> None:
    for profile in profiles(demo):
        written = [write for write in story.dated(build.STORIES[profile.name], NOW) if write.is_tool_call]
        by_agent = EntryChange.objects.filter(home=profile.key, writer="agent").order_by("id")
        assert [change.at for change in by_agent] == pytest.approx(
            [NOW - write.ago for write in written], abs=timedelta(seconds=1)
        )
        with state_db.connect(profile.state_db) as conn:
            calls = {call.message_id: call for call in state_db.memory_calls(conn, after_id=0)}
        for change, write in zip(by_agent, written, strict=True):
            call = calls[change.message_id or 0]
            assert call.session_id == change.session_id
            assert [action.content for action in call.actions] == [write.content]
        assert not EntryChange.objects.filter(home=profile.key, at=None).exists()


@pytest.mark.parametrize(("target", "outside"), [("memory", 1), ("user", 1)])
def test_all_kinds_of_writers_and_reasons_are_there(demo: Home, target: str, outside: int) -> None:
    later = [state for state in states(demo, target) if state.kind != revisions.FIRST]
    assert {state.writer for state in later} == {"agent", "you", "outside"}
    assert sum(state.writer == "outside" for state in later) == outside
    assert any(state.reason for state in later if state.writer == "you")
    assert {change.kind for state in later for change in state.changes.all()} >= {"added", "replaced"}


def test_an_entry_tells_who_wrote_it_first_and_who_changed_it(demo: Home) -> None:
    file = writes.read(demo, "user")
    text = next(text for text in file.texts if "no apologies" in text)
    stamp = revisions.stamps(demo, file)[entry_digest(text)]
    assert (stamp.born_writer, stamp.writer, stamp.versions) == ("agent", "you", 2)
    assert stamp.born_at is not None
    assert stamp.at is not None
    assert timedelta(days=6) < stamp.at - stamp.born_at < timedelta(days=10)


def test_it_is_recorded_once_and_what_was_tried_since_stays(demo: Home) -> None:
    before = everything()
    demo_history_record(demo)
    assert everything() == before
    memory.entry_add(demo, "user", "Tried in the demo.", via=PAGE)
    demo_history_record(demo)
    assert len(everything()) == len(before) + 2


def test_two_first_starts_at_once_record_it_once(environ: Callable[..., dict[str, str]], tmp_path: Path) -> None:
    arguments = ("--no-open", "--port", "0", "--demo")
    with (
        Served(environ(), *arguments),
        Served(environ(), *arguments),
        closing(sqlite3.connect(tmp_path / "data" / "memoryhub.sqlite3")) as conn,
    ):
        counts = conn.execute("SELECT count(*), count(DISTINCT created_at) FROM memoryhub_revision").fetchone()
    assert counts[0] == counts[1] == sum(map(len, build.STORIES.values()))


def test_a_past_is_made_up_for_demo_homes_only(home: Home) -> None:
    (home.path / "memories" / "MEMORY.md").write_text("mine")
    demo_history_record(home)
    assert everything() == []


def test_without_its_sessions_the_demo_has_a_past_that_nothing_explains(built: Path, tmp_path: Path) -> None:
    shutil.copytree(built, tmp_path / "hermes", ignore=shutil.ignore_patterns("state.db*"))
    home = resolve_home(tmp_path / "hermes", {})
    demo_history_record(home)
    assert {state.writer for state in states(home, "memory")} == {"outside", "you"}


def test_the_invented_past_is_not_offered_for_undoing(demo: Home) -> None:
    invented = Revision.objects.filter(home=demo.key, writer="you").order_by("-id")
    assert len(invented) >= 4
    assert undo.last_undoable(demo) is None
    with pytest.raises(NothingToUndo):
        undo.change_undo(demo, via=PAGE, operation=invented[0].operation)
    saved = memory.entry_add(demo, "user", "Tried in the demo.", via=PAGE)
    assert undo.last_undoable(demo) == saved.revisions["user"]
    undo.change_undo(demo, via=PAGE)
    assert undo.last_undoable(demo) is None
    assert revisions.data_of(revisions.latest(demo, "user")) == revisions.data_of(states(demo, "user")[-3])


def test_an_old_state_of_the_demo_is_restored_to_the_byte(demo: Home) -> None:
    old = states(demo, "memory")[5]
    undo.revision_restore(demo, old, via=PAGE)
    assert demo.memory_path("memory").read_bytes() == revisions.data_of(old)
    assert undo.last_undoable(demo) == revisions.latest(demo, "memory")


def test_the_pages_show_it(demo: Home, instance: Instance, client: Client) -> None:
    history = client.get("/memory/memory/history/").content.decode()
    assert "No more alerts at three in the night" in history
    assert history.count('id="revision-') > 10
    pages = itertools.product(("/", "/memory/", "/memory/user/history/"), ("", "?profile=work"))
    assert all(client.get(page + profile).status_code == 200 for page, profile in pages)
    assert "None since MemoryHub first looked" not in client.get("/").content.decode()
