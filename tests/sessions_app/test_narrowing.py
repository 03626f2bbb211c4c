"""Facets as text: a filter goes into the query and comes out again, however it was typed."""

from __future__ import annotations

import pytest

from sessions_app.narrowing import as_filter, has_filter, with_filter, without_field, without_filter
from sessions_app.query_language import parse


@pytest.mark.parametrize("value", ["telegram", "with blank", "a:b", 'quo"ted', "日本", "-x", "", "  "])
def test_a_value_is_read_back_as_it_was_put_in(value: str) -> None:
    typed = as_filter("source", value)
    filters = parse(typed).filters
    expected = " ".join(value.replace('"', " ").split())
    assert [one.value for one in filters] == ([expected] if expected else [])


@pytest.mark.parametrize("typed", ["source:telegram", 'source:"telegram"', "SOURCE:Telegram"])
def test_a_filter_is_found_and_taken_out_however_it_is_written(typed: str) -> None:
    text = f'docker {typed} "two words"'
    assert has_filter(text, "source", "telegram")
    assert without_filter(text, "source", "telegram") == 'docker "two words"'


def test_other_filters_and_phrases_stay() -> None:
    text = 'a "source:telegram" source:cli -role:tool'
    assert not has_filter(text, "source", "telegram")
    assert without_field(with_filter(text, "role", "user"), "role") == 'a "source:telegram" source:cli -role:tool'
    assert without_filter(text, "source", "cli") == 'a "source:telegram" -role:tool'
