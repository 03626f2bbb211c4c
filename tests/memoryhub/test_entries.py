"""MEMORY.md and USER.md as a format: what is read, counted, stored and refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub import entries
from memoryhub.entries import EntryRefused

LIMIT = 2200

stored_texts = st.text(
    alphabet=st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t"), min_size=1, max_size=80
)


def parse(data: bytes, limit: int = LIMIT) -> entries.MemoryFile:
    return entries.parse(data, "memory", limit)


def text(value: str) -> entries.MemoryFile:
    return parse(value.encode())


def codes(memory: entries.MemoryFile) -> list[str]:
    return [notice.code for notice in memory.notices]


def stored_or_none(value: str) -> str | None:
    """What is stored of a text; None when it is refused, which must be with a sentence."""
    try:
        return entries.clean(value)
    except EntryRefused as problem:
        sentence = str(problem)
    assert sentence.endswith(".")
    return None


def refusal(value: str) -> str:
    with pytest.raises(EntryRefused) as refused:
        entries.clean(value)
    return refused.value.code


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("one", ["one"]),
        ("one\n§\ntwo", ["one", "two"]),
        ("one\n§\ntwo\n", ["one", "two"]),
        ("\n\none\n\n§\n  two  ", ["one", "two"]),
        ("see §4\n§\nsplit by § here", ["see §4", "split by § here"]),
        ("one\n§ \ntwo", ["one\n§ \ntwo"]),
        ("one\n§\n\n§\ntwo\n§\n", ["one", "two"]),
        ("one\n§\n§\ntwo", ["one", "§\ntwo"]),
        ("§\none", ["§\none"]),
        ("one\u2028§\u2028two\n§\nthree", ["one\u2028§\u2028two", "three"]),
        ("a\x85b\x0cc\n§\nd", ["a\x85b\x0cc", "d"]),
        ("one\r\n§\r\ntwo\r\nlines", ["one", "two\nlines"]),
        ("one\r§\rtwo", ["one", "two"]),
        ("", []),
        (" \n ", []),
        ("\n§\n", []),
    ],
)
def test_a_file_is_split_where_the_agent_splits_it(raw: str, expected: list[str]) -> None:
    assert list(text(raw).texts) == expected


@pytest.mark.parametrize(
    ("raw", "drift"),
    [
        ("one\n§\ntwo", False),
        ("one\n§\ntwo\n\n", False),
        ("one\r\n§\r\ntwo", False),
        ("one\n§\none", False),
        ("one\n§ \ntwo", False),
        ("§\none", False),
        ("one\n§\n\n§\ntwo", True),
        ("one\n§\ntwo\n§\n", True),
        ("one\n\n§\ntwo", True),
        ("one \n§\ntwo", True),
        ("\n§\n", True),
    ],
)
def test_drift_is_what_makes_the_agent_refuse_edits(raw: str, drift: bool) -> None:
    assert text(raw).drift is drift


def test_an_entry_longer_than_the_limit_is_drift_and_one_as_long_is_not() -> None:
    assert parse(b"x" * 21, 20).drift
    assert not parse(b"x" * 20, 20).drift


def test_a_byte_order_mark_is_not_part_of_the_first_entry_but_the_agent_keeps_it() -> None:
    memory = parse(b"\xef\xbb\xbfone\n\xc2\xa7\ntwo")
    assert memory.texts == ("one", "two")
    assert memory.agent_entries == ("\ufeffone", "two")
    assert codes(memory) == ["bom"]


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"a\r\n\xc2\xa7\r\nb", "line_ends"),
        ("a\n§ \nb".encode(), "delimiter_with_blanks"),
        ("a\n§\n\n§\nb".encode(), "blank_entries"),
        ("a\n§\n§\nb".encode(), "glued_delimiter"),
        ("a\n\n§\nb".encode(), "blank_lines"),
        ("a\n§\na".encode(), "exact_duplicates"),
        (b"# Notes\n- one\n- two\n", "document"),
        (b"caf\xe9", "not_utf8"),
        ("one".encode("utf-16"), "utf16"),
        (b"x" * 2201, "oversize_entry"),
    ],
)
def test_each_odd_shape_is_named(raw: bytes, code: str) -> None:
    assert codes(parse(raw)) == [code]


@pytest.mark.parametrize("raw", ["one\n§\ntwo", "one\n§\ntwo\n", "see §4", "line\nline\n\nline", ""])
def test_an_ordinary_file_has_no_notice(raw: str) -> None:
    memory = text(raw)
    assert codes(memory) == []
    assert memory.is_normal


def test_a_bad_byte_is_shown_and_located_and_the_file_is_not_decodable() -> None:
    memory = parse(b"fine\n\xc2\xa7\ncaf\xe9 and \xff")
    assert not memory.decodable
    assert memory.texts == ("fine", "caf\ufffd and \ufffd")
    assert memory.bad_bytes == ((11, 0xE9), (17, 0xFF))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_wide_encoding_is_read_and_not_written(encoding: str) -> None:
    memory = parse("café\n§\n你好".encode(encoding))
    assert memory.texts == ("café", "你好")
    assert not memory.decodable
    assert memory.used == 9


def test_used_counts_code_points_with_delimiters_and_leaves_copies_out() -> None:
    assert text("😀" * 10).used == 10
    assert text("ab\n§\n你好").used == 7
    assert text("aa\n§\nb\n§\naa").used == 6


@pytest.mark.parametrize(
    ("size", "limit", "percent"), [(10, 20, 50), (19, 20, 95), (30, 20, 100), (1, 0, 0), (0, 5, 0)]
)
def test_percent_is_truncated_and_capped_as_the_agent_prints_it(size: int, limit: int, percent: int) -> None:
    assert parse(b"x" * size, limit).percent == percent


def test_room_for_one_more_pays_the_delimiter_except_for_the_first_entry() -> None:
    assert parse(b"x" * 10, 20).room_for_one_more == 7
    assert parse(b"", 20).room_for_one_more == 20
    assert parse(b"x" * 19, 20).room_for_one_more == 0


def test_copies_of_an_entry_have_ids_of_their_own() -> None:
    one, two, copy, third = text("a\n§\nb\n§\na\n§\na").entries
    assert copy.id == f"{one.id}-2"
    assert third.id == f"{one.id}-3"
    assert two.id != one.id
    assert text("a").entries[0].id == one.id


def test_a_missing_file_has_no_entries() -> None:
    memory = entries.parse(None, "user", 10)
    assert (memory.entries, memory.used, memory.digest) == ((), 0, "")


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("", "empty"),
        (" \n\t ", "empty"),
        ("§", "delimiter_line"),
        ("odd note\n§", "delimiter_line"),
        ("§\ntext", "delimiter_line"),
        ("Style\r\n§\r\nuse tabs", "delimiter_line"),
        ("a\n § \nb", "delimiter_line"),
        ("a\x00b", "control_character"),
        ("a\x1bb", "control_character"),
        ("a\x85b", "control_character"),
        ("a\x7fb", "control_character"),
        ("a\ud83db", "surrogate"),
    ],
)
def test_a_text_that_would_not_survive_is_refused(value: str, code: str) -> None:
    assert refusal(value) == code


def test_a_refused_character_is_named_with_its_place() -> None:
    with pytest.raises(EntryRefused, match=r"Character 3 is the control character U\+0007"):
        entries.clean("ab\x07")


def test_what_is_stored_has_line_feeds_and_no_outer_blanks() -> None:
    assert entries.clean("  one\r\ntwo\rthree § four\t\n") == "one\ntwo\nthree § four"


@given(st.lists(stored_texts, max_size=8))
def test_entries_that_are_accepted_read_back_as_they_are(texts: list[str]) -> None:
    kept = [stored for each in texts if (stored := stored_or_none(each)) is not None]
    data = entries.checked_bytes(kept)
    assert list(parse(data).texts) == kept
    assert parse(data).is_normal
    assert parse(data).used == len(data.decode()) - sum(len(t) + 3 for t in kept) + sum(
        len(t) + 3 for t in dict.fromkeys(kept)
    )


@given(st.text(max_size=200))
def test_any_text_is_refused_with_a_sentence_or_stored_stripped(value: str) -> None:
    stored = stored_or_none(value)
    if stored is not None:
        assert stored == value.replace("\r\n", "\n").replace("\r", "\n").strip()
        assert parse(entries.checked_bytes([stored])).texts == (stored,)


@given(st.binary(max_size=400), st.integers(-5, 500))
def test_no_bytes_are_beyond_reading(data: bytes, limit: int) -> None:
    memory = parse(data, limit)
    assert 0 <= memory.percent <= 100
    assert len({entry.id for entry in memory.entries}) == len(memory.entries)
    if memory.decodable and not memory.notices:
        assert memory.is_normal or data.decode().strip() != data.decode()


def test_only_growing_past_the_limit_is_refused() -> None:
    over = parse(b"x" * 30, 20)
    entries.check_fits(over, ["x" * 29])
    entries.check_fits(over, ["y" * 30])
    with pytest.raises(EntryRefused) as refused:
        entries.check_fits(over, ["x" * 31])
    assert refused.value.data["over"] == 11


def test_the_limit_is_exact_to_the_character_with_delimiters() -> None:
    memory = parse(b"x" * 10, 20)
    entries.check_fits(memory, ["x" * 10, "y" * 7])
    with pytest.raises(EntryRefused, match="1 characters over"):
        entries.check_fits(memory, ["x" * 10, "y" * 8])
