"""Entries that say the same, and entries that only look so."""

import unicodedata
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.likeness import Pair, alike, fold, near_duplicates
from tests.growth import assert_linear

CAFES = ["Likes café", unicodedata.normalize("NFD", "Likes café"), "likes café", "Likes  café"]

OTHERS = [
    "Runs Debian 13 on the workstation, kernel 6.12",
    "Releases go out on Tuesdays only",
    "Prefers tabs over spaces in Go code",
    "Meetings before ten in the morning are unwelcome",
    "Printer in the hall answers at 10.0.0.9",
    "Sister's birthday is the fourth of May",
]

OVERLAPS = [
    (
        "Backend API runs on port 8420 under systemd as hub-api",
        "The hub-api systemd unit serves the backend on port 8420",
    ),
    ("Weekly report goes to Ola every Friday at 16:00 as PDF", "Friday 16:00: send the weekly PDF report to Ola"),
    ("本机代理端口是7890，访问外网必须走代理", "访问外网走本机代理，端口7890，直连会超时"),
    ("Copia de seguridad nocturna en restic hacia minio, puerto 9000", "restic guarda la copia nocturna en minio:9000"),
]

APART = [
    ("Prefers short answers without emojis", "Prefers long walks without company"),
    ("Staging database is Postgres 16 on db-staging", "Postgres course starts in September"),
    ("用户偏好简短回答", "用户偏好深色主题的编辑器界面"),
    ("Do not deploy on Fridays", "Do not call before ten"),
]


def test_spelling_alone_makes_no_difference():
    assert near_duplicates(CAFES) == tuple(Pair(0, place, "folded") for place in (1, 2, 3))
    assert len({fold(text) for text in CAFES}) == 1


@pytest.mark.parametrize("typed", ["café", "CAFÉ", unicodedata.normalize("NFD", "Café"), "ＣＡＦÉ"])
def test_a_folded_filter_finds_every_spelling(typed):
    assert all(fold(typed) in fold(text) for text in CAFES)


def test_exact_copies_are_told_from_others():
    assert near_duplicates(["a", "b", "a", "a"]) == (Pair(0, 2, "exact"), Pair(0, 3, "exact"))


def test_the_user_in_front_makes_no_difference():
    (pair,) = near_duplicates(["The user lives in Oslo", "User lives in Oslo"])
    assert pair.reason == "folded"


@pytest.mark.parametrize(("first", "second"), OVERLAPS)
def test_the_same_fact_in_other_words_is_found(first, second):
    assert near_duplicates([*OTHERS, first, second]) == (Pair(6, 7, "overlap"),)
    assert alike(second, [*OTHERS, first]) == (6,)


@pytest.mark.parametrize(("first", "second"), APART)
def test_entries_about_other_things_are_left_alone(first, second):
    assert near_duplicates([*OTHERS, first, second]) == ()
    assert alike(second, [*OTHERS, first]) == ()


def test_a_heading_that_all_entries_repeat_is_no_likeness():
    prefix = "Notes > House rules > Kitchen:"
    texts = ["Bread is baked on Sundays", "The kettle leaks", "Glasses stand top left", "Buy oat milk"]
    assert near_duplicates([f"{prefix} {text}" for text in texts]) == ()


def test_the_time_to_compare_entries_grows_with_their_number_only():
    texts = [
        f"Service {number} in rack{number % 6} of hall{number % 7} logs to app{number // 9}.log and restarts nightly"
        for number in range(1_000)
    ]
    assert_linear(lambda size: partial(near_duplicates, texts[:size]), 250)
    assert_linear(lambda size: partial(near_duplicates, ["the same words again and again"] * size), 1_000)


@given(st.lists(st.text(max_size=30), max_size=8))
def test_pairs_are_in_order_and_name_places(texts):
    pairs = near_duplicates(texts)
    assert all(0 <= pair.first < pair.second < len(texts) for pair in pairs)
    assert list(pairs) == sorted(pairs, key=lambda pair: (pair.first, pair.second))


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)
