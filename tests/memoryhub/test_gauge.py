"""Facts about the gauge: layout, state words, and what the next add pushes out."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub import gauge


@dataclass(frozen=True)
class Item:
    id: str
    chars: int


def items(*lengths: int) -> list[Item]:
    return [Item(f"e{number}", length) for number, length in enumerate(lengths, 1)]


lengths = st.lists(st.integers(1, 4_000), max_size=40)
limits = st.integers(0, 60_000)


@pytest.mark.parametrize(
    ("used", "limit", "target", "script", "state"),
    [
        (2201, 2200, "memory", "latin", "over"),
        (2200, 2200, "memory", "latin", "full"),
        (2197, 2200, "memory", "latin", "full"),
        (2196, 2200, "memory", "latin", "no_room"),
        (2200 - 174, 2200, "memory", "latin", "no_room"),
        (2200 - 175, 2200, "memory", "latin", "nearly_full"),
        (1980, 2200, "memory", "latin", "nearly_full"),
        (1979, 2200, "memory", "latin", "fine"),
        (2200 - 175, 2200, "memory", "cjk", "nearly_full"),
        (2200 - 89, 2200, "memory", "cjk", "nearly_full"),
        (2200 - 88, 2200, "memory", "cjk", "no_room"),
        (1375 - 124, 1375, "user", "latin", "no_room"),
        (1375 - 125, 1375, "user", "latin", "nearly_full"),
        (1237, 1375, "user", "latin", "fine"),
        (1238, 1375, "user", "latin", "nearly_full"),
        (45_000, 50_000, "memory", "latin", "nearly_full"),
        (0, 0, "memory", "latin", "full"),
    ],
)
def test_the_state_word_is_the_worst_that_holds(used, limit, target, script, state):
    assert gauge.state_of(used, limit, target=target, script=script) == state


def test_the_first_entry_pays_no_delimiter():
    empty = gauge.build([], limit=172, target="memory")
    assert (empty.next_cost, empty.room_for_next, empty.state) == (0, 172, "fine")


def test_separators_count_towards_the_limit():
    ten_of_twenty = gauge.build(items(10), limit=20, target="memory")
    assert (ten_of_twenty.next_cost, ten_of_twenty.room_for_next) == (3, 7)
    assert gauge.build(items(10, 7), limit=20, target="memory").used == 20
    assert gauge.build(items(10, 8), limit=20, target="memory").over_by == 1


@pytest.mark.parametrize(
    ("used", "limit", "percent"),
    [(29, 100, 28), (58, 100, 57), (57, 100, 56), (1980, 2200, 90), (250, 100, 100), (5, 0, 0)],
)
def test_percent_is_truncated_and_capped_as_the_agent_prints_it(used, limit, percent):
    assert gauge.hermes_percent(used, limit) == percent


def test_an_overfull_bar_is_as_long_as_the_text_and_marks_where_the_limit_lies():
    drawn = gauge.build(items(100, 97), limit=100, target="memory")
    assert (drawn.used, drawn.over_by, drawn.left, drawn.true_percent, drawn.percent) == (
        200,
        100,
        0,
        200,
        100,
    )
    assert drawn.limit_x == 50
    assert [segment.is_past_limit for segment in drawn.segments] == [False, True]


def test_a_segment_knows_its_entry_its_share_and_what_is_said_about_it():
    drawn = gauge.build(items(98, 86), limit=2200, target="memory", tones={"e2": "danger"})
    assert [(s.number, s.id, s.chars, s.share, s.tone) for s in drawn.segments] == [
        (1, "e1", 98, 4, "plain"),
        (2, "e2", 86, 4, "danger"),
    ]


@given(lengths, limits)
def test_segments_lie_in_order_inside_the_bar_and_never_overlap(sizes, limit):
    drawn = gauge.build(items(*sizes), limit=limit, target="memory")
    edge = 0.0
    for segment in drawn.segments:
        assert segment.x >= edge - 0.002
        edge = segment.x + segment.width
    assert edge <= 100.002
    assert drawn.used == len("\n§\n".join("x" * size for size in sizes))
    assert drawn.left - drawn.over_by == limit - drawn.used


@given(lengths, limits, st.sampled_from(["memory", "user"]), st.sampled_from(["latin", "cjk"]))
def test_the_state_agrees_with_the_room_said_in_numbers(sizes, limit, target, script):
    drawn = gauge.build(items(*sizes), limit=limit, target=target, script=script)
    assert (drawn.state == "over") == (drawn.over_by > 0)
    if drawn.state in ("fine", "nearly_full"):
        assert drawn.is_usual_room
    if drawn.state == "no_room":
        assert not drawn.is_usual_room


@given(lengths.filter(bool), st.integers(1, 9_000), st.integers(1, 3_000))
def test_pushing_out_the_named_entries_makes_just_enough_room(sizes, limit, length):
    entries = items(*sizes)
    gone = gauge.pushed_out(entries, limit=limit, length=length)
    assert list(gone) == [entry.id for entry in entries[: len(gone)]]
    if length > limit:
        assert gone == ()
        return
    assert gauge.used_chars([*sizes[len(gone) :], length]) <= limit
    if gone:
        assert gauge.used_chars([*sizes[len(gone) - 1 :], length]) > limit


@pytest.mark.parametrize(
    ("texts", "script"),
    [
        (["用户喜欢简短的回答", "项目使用 make 构建"], "cjk"),
        (["ユーザーは短い答えが好き"], "cjk"),
        (["Runs docker compose on 部署 hosts"], "latin"),
        (["12 34 §", "🙂"], "latin"),
        ([], "latin"),
    ],
)
def test_the_script_is_what_most_letters_are(texts, script):
    assert gauge.script_of(texts) == script
