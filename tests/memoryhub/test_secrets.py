"""Literal secrets in memory texts, measured on a readable table of invented entries (tests/samples/secrets.txt)."""

from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.secrets import MASK, READ, Secret, find_secrets, mask
from tests.growth import assert_linear

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "secrets.txt"


def read_samples():
    """Yield (line number, text, spans of its secrets)."""
    for number, line in enumerate(SAMPLES.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith(("+ ", "- ")):
            continue
        text, spans = "", []
        for part in line[2:].replace("\\n", "\n").split("«"):
            value, close, rest = part.partition("»")
            if close:
                spans.append((len(text), len(text) + len(value)))
            text += value + rest
        yield number, text, spans


SAMPLE_ROWS = list(read_samples())


def test_the_table_is_large_enough_to_mean_something():
    assert sum(bool(spans) for _, _, spans in SAMPLE_ROWS) >= 80
    assert sum(not spans for _, _, spans in SAMPLE_ROWS) >= 120


def test_nearly_every_secret_is_found_and_hardly_anything_else():
    missed, false, hits = [], [], 0
    for number, text, spans in SAMPLE_ROWS:
        found = find_secrets(text)
        for start, end in spans:
            if any(secret.start < end and start < secret.end for secret in found):
                hits += 1
            else:
                missed.append((number, text[start:end]))
        false += [
            (number, text[secret.start : secret.end])
            for secret in found
            if not any(secret.start < end and start < secret.end for start, end in spans)
        ]
    assert hits / (hits + len(missed)) >= 0.95, missed
    assert hits / (hits + len(false)) >= 0.95, false


def test_only_the_value_is_cut_out():
    exact = [
        any((secret.start, secret.end) == span for secret in find_secrets(text))
        for _, text, spans in SAMPLE_ROWS
        for span in spans
    ]
    assert sum(exact) / len(exact) >= 0.95


def test_the_mask_shows_neither_the_value_nor_its_length():
    short, long = "Wi-Fi password: a1b2!, port 80", "Wi-Fi password: a1b2c3d4e5f6g7h8!, port 80"
    assert mask(short, find_secrets(short)) == mask(long, find_secrets(long)) == f"Wi-Fi password: {MASK}, port 80"


def test_masking_nothing_changes_nothing_and_overlaps_are_masked_once():
    assert mask("plain", ()) == "plain"
    assert mask("abcdef", [Secret("key", 1, 4), Secret("key", 2, 3), Secret("key", 3, 5)]) == f"a{MASK}f"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("key sk-ant-api03-Qm27LpVb4tRw8NcY3hFs6DgJ", "token"),
        ("password: Vinter!31x", "password"),
        ("login admin/admin", "default_login"),
        ("root/Granit@99", "login"),
        ("postgres://hub:Lyng27x@db.lan/hub", "url"),
        ("API key: 7c1e9b40d2f84a3590be61c2", "key"),
    ],
)
def test_a_secret_says_what_kind_it_is(text, kind):
    assert [secret.kind for secret in find_secrets(text)] == [kind]


@given(st.text(max_size=200))
def test_any_text_is_read_and_spans_lie_in_it_without_overlap(text):
    at = 0
    for secret in find_secrets(text):
        assert at <= secret.start < secret.end <= len(text)
        at = secret.end


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_value_is_found_whatever_stands_around_it(before, after):
    text = f"{before}\nsudo password: Granit@9912\n{after}"
    assert "Granit@9912" not in mask(text, find_secrets(text))


HOSTILE = [
    *("password ", "password: a", "key ", "a:b@", "http://a:b", "login a/", "eyJa.", "-----BEGIN PRIVATE KEY-----"),
    *("密码", "?key=", "token is ", "mysql -p", "a" * 50, " ", "root:", "(", "secret secret: ", "sk-", "A1b2"),
    *("pass phrase ab cd ef ", "password: A1b2!\n", "key: 7c1e9b40d2f84a3590be61c2 "),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_the_time_for_a_hostile_text_grows_with_its_length_only(piece):
    assert_linear(lambda size: partial(find_secrets, (piece * size)[:size]), READ // 4)


def test_a_text_is_looked_at_up_to_a_length():
    assert find_secrets("a " * (READ // 2) + "password: Vinter!31x") == ()
