"""Long and hostile texts, long conversations: pages stay small, rendering waits to be asked, exports are streamed."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memoryhub.hermes.home import Home
from sessions_app.tool_errors import is_error
from tests.builders import message, session
from tests.growth import assert_at_most, assert_linear

Stored = Callable[..., Path]
LONGEST_RENDERED = 60_000
PROSE = "## Notes\n\nSome *soft* and **loud** words, `code`, a [link](https://example.org/a).\n\n- one\n- two\n\n" * 700
LOUD = "**loud** words of a text which goes on\n\n"
HEAVY = ("![", "*a ", "|a", "a|b\n-|-\n", "API_KEY=", 'token: "')


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("size", [8_001, 64_000, 3_000_000])
def test_a_text_above_8000_characters_is_shown_as_typed_and_in_part(client: Client, stored: Stored, size: int) -> None:
    stored([session("s")], [message("s", "assistant", (LOUD * size)[:size])])
    shown = page(client, "/sessions/s/")
    assert "<strong>loud" not in shown
    assert shown.count("**loud**") <= 8_500 // len(LOUD)
    assert len(shown) < 60_000
    assert ("render=1" in shown) is (size <= LONGEST_RENDERED)
    whole = page(client, "/sessions/s/message/1/?render=1")
    assert ("<strong>loud" in whole) is (size < 20_000)
    assert len(whole) < 600_000


@pytest.mark.parametrize("piece", HEAVY)
def test_a_page_of_hostile_text_takes_hardly_longer_than_one_of_prose(
    client: Client, stored: Stored, piece: str
) -> None:
    hostile = (piece * 64_000)[:64_000]
    rows = [[PROSE[:7_900]], [hostile[:7_900]], [hostile], [PROSE[:LONGEST_RENDERED]], [hostile[:LONGEST_RENDERED]]]
    names = "abcde"
    stored(
        [session(name) for name in names],
        [message(n, "assistant", text) for n, (text,) in zip(names, rows, strict=True)],
    )

    def shown(name: str, rest: str = "") -> Callable[[], object]:
        return lambda: page(client, f"/sessions/{name}/{rest}")

    assert_at_most(10, shown("b"), shown("a"))
    assert_at_most(10, shown("c"), shown("a"))
    assert_at_most(10, shown("e", "message/5/?render=1"), shown("d", "message/4/?render=1"))


def test_an_export_is_sent_while_it_is_read(client: Client, stored: Stored, home: Home) -> None:
    stored([session("s")], [message("s", content=f"line {n}.") for n in range(2_000)])
    answer: Any = client.get("/sessions/s/export/", {"format": "md"})
    assert answer.streaming
    pieces: Iterator[bytes] = iter(answer.streaming_content)
    first = b"".join(itertools.islice(pieces, 20))
    assert b"line 1." in first
    with closing(sqlite3.connect(home.state_db)) as conn:
        conn.execute("UPDATE messages SET content = 'changed meanwhile' WHERE id = 1999")
        conn.commit()
    rest = b"".join(pieces)
    assert b"changed meanwhile" in rest  # so it had not been read before
    assert b"line 1997." in rest


@pytest.mark.parametrize("form", ["md", "json", "html"])
def test_the_work_of_an_export_grows_with_the_messages_and_no_faster(client: Client, stored: Stored, form: str) -> None:
    calls = json.dumps([{"id": "c", "function": {"name": "terminal", "arguments": '{"command": "ls -la /srv"}'}}])

    def work(size: int) -> Callable[[], object]:
        name = f"s{size}"
        path = Path(client.get("/settings/store/").context["path"])
        with closing(sqlite3.connect(path)) as conn:
            conn.execute("INSERT OR IGNORE INTO sessions (id, source, started_at) VALUES (?, 'cli', 1)", (name,))
            rows = [(name, "assistant", f"line {n} of the talk", calls) for n in range(size)]
            insert = "INSERT INTO messages (session_id, role, content, tool_calls, timestamp) VALUES (?, ?, ?, ?, 1)"
            conn.executemany(insert, rows)
            conn.commit()
        return lambda: sum(map(len, client.get(f"/sessions/{name}/export/", {"format": form}).streaming_content))  # type: ignore[attr-defined,arg-type]

    stored()
    assert_linear(work, 300)


def test_whether_an_answer_is_an_error_is_seen_without_reading_all_of_it() -> None:
    assert_at_most(3, lambda: is_error(" " * 5_000_000), lambda: is_error(" " * 120_000))
    assert is_error(" " * 500 + "Error: no")
