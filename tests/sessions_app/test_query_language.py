"""What people type, and what is understood."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_app.query_language import Note, SearchQuery, Term, parse
from sessions_app.query_words import in_words, parts

NOW = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)


def terms(query: SearchQuery) -> list[list[tuple[str, str]]]:
    return [[(term.text, term.kind) for term in group] for group in query.groups]


def codes(query: SearchQuery) -> list[str]:
    return [note.code for note in query.notes]


@pytest.mark.parametrize(
    ("typed", "understood"),
    [
        ("harbour crane", [[("harbour", "word")], [("crane", "word")]]),
        ('"harbour crane"', [[("harbour crane", "phrase")]]),
        ("“harbour crane”", [[("harbour crane", "phrase")]]),
        ("harbour OR pier crane", [[("harbour", "word"), ("pier", "word")], [("crane", "word")]]),
        ("harb*", [[("harb", "prefix")]]),
        ("can't", [[("can't", "phrase")]]),
        ("l’été", [[("l’été", "phrase")]]),
        ("ls -la", [[("ls", "word")], [("-la", "literal")]]),
        ("--dry-run", [[("--dry-run", "literal")]]),
        (".bashrc", [[(".bashrc", "literal")]]),
        ("F# C++ x->y", [[("F#", "literal")], [("C++", "literal")], [("x->y", "literal")]]),
        ("src/app.py:12", [[("src/app.py:12", "literal")]]),
        ("http://x.test/a", [[("http://x.test/a", "literal")]]),
        ("10:30", [[("10:30", "literal")]]),
        ("[y]", [[("[y]", "literal")]]),
        ("print()", [[("print()", "literal")]]),
        ("really?", [[("really", "word")]]),
        ("上海 天气", [[("上海", "literal")], [("天气", "literal")]]),
        ("上海*", [[("上海", "literal")]]),
        ("🐳", [[("🐳", "literal")]]),
        ("???", [[("???", "literal")]]),
        ("and or not", [[("and", "word")], [("or", "word")], [("not", "word")]]),
        ('"AND"', [[("AND", "word")]]),
        ("cafe\u0301", [[("café", "word")]]),
        ("日本　東京", [[("日本", "literal")], [("東京", "literal")]]),
    ],
)
def test_a_typed_text_is_understood(typed: str, understood: list[list[tuple[str, str]]]) -> None:
    query = parse(typed)
    assert terms(query) == understood
    assert query.notes == ()


@pytest.mark.parametrize(
    ("typed", "understood", "note"),
    [
        ("crane AND OR pier", [[("crane", "word"), ("pier", "word")]], "stray_operator"),
        ("crane OR", [[("crane", "word")]], "stray_operator"),
        ("OR crane", [[("crane", "word")]], "stray_operator"),
        ('"harbour', [[("harbour", "word")]], "unbalanced_quote"),
        ("crane)", [[("crane", "word")]], "unbalanced_bracket"),
        ("NEAR(", [[("NEAR", "word")]], "unbalanced_bracket"),
        ("body:crane", [[("body:crane", "literal")]], "unknown_filter"),
        ("is:blue", [[("is:blue", "literal")]], "unknown_value"),
        ("after:whenever", [[("after:whenever", "literal")]], "not_a_date"),
        ("crane *", [[("crane", "word")]], "star_alone"),
        ("x " * 700, [[("x", "word")]] * 40, "too_long"),
    ],
)
def test_what_cannot_be_understood_is_text_with_a_note(
    typed: str, understood: list[list[tuple[str, str]]], note: str
) -> None:
    query = parse(typed)
    assert terms(query) == understood
    assert note in codes(query)


@pytest.mark.parametrize(
    ("typed", "note"), [("", "nothing_to_find"), ("*", "star_alone"), ("NOT crane", "only_exclusions")]
)
def test_with_nothing_to_look_for_nothing_is_run(typed: str, note: str) -> None:
    query = parse(typed)
    assert not query.finds_something
    assert note in codes(query)
    assert in_words(query) == "Nothing to look for: type at least one word."


def test_not_and_minus_exclude_words_and_fields() -> None:
    query = parse('harbour NOT crane NOT "old pier" -source:cron NOT role:tool')
    assert query.excluded == (Term("crane", "word"), Term("old pier", "phrase", is_exact=True))
    assert query.values("source", excluded=True) == ("cron",)
    assert query.values("role", excluded=True) == ("tool",)


def test_filters_take_quoted_values_and_several_of_one_kind() -> None:
    query = parse(
        'title:"Long walk" source:cli source:telegram model:gpt folder:/srv tool:terminal session:ab12 profile:work'
    )
    assert query.groups == ()
    assert query.finds_something
    assert query.values("title") == ("Long walk",)
    assert query.values("source") == ("cli", "telegram")
    assert query.profile == "work"


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-03", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-09", datetime(2026, 3, 9, tzinfo=UTC)),
        ("today", datetime(2026, 5, 20, tzinfo=UTC)),
        ("yesterday", datetime(2026, 5, 19, tzinfo=UTC)),
        ("7d", datetime(2026, 5, 13, 12, tzinfo=UTC)),
        ("36h", datetime(2026, 5, 19, 0, tzinfo=UTC)),
    ],
)
def test_dates_are_read(value: str, moment: datetime) -> None:
    assert parse(f"after:{value}", now=NOW).filters[0].moment == moment


@pytest.mark.parametrize("value", ["2026-13", "2026-02-30", "0000", "99999999d", "soon", "2026-1-1-1"])
def test_what_is_no_date_is_text(value: str) -> None:
    assert codes(parse(f"before:{value}", now=NOW)) == ["not_a_date"]


def test_days_begin_at_midnight_of_the_zone() -> None:
    athens, denver = ZoneInfo("Europe/Athens"), ZoneInfo("America/Denver")
    assert parse("after:2026-01-01", zone=athens).filters[0].moment == datetime(2025, 12, 31, 22, tzinfo=UTC)
    assert parse("after:2026-01-01", zone=denver).filters[0].moment == datetime(2026, 1, 1, 7, tzinfo=UTC)
    late = datetime(2026, 5, 20, 23, 30, tzinfo=UTC)
    assert parse("after:today", now=late, zone=athens).filters[0].moment == datetime(2026, 5, 20, 21, tzinfo=UTC)


def test_not_before_is_after() -> None:
    (one,) = parse("-before:2026-03", now=NOW).filters
    assert (one.field, one.is_excluded) == ("after", False)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("crane", "Messages with the word “crane”."),
        ("crane OR pier dock", "Messages with the word “crane” or the word “pier”, and the word “dock”."),
        ('"old pier" .env', "Messages with the words “old pier” in a row and the text “.env”."),
        ("doc* NOT tar", "Messages with words beginning with “doc”, without the word “tar”."),
        (
            "crane source:cli source:cron is:archived",
            "Messages with the word “crane”, from cli or from cron, in archived sessions.",
        ),
        ("-role:tool after:2026-05 has:error", "All messages, since 2026-05-01, with an error, not in the role tool."),
        ("crane before:2026-05", "Messages with the word “crane”, before 2026-05-01."),
        ("crane after:2026", "Messages with the word “crane”, since 2026-01-01."),
        ("crane after:yesterday", "Messages with the word “crane”, since 2026-05-19."),
        ("crane after:36h", "Messages with the word “crane”, since 2026-05-19."),
        ("crane NOT before:30h", "Messages with the word “crane”, since 2026-05-19 06:00."),
    ],
)
def test_a_query_says_itself(typed: str, sentence: str) -> None:
    assert in_words(parse(typed, now=NOW)) == sentence


def test_a_date_says_itself_in_the_zone_of_the_reader() -> None:
    denver = ZoneInfo("America/Denver")
    assert in_words(parse("crane before:2026-05", zone=denver)).endswith("before 2026-05-01.")
    assert in_words(parse("crane after:1h", now=NOW, zone=denver)).endswith("since 2026-05-20 05:00.")


@pytest.mark.parametrize("value", ["0001-01-01", "9999-12-31", "739757d"])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_the_ends_of_the_calendar_are_no_error(value: str, zone: str) -> None:
    assert in_words(parse(f"crane after:{value}", now=NOW, zone=ZoneInfo(zone)))


def test_not_before_a_date_is_from_that_date_on() -> None:
    for typed in ("NOT before:2026-03", "-before:2026-03"):
        (one,) = parse(typed, now=NOW).filters
        assert (one.field, one.is_excluded, one.moment) == ("after", False, datetime(2026, 3, 1, tzinfo=UTC))


@given(st.text(max_size=80) | st.text(st.sampled_from('ab"*():-NOTRAD世🐳 .,\n'), max_size=40))
def test_no_text_is_an_error(typed: str) -> None:
    query = parse(typed, now=NOW)
    assert in_words(query)
    assert parts(query) is not None
    assert query.finds_something or Note in {type(note) for note in query.notes}
    assert all(term.text.strip() for term in (*query.terms, *query.excluded))
