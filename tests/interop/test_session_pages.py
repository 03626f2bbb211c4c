"""The session pages on what the real Hermes wrote: list, conversation, search, prompt and export say what it stored."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memoryhub.hermes.home import Home
from tests.builders import make_state_db, message, session
from tests.interop.test_search import Writer

pytestmark = pytest.mark.interop

# What agents of other days had not yet, newest first: (schema version, columns it lacks).
OLDER = (
    (20, ("messages.effect_disposition", "messages.api_content")),
    (12, ("messages.compacted", "messages.effect_disposition", "sessions.archived", "sessions.cwd")),
    (
        6,
        (
            *("messages.active", "messages.compacted", "messages.reasoning", "messages.token_count"),
            *("sessions.archived", "sessions.actual_cost_usd", "sessions.cwd", "sessions.git_branch"),
        ),
    ),
)


def text(client: Client, address: str, **query: str) -> str:
    answer: Any = client.get(address, query)
    assert answer.status_code == 200, address
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", content.decode()))


@pytest.fixture
def written(hermes_python: Path, home: Home) -> Path:
    """A home in which the real Hermes held a conversation with tools, compressed it, went on, and began another."""
    arguments = json.dumps({"command": "ls /srv/Ångström", "password": "hunter2222"})
    calls = [{"id": "c1", "type": "function", "function": {"name": "terminal", "arguments": arguments}}]
    with Writer(hermes_python, home.path) as hermes:
        hermes("create_session", session_id="one", source="telegram", model="m-1", system_prompt="You help with boats.")
        hermes("set_session_title", session_id="one", title="Boats & <b>harbours</b>")
        hermes("append_message", session_id="one", role="user", content="where is the **sanderling**? 沙滩")
        hermes("append_message", session_id="one", role="assistant", content="I look.", tool_calls=calls,
               reasoning="first the harbour")  # fmt: skip
        hermes("append_message", session_id="one", role="tool", content='{"output": "none", "exit_code": 2}',
               tool_name="terminal", tool_call_id="c1")  # fmt: skip
        hermes("end_session", session_id="one", end_reason="compression")
        hermes("create_session", session_id="two", source="telegram", model="m-2", parent_session_id="one")
        hermes("append_message", session_id="two", role="user", content="and the turnstone?")
        hermes("create_session", session_id="three", source="cron")
        hermes("append_message", session_id="three", role="user", content="nightly")
    return home.state_db


def test_the_list_has_one_row_for_the_compressed_conversation_and_hides_scheduled_work(
    client: Client, written: Path
) -> None:
    page = text(client, "/sessions/")
    words_of_list = ("telegram", "4 messages", "compressed, 2 parts", "m-1, m-2", "1 conversation", "3 sessions")
    for words in ("Boats &amp; &lt;b&gt;harbours&lt;/b&gt;", *words_of_list):
        assert words in page, words
    assert "nightly" not in page
    assert "nightly" in text(client, "/sessions/", all="1")
    assert "Boats" in text(client, "/sessions/", tool="terminal")


def test_the_conversation_shows_calls_results_reasoning_and_where_it_was_compressed(
    client: Client, written: Path
) -> None:
    page = text(client, "/sessions/one/")
    said = ("where is the sanderling? 沙滩", "I look.", "and the turnstone?", "first the harbour")
    for words in (*said, "terminal", "ls /srv/Ångström", "error", "The context was compressed here. Part 2"):
        assert words in page, words
    assert "hunter2222" not in page
    assert "You help with boats." in text(client, "/sessions/one/prompt/")


def test_what_was_said_and_called_is_found_and_led_to(client: Client, written: Path) -> None:
    for query in ("sanderling", "沙滩", "Ångström", "tool:terminal has:error"):
        assert "Boats" in text(client, "/sessions/", q=query), query
    assert "no hit" not in text(client, "/sessions/one/", q="turnstone")


@pytest.mark.parametrize("form", ["md", "json", "html"])
def test_an_export_holds_all_of_it(client: Client, written: Path, form: str) -> None:
    exported = text(client, "/sessions/two/export/", format=form, secrets="included")
    for words in ("sanderling", "hunter2222", "first the harbour", "turnstone"):
        assert words in exported, words


def test_reading_changes_nothing_that_hermes_stored(client: Client, written: Path) -> None:
    before = written.read_bytes()
    for address in ("/sessions/", "/sessions/one/", "/sessions/?q=sanderling", "/settings/store/"):
        text(client, address)
    assert written.read_bytes() == before
    assert "version 22, as MemoryHub knows it" in text(client, "/settings/store/")


@pytest.mark.parametrize(("version", "without"), OLDER)
def test_a_file_of_an_older_agent_is_shown_as_it_is_and_again_after_hermes_brought_it_up_to_date(
    client: Client, home: Home, hermes_python: Path, version: int, without: tuple[str, ...]
) -> None:
    rows = [message("s", content="an old dunlin"), message("s", "tool", "its answer", tool_name="terminal")]
    make_state_db(
        home.state_db, sessions=[session("s", title="Old talk")], messages=rows, version=version, without=without,
        search=version > 10, wal=False,
    )  # fmt: skip
    before = home.state_db.read_bytes()
    _shows(client, "an old dunlin", "dunlin")
    assert f"version {version}, made by an older agent" in text(client, "/settings/store/")
    assert home.state_db.read_bytes() == before
    with Writer(hermes_python, home.path) as hermes:
        hermes("append_message", session_id="s", role="user", content="a new whimbrel")
        _shows(client, "a new whimbrel", "whimbrel")
    _shows(client, "an old dunlin", "dunlin")
    assert "version 22" in text(client, "/settings/store/")


def _shows(client: Client, said: str, word: str) -> None:
    assert "Old talk" in text(client, "/sessions/")
    assert said in text(client, "/sessions/s/")
    assert "Old talk" in text(client, "/sessions/", q=word)
    assert said in text(client, "/sessions/s/export/", format="md")
