"""Exports: whole, masked by choice, safe to open and to save."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.builders import START, message, session, tool_call

Stored = Callable[..., Path]
URL = "/sessions/s/export/"


def written(client: Client, form: str, **query: str) -> str:
    answer = client.get(URL, {"format": form, **query})
    assert answer.status_code == 200
    return b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]


@pytest.fixture
def talk(stored: Stored) -> None:
    calls = json.dumps([tool_call("terminal", {"command": "ls", "password": "hunter2222"})])
    stored(
        [session("s", title='a"; filename=x.html\r\nSet-Cookie: y=1', model="m1")],
        [
            message("s", content="API_TOKEN=tok_EXAMPLE_11111 </script><script>alert(1)</script>\u2028"),
            message("s", "assistant", "```\ncode\n```", tool_calls=calls, reasoning="thinking"),
            message("s", "tool", "file.txt", tool_call_id="call_1", tool_name="terminal"),
            message("s", content="taken back", active=0),
        ],
    )


@pytest.mark.parametrize("form", ["md", "json", "html"])
def test_everything_said_is_in_it_and_secrets_are_masked_unless_asked_for(
    client: Client, talk: None, form: str
) -> None:
    masked = written(client, form)
    for words in ("code", "thinking", "terminal", "file.txt", "m1"):
        assert words in masked
    for secret in ("tok_EXAMPLE_11111", "hunter2222", "taken back"):
        assert secret not in masked
    whole = written(client, form, secrets="included", undone="1")
    for words in ("tok_EXAMPLE_11111", "hunter2222", "taken back"):
        assert words in whole


@pytest.mark.parametrize("form", ["md", "json", "html"])
def test_the_file_has_a_safe_name_and_is_saved_not_opened(client: Client, talk: None, form: str) -> None:
    answer = client.get(URL, {"format": form})
    assert answer["Content-Disposition"] == f'attachment; filename="conversation-s.{form}"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "Set-Cookie" not in str(answer.headers)


def test_json_is_json_and_may_stand_in_a_page(client: Client, talk: None) -> None:
    text = written(client, "json", secrets="included")
    assert not re.search("[<>&\u2028\u2029]", text)
    document = json.loads(text)
    assert document["secrets"] == "included"
    assert [one["role"] for one in document["messages"]] == ["user", "assistant"]
    call = document["messages"][1]["tool_calls"][0]
    assert call["arguments"]["command"] == "ls"
    assert call["result"]["text"] == "file.txt"
    assert document["messages"][0]["text"].endswith("\u2028")


def test_html_stands_alone_with_a_policy_that_lets_nothing_in(client: Client, talk: None) -> None:
    text = written(client, "html")
    assert "default-src &#x27;none&#x27;" in text
    assert "<script" not in text
    assert not re.search(r'(?:src|href)="(?!data:)', text)
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in text


def test_inline_images_come_along_in_html(client: Client, stored: Stored) -> None:
    png = b"\x89PNG\r\n\x1a\n" + bytes(8)
    url = "data:image/png;base64," + base64.b64encode(png).decode()
    parts = [
        {"type": "image_url", "image_url": {"url": url}},
        {"type": "image_url", "image_url": {"url": "https://e.example/x"}},
    ]
    stored([session("s")], [message("s", content="\0json:" + json.dumps(parts))])
    text = written(client, "html")
    assert f'src="{url}"' in text
    assert "https://e.example" not in text
    assert "image not stored here (e.example)" in text


def test_fences_are_longer_than_any_in_the_text(client: Client, stored: Stored) -> None:
    stored([session("s")], [message("s", "tool", "a\n````\nb")])
    assert "`````\na\n````\nb\n`````" in written(client, "md")


def test_a_long_conversation_is_read_in_stretches_and_whole(client: Client, stored: Stored) -> None:
    stored(
        [session("s", end_reason="compression", ended_at=START), session("t", parent_session_id="s", started_at=START)],
        [message("s" if n < 450 else "t", content=f"line {n}.") for n in range(700)],
    )
    text = written(client, "md")
    assert [int(n) for n in re.findall(r"^line (\d+)\.", text, re.MULTILINE)] == list(range(700))
    assert text.count("compressed here") == 1


def test_the_page_asks_and_masks_by_default(client: Client, talk: None) -> None:
    page: Any = client.get(URL).content.decode()
    assert re.search(r'name="secrets" value="masked" checked', page)
    assert client.get(URL, {"format": "exe"}).status_code == 200
