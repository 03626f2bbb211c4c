"""SKILL.md in other encodings, with other line ends, and too large: read for showing, named for what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills_app.library.header import read_header
from skills_app.library.skill_text import decode
from tests.skills_app.builders import codes, listed, make_skill, only

GOOD = "---\nname: tidy\ndescription: Tidies up\n---\n\n# Tidy\n"

ENCODED: dict[str, tuple[bytes, str]] = {
    "UTF-16": (GOOD.encode("utf-16"), "encoding"),
    "UTF-16, other end first": (b"\xfe\xff" + GOOD.encode("utf-16-be"), "encoding"),
    "UTF-32": (GOOD.encode("utf-32"), "encoding"),
    "Latin-1": (GOOD.replace("Tidy", "Caf\xe9").encode("latin-1"), "encoding"),
    "Windows-1252": (GOOD.replace("Tidy", "“Tidy”").encode("cp1252"), "encoding"),
    "a byte that no encoding explains": (GOOD.encode() + b"\x81\xff\n", "encoding"),
    "with a mark": (b"\xef\xbb\xbf" + GOOD.encode(), "byte_order_mark"),
    "with a mark and CRLF": (b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(), "byte_order_mark"),
}


@pytest.mark.parametrize("kind", ENCODED)
def test_other_encodings_are_read_and_named(tmp_path: Path, kind: str) -> None:
    data, code = ENCODED[kind]
    make_skill(tmp_path, "tidy", raw=data)
    make_skill(tmp_path, "good")
    good, tidy = listed(tmp_path).skills
    assert codes(tidy) == [code]
    assert (tidy.name, tidy.description) == ("tidy", "Tidies up")
    assert tidy.loaded is (code == "byte_order_mark")
    assert good.loaded


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_ends_of_other_systems_leave_no_trace(ending: str) -> None:
    text = decode(GOOD.replace("\n", ending).encode())
    assert text.problems == ()
    assert read_header(text.text) == read_header(GOOD)


def test_a_character_cut_in_two_at_the_limit_is_not_held_against_the_file() -> None:
    assert decode("é".encode()[:1], is_complete=False).problems == ()
    assert [each.code for each in decode("é".encode()[:1]).problems] == ["encoding"]


def test_a_very_large_file_is_read_in_part(tmp_path: Path) -> None:
    make_skill(tmp_path, "big", body="é\n" * 600_000)
    skill = only(tmp_path)
    assert codes(skill) == ["too_large"]
    assert skill.loaded


def test_a_file_that_the_agent_would_not_edit_is_marked(tmp_path: Path) -> None:
    make_skill(tmp_path, "long", body="x\n" * 50_001)
    assert codes(only(tmp_path)) == ["too_long"]
