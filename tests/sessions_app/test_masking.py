"""Secrets in transcripts: masked where they stand, wherever that is; what is none stays readable; always in time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sessions_app import masking, pieces
from sessions_app.query_language import parse
from tests.growth import assert_linear

KEY = "-----BEGIN PRIVATE KEY-----\nEXAMPLEONLY\nabc\n-----END PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("API_TOKEN=tok_EXAMPLE_0000000000000000000000000000", "tok_EXAMPLE"),
        ("export DB_PASSWORD='s3cr3t x'", "s3cr3t x"),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG", "wJalrXUtnFEMI"),
        (KEY, "EXAMPLEONLY"),
        (KEY[:-20], "EXAMPLEONLY"),
        ("https://demo:example-pass@host.example.test/repo.git", "example-pass"),
        ("postgres://app:hunter22@db/x", "hunter22"),
        ("curl -H 'Authorization: Bearer abc.def.ghijkl' x", "abc.def.ghijkl"),
        ("Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
        ("Cookie: session=abcdef123", "abcdef123"),
        ("X-Api-Key: foo1234", "foo1234"),
        ('{"api_key": "abc123def"}', "abc123def"),
        ('{\\"password\\": \\"hunter2x\\"}', "hunter2x"),
        ("client_secret: 8f3k2j5h2k", "8f3k2j5h2k"),
        ("x" * 70_000 + "\nAPI_TOKEN=tok_EXAMPLE_0000", "tok_EXAMPLE_0000"),
    ],
)
def test_a_secret_is_masked(text: str, gone: str) -> None:
    masked = masking.masked(text)
    assert gone not in masked
    assert masking.MASK in masked


@pytest.mark.parametrize(
    "text",
    [
        "MAX_TOKENS=4096",
        "max_tokens: 12000",
        "total_tokens: 5000",
        "password: required",
        "API_KEY=$API_KEY",
        'token = os.environ["TOKEN"]',
        "The token is short and the key: value pair is fine",
        "secret_name: production",
        "git commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "TOKEN=<your token>",
        "password=true",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert masking.masked(text) == text


def test_a_named_argument_is_masked_by_its_name() -> None:
    assert masking.find_named("password", "hunter2")
    assert masking.find_named("api_key", "plain words here")
    assert not masking.find_named("max_tokens", "12000")
    assert not masking.find_named("command", "ls -la")


@pytest.mark.parametrize(
    ("before", "piece", "after"),
    [
        ("", "-----BEGIN PRIVATE KEY-----", ""),
        ("", "token:", ""),
        ("", "a_", "= :"),
        ("password=", "a", ""),
        ("", "A" * 64 + "\n", ""),
        ("", "a", "://@"),
        ("", "authorization:", ""),
        ("", '"secret":"', ""),
    ],
)
def test_the_time_for_a_hostile_text_grows_with_its_length_only(before: str, piece: str, after: str) -> None:
    def look_through(size: int) -> Callable[[], object]:
        text = before + piece * (size // len(piece)) + after
        return lambda: list(masking._more(text))

    assert_linear(look_through, 15_000)


def test_marks_and_masks_do_not_break_each_other() -> None:
    snippet = "see API_TOKEN=\ue000tok\ue001_EXAMPLE_00000000 and \ue000this\ue001"
    shown = pieces.marked_line(snippet)
    assert "tok" not in shown
    assert "EXAMPLE" not in shown
    assert shown.endswith("\ue000this\ue001")
    assert shown.count("\ue000") == shown.count("\ue001")


def test_runs_name_what_cannot_be_seen_and_mark_what_was_found() -> None:
    runs = pieces.runs("find \u202eme API_TOKEN=tok_EXAMPLE_000000 me", parse("me").terms)
    assert [run.kind for run in runs] == ["text", "bidi", "mark", "text", "secret", "text", "mark"]
    assert "".join(run.text for run in pieces.runs("tok me", parse("me").terms, revealed=True)) == "tok me"


def test_a_line_is_plain_text_without_secrets_or_breaks() -> None:
    assert pieces.line("a\nb\u200b \ud83d API_TOKEN=tok_EXAMPLE_000000").startswith("a b⟨U+200B")
    assert "tok_EXAMPLE" not in pieces.line("API_TOKEN=tok_EXAMPLE_000000")
