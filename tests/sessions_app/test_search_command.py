"""``memoryhub search``: the contract that scripts rely on."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memoryhub.hermes.home import Home
from sessions_app.management.commands.search import Command
from tests.builders import make_state_db, message, session


@pytest.fixture
def searched(home: Home) -> Home:
    rows = [message("s1", content=f"a heron {number}", timestamp=1_767_225_600.0 + number) for number in range(30)]
    make_state_db(home.state_db, sessions=[session("s1", title="Birds", model="m-1")], messages=rows)
    other = home.path / "profiles" / "work"
    make_state_db(other / "state.db", sessions=[session("w1")], messages=[message("w1", content="a heron at work")])
    return home


def answer(*arguments: str, **options: Any) -> dict[str, Any]:
    out = StringIO()
    call_command(Command(), *arguments, stdout=out, as_json=True, **options)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_the_json_has_the_keys_of_the_contract(searched: Home) -> None:
    found = answer("heron 7", "--limit", "3")
    assert {"query", "interpreted", "total", "total_is_exact", "ms", "hits"} <= found.keys()
    assert (found["query"], found["total"], found["total_is_exact"]) == ("heron 7", 1, True)
    (hit,) = found["hits"]
    assert hit["snippet"] == "a \ue000heron\ue001 \ue0007\ue001"
    kept = {name: hit[name] for name in ("message_id", "session_id", "lineage_id", "title", "role", "source", "model")}
    assert kept == {
        "message_id": 8, "session_id": "s1", "lineage_id": "s1", "title": "Birds",
        "role": "user", "source": "cli", "model": "m-1",
    }  # fmt: skip
    assert hit["timestamp"] == "2026-01-01T00:00:07+00:00"


def test_order_limit_and_offset(searched: Home) -> None:
    pages = [answer("heron", "--sort", "newest", "--limit", "10", "--offset", str(offset)) for offset in (0, 10, 20)]
    ids = [hit["message_id"] for page in pages for hit in page["hits"]]
    assert ids == list(range(30, 0, -1))
    assert answer("heron", "--sort", "oldest", "--limit", "1")["hits"][0]["message_id"] == 1


def test_profiles_are_searched_apart(searched: Home) -> None:
    for arguments in (("heron", "--profile", "work"), ("heron profile:work",)):
        assert [hit["session_id"] for hit in answer(*arguments)["hits"]] == ["w1"]
    with pytest.raises(CommandError, match="no profile elsewhere"):
        answer("heron profile:elsewhere")


def test_people_get_sentences(searched: Home) -> None:
    out = StringIO()
    call_command(Command(), "heron", "colour:grey", stdout=out)
    text = out.getvalue()
    assert "Messages with the word “heron” and the text “colour:grey”." in text
    assert "There is no filter “colour:”; it was looked for as text." in text


def test_a_missing_database_is_a_sentence(home: Home) -> None:
    with pytest.raises(CommandError, match="no session database here yet"):
        answer("heron")


def test_nothing_to_look_for_is_said(searched: Home) -> None:
    assert answer("*")["interpreted"] == "Nothing to look for: type at least one word."


@pytest.mark.parametrize("arguments", [("x", "--limit", "-1"), ("x", "--offset", "99999999")])
def test_numbers_out_of_range_are_refused(searched: Home, arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="must be between"):
        answer(*arguments)


def test_nothing_in_a_message_steers_the_terminal(home: Home, tmp_path: Path) -> None:
    make_state_db(
        home.state_db, sessions=[session("s", title="\x1b]0;x\x07")], messages=[message("s", content="heron \x1b[2J")]
    )
    out = StringIO()
    call_command(Command(), "heron", stdout=out)
    assert "\x1b" not in out.getvalue()
