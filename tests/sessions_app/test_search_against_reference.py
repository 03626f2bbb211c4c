"""Whatever stands in the messages and whatever is typed: the same messages as a slow, obvious search finds."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryhub.demo import tables
from sessions_app.query_language import SearchQuery, parse
from sessions_app.search import Options, Results, search
from tests.builders import Row, make_state_db, message, session, tool_call
from tests.sessions_app.reference import reference_ids

# Needles of ten scripts, and of code.
NEEDLES = (
    "quartz", "Straße", "résumé", "naïve", "Ελλάδα", "Привет", "ёлка", "שלום",
    "سلام", "नमस्ते", "สวัสดี", "世界", "東京都",
    "データ", "한국어", "あ", "C++", "c#", "#!", ".env", "a=b", "rm -rf", "src/main.py",
    "P2.2", "node_modules", "don't", "50%",
    "🚀", "[x]", "x->y", "caf\u0301e", "user@host", "naïve.txt", "\\server", 'say"hi"', "日", "ab", "z",
)  # fmt: skip
JOINTS = (" ", "\n", ", ", "-", "(", "/", "世", "국", "", ".", "_", "\t", '"', "é", "x")
FILLER = (
    "the",
    "plain",
    "word",
    "resume",
    "main",
    "py",
    "env",
    "不存在",
    "hello",
    "don",
    "t",
    "quartzite",
    "C",
    "deploy",
)

BOTH = (tables.WORD_INDEX, tables.TRIGRAM_INDEX)

pieces = st.sampled_from(NEEDLES) | st.sampled_from(FILLER)
texts = st.lists(st.tuples(pieces, st.sampled_from(JOINTS)), min_size=0, max_size=6).map(
    lambda pairs: "".join(piece + joint for piece, joint in pairs)
)


@st.composite
def messages(draw: st.DrawFn) -> Row:
    text, kind = draw(texts), draw(st.sampled_from(("plain", "plain", "parts", "call", "nested", "answer")))
    if kind == "parts":
        parts = [
            {"type": "text", "text": text},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}},
        ]
        return message("s", content="\0json:" + json.dumps(parts, ensure_ascii=draw(st.booleans())))
    if kind in ("call", "nested"):
        arguments = json.dumps({"command": text}, ensure_ascii=kind == "nested")
        calls = json.dumps([tool_call("terminal", arguments)], ensure_ascii=draw(st.booleans()))
        return message("s", "assistant", draw(st.none() | st.just("on it")), tool_calls=calls)
    if kind == "answer":
        return message("s", "tool", text, tool_name="read_file")
    return message("s", content=text)


words = pieces | texts.map(lambda text: text.strip().split("\n")[0])
queries = st.one_of(
    words,
    st.tuples(words, words).map(" ".join),
    words.map(lambda word: f'"{word}"'),
    st.tuples(words, words).map(lambda pair: f'"{pair[0]} {pair[1]}"'),
    st.tuples(words, words).map(" NOT ".join),
    st.tuples(words, words).map(" OR ".join),
    st.sampled_from(FILLER).map(lambda word: word[:3] + "*"),
)


def found_ids(results: Results) -> set[int | None]:
    return {hit.message_id for hit in results.hits if hit.place not in ("title", "session")}


def check(rows: list[Row], typed: str, *, without: Sequence[str] = ()) -> None:
    query = parse(typed)
    with tempfile.TemporaryDirectory() as folder:
        path = make_state_db(Path(folder) / "state.db", sessions=[session("s")], messages=rows, wal=False)
        with closing(sqlite3.connect(path)) as conn:
            for index in without:
                conn.execute(f"DROP TABLE {index}")
        results = search(path, query, Options(limit=100, sort="newest"))
        if results.relaxed:
            assert reference_ids(path, query) == set()
            query = results.query
        assert found_ids(results) == (reference_ids(path, query) if query.finds_something else set())
        assert results.total_is_exact
        assert results.total == len(results.hits)


@settings(max_examples=150, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(messages(), min_size=1, max_size=8), queries)
def test_the_same_messages_are_found_as_by_reading_them_all(rows: list[Row], typed: str) -> None:
    check(rows, typed)


@pytest.mark.parametrize("without", [BOTH, BOTH[:1], BOTH[1:]])
@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(rows=st.lists(messages(), min_size=1, max_size=8), typed=queries)
def test_the_same_messages_are_found_without_an_index(rows: list[Row], typed: str, without: Sequence[str]) -> None:
    check(rows, typed, without=without)


@pytest.mark.parametrize("needle", NEEDLES)
def test_every_needle_is_found_wherever_it_stands(needle: str, tmp_path: Path) -> None:
    calls = json.dumps([tool_call("terminal", {"command": f"one\n{needle}\ttwo"})])
    parts = "\0json:" + json.dumps([{"type": "text", "text": f"see {needle} here"}])
    rows = [
        message("s", content=f"before {needle} after"),
        message("s", "assistant", None, tool_calls=calls),
        message("s", content=parts),
        message("s", "tool", f"{needle}\nrest", tool_name="terminal"),
        message("s", content=f"中{needle}文"),
        message("s", content="nothing of the kind"),
    ]
    path = make_state_db(tmp_path / "state.db", sessions=[session("s")], messages=rows)
    quoted = needle if '"' in needle else f'"{needle}"'
    for typed in (needle, quoted, needle.upper() if needle.isascii() else needle):
        query: SearchQuery = parse(typed)
        assert found_ids(search(path, query)) == {1, 2, 3, 4, 5}, typed
