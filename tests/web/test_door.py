"""Tokens, passwords and fingerprints, as pure functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from memoryhub.web import door, passwords
from memoryhub.web.logs import without_token


def test_a_pasted_link_and_a_pasted_token_are_both_found() -> None:
    token = door.new_token()
    for pasted in (token, f" http://127.0.0.1:8765/open/{token}/\n", f"http://[::1]:1/open/{token}"):
        assert door.find_token(pasted) == token


@pytest.mark.parametrize(
    "pasted", ["", "   ", "/", "http://127.0.0.1:8765/", "memoryhub open", "x" * 42, "x" * 44, "é" * 43]
)
def test_other_text_holds_no_token(pasted: str) -> None:
    assert door.find_token(pasted) is None


def test_a_password_matches_its_own_hash_only() -> None:
    kept = door.password_hash("correct horse battery")
    assert door.password_matches("correct horse battery", kept)
    assert not door.password_matches("correct horse batterY", kept)
    assert "correct" not in kept


@pytest.mark.parametrize("kept", ["", "scrypt:", "scrypt:zz:00", "md5:00:00", "scrypt:00:", "plain text"])
def test_a_line_that_we_did_not_write_matches_no_password(kept: str) -> None:
    assert not door.password_matches("", kept)


def test_the_kept_password_is_private_and_can_be_removed(tmp_path: Path) -> None:
    passwords.write(tmp_path / "data", "correct horse battery")
    assert (tmp_path / "data" / "password").stat().st_mode & 0o777 == 0o600
    assert door.password_matches("correct horse battery", passwords.read(tmp_path / "data"))
    assert passwords.remove(tmp_path / "data")
    assert not passwords.remove(tmp_path / "data")
    assert passwords.read(tmp_path / "data") == ""


def test_after_five_wrong_passwords_a_minute_must_pass() -> None:
    now = [0.0]
    guesses = passwords.Guesses(clock=lambda: now[0])
    assert [guesses.take() for _ in range(6)] == [True] * 5 + [False]
    now[0] = 59.9
    assert not guesses.take()
    now[0] = 60.1
    assert guesses.take()
    guesses.forgive()
    assert [guesses.take() for _ in range(5)] == [True] * 5


def test_homes_have_different_fingerprints_even_with_odd_names() -> None:
    assert len({door.fingerprint(key) for key in ("/a", "/b", "/a/\udce9", "/ä")}) == 4


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/memory/?q=secret", "/memory/"),
        ("/open/abc-_123/", "/open/…/"),
        ("/open/", "/open/"),
        ("/open/a?b", "/open/…"),
    ],
)
def test_logged_paths_hold_no_token_and_no_query(path: str, shown: str) -> None:
    assert without_token(path) == shown
