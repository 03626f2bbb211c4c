"""What the agent sees: the block to the character, why entries are left out of it, and who still has an older one."""

import html
import re
from datetime import UTC, datetime
from typing import Any

from django.test import Client

from memoryhub.hermes import prompt
from memoryhub.hermes.home import Home
from tests.builders import make_state_db, message, session

PAGE = "/memory/memory/prompt/"


def shown_block(answer: Any) -> str:
    found = re.search(
        r'<textarea id="prompt-text" readonly hidden>(.*?)</textarea>', answer.content.decode(), re.DOTALL
    )
    assert found
    return html.unescape(found[1])


def test_the_block_is_shown_to_the_character(client: Client, home: Home) -> None:
    home.memory_path("memory").write_text("Router is a Turris\n§\n<b>No</b> emoji & no “quotes”")
    rule = "═" * 46
    used = len("Router is a Turris\n§\n<b>No</b> emoji & no “quotes”")
    assert shown_block(client.get(PAGE)) == (
        f"{rule}\nMEMORY (your personal notes) [{used * 100 // 2200}% — {used}/2,200 chars]\n{rule}\n"
        "Router is a Turris\n§\n<b>No</b> emoji & no “quotes”"
    )


def test_an_entry_that_is_left_out_is_named_with_its_reason(client: Client, home: Home) -> None:
    home.memory_path("memory").write_text("fine\n§\nKeys are in ~/.ssh on mole")
    answer = client.get(PAGE)
    assert "[BLOCKED: MEMORY.md entry contained threat pattern(s): ssh_access." in shown_block(answer)
    page = answer.content.decode()
    assert "1 entry is left out" in page
    assert "Entry 2" in page


def test_secrets_are_masked_until_asked_for(client: Client, home: Home) -> None:
    home.memory_path("memory").write_text("NAS login password: Tr0ub4dor&3x")
    assert "Tr0ub4dor" not in client.get(PAGE).content.decode()
    assert "Tr0ub4dor&3x" in shown_block(client.get(PAGE, {"show": "secret"}))


def test_an_empty_file_and_an_unreadable_one_are_sentences(client: Client, home: Home) -> None:
    assert "has no entries" in client.get(PAGE).content.decode()
    home.memory_path("memory").write_bytes(b"caf\xe9")
    answer = client.get(PAGE)
    assert answer.status_code == 200
    assert "starts without it" in answer.content.decode()


def test_a_running_session_on_an_older_snapshot_is_listed_with_the_difference(client: Client, home: Home) -> None:
    home.memory_path("memory").write_text("Router is a Turris\n§\nPrinter prints")
    then = prompt.block(("Router is a Turris",), "memory", 2200, file_name="MEMORY.md").text
    now = datetime.now(UTC).timestamp()
    make_state_db(
        home.state_db,
        sessions=[
            session("s1", title="Fix the <printer>", system_prompt=f"Hello.\n\n{then}\n\nBye.", started_at=now - 60)
        ],
        messages=[message("s1", "user", "hello", timestamp=now - 30)],
    )
    page = client.get(PAGE).content.decode()
    assert "Fix the &lt;printer&gt;" in page
    assert "<ins>" in page
    assert "1 older snapshot" in client.get("/memory/").content.decode()


def test_a_session_that_ended_or_has_today_s_block_is_not_listed(client: Client, home: Home) -> None:
    home.memory_path("memory").write_text("Router is a Turris")
    today = prompt.block(("Router is a Turris",), "memory", 2200, file_name="MEMORY.md").text
    now = datetime.now(UTC).timestamp()
    make_state_db(
        home.state_db,
        sessions=[
            session("s1", system_prompt=today, started_at=now - 60),
            session("s2", system_prompt="", started_at=now - 60, ended_at=now - 10),
        ],
        messages=[message("s1", "user", "hello", timestamp=now - 30)],
    )
    assert "None: every running session" in client.get(PAGE).content.decode()
