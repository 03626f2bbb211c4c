"""Repairs: what a foreign file would hold afterwards, and that no word is lost."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub import entries, repair


def repaired(data: bytes, code: str) -> tuple[str, ...] | None:
    found = repair.find(entries.parse(data, "memory", 2200), code)
    return found.texts if found else None


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"\xef\xbb\xbfone\n\xc2\xa7\ntwo", ("one", "two")),
        (b"one\r\n\xc2\xa7\r\ntwo", ("one", "two")),
        ("one\n§ \ntwo".encode(), ("one", "two")),
        ("one\n\u3000§\t\ntwo".encode(), ("one", "two")),
        ("one\n§\n\n§\ntwo\n§\n".encode(), ("one", "two")),
        ("§\none\n§\n§\ntwo\n§".encode(), ("one", "two")),
        ("one \n\n§\n\n two".encode(), ("one", "two")),
    ],
)
def test_tidying_keeps_every_entry_and_writes_the_normal_form(raw: bytes, expected: tuple[str, ...]) -> None:
    found = repair.find(entries.parse(raw, "memory", 2200), "tidy")
    assert found is not None
    assert found.texts == expected
    assert found.data == entries.serialize(expected)


def test_a_normal_file_needs_no_repair() -> None:
    memory = entries.parse("one\n§\ntwo".encode(), "memory", 2200)
    assert repair.offers(memory) == ()
    assert repair.find(memory, "tidy") is None


def test_removing_duplicates_keeps_the_first_copy() -> None:
    assert repaired("a\n§\nb\n§\na\n§\na".encode(), "dedupe") == ("a", "b")


def test_a_list_is_split_into_one_entry_per_bullet_with_its_heading() -> None:
    raw = b"# Setup\n- uses pnpm\n- port 8080\n  on staging\n\n## Style\nShort answers.\nNo emoji.\n"
    assert repaired(raw, "split") == (
        "# Setup\nuses pnpm",
        "port 8080\n  on staging",
        "## Style\nShort answers.\nNo emoji.",
    )


def test_one_odd_byte_is_read_as_windows_1252_and_the_rest_as_utf8() -> None:
    assert repaired("naïve\n§\ncaf".encode() + b"\xe9 \x80 5", "convert") == ("naïve", "café € 5")


def test_bytes_that_mean_nothing_are_not_guessed_at() -> None:
    memory = entries.parse(b"a\x81b", "memory", 2200)
    assert repair.find(memory, "convert") is None
    assert memory.notices[0].repair == ""


def test_utf16_is_converted_to_utf8() -> None:
    assert repaired("one\r\n§\r\n你好".encode("utf-16"), "convert") == ("one", "你好")


@given(st.text(alphabet="a§ \n\r#-\u3000b", max_size=60), st.sampled_from(repair.CODES))
def test_no_repair_loses_a_word(raw: str, code: str) -> None:
    before = entries.parse(raw.encode(), "memory", 200)
    found = repair.find(before, code)
    if found is None:
        return
    again = entries.parse(found.data, "memory", 200)
    assert again.texts == found.texts
    words = re.sub(r"[-\s§]", "", "".join(before.texts if code != "dedupe" else dict.fromkeys(before.texts)))
    assert re.sub(r"[-\s§]", "", "".join(again.texts)) == words


def test_splitting_a_list_takes_no_more_room_than_the_list() -> None:
    long = entries.parse(b"\n".join(b"- rule number %d: keep it short" % n for n in range(100)), "memory", 2200)
    found = repair.find(long, "split")
    assert found is not None
    assert entries.used(found.texts) <= long.used


def test_a_repair_that_would_take_the_file_further_over_its_limit_is_not_offered() -> None:
    long = entries.parse(
        "\n\n".join(f"paragraph {n} " + "of words " * 9 + "end" for n in range(40)).encode(), "memory", 2200
    )
    assert next(notice.repair for notice in long.notices) == "split"
    assert repair.offers(long) == ()
