"""The odd kinds of memory files that owners really had, all of them through the same treatment."""

from __future__ import annotations

import pytest

from memoryhub import repair
from memoryhub.entries import EntryRefused
from memoryhub.hermes import files
from memoryhub.hermes.home import Home
from memoryhub.services import memory, undo, writes
from tests.memoryhub.cases import (
    PAGE,
    Put,
    hub,
    kept_bytes,
    mend,
    texts,
    texts_of,
)
from tests.samples.memory.kinds import KINDS

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_listed_without_a_byte_changed(home: Home, put: Put, kind: str) -> None:
    path = put(kind)
    status, document = hub("memory", "list", "--target", "memory")
    assert status == 0
    assert document["used"] == writes.read(home, "memory").used
    assert path.read_bytes() == KINDS[kind]
    assert [p.name for p in home.memories.iterdir()] == ["MEMORY.md"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_takes_an_entry_with_its_old_bytes_kept_or_refuses_in_a_sentence(
    home: Home, put: Put, kind: str
) -> None:
    path, before = put(kind), texts_of(KINDS[kind])
    try:
        memory.entry_add(home, "memory", "Plays chess by mail", **PAGE)
    except (EntryRefused, files.FileProblem) as refused:
        sentence = str(refused)
    else:
        sentence = ""
    if sentence:
        assert sentence.endswith(".")
        assert path.read_bytes() == KINDS[kind]
    else:
        assert texts(home) == [*before, "Plays chess by mail"]
    assert KINDS[kind] in kept_bytes(home)


@pytest.mark.parametrize("kind", KINDS)
def test_every_repair_that_is_offered_works_and_can_be_undone_to_the_byte(home: Home, put: Put, kind: str) -> None:
    path = put(kind)
    for offer in repair.offers(writes.read(home, "memory")):
        repaired = mend(home, offer.code)
        assert path.read_bytes() == offer.data
        assert list(repaired.texts) == list(offer.texts)
        assert repaired.decodable
        undo.change_undo(home, **PAGE)
        assert path.read_bytes() == KINDS[kind]
