"""Searching inside one conversation: every hit has its place and its neighbours; many hits cost what few do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memoryhub.hermes.state_db import read
from sessions_app.query_language import parse
from sessions_app.search import Options
from sessions_app.within import look_on, look_within
from tests.builders import START, make_state_db, message, session


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "state.db"


def talk(path: Path, count: int, hit: int, **more: object) -> Path:
    """One conversation of so many messages, each ``hit``-th about a walrus, and another about nothing else."""
    mine = [message("s", content=f"walrus {n}" if n % hit == 0 else f"plain {n}", timestamp=START + n)
            for n in range(count)]  # fmt: skip
    others = [message("s2", content="walrus") for _ in range(9)]
    return make_state_db(path, sessions=[session("s"), session("s2")], messages=[*mine, *others], **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("count", "search"), [(200, True), (400, True), (400, False)])
def test_each_message_knows_the_hits_beside_it(db: Path, count: int, search: bool) -> None:
    talk(db, count, 9, search=search)
    hits = [n + 1 for n in range(count) if n % 9 == 0]
    for at in (1, 2, 9, 10, 100, 121, 150, 198, 199, 200):
        found = look_within(db, parse("walrus"), ["s"], at)
        assert (found.total, found.is_exact, found.first) == (len(hits), True, 1)
        assert found.place == (hits.index(at) + 1 if at in hits else None)
        assert found.previous == max((one for one in hits if one < at), default=None)
        assert found.next == min((one for one in hits if one > at), default=None)


def test_one_stands_at_the_first_hit_when_nothing_else_is_said(db: Path) -> None:
    talk(db, 30, 7)
    found = look_within(db, parse("walrus"), ["s"], None)
    assert (found.first, found.place, found.previous, found.next) == (1, 1, None, 8)
    nothing = look_within(db, parse("zebra"), ["s"], 3)
    assert (nothing.total, nothing.is_exact, nothing.place, nothing.next) == (0, True, None, None)


def test_sessions_with_a_like_name_and_filters_about_sessions_change_nothing(db: Path) -> None:
    talk(db, 30, 10)
    assert look_within(db, parse("walrus source:nowhere"), ["s"], 1).total == 3
    assert look_within(db, parse("walrus"), ["s", "s2"], 1).total == 12


@pytest.mark.parametrize("count", [30, 400])
def test_words_found_nowhere_are_looked_for_as_parts_of_words(db: Path, count: int) -> None:
    talk(db, count, 10)
    assert look_within(db, parse("walr"), ["s"], 1).total == count // 10
    found = look_within(db, parse("alru"), ["s"], 1)
    assert (found.total, found.terms[0].kind) == (count // 10, "literal")


def test_what_is_undone_is_a_hit_on_request_only(db: Path) -> None:
    rows = [message("s", content="walrus"), message("s", content="walrus", active=0), message("s", "tool", "walrus")]
    make_state_db(db, sessions=[session("s")], messages=rows)
    assert look_within(db, parse("walrus"), ["s"], 1).total == 2
    assert look_within(db, parse("walrus"), ["s"], 1, rewound=True).total == 3
    assert look_within(db, parse("walrus role:tool"), ["s"], 1).first == 3


def test_words_of_a_picture_are_no_hit_to_go_to(db: Path) -> None:
    picture = json.dumps([{"type": "image_url", "image_url": {"url": "data:image/png;base64,walrus/AAAA"}}])
    rows = [message("s", content="walrus"), message("s", content=f"\0json:{picture}"), message("s", content="a walrus")]
    make_state_db(db, sessions=[session("s")], messages=rows)
    assert look_within(db, parse("walrus"), ["s"], 1).next == 3


def test_many_hits_take_no_more_statements_than_few(db: Path, tmp_path: Path) -> None:
    def statements(path: Path, count: int) -> int:
        talk(path, count, 2)
        asked: list[str] = []

        def look(conn: object) -> None:
            conn.set_trace_callback(asked.append)  # type: ignore[attr-defined]
            look_on(conn, path, parse("walrus"), Options(sort="oldest", limit=40), ["s"], count // 2)  # type: ignore[arg-type]

        read(path, 1_000, look)
        asked.clear()
        read(path, 1_000, look)
        return len(asked)

    assert statements(tmp_path / "many.db", 2_000) <= statements(db, 350)
