"""Limits and switches that we read from config.yaml against those that the real Hermes reads."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryhub.hermes.config import read_config
from tests.interop import hermes as real

pytestmark = pytest.mark.interop

VALUES = (
    *("500", '"500"', "'7_0'", "1_000", "0x10", "010", "0", "-5", "500.7", "true", "no", "null", "~", "", '""', "abc"),
    *("2e3", "1e3", "2.0e+3", ".inf", ".nan", "[1]", "{a: 1}", "99999999999999", "2026-01-01", "1:30", "on", '"off"'),
)
SWITCHES = ("true", "false", "on", "off", "yes", "No", "1", "0", "0.0", "null", '""', '"false"', '"off"', "maybe", "[]")
WHOLE = {
    "nothing": b"",
    "only a comment": b"# hello",
    "another section": b"agent:\n  max_turns: 5\n",
    "memory is null": b"memory:\n",
    "memory is a list": b"memory: [1, 2]\n",
    "memory is a text": b"memory: much\n",
    "a byte-order mark": b"\xef\xbb\xbfmemory:\n  memory_char_limit: 500\n",
    "Windows line ends": b"memory:\r\n  memory_char_limit: 500\r\n",
    "said twice": b"memory:\n  memory_char_limit: 500\nmemory:\n  user_char_limit: 300\n",
    "an anchor": b"a: &m {memory_char_limit: 500}\nmemory: *m\n",
    "a merge": b"a: &m {memory_char_limit: 500}\nmemory:\n  <<: *m\n  user_char_limit: 300\n",
}
UNUSABLE = {
    "a list": b"- memory\n",
    "a text": b"memory",
    "broken": b"memory: {memory_char_limit: 500\n",
    "a tab": b"memory:\n\tmemory_char_limit: 500\n",
    "not UTF-8": b"memory:\n  memory_char_limit: 500 # caf\xe9\n",
    "two documents": b"memory:\n  memory_char_limit: 500\n---\nmemory:\n  memory_char_limit: 600\n",
}


@pytest.fixture(scope="module")
def hermes(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.Hermes]:
    with real.running(hermes_python, tmp_path_factory.mktemp("home")) as running:
        yield running


def assert_reads_alike(hermes: real.Hermes, folder: Path, data: bytes) -> None:
    path = folder / "config.yaml"
    path.write_bytes(data)
    ours, theirs = read_config(path), hermes.ask("config", text=base64.b64encode(data).decode())
    found = {"limits": [ours.memory_limit, ours.user_limit], "enabled": [ours.memory_enabled, ours.user_enabled]}
    assert found == theirs, data


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("name", ["memory_char_limit", "user_char_limit"])
def test_a_limit_is_read_as_hermes_reads_it(hermes: real.Hermes, tmp_path: Path, name: str, value: str) -> None:
    assert_reads_alike(hermes, tmp_path, f"memory:\n  {name}: {value}\n".encode())


@pytest.mark.parametrize("value", SWITCHES)
@pytest.mark.parametrize("name", ["memory_enabled", "user_profile_enabled"])
def test_a_switch_is_read_as_hermes_reads_it(hermes: real.Hermes, tmp_path: Path, name: str, value: str) -> None:
    assert_reads_alike(hermes, tmp_path, f"memory:\n  {name}: {value}\n".encode())


@pytest.mark.parametrize("kind", WHOLE)
def test_an_odd_config_is_read_as_hermes_reads_it(hermes: real.Hermes, tmp_path: Path, kind: str) -> None:
    assert_reads_alike(hermes, tmp_path, WHOLE[kind])


def test_one_bad_limit_spoils_neither_or_both_as_in_hermes(hermes: real.Hermes, tmp_path: Path) -> None:
    assert_reads_alike(hermes, tmp_path, b"memory:\n  memory_char_limit: abc\n  user_char_limit: 300\n")


@pytest.mark.parametrize("kind", UNUSABLE)
def test_an_unusable_config_means_the_defaults_for_both(hermes_python: Path, tmp_path: Path, kind: str) -> None:
    (tmp_path / "home").mkdir()
    with real.running(hermes_python, tmp_path / "home") as fresh:  # a running Hermes goes on with what it read last
        assert_reads_alike(fresh, tmp_path, UNUSABLE[kind])
    assert read_config(tmp_path / "config.yaml").problem
