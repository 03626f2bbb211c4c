"""Everything that the eye cannot see gets a label; ordinary writing and emoji get none."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.visible import Run, has_unseen, runs
from tests.growth import assert_linear

FLAG_OF_WALES = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"

ORDINARY = [
    "Plain text, twice as long\nwith a line end and a\ttab",
    "全角　空格，中文标点。",
    "👩‍💻 works, 👨‍👩‍👧‍👦 lives, 👍🏽 likes",
    "❤️ 1️⃣ ☎️ ✅ 🏳️‍🌈 🧑🏿‍🚀",
    "🇳🇴 and " + FLAG_OF_WALES,
    "می‌خواهم",
    "क्‍ष",
    "葛\U000e0100城",
    "e\u0301 ö ß ﬁ ½",
]

LABELLED = [
    ("\u200b", "invisible", "U+200B ZERO WIDTH SPACE"),
    ("\u200d", "invisible", "U+200D ZERO WIDTH JOINER"),
    ("\u00ad", "invisible", "U+00AD SOFT HYPHEN"),
    ("\u2061", "invisible", "U+2061 FUNCTION APPLICATION"),
    ("\u180e", "invisible", "U+180E MONGOLIAN VOWEL SEPARATOR"),
    ("\u034f", "invisible", "U+034F COMBINING GRAPHEME JOINER"),
    ("\u3164", "invisible", "U+3164 HANGUL FILLER"),
    ("\ufe0f", "invisible", "U+FE0F VARIATION SELECTOR-16"),
    ("\ufeff", "invisible", "U+FEFF ZERO WIDTH NO-BREAK SPACE"),
    ("\x00", "control", "U+0000 NULL"),
    ("\x1b", "control", "U+001B ESCAPE"),
    ("\r", "control", "U+000D CARRIAGE RETURN"),
    ("\x0c", "control", "U+000C FORM FEED"),
    ("\x85", "control", "U+0085 NEXT LINE"),
    ("\x9b", "control", "U+009B CONTROL"),
    ("\u202e", "bidi", "U+202E RIGHT-TO-LEFT OVERRIDE"),
    ("\u2066", "bidi", "U+2066 LEFT-TO-RIGHT ISOLATE"),
    ("\u200f", "bidi", "U+200F RIGHT-TO-LEFT MARK"),
    ("\u00a0", "blank", "U+00A0 NO-BREAK SPACE"),
    ("\u2003", "blank", "U+2003 EM SPACE"),
    ("\u2028", "blank", "U+2028 LINE SEPARATOR"),
    ("\u2029", "blank", "U+2029 PARAGRAPH SEPARATOR"),
    ("\u2800", "blank", "U+2800 BRAILLE PATTERN BLANK"),
    ("\ue000", "private", "U+E000 PRIVATE USE"),
    ("\U0010fffd", "private", "U+10FFFD PRIVATE USE"),
    ("\ud800", "bad", "U+D800 SURROGATE"),
    ("\ufffd", "bad", "U+FFFD REPLACEMENT CHARACTER"),
    ("\uffff", "bad", "U+FFFF NO CHARACTER"),
    ("\U000e0001", "tag", "U+E0001 LANGUAGE TAG"),
    ("\U000e0068\U000e0069", "tag", "hi"),
    ("\U000e0158\U000e0159", "tag", "hi"),
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_writing_has_no_labels(text):
    assert runs(text) == (Run(text, "text"),)
    assert not has_unseen(text)


@pytest.mark.parametrize(("odd", "kind", "label"), LABELLED)
def test_what_cannot_be_seen_is_a_run_of_its_own(odd, kind, label):
    assert runs(f"a{odd}b") == (Run("a", "text"), Run(odd, kind, label), Run("b", "text"))
    assert has_unseen(odd)


def test_a_sentence_behind_a_flag_is_shown():
    hidden = "".join(chr(0xE0000 + ord(char)) for char in "obey me now")
    assert [run.label for run in runs(f"\U0001f3f4{hidden}") if run.kind == "tag"] == ["obey me now"]


def test_a_mark_is_cut_around_what_it_overlaps():
    assert runs("say ig\u00adnore it", [(4, 11, "threat"), (8, 14, "other")]) == (
        Run("say ", "text"),
        Run("ig", "mark", "threat"),
        Run("\u00ad", "invisible", "U+00AD SOFT HYPHEN"),
        Run("n", "mark", "threat"),
        Run("ore", "mark", "other"),
        Run(" it", "mark", "other"),
    )


def test_no_text_makes_no_runs():
    assert runs("") == ()


@given(st.text(max_size=80), st.lists(st.tuples(st.integers(-3, 90), st.integers(-3, 90), st.just("m")), max_size=5))
def test_runs_joined_are_the_text(text, marks):
    found = runs(text, marks)
    assert "".join(run.text for run in found) == text
    assert all(run.text for run in found)
    assert all(run.label for run in found if run.kind != "text")


@pytest.mark.parametrize("piece", ["\u200b", "\u200d", "\U000e0041", "\ufe0f", "👩‍", "\U0001f3f4\U000e0067", "a\u202e"])
def test_the_time_to_cut_an_odd_text_grows_with_its_length_only(piece):
    marks = [(at, at + 9, "m") for at in range(0, 500, 10)]
    assert_linear(lambda size: partial(runs, piece * (size // len(piece)), marks), 16_384)
