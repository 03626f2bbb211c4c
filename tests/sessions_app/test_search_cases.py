"""Situations that searches of real databases met, one fact each."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoryhub.demo import tables
from memoryhub.hermes import state_db
from sessions_app.query_language import parse
from sessions_app.search import Options, Results, explore, search
from tests.builders import START, Row, make_state_db, message, session, tool_call

WORDS = [
    "open ticket #77 in lib/app.py today",
    "can't miss 30% growth or the €9 fee",
    "write to ann@post.test now",
    "copy .bashrc and .dockerignore, then ls -la here",
    "git commit -m done; curl -v; use --dry-run",
    "tag V3.1 of web-app.settings.js and log-rotate",
    "F# is not C++ nor C",
    "WARN: disk full; code:137 at 08:15",
    "podman and nomad deployment papers",
    "p,q list [y] {z} (w) m=n m<n m|n ~work `tick`",
    "drive D:\\data\\raw and //host/pub",
    "crème brûlée naïveté",
    "the AND gate OR the NOT gate",
    'they said "quoted" there',
    "a whale 🐳 swims",
    "ordinary sentence",
]


def run(path: Path, typed: str, **options: object) -> Results:
    return search(path, parse(typed), Options(**{"limit": 50, **options}))  # type: ignore[arg-type]


def ids(path: Path, typed: str, **options: object) -> list[int | None]:
    return [hit.message_id for hit in run(path, typed, **options).hits]


def gaps(results: Results) -> list[str]:
    return [gap.code for gap in results.gaps]


def execute(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as conn:
        for statement in statements:
            conn.execute(statement)
        conn.commit()


@pytest.fixture
def odd_words(tmp_path: Path) -> Path:
    return make_state_db(
        tmp_path / "state.db", sessions=[session("s")], messages=[message("s", content=text) for text in WORDS]
    )


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    rows = [message("s", content=f"weasel number {number}") for number in range(3)]
    return make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=rows)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("lib/app.py", 1), ("app.py", 1), ("#77", 1), ("can't", 2), ("can’t", 2), ("30%", 2), ("€9", 2),
        ("ann@post.test", 3), (".bashrc", 4), (".dockerignore", 4), ("ls -la", 4), ("-la", 4), ("commit -m", 5),
        ("--dry-run", 5), ("curl -v", 5), ("V3.1", 6), ("web-app.settings", 6),
        ("log-rotate", 6), ("F#", 7), ("C++", 7),
        ("code:137", 8), ("08:15", 8), ("podman AND OR nomad", 9), ("podman OR", 9), ("podman)", 9), ("depl", 9),
        ("ployment", 9), ("[y]", 10), ("{z}", 10), ("m=n", 10), ("m<n", 10),
        ("m|n", 10), ("~work", 10), ("`tick`", 10),
        ("p,q", 10), ("D:\\data", 11), ("//host/pub", 11), ("creme", 12), ("crème", 12),
        ("CRÈME", 12), ("cre\u0300me", 12),
        ("naivete", 12), ("AND gate OR", 13), ('"quoted', 14), ("🐳", 15), ("ord*", 16),
    ],
)  # fmt: skip
def test_a_text_on_the_screen_is_found(odd_words: Path, typed: str, found: int) -> None:
    assert ids(odd_words, typed) == [found]


@pytest.mark.parametrize(
    "typed", ["e.g.", "NEAR(", "body:podman", "zebra", "???", '"""', "(((", "a AND b:c", "^x", "-", "'"]
)
def test_nothing_typed_is_an_error(odd_words: Path, typed: str) -> None:
    assert run(odd_words, typed).total >= 0


def test_widened_words_are_said_to_be_widened(odd_words: Path) -> None:
    assert run(odd_words, "depl").relaxed == "prefix"
    assert run(odd_words, "ployment").relaxed == "part"
    assert run(odd_words, '"depl"').total == 0


@pytest.mark.parametrize("typed", ["", "   ", "*", "NOT podman"])
def test_with_nothing_to_look_for_a_hint_is_given(odd_words: Path, typed: str) -> None:
    results = run(odd_words, typed)
    assert (results.hint, results.hits) == ("type_a_word", ())


@pytest.fixture
def mixed_scripts(tmp_path: Path) -> Path:
    texts = ["更新nginx配置文件", "黄山 黄河 旅行", "大阪の朝 カメラ", "서버 오류xy발생", "latin only", "没有关系"]
    rows = [message("s", content=text) for text in texts]
    return make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=rows)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("nginx", [1]), ("NGINX", [1]), ("xy", [4]), ("오류xy발생", [4]), ("오류", [4]), ("黄山", [2]), ("黄", [2]),
        ("黄山 黄河", [2]), ("黄山 没有", []), ("nginx 配置", [1]), ("カメラ", [3]),
        ("大阪の朝", [3]), ("の", [3]), ("黄山*", [2]),
        ("黄山 OR 没有", [2, 6]), ("黄山 NOT 旅行", []),
    ],
)  # fmt: skip
def test_scripts_without_spaces_are_searched_by_any_piece(mixed_scripts: Path, typed: str, found: list[int]) -> None:
    assert sorted(one or 0 for one in ids(mixed_scripts, typed)) == found


def test_text_of_a_message_made_of_parts_is_found_and_its_pictures_are_not(tmp_path: Path) -> None:
    parts = [
        {"type": "text", "text": "写真 stickleback photo"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJDREVG"}},
    ]
    rows = [message("s", content="\0json:" + json.dumps(parts)), message("s", content='\0json:[{"type": "text", "te')]
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=rows)
    for typed in ("stickleback", "写真", "写", "真 stickle"):
        assert ids(path, typed) == [1], typed
    (hit,) = run(path, "stickleback").hits
    assert hit.snippet == "写真 \ue000stickleback\ue001 photo"
    for typed in ("QUJDREVG", "base64", "image_url"):
        assert ids(path, typed) == [], typed


def test_text_in_the_arguments_of_a_tool_call_is_found_as_it_was_meant(tmp_path: Path) -> None:
    command = "cd /srv/Übung\nmake naïve\tall\necho 文件夹 🐳"
    rows = [
        message("s", "assistant", None, tool_calls=json.dumps([tool_call("terminal", {"command": command})])),
        message("s", content="nothing here"),
        message("s", "assistant", "x", tool_calls="{broken curlew"),
        message("s", "assistant", "x", tool_calls='[null, {"function": null}, "curlew"]'),
    ]
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=rows)
    for typed in (
        "文件夹",
        "文件",
        "Übung",
        "ubung",
        "/srv/",
        "make",
        "all",
        "echo",
        "naïve",
        "🐳",
        "/srv/Übung",
        '"make naive"',
    ):
        assert ids(path, typed) == [1], typed
    (hit,) = run(path, "文件夹").hits
    assert (hit.place, hit.snippet) == ("call", "echo \ue000文件夹\ue001 🐳")
    assert sorted(one or 0 for one in ids(path, "curlew")) == [3, 4]


def test_half_characters_do_not_break_a_search(tmp_path: Path) -> None:
    calls = '[{"id": "c", "function": {"name": "say", "arguments": "{\\"t\\": \\"\\\\ud83d stoat\\"}"}}]'
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=[message("s", tool_calls=calls)])
    execute(
        path,
        "INSERT INTO messages(session_id, role, content, timestamp)"
        " VALUES ('s', 'user', CAST(X'73746f617420eda080' AS TEXT), 1)",
    )
    results = run(path, "stoat")
    assert results.total == 2
    assert all(hit.snippet.encode() for hit in results.hits)


def test_a_session_is_found_by_its_title_and_by_its_id(tmp_path: Path) -> None:
    sessions = [session("20260201_090000_fe12ab", title="Roof repair plan"), session("20260201_100000_cd34ef")]
    rows = [
        message("20260201_090000_fe12ab", content="which tiles"),
        message("20260201_100000_cd34ef", content="other"),
    ]
    path = make_state_db(tmp_path / "state.db", sessions=sessions, messages=rows)
    (hit,) = run(path, "repair").hits
    assert (hit.session_id, hit.place, hit.message_id) == ("20260201_090000_fe12ab", "title", None)
    assert hit.snippet == "Roof \ue000repair\ue001 plan"
    (hit,) = run(path, "cd34ef").hits
    assert (hit.session_id, hit.place) == ("20260201_100000_cd34ef", "session")
    assert run(path, "repair").total == 1


def test_a_session_found_by_title_and_by_text_is_one_result(tmp_path: Path) -> None:
    path = make_state_db(
        tmp_path / "state.db",
        sessions=[session("a", title="Roof repair")],
        messages=[message("a", content=f"repair step {number}") for number in range(4)],
    )
    assert run(path, "repair").total == 4
    assert run(path, "repair", limit=2).total == 4
    assert len(explore(path, parse("repair")).groups) == 1


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    ended = {"ended_at": START + 9, "end_reason": "compression"}
    sessions = [
        session("first", title="Big move", archived=1, **ended),
        session("second", parent_session_id="first", **ended),
        session("third", parent_session_id="second"),
        session("branch", parent_session_id="third", model_config='{"_branched_from": "third"}'),
        session("plain", source="telegram"),
        session("lost", parent_session_id="gone"),
    ]
    rows = [message(one["id"], content=f"gannet in {one['id']}", timestamp=START + n) for n, one in enumerate(sessions)]
    return make_state_db(tmp_path / "state.db", sessions=sessions, messages=rows)


def test_a_continued_conversation_is_one_group_with_all_its_hits(chain: Path) -> None:
    found = explore(chain, parse("gannet"))
    assert {group.lineage_id: group.count for group in found.groups} == {"first": 3, "branch": 1, "plain": 1, "lost": 1}
    assert {hit.lineage_id for hit in run(chain, "gannet").hits if hit.session_id == "third"} == {"first"}
    assert found.results.total == 6


def test_archiving_one_part_archives_the_conversation(chain: Path) -> None:
    assert {hit.session_id for hit in run(chain, "gannet is:archived").hits} == {"first", "second", "third"}
    assert {hit.session_id for hit in run(chain, "gannet -is:archived").hits} == {"branch", "plain", "lost"}
    assert run(chain, "gannet").total == 6


def test_hits_of_every_kind_of_session_are_found(chain: Path) -> None:
    assert ids(chain, "gannet", sort="newest") == [6, 5, 4, 3, 2, 1]


def test_a_circle_of_sessions_does_not_hang(tmp_path: Path) -> None:
    sessions = [
        session(one, parent_session_id=other, end_reason="compression") for one, other in (("a", "b"), ("b", "a"))
    ]
    path = make_state_db(
        tmp_path / "state.db",
        sessions=sessions,
        messages=[message("a", content="gannet"), message("b", content="gannet")],
    )
    assert [group.count for group in explore(path, parse("gannet is:archived OR gannet")).groups] == []
    assert [group.count for group in explore(path, parse("gannet")).groups] == [2]


def test_undone_messages_are_found_only_on_request_on_every_path(tmp_path: Path) -> None:
    rows = [
        message("s", content="kept reply"),
        message("s", content="withdrawn reply 撤销 x++", active=0),
        message("s", content="compacted reply", active=0, compacted=1),
    ]
    for search_index in (True, False):
        path = make_state_db(
            tmp_path / f"{search_index}.db", sessions=[session("s")], messages=rows, search=search_index
        )
        for typed in ("withdrawn", "撤销", "撤", "x++"):
            assert run(path, typed).total == 0, typed
            (hit,) = run(path, typed, rewound=True).hits
            assert hit.is_rewound
        results = run(path, "reply", sort="oldest")
        assert ([hit.message_id for hit in results.hits], results.total) == ([1, 3], 2)


def test_a_message_undone_a_moment_ago_is_gone_at_once(plain: Path) -> None:
    assert run(plain, "weasel").total == 3
    execute(plain, "UPDATE messages SET active = 0 WHERE id = 2")
    assert (run(plain, "weasel").total, sorted(one or 0 for one in ids(plain, "weasel"))) == (2, [1, 3])


def test_a_message_written_a_moment_ago_is_found_at_once(plain: Path) -> None:
    with closing(sqlite3.connect(plain, isolation_level=None)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        for number in range(4, 7):
            writer.execute(
                "INSERT INTO messages(session_id, role, content, timestamp) VALUES ('s', 'user', 'weasel', 1)"
            )
            assert run(plain, "weasel").total == number


def test_an_old_database_is_searched_with_the_columns_it_has(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with closing(sqlite3.connect(path)) as conn:
        conn.executescript(
            "CREATE TABLE sessions(id TEXT PRIMARY KEY, source TEXT, started_at REAL);"
            "CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_calls TEXT,"
            " timestamp REAL);"
            "CREATE VIRTUAL TABLE messages_fts USING fts5(content, content=messages, content_rowid=id);"
            "CREATE TRIGGER t AFTER INSERT ON messages BEGIN"
            " INSERT INTO messages_fts(rowid, content) VALUES (new.id, new.content); END;"
            "INSERT INTO sessions VALUES ('s', 'cli', 1767225600);"
            "INSERT INTO messages VALUES (1, 's', 'user', 'a dunlin', NULL, 1767225601),"
            " (2, 's', 'assistant', 'call', '[\"dunlin nest\"]', 1767225602);"
        )
    before = path.read_bytes()
    results = run(path, "dunlin", sort="oldest")
    assert [hit.message_id for hit in results.hits] == [1, 2]
    assert gaps(results) == ["index_missing", "no_tool_output_in_index"]
    assert run(path, "dunlin source:cli is:archived").total == 0
    assert run(path, "dunlin tool:x model:y folder:z title:w").total == 0
    assert path.read_bytes() == before


def without_index(path: Path, *names: str) -> None:
    triggers = [f"DROP TRIGGER {name}_{event}" for name in names for event in ("insert", "delete", "update")]
    execute(path, *triggers, *(f"DROP TABLE {name}" for name in names))


@pytest.mark.parametrize("content", ["''", "'kept'"])
def test_an_index_without_texts_and_without_tool_output_is_completed_by_reading(tmp_path: Path, content: str) -> None:
    rows = [
        message("s", content="a shrew in the middle of words"),
        message("s", "tool", "shrew said a tool", tool_name="terminal"),
    ]
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=rows)
    without_index(path, tables.WORD_INDEX, tables.TRIGRAM_INDEX)
    layout = "content=''" if content == "''" else "content='kept', content_rowid='id'"
    execute(
        path,
        "CREATE VIEW kept AS SELECT id, content FROM messages WHERE role <> 'tool'",
        f"CREATE VIRTUAL TABLE messages_fts USING fts5(content, {layout})",
        "INSERT INTO messages_fts(rowid, content) SELECT id, content FROM kept",
    )
    results = run(path, "shrew", sort="oldest")
    assert [hit.message_id for hit in results.hits] == [1, 2]
    assert results.hits[0].snippet == "a \ue000shrew\ue001 in the middle of words"


@pytest.mark.parametrize(
    "missing", [(tables.WORD_INDEX,), (tables.TRIGRAM_INDEX,), (tables.WORD_INDEX, tables.TRIGRAM_INDEX)]
)
def test_without_an_index_the_texts_are_read_and_that_is_said(odd_words: Path, missing: tuple[str, ...]) -> None:
    without_index(odd_words, *missing)
    for typed, found in (
        ("lib/app.py", 1),
        ("can't", 2),
        ("podman", 9),
        ("creme", 12),
        ("C++", 7),
        ("🐳", 15),
        ("ord*", 16),
    ):
        results = run(odd_words, typed)
        assert [hit.message_id for hit in results.hits] == [found], typed
        assert "index_missing" in gaps(results)
        assert results.total_is_exact


DAMAGE = {
    "silent": [
        f"UPDATE {name}_data SET block = X'0000000000' WHERE id = 10"
        for name in (tables.WORD_INDEX, tables.TRIGRAM_INDEX)
    ],
    "emptied": [f"DELETE FROM {name}" for name in (tables.WORD_INDEX, tables.TRIGRAM_INDEX)],
    "malformed": [f"DELETE FROM {name}_data WHERE id > 10" for name in (tables.WORD_INDEX, tables.TRIGRAM_INDEX)],
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_index_is_noticed_said_and_searched_around(plain: Path, kind: str) -> None:
    execute(plain, *DAMAGE[kind])
    results = run(plain, "weasel", sort="oldest")
    assert [hit.message_id for hit in results.hits] == [1, 2, 3]
    assert {"index_damaged", "index_empty"} & set(gaps(results))
    assert "scanned" in gaps(results)
    assert run(plain, "marten").total == 0
    assert "scanned" in gaps(run(plain, "marten"))


def test_messages_that_an_index_lacks_are_read(plain: Path) -> None:
    execute(plain, "DELETE FROM messages_fts WHERE rowid = 2", "DELETE FROM messages_fts_trigram WHERE rowid IN (2, 3)")
    results = run(plain, "weasel", sort="oldest")
    assert [hit.message_id for hit in results.hits] == [1, 2, 3]
    assert "index_behind" in gaps(results)
    assert results.total == 3


def test_rows_left_behind_in_an_index_are_not_counted(plain: Path) -> None:
    execute(plain, "DROP TRIGGER messages_fts_delete", "DELETE FROM messages WHERE id = 1")
    assert (run(plain, "weasel").total, ids(plain, "weasel", sort="oldest")) == (2, [2, 3])


def test_one_hit_in_an_old_session_is_found_whatever_the_list_shows(tmp_path: Path) -> None:
    sessions = [session(f"s{number:02}", started_at=START + number) for number in range(40)]
    rows = [message("s00", content="numbat once", tool_calls="{broken")]
    rows += [message(one["id"], content="filler") for one in sessions[1:]]
    path = make_state_db(tmp_path / "state.db", sessions=sessions, messages=rows)
    assert (ids(path, "numbat"), run(path, "numbat").total) == ([1], 1)


def test_each_database_gives_its_own_hits(tmp_path: Path) -> None:
    for name in ("root", "work"):
        make_state_db(
            tmp_path / name / "state.db",
            sessions=[session(name, title="Same")],
            messages=[message(name, content="okapi")],
        )
    for name in ("root", "work"):
        assert [hit.session_id for hit in run(tmp_path / name / "state.db", "okapi").hits] == [name]


@pytest.mark.parametrize(
    ("data", "problem"),
    [(None, state_db.Missing), (b"", state_db.Empty), (b"<html>502</html>" * 20, state_db.NotADatabase)],
)
def test_a_file_that_cannot_be_searched_is_a_named_problem(
    tmp_path: Path, data: bytes | None, problem: type[Exception]
) -> None:
    path = tmp_path / "state.db"
    if data is not None:
        path.write_bytes(data)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(problem):
        run(path, "anything")
    assert sorted(tmp_path.iterdir()) == before


def dated(path: Path, stamps: Iterable[object]) -> Path:
    rows: list[Row] = [message("s", content=f"oriole {number}", timestamp=stamp) for number, stamp in enumerate(stamps)]
    return make_state_db(path, sessions=[session("s")], messages=rows)


def test_dates_of_every_kind_are_compared_as_times(tmp_path: Path) -> None:
    new_year = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
    path = dated(
        tmp_path / "state.db",
        [
            new_year,
            new_year * 1000,
            "2026-01-01T00:00:00Z",
            str(new_year),
            "",
            "soon",
            0,
            -1,
            new_year - 10,
            new_year + 40 * 86_400,
        ],
    )
    found = [hit.snippet[-1] for hit in run(path, "oriole after:2026-01-01 before:2026-01-02", sort="oldest").hits]
    assert found == ["0", "1", "2", "3"]
    assert run(path, "oriole").total == 10
    assert [hit.timestamp is None for hit in run(path, "oriole", sort="oldest").hits[4:8]] == [True] * 4


def test_a_day_is_the_day_of_the_zone(tmp_path: Path) -> None:
    from zoneinfo import ZoneInfo

    path = dated(tmp_path / "state.db", [datetime(2025, 12, 31, 23, 30, tzinfo=UTC).timestamp()])
    for zone, found in (("Europe/Athens", 1), ("America/Los_Angeles", 0)):
        query = parse("oriole after:2026-01-01", zone=ZoneInfo(zone))
        assert search(path, query).total == found
        months = explore(path, parse("oriole"), zone=ZoneInfo(zone)).counts.months
        assert [month.month for month, _ in months] == [1 if found else 12]


def test_hostile_text_in_every_column_stays_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\ue000'\"`${}\x1b[31m"
    rows = [
        message(
            "s", f"user{evil}", f"puffin {evil}", tool_name=evil, tool_calls=json.dumps([tool_call(evil, {"a": evil})])
        )
    ]
    path = make_state_db(
        tmp_path / "state.db", sessions=[session("s", title=evil, model=evil, source=evil, cwd=evil)], messages=rows
    )
    for hit in run(path, "puffin").hits:
        assert "\ue000" not in hit.title + hit.role + hit.model + hit.source
        assert hit.snippet.count("\ue000") == hit.snippet.count("\ue001") == 1
    assert run(path, f'title:"{evil}" puffin source:"{evil}"').total in (0, 1)
    assert explore(path, parse("puffin")).groups
