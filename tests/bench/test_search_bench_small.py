"""The search bench in small: it measures what it says, and searching does not get in the way of the real Hermes."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.bench import figures, search_bench
from tests.bench.queries import QUERIES
from tests.bench.search_beside import Beside, measure_beside, message_writer

pytestmark = pytest.mark.interop
WRITTEN = 400
SOME = ("redis", '"rolled back"', "nosuchword", "红")


@pytest.fixture(scope="module")
def state_db(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("searched") / "state.db"
    with message_writer(hermes_python, path) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        writer.stdin.write(json.dumps({"count": WRITTEN, "per_second": 1_000_000}) + "\n")
        writer.stdin.flush()
        assert len(json.loads(writer.stdout.readline())) == WRITTEN
    return path


def test_both_are_asked_the_same_and_every_figure_is_reported(hermes_python: Path, state_db: Path) -> None:
    found = search_bench.measure(state_db, hermes_python, queries=SOME, rounds=2)
    assert {(len(one.ours), len(one.work), len(one.theirs)) for one in found} == {(2, 2, 2)}
    with closing(sqlite3.connect(state_db)) as conn:  # another test may have had more written
        ((written,),) = conn.execute("SELECT count(*) FROM messages").fetchall()
    assert written >= WRITTEN
    assert [one.total for one in found] == [str(written), str(written), "0", "0"]
    assert [one.found for one in found] == [search_bench.LIMIT, search_bench.LIMIT, 0, 0]
    text = search_bench.report(found)
    assert all(query in text for query in SOME)
    assert text.count("kept") + text.count("MISSED") == len(search_bench.targets(found)) == 3


def test_hermes_writes_as_quickly_beside_searches(hermes_python: Path, state_db: Path) -> None:
    beside = measure_beside(state_db, hermes_python, seconds=1, pairs=3, pause_ms=100)
    assert len(beside.writes_alone) == len(beside.writes_beside) == 3
    assert beside.of_many
    assert beside.transactions > 0
    assert figures.ratio(beside.writes_beside, beside.writes_alone) < 4  # 1.25 is for make bench: three pairs swing
    assert f"{len(beside.of_many)} of 8 clients in 3 pairs" in beside.line()


def test_a_promise_that_is_not_kept_is_a_missed_target() -> None:
    good = Beside({query: [5.0] * 5 for query in QUERIES}, [5.0], [1.0] * 10, [1.2] * 10, 90.0, 7)
    assert all(target.kept for target in good.targets())
    for worse in (
        {"ours": {query: [26.0] * 5 for query in QUERIES}},
        {"ours": {**good.ours, "the": [61.0] * 3}},
        {"writes_beside": [1.3] * 10},
        {"longest_ms": 251.0},
        {"transactions": 0},
    ):
        assert [one.kept for one in Beside(**{**vars(good), **worse}).targets()].count(False) >= 1, worse
