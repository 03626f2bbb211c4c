"""The YAML of a header: nothing in it can cost more than its reading, and no text breaks it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skills_app.library.header import Header, read_header
from skills_app.library.header_yaml import load_header
from skills_app.library.skill_text import decode
from tests.growth import assert_linear

REFUSED = {
    "holds itself": "description: &a [*a]",
    "holds itself in a table": "metadata: &a {b: *a}",
    "a type of a language": "description: !!python/object/apply:os.getcwd []",
    "a type of its own": "description: !secret abc",
    "bytes": "description: !!binary aGVsbG8=",
    "aliases upon aliases": "\n".join(
        [
            "a0: &a0 [x, x, x, x, x, x, x, x, x]",
            *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9)),
        ]
    ),
    "merges upon merges": "\n".join(
        ["a0: &a0 {x: 1, y: 2}", *(f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 9)}]}}" for i in range(1, 9))]
    ),
    "far too long": f"note: {'x' * 20_000}",
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_header_that_is_more_than_values_is_refused_and_the_name_still_read(kind: str) -> None:
    header = read_header(f"---\nname: tidy\n{REFUSED[kind]}\n---\nx\n")
    (problem,) = (each for each in header.problems if each.code == "header_refused")
    assert "refused" in problem.sentence
    assert header.name == "tidy"
    assert header.description == ""
    assert max(map(len, header.fields.values())) <= 2_000


@pytest.mark.parametrize("text", ["[" * 60 + "]" * 60, "{a: " * 60 + "1" + "}" * 60, "[" * 8_000, "- " * 8_000])
def test_deep_nesting_does_no_harm(text: str) -> None:
    header = read_header(f"---\nname: tidy\ndescription: d\nnote: {text}\n---\nx\n")
    assert (header.name, header.description) == ("tidy", "d")


def test_an_alias_that_only_says_something_twice_is_fine() -> None:
    header = read_header("---\nname: &n tidy\ndescription: *n\ntags: [*n, b]\n---\nx\n")
    assert (header.problems, header.description, header.tags) == ((), "tidy", ("tidy", "b"))


@given(st.text(max_size=400))
def test_no_text_breaks_the_reading(text: str) -> None:
    for candidate in (text, f"---\n{text}\n---\nbody\n", f"---\nname: {text}\n---\n"):
        header = read_header(candidate)
        assert isinstance(header, Header)
        str(header).encode()


@given(st.binary(max_size=400))
def test_no_bytes_break_the_reading(data: bytes) -> None:
    str(read_header(decode(data).text)).encode()


TEXTS = st.text(st.characters(exclude_categories=("C", "Z")) | st.just(" "), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=6))
def test_whatever_yaml_can_say_is_read_as_yaml_says_it(fields: dict[str, object]) -> None:
    text = yaml.safe_dump(fields, allow_unicode=True)
    loaded = load_header(text)
    if loaded.is_yaml and loaded.is_mapping and not loaded.refused:
        assert yaml.safe_dump(dict(loaded.fields), allow_unicode=True) == text


@pytest.mark.parametrize(
    "piece", ["&a [", "*a ", "- - - ", "? ", "{a: ", "'", '"\\', "<<: ", "!t ", "a: b: ", "\t", "#"]
)
def test_reading_takes_no_longer_than_the_header_is_long(piece: str) -> None:
    def reading(size: int) -> Callable[[], object]:
        text = (piece * size)[:size]
        return lambda: load_header.__wrapped__(text)

    assert_linear(reading, 4_000)
