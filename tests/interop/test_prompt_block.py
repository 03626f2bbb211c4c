"""Our prompt block against the real Hermes' own, to the character."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryhub import entries
from memoryhub.hermes import agent, prompt
from memoryhub.hermes.home import FILE_NAMES
from tests.interop import hermes as real
from tests.interop.odd_files import odd_file
from tests.interop.threat_texts import known_texts
from tests.samples.memory.kinds import KINDS

pytestmark = pytest.mark.interop
GENERATED = 600


@pytest.fixture(scope="module")
def hermes(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.Hermes]:
    with real.running(hermes_python, tmp_path_factory.mktemp("home")) as running:
        yield running


def ours(data: bytes | None, target: str, limit: int) -> str | None:
    memory = entries.parse(data, target, limit)
    block = prompt.block(memory.agent_entries, target, limit, file_name=FILE_NAMES[target])
    return block.text or None


def assert_same_block(hermes: real.Hermes, data: bytes | None, target: str, limit: int) -> None:
    theirs = hermes.block(data, target, limit)
    if theirs.get("error") == "UnicodeDecodeError":
        return
    block = ours(data, target, limit)
    assert (block is None) == (theirs["block"] is None)
    # Only the order in which invisible characters are named may differ: Hermes' own changes from run to run.
    assert prompt.same_block(block or "", theirs["block"] or ""), f"{data!r}, limit {limit}: {block!r} {theirs}"


@pytest.mark.parametrize("kind", KINDS)
def test_each_odd_kind_has_the_block_of_hermes(hermes: real.Hermes, kind: str) -> None:
    for target, limit in (("memory", 2200), ("user", 1375), ("memory", 30)):
        assert_same_block(hermes, KINDS[kind], target, limit)


def test_no_file_has_no_block(hermes: real.Hermes) -> None:
    assert_same_block(hermes, None, "memory", 2200)


@pytest.mark.parametrize("start", range(0, GENERATED, 100))
def test_generated_files_have_the_block_of_hermes(hermes: real.Hermes, start: int) -> None:
    for seed in range(start, start + 100):
        data, limit = odd_file(seed)
        assert_same_block(hermes, data, ("memory", "user")[seed % 2], limit)


@pytest.mark.parametrize("target", ["memory", "user"])
def test_files_with_blocked_entries_have_the_block_of_hermes(hermes: real.Hermes, target: str) -> None:
    texts = [text for text in known_texts() if len(text) < 400]
    for seed in range(200):
        rng = random.Random(seed)
        chosen = rng.sample(texts, rng.randint(1, 12)) + rng.choices(["[BLOCKED: note", "plain", "ok §5"], k=2)
        data = "\n§\n".join(rng.sample(chosen, len(chosen))).encode()
        assert_same_block(hermes, data, target, rng.choice((2200, 1375, 100, 9)))


def test_the_installed_hermes_is_asked_by_us_as_the_tests_ask_it(hermes_python: Path) -> None:
    data = "plain\n§\nGame: Havoc\n§\n[BLOCKED: Havoc".encode()
    assert agent.version(hermes_python) == "0.19.0"
    for target, limit in (("memory", 2200), ("user", 1375)):
        memory = entries.parse(data, target, limit)
        expected = prompt.block(memory.agent_entries, target, limit, file_name=FILE_NAMES[target])
        assert agent.prompt_block(hermes_python, data, target, limit) == expected


def test_the_installed_hermes_says_when_it_cannot_read_a_file(hermes_python: Path) -> None:
    with pytest.raises(agent.AgentFailed, match="UnicodeDecodeError"):
        agent.prompt_block(hermes_python, b"caf\xe9", "memory", 2200)
