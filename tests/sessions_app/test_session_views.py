"""The session pages: each says what it must, whole and in part, and a sentence where the database cannot be read."""

from __future__ import annotations

import base64
import builtins
import io
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from memoryhub.hermes.home import Home
from tests.builders import START, make_state_db, message, session, tool_call

HTMX = {"HX-Request": "true"}
LIST = "/sessions/"
SHOW = "/sessions/s/"
STORE = "/settings/store/"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(8)
Stored = Callable[..., Path]


def body(answer: Any) -> str:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return content.decode()


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", body(answer)))


# The list


def test_the_list_shows_what_is_known_of_a_conversation(client: Client, stored: Stored) -> None:
    stored(
        [
            session(
                "s",
                title="nginx setup",
                source="telegram",
                model="hermes-4",
                cwd="/home/me/src/shop",
                git_branch="main",
                ended_at=START + 3_000,
                end_reason="user_exit",
                tool_call_count=2,
                input_tokens=1_500,
                estimated_cost_usd=0.06,
            )
        ],
        [message("s", timestamp=START), message("s", "assistant", "done", timestamp=START + 2_520)],
    )
    page = text(client.get(LIST))
    for words in (
        "nginx setup",
        "telegram",
        "hermes-4",
        "src/shop",
        "main",
        "2 messages",
        "2 tool calls",
        "began 1 Jan 2026, 00:00",
        "42 minutes",
        "1.5k tokens",
        "about $0.06",
        "estimated",
        "ended by you",
        "1 conversation",
        "1 session in the profile default",
    ):
        assert words in page


def test_first_words_stand_for_a_title_and_are_marked_as_such(client: Client, stored: Stored) -> None:
    stored([session("s")], [message("s", content="write a script that moves redis")])
    assert "untitled — “write a script that moves redis”" in text(client.get(LIST))


def test_the_part_alone_answers_htmx(client: Client, stored: Stored) -> None:
    stored([session("s", title="One")])
    part = body(client.get(LIST, headers=HTMX))
    assert "One" in part
    assert "<html" not in part
    assert "<html" in body(client.get(LIST))


def test_background_work_is_behind_a_counted_toggle(client: Client, stored: Stored) -> None:
    stored([session("s", title="Talk"), session("c", title="Nightly", source="cron")])
    page = body(client.get(LIST))
    assert "Nightly" not in page
    link = re.search(r'href="([^"]*all=1[^"]*)"', page)
    assert link is not None
    assert "Nightly" in body(client.get(link[1].replace("&amp;", "&")))


def test_filters_are_links_that_keep_the_others(client: Client, stored: Stored) -> None:
    stored(
        [session("a", source="cli", model="m1"), session("b", source="telegram", model="m1"), session("c", model="m2")]
    )
    page = body(client.get(LIST, {"model": "m1"}))
    assert re.search(r'href="/sessions/\?model=m1&amp;source=telegram"', page)
    assert re.search(r'href="/sessions/"[^>]*aria-current="true"', page)


@pytest.mark.parametrize(
    "query",
    [
        "since=junk",
        "until=2026-13-77",
        "after=x&before=y",
        "offset=-1",
        "key=99999999999999999999",
        "sort=worst",
        "source=%00%ff",
        "q=%00",
        "q=%ed%a0%80",
        "since=9999-12-31&until=0001-01-01",
        "q=" + "x" * 3_000,
    ],
)
def test_no_address_of_the_list_is_an_error(client: Client, stored: Stored, query: str) -> None:
    stored([session("s")], [message("s")])
    assert client.get(f"{LIST}?{query}").status_code == 200


def test_the_list_is_narrowed_to_a_tool_by_one_click(client: Client, stored: Stored) -> None:
    stored(
        [session("a", title="With", tool_call_count=1), session("b", title="Without")],
        [message("a", "tool", "x", tool_name="<i>terminal"), message("b")],
    )
    page = body(client.get(LIST))
    assert "&lt;i&gt;terminal" in page
    link = re.search(r'href="([^"]*tool=[^"]+)"', page)
    assert link is not None
    narrowed = text(client.get(link[1].replace("&amp;", "&")))
    assert "Conversations that used the tool &lt;i&gt;terminal" in narrowed
    assert "With" in narrowed
    assert "Without" not in narrowed
    assert "No conversation matches" in text(client.get(LIST, {"tool": "nope"}))


def test_an_empty_list_says_which_kind_of_empty(client: Client, stored: Stored) -> None:
    stored()
    assert "No conversations yet" in text(client.get(LIST))
    assert "No conversation matches these filters" in text(client.get(LIST, {"source": "x"}))


def test_a_missing_database_is_a_sentence_and_is_not_created(client: Client, home: Home) -> None:
    before = sorted(path.name for path in home.path.iterdir())
    for address in (LIST, f"{LIST}?q=x", STORE):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "There is no session database here yet" in text(answer)
    assert sorted(path.name for path in home.path.iterdir()) == before


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "empty file"), (b"<html>an error page</html>" * 9, "not an SQLite database")],
)
def test_a_file_that_is_no_database_is_a_sentence_on_each_page_and_others_work(
    client: Client, home: Home, content: bytes, words: str
) -> None:
    home.state_db.write_bytes(content)
    for address in (LIST, f"{LIST}?q=x", SHOW, STORE):
        answer = client.get(address)
        assert answer.status_code == 503
        assert words in text(answer)
        assert "<html" not in body(client.get(address, headers=HTMX))
    assert client.get("/memory/").status_code == 200
    assert home.state_db.read_bytes() == content


def test_a_database_cut_in_half_is_a_sentence(client: Client, home: Home, stored: Stored) -> None:
    stored([session("s")], [message("s", content="x" * 5_000) for _ in range(50)], wal=False)
    data = home.state_db.read_bytes()
    home.state_db.write_bytes(data[: len(data) // 2])
    assert client.get(LIST).status_code == 503
    assert client.get("/").status_code == 200


def test_each_profile_shows_its_own_sessions_and_never_those_of_another(
    client: Client, home: Home, stored: Stored
) -> None:
    stored([session("r1", title="Root talk")], [message("r1", content="tapir")])
    work = home.path / "profiles/work"
    make_state_db(
        work / "state.db", sessions=[session("w1", title="Work talk")], messages=[message("w1", content="tapir")]
    )
    page = text(client.get(LIST, {"profile": "work"}))
    assert "Work talk" in page
    assert "Root talk" not in page
    found = text(client.get(LIST, {"profile": "work", "q": "tapir"}))
    assert "Work talk" in found
    assert "in the profile work" in found
    assert "Root talk" not in found
    assert client.get("/sessions/r1/", {"profile": "work"}).status_code == 404
    assert "profile=work" in body(client.get("/sessions/w1/", {"profile": "work"}))


# What was found


def test_a_search_shows_conversations_with_marked_hits_that_lead_to_the_message(client: Client, stored: Stored) -> None:
    stored(
        [session("s", title="Ports")], [message("s", content="hello"), message("s", content="the staging port is 2222")]
    )
    page = body(client.get(LIST, {"q": "staging"}))
    assert "the <mark>staging</mark> port is 2222" in page
    assert 'href="/sessions/s/?q=staging&amp;at=2#m-2"' in page or 'href="/sessions/s/?at=2&amp;q=staging#m-2"' in page
    assert "1 message" in page
    assert "Messages with the word “staging”." in text(client.get(LIST, {"q": "staging"}))


def test_a_hit_says_which_message_of_its_conversation_it_is(client: Client, stored: Stored) -> None:
    stored(
        [session("root", end_reason="compression", ended_at=START + 5), session("tip", parent_session_id="root"),
         session("other", started_at=START + 1)],
        [*(message("root", content=f"line {n}") for n in range(3)), message("other", content="x"),
         message("tip", content="a"), message("tip", content="the walrus"), message("tip", content="b")],
    )  # fmt: skip
    page = text(client.get(LIST, {"q": "walrus"}))
    assert "message 5 of 6compressed, 2 parts" in page


def test_nothing_found_never_looks_like_an_error_and_the_reverse(client: Client, stored: Stored) -> None:
    stored([session("s")], [message("s")], search=False)
    page = text(client.get(LIST, {"q": "zzz"}))
    assert "Nothing found" in page
    assert "The search indexes messages_fts and messages_fts_trigram are missing" in page
    assert page.count("so texts were read instead") == 1
    assert "there may be more" not in page  # every text was read
    assert "Type at least one word" in text(client.get(LIST, {"q": "*"}))


def test_markup_and_old_markers_in_a_snippet_are_text(client: Client, stored: Stored) -> None:
    content = "<img src=x onerror=alert(1)> ibex >>> print('ibex') <<<<<<< HEAD \ue000x\ue001"
    stored([session("s")], [message("s", content=content)])
    page = body(client.get(LIST, {"q": "ibex"}))
    assert (
        "&lt;img src=x onerror=alert(1)&gt; <mark>ibex</mark> &gt;&gt;&gt; print(&#x27;<mark>ibex</mark>&#x27;)" in page
    )
    assert "<mark>x</mark>" not in page


def test_a_secret_in_a_snippet_is_masked(client: Client, stored: Stored) -> None:
    stored([session("s")], [message("s", "tool", "API_TOKEN=tok_EXAMPLE_0000000000 walrus", tool_name="terminal")])
    page = body(client.get(LIST, {"q": "walrus"}))
    assert "tok_EXAMPLE" not in page
    assert "<mark>walrus</mark>" in page


@pytest.mark.parametrize(
    "query",
    [
        "profile:nope walrus",
        'profile:"../x" walrus',
        "-profile:default walrus",
        '"',
        "((",
        "NOT",
        "a OR",
        "source:",
        ":",
        "before:tomorrowish",
        "*",
        "§",
        "\u202e",
        "is:nothing",
        "x" * 1_500,
        "session:s",
        "has:error",
        "NEAR(a b)",
        "a^2",
    ],
)
def test_no_query_is_an_error_page(client: Client, stored: Stored, query: str) -> None:
    stored([session("s")], [message("s", content="walrus")])
    for headers in ({}, HTMX):
        assert client.get(LIST, {"q": query}, headers=headers).status_code == 200
        assert client.get(SHOW, {"q": query}, headers=headers).status_code == 200
    if query.startswith("profile:"):
        assert "There is no profile" in text(client.get(LIST, {"q": query}))


def test_facets_add_a_filter_to_the_query_and_take_it_out_again(client: Client, stored: Stored) -> None:
    stored(
        [session("a"), session("b", source="telegram")],
        [message("a", content="docker one"), message("b", content="docker two"), message("b", "assistant", "docker 3")],
    )
    page = body(client.get(LIST, {"q": "docker"}))
    assert "q=docker+source%3Atelegram" in page
    narrowed = body(client.get(LIST, {"q": "docker source:telegram"}))
    assert "docker one" not in narrowed.replace("<mark>", "").replace("</mark>", "")
    assert re.search(r'href="/sessions/\?q=docker"[^>]*aria-current="true"', narrowed)


# One conversation


def test_a_conversation_shows_turns_with_folded_tools_and_reasoning(client: Client, stored: Stored) -> None:
    calls = json.dumps([tool_call("terminal", {"command": "ls /opt/café"})])
    stored(
        [session("s", title="Files", model="m1")],
        [
            message("s", content="what is **there**?"),
            message("s", "assistant", "I look.\n\n```\ncode\n```", tool_calls=calls, reasoning="think first"),
            message("s", "tool", '{"exit_code": 2, "output": "no"}', tool_call_id="call_1", tool_name="terminal"),
        ],
    )
    page = body(client.get(SHOW))
    assert "<strong>there</strong>" in page
    assert "<pre><code>code" in page
    assert re.search(r'<details class="fold">\s*<summary>Reasoning', page)
    assert re.search(
        r'<details class="fold tool-call is-error">\s*<summary><code class="tool-name"><bdi>terminal', page
    )
    assert "ls /opt/café" in page
    assert 'id="m-3"' in page
    assert page.count("<h1>") == 1


def test_a_further_result_of_a_call_is_told_from_one_whose_call_is_missing(client: Client, stored: Stored) -> None:
    calls = json.dumps([tool_call("terminal", {"command": "ls"})])
    answers = [message("s", "tool", f"answer {n}", tool_call_id="call_1", tool_name="terminal") for n in range(2)]
    lost = message("s", "tool", "lost", tool_call_id="call_9", tool_name="terminal")
    stored([session("s")], [message("s", "assistant", "", tool_calls=calls), *answers, lost])
    page = text(client.get(SHOW))
    assert page.count("another result of the call above") == 1
    assert page.count("result without its call") == 1
    assert page.index("answer 0") < page.index("another result") < page.index("without its call")


def test_a_link_to_a_message_marks_it_and_carries_the_search_on(client: Client, stored: Stored) -> None:
    stored([session("s")], [message("s", content=f"walrus {n}" if n % 30 == 0 else f"plain {n}") for n in range(120)])
    page = body(client.get(SHOW, {"at": 31, "q": "walrus"}))
    assert re.search(r'class="turn is-user is-target is-hit" id="m-31"', page)
    assert "hit 2 of 4" in re.sub(r"\s+", " ", page)
    following = re.search(r'rel="next" href="([^"]+)"', page)
    assert following is not None
    assert following[1].endswith("#m-61")
    assert "q=walrus" in following[1]
    assert re.search(r'rel="prev" href="[^"]+#m-1"', page)


def test_a_search_inside_opens_at_the_first_hit(client: Client, stored: Stored) -> None:
    stored([session("s")], [message("s", content="walrus" if n in (60, 90) else f"plain {n}") for n in range(120)])
    page = body(client.get(SHOW, {"q": "walrus"}))
    assert re.search(r'is-target is-hit" id="m-61"', page)
    assert "hit 1 of 2" in re.sub(r"\s+", " ", page)
    assert re.search(r'rel="next" href="[^"]+#m-91"', page)
    assert "no hit in this conversation" in text(client.get(SHOW, {"q": "zebra"}))


def test_no_page_changes_a_byte_and_none_opens_the_file_itself(
    client: Client, home: Home, stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored([session("s", system_prompt="x")], [message("s", content="walrus")], wal=False)
    before = home.state_db.read_bytes()
    opened: list[str] = []
    real = io.open

    def watched(file: Any, *args: Any, **kwargs: Any) -> Any:
        opened.append(str(file))
        return real(file, *args, **kwargs)

    monkeypatch.setattr(builtins, "open", watched)
    monkeypatch.setattr(io, "open", watched)
    for address in (LIST, f"{LIST}?q=walrus", SHOW, f"{SHOW}prompt/", f"{SHOW}export/?format=html", STORE):
        body(client.get(address))
    monkeypatch.undo()
    assert not [name for name in opened if "state.db" in name]
    assert home.state_db.read_bytes() == before


def test_what_the_agent_writes_into_its_log_is_seen_at_once(client: Client, home: Home, stored: Stored) -> None:
    stored([session("s", title="Live")], [message("s", content="first")])
    with closing(sqlite3.connect(home.state_db)) as writer:
        client.get(SHOW)
        writer.execute(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'newest walrus', ?)",
            (START + 99,),
        )
        writer.commit()
        assert "newest walrus" in body(client.get(SHOW))
        assert "2 messages" in text(client.get(LIST))
        assert "newest <mark>walrus</mark>" in body(client.get(LIST, {"q": "walrus"}))


def test_windows_go_on_in_both_directions_without_scripts(client: Client, stored: Stored) -> None:
    stored([session("s")], [message("s", content=f"line {n}") for n in range(100)])
    first = body(client.get(SHOW))
    assert 'dir="auto">line 0\n' in first
    later = re.search(r'rel="next" href="([^"]+)"', first)
    assert later is not None
    second = body(client.get(later[1].replace("&amp;", "&")))
    assert 'dir="auto">line 0\n' not in second
    assert re.search(r'rel="prev"', second)
    assert "<html" not in body(client.get(SHOW, headers=HTMX))


def test_a_compressed_conversation_shows_where_and_opens_at_the_part_named(client: Client, stored: Stored) -> None:
    stored(
        [
            session("root", end_reason="compression", title="Long", ended_at=START + 5),
            session("tip", parent_session_id="root", started_at=START + 9, model="m2"),
        ],
        [message("root", content="pelican one"), message("tip", content="pelican two")],
    )
    page = text(client.get("/sessions/root/"))
    assert "The context was compressed here. Part 2" in page
    assert page.index("pelican one") < page.index("compressed here") < page.index("pelican two")
    tip = text(client.get("/sessions/tip/"))
    assert "pelican one" not in tip
    assert "Earlier messages" in tip


def test_undone_messages_are_struck_through_on_request(client: Client, stored: Stored) -> None:
    stored([session("s")], [message("s", content="kept"), message("s", content="taken back", active=0)])
    assert "taken back" not in body(client.get(SHOW))
    page = body(client.get(SHOW, {"undone": "1"}))
    assert "is-undone" in page
    assert "taken back" in page


def test_a_long_text_comes_plain_first_and_formatted_on_request(client: Client, stored: Stored) -> None:
    stored([session("s")], [message("s", "assistant", "**bold** " + "word " * 2_000)])
    page = body(client.get(SHOW))
    assert "<strong>bold" not in page
    link = re.search(r'href="([^"]*render=1[^"]*)"', page)
    assert link is not None
    assert "<strong>bold" in body(client.get(link[1].replace("&amp;", "&"), headers=HTMX))


def test_a_huge_answer_is_cut_and_can_be_saved_whole(client: Client, stored: Stored) -> None:
    stored([session("s")], [message("s", "tool", "x" * 3_000_000)])
    page = client.get(SHOW)
    assert len(page.content) < 60_000
    assert "3,000,000 characters" in text(page)
    whole = client.get("/sessions/s/message/1/")
    assert len(whole.content) < 400_000
    saved = client.get("/sessions/s/message/1/text/")
    assert len(saved.content) == 3_000_000
    assert saved["Content-Disposition"] == 'attachment; filename="message-1.txt"'
    assert saved["Content-Type"].startswith("text/plain")


def test_secrets_are_masked_until_asked_for_one_message_at_a_time(client: Client, stored: Stored) -> None:
    calls = json.dumps([tool_call("login", {"password": "hunter2222"})])
    stored(
        [session("s", title="password is API_TOKEN=tok_EXAMPLE_00000")],
        [message("s", content="API_TOKEN=tok_EXAMPLE_11111"), message("s", "assistant", "", tool_calls=calls)],
    )
    for address in (LIST, SHOW, f"{SHOW}export/", "/sessions/s/message/1/", "/sessions/s/message/1/text/"):
        page = body(client.get(address))
        assert "tok_EXAMPLE" not in page, address
        assert "hunter2222" not in page, address
    revealed = body(client.get("/sessions/s/message/1/", {"show": "secrets"}, headers=HTMX))
    assert "tok_EXAMPLE_11111" in revealed
    assert "hunter2222" in body(client.get("/sessions/s/message/2/", {"show": "secrets"}))


def test_an_inline_image_is_served_by_its_kind_and_others_are_named(client: Client, stored: Stored) -> None:
    parts = [
        {"type": "text", "text": "see"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + base64.b64encode(PNG).decode()}},
        {"type": "image_url", "image_url": {"url": "https://evil.example/p.png"}},
        {"type": "image_url", "image_url": {"url": "data:image/svg+xml;base64,PHN2Zy8+"}},
    ]
    stored([session("s")], [message("s", content="\0json:" + json.dumps(parts))])
    page = body(client.get(SHOW))
    assert 'src="/sessions/s/image/1/0/"' in page
    assert page.count("<img") == 1
    assert "evil.example" in page
    image = client.get("/sessions/s/image/1/0/")
    assert (image["Content-Type"], image["X-Content-Type-Options"], image.content) == ("image/png", "nosniff", PNG)
    assert [client.get(f"/sessions/s/image/1/{place}/").status_code for place in (1, 2, 9)] == [404] * 3


@pytest.mark.parametrize(
    "address",
    [
        "nope/",
        "nope/export/",
        "nope/prompt/",
        "s/message/99/",
        "s/message/2/",
        "s/image/1/0/",
        "s/image/99/0/",
        "message/99/",
        "s/?at=99",
        "s/?at=2",
        "..%2f..%2fetc/",
        "s/message/99999999999999999999/",
    ],
)
def test_what_is_not_there_is_404(client: Client, stored: Stored, address: str) -> None:
    stored([session("s"), session("t")], [message("s"), message("t")])
    assert client.get(LIST + address).status_code == 404


@pytest.mark.parametrize("address", [LIST, SHOW, STORE, f"{SHOW}export/", f"{SHOW}prompt/"])
def test_pages_only_read(client: Client, stored: Stored, address: str) -> None:
    stored([session("s")])
    assert client.post(address).status_code == 405


def test_deleting_is_hermes_work_and_a_hostile_id_makes_no_command(client: Client, stored: Stored) -> None:
    stored([session("good.id"), session("x; rm -rf ~"), session("-y")])
    assert "hermes sessions delete good.id" in text(client.get("/sessions/good.id/"))
    for address in ("/sessions/row:2/", "/sessions/-y/"):
        assert "hermes sessions delete" not in text(client.get(address))


def test_a_message_is_found_whatever_its_session_is_called(client: Client, stored: Stored) -> None:
    stored([session("a/b?c")], [message("a/b?c", content="walrus")])
    answer = client.get("/sessions/message/1/")
    assert answer["Location"] == "/sessions/row:1/?at=1#m-1"
    assert "walrus" in body(client.get("/sessions/row:1/?at=1"))
    assert "/sessions/message/1/" in body(client.get(LIST, {"q": "walrus"}))


def test_the_prompt_shows_its_snapshot_beside_today(client: Client, home: Home, stored: Stored) -> None:
    from memoryhub.hermes import prompt

    block = prompt.block(("likes tea", "owns a bike"), "memory", 2200, file_name="MEMORY.md").text
    stored([session("s", system_prompt=f"You are helpful.\n\n{block}\n\nAPI_TOKEN=tok_EXAMPLE_000")])
    home.memory_path("memory").write_text("likes tea\n§\nowns a boat")
    page = body(client.get(f"{SHOW}prompt/"))
    assert "<del>bike</del>" in page
    assert "<ins>boat</ins>" in page
    assert "tok_EXAMPLE" not in page
    assert "You are helpful" in page
    assert "tok_EXAMPLE" in body(client.get(f"{SHOW}prompt/", {"show": "secrets"}))
    home.memory_path("memory").write_text("likes tea\n§\nowns a bike")
    assert "exactly what stands in the file today" in text(client.get(f"{SHOW}prompt/"))


def test_the_number_of_statements_does_not_grow_with_the_messages(
    client: Client, stored: Stored, django_assert_max_num_queries: Any
) -> None:
    stored([session("s")], [message("s", content=f"line {n}") for n in range(500)])
    client.get(SHOW)
    with django_assert_max_num_queries(4):  # of our own database
        client.get(SHOW)


# Store health


def test_store_health_tells_sizes_indexes_and_counts(client: Client, stored: Stored) -> None:
    stored([session("s", message_count=5)], [message("s", content=f"walrus {n}") for n in range(50)])
    page = text(client.get(STORE))
    for words in (
        "messages_fts_trigram",
        "sound: words of the newest messages",
        "50 of 50",
        "version 22",
        "add up to 5",
    ):
        assert words in page


def test_store_health_says_what_is_missing(client: Client, stored: Stored) -> None:
    stored([session("s")], [message("s")], search=False, version=6, without=["messages.compacted"])
    page = text(client.get(STORE))
    assert "There is no search index" in page
    assert "made by an older" in page
    assert "messages.compacted" in page


@pytest.mark.parametrize("column", ["title", "source", "model", "cwd", "git_branch", "end_reason"])
def test_a_column_of_megabytes_makes_no_page_of_megabytes(client: Client, stored: Stored, column: str) -> None:
    rows = [session(name, **{"ended_at": START, column: mark * 3_000_000}) for name, mark in (("s", "x"), ("t", "y"))]
    stored(rows, [message("s"), message("t")])
    for address in (LIST, SHOW, f"{LIST}?q=hello", f"{SHOW}export/"):
        assert len(client.get(address).content) < 300_000, address
