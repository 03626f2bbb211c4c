"""Which sessions are one conversation."""

from __future__ import annotations

from pathlib import Path

from memoryhub.hermes.state_db import connect, probe
from sessions_app.lineage import members, roots
from tests.builders import Row, make_state_db, session


def lineages(path: Path, sessions: list[Row]) -> dict[str, str]:
    make_state_db(path, sessions=sessions, search=False)
    with connect(path) as conn:
        return roots(conn, probe(conn), [one["id"] for one in sessions])


def test_only_what_continues_a_compressed_session_belongs_to_it(tmp_path: Path) -> None:
    sessions = [
        session("a", end_reason="compression"),
        session("b", parent_session_id="a", end_reason="compression"),
        session("c", parent_session_id="b", end_reason="user_exit"),
        session("d", parent_session_id="c"),
        session("e", parent_session_id="gone"),
    ]
    path = tmp_path / "state.db"
    assert lineages(path, sessions) == {"a": "a", "b": "a", "c": "a", "d": "d", "e": "e"}
    with connect(path) as conn:
        assert members(conn, probe(conn), "a") == ("a", "b", "c")
        assert members(conn, probe(conn), "nobody") == ("nobody",)


def test_circles_have_one_root_and_end(tmp_path: Path) -> None:
    names = "abc"
    sessions = [
        session(one, parent_session_id=names[place - 1], end_reason="compression") for place, one in enumerate(names)
    ]
    path = tmp_path / "state.db"
    assert set(lineages(path, sessions).values()) == {"a"}
    with connect(path) as conn:
        assert set(members(conn, probe(conn), "a")) == set(names)


def test_a_file_without_parents_has_only_single_sessions(tmp_path: Path) -> None:
    path = make_state_db(
        tmp_path / "state.db", sessions=[session("a")], without=["sessions.parent_session_id"], search=False
    )
    with connect(path) as conn:
        assert roots(conn, probe(conn), ["a", "x"]) == {"a": "a", "x": "x"}
        assert members(conn, probe(conn), "a") == ("a",)
