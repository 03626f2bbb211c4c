"""Our reading of memory files against the real Hermes': entries, used, percent and drift, for every shape of file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryhub import entries
from tests.interop import hermes as real
from tests.interop.odd_files import odd_file
from tests.samples.memory.kinds import KINDS

pytestmark = pytest.mark.interop
GENERATED = 2000


@pytest.fixture(scope="module")
def hermes(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.Hermes]:
    with real.running(hermes_python, tmp_path_factory.mktemp("home")) as running:
        yield running


def assert_reads_alike(hermes: real.Hermes, data: bytes | None, target: str, limit: int) -> None:
    ours, theirs = entries.parse(data, target, limit), hermes.look(data, target, limit)
    if "error" in theirs:
        assert theirs["error"] == "UnicodeDecodeError"
        assert not ours.decodable, f"Hermes cannot read {data!r}, we say that it can"
        return
    assert ours.decodable, f"Hermes reads {data!r}, we say that it cannot"
    found = {"entries": list(ours.agent_entries), "used": ours.used, "percent": ours.percent, "drift": ours.drift}
    assert found == theirs, f"{data!r} with limit {limit}"


@pytest.mark.parametrize("kind", KINDS)
def test_each_odd_kind_reads_as_hermes_reads_it(hermes: real.Hermes, kind: str) -> None:
    for target, limit in (("memory", 2200), ("user", 1375), ("memory", 30)):
        assert_reads_alike(hermes, KINDS[kind], target, limit)


def test_no_file_reads_as_hermes_reads_it(hermes: real.Hermes) -> None:
    assert_reads_alike(hermes, None, "memory", 2200)


@pytest.mark.parametrize("start", range(0, GENERATED, 100))
def test_generated_files_read_as_hermes_reads_them(hermes: real.Hermes, start: int) -> None:
    for seed in range(start, start + 100):
        data, limit = odd_file(seed)
        assert_reads_alike(hermes, data, ("memory", "user")[seed % 2], limit)


def test_every_percent_is_the_one_that_hermes_prints(hermes: real.Hermes) -> None:
    limits = (2200, 1375, 100, 50, 150, 500, 1000, 7, 1, 0, -5)
    pairs = [(used, limit) for limit in limits for used in range(min(2300, 2 * abs(limit) + 3))]
    theirs = hermes.ask("percents", pairs=pairs)["percents"]
    ours = [entries.parse(b"x" * used, "memory", limit).percent for used, limit in pairs]
    assert [(p, o, t) for p, o, t in zip(pairs, ours, theirs, strict=True) if o != t] == []


def test_the_generator_makes_every_verdict_often(hermes: real.Hermes) -> None:
    files = [entries.parse(data, "memory", limit) for data, limit in map(odd_file, range(GENERATED))]
    assert sum(file.drift for file in files) > 100
    assert sum(not file.decodable for file in files) > 30
    assert sum(len(file.entries) != len(file.agent_entries) for file in files) > 30
    assert sum(file.used > file.limit for file in files) > 50


def test_what_we_write_reads_back_in_hermes_without_drift(hermes: real.Hermes) -> None:
    for seed in range(200):
        data, limit = odd_file(seed)
        ours = entries.parse(data, "memory", limit)
        if not ours.decodable or not ours.entries:
            continue
        try:
            written = entries.checked_bytes(ours.texts)
        except entries.EntryRefused:
            continue
        theirs = hermes.look(written, "memory", 100_000)
        assert theirs["entries"] == list(dict.fromkeys(ours.texts)), f"{data!r}"
        assert not theirs["drift"], f"{data!r}"


def test_an_add_by_hermes_leaves_what_our_serializer_writes(hermes: real.Hermes) -> None:
    for kind, data in KINDS.items():
        ours = entries.parse(data, "memory", 100_000)
        if not ours.decodable:
            continue
        [answer], left = hermes.write(data, "memory", 100_000, [["add", "One fact more"]])
        assert answer["success"], f"{kind}: {answer}"
        assert left == entries.serialize([*ours.agent_entries, "One fact more"]), kind


@pytest.mark.parametrize("room", [-1, 0, 1])
def test_hermes_takes_exactly_what_we_say_there_is_room_for(hermes: real.Hermes, room: int) -> None:
    for data in (None, b"", b"Ten chars.", "Ten chars.\n§\n茶🧭".encode(), "A\n§\nB\n§\nA".encode()):
        ours = entries.parse(data, "memory", 60)
        [answer], _ = hermes.write(data, "memory", 60, [["add", "n" * (ours.room_for_one_more + room)]])
        assert answer["success"] is (room <= 0), f"{data!r}: {answer}"
