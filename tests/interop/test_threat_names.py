"""Our threat rules against the real Hermes' own: the same ids in the same order, on both sides of every border."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from memoryhub.threats import RULES, agent_ids
from tests.interop import hermes as real
from tests.interop.threat_texts import changed_text, known_texts

pytestmark = pytest.mark.interop
CHANGED = 20_000


@pytest.fixture(scope="module")
def hermes(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.Hermes]:
    with real.running(hermes_python, tmp_path_factory.mktemp("home")) as running:
        yield running


def in_one_order(ids: Sequence[str]) -> list[str]:
    """Ids with the invisible characters sorted: Hermes names these first, in an order that changes from run to run."""
    invisible = sorted(name for name in ids if name.startswith("invisible_unicode_"))
    return [*invisible, *(name for name in ids if not name.startswith("invisible_unicode_"))]


def assert_named_alike(hermes: real.Hermes, texts: Sequence[str]) -> None:
    theirs = [in_one_order(ids) for ids in hermes.threats(texts)]
    differing = [
        (text[:200], named, list(agent_ids(text)))
        for text, named in zip(texts, theirs, strict=True)
        if named != in_one_order(agent_ids(text))
    ]
    assert differing == []


def test_every_known_text_is_named_as_hermes_names_it(hermes: real.Hermes) -> None:
    assert_named_alike(hermes, known_texts())


def test_every_kind_of_hermes_is_met(hermes: real.Hermes) -> None:
    met = {name for ids in hermes.threats(known_texts()) for name in ids}
    assert {rule.id for rule in RULES if rule.kind == "agent" and rule.pattern} <= met


def test_what_only_we_look_for_passes_hermes(hermes: real.Hermes) -> None:
    for rule in RULES:
        if rule.id in {"hidden_sentence", "disguised_phrase"}:
            assert hermes.threats(rule.examples) == [[] for _ in rule.examples]


@pytest.mark.parametrize("start", range(0, CHANGED, 2_000))
def test_changed_texts_are_named_as_hermes_names_them(hermes: real.Hermes, start: int) -> None:
    texts = known_texts()
    assert_named_alike(hermes, [changed_text(seed, texts) for seed in range(start, start + 2_000)])


def test_all_kinds_at_once_are_named_in_the_same_order(hermes: real.Hermes) -> None:
    everything = "\n".join(rule.examples[0] for rule in reversed(RULES) if rule.kind == "agent")
    assert_named_alike(hermes, [everything])
