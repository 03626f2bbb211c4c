"""The bench harness in small: what it measures has the right shape, and the ratios to the real Hermes hold."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sessions_app.query_language import parse
from sessions_app.search import search
from tests.bench import figures, homes, run, session_corpus, sessions_bench


@pytest.fixture(scope="module")
def results(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> run.Results:
    return run.measure(hermes_python, tmp_path_factory.mktemp("bench"), pairs=3, requests=8)


@pytest.mark.interop
def test_we_start_sooner_and_stay_smaller_than_hermes(results: run.Results) -> None:
    _, resident, *_ = results.targets()
    ours, theirs = min(results.ours.starts), min(results.theirs.starts)  # the ones that neighbours disturbed least
    assert ours < 0.8 * theirs, "half is for make bench: three pairs swing"
    assert resident.kept, resident


@pytest.mark.interop
def test_the_walk_reaches_the_pages_of_each_memory_file(results: run.Results) -> None:
    assert results.ours.walked >= 10
    assert results.theirs.walked >= 10


@pytest.mark.interop
def test_ten_times_the_entries_take_less_than_twelve_times_as_long(results: run.Results) -> None:
    pages = results.ours.pages
    assert {len(pages[size]) for size in homes.SIZES} == {8}
    assert sorted(pages[500])[0] < 12 * sorted(pages[50])[0]


@pytest.mark.interop
def test_the_report_names_the_machine_every_measure_and_every_verdict(results: run.Results) -> None:
    text = run.report(results)
    assert "GiB" in text
    for line in ("start to first answered page", "resident memory", "memory page, 15 entries", "memory page, 500"):
        assert line in text
    assert text.count("kept") + text.count("MISSED") == len(results.targets()) == 4


@pytest.mark.interop
def test_the_session_pages_are_measured_alone_and_beside_a_writing_hermes(hermes_python: Path, tmp_path: Path) -> None:
    home = session_corpus.build_sessions(tmp_path / "home", sessions=60, messages=3_000)
    pages = sessions_bench.measure_pages(home, hermes_python, tmp_path / "data", places=6, rounds=1, pairs=1)
    targets = pages.targets()
    assert len(targets) == 9
    assert all(len(values) >= 6 for values in pages.alone.values())
    assert all(pages.beside.values())
    assert pages.transactions > 0
    assert pages.longest_ms > 0
    assert pages.growth < sessions_bench.MEGABYTES
    for kind in sessions_bench.MILLISECONDS:
        assert figures.verdicts(targets).count(kind) == 2


def test_a_made_up_home_has_the_size_asked_for_and_each_needle_so_many_times(tmp_path: Path) -> None:
    home = session_corpus.build_sessions(tmp_path / "home", sessions=40, messages=2_000)
    with closing(sqlite3.connect(home / "state.db")) as conn:
        assert conn.execute("SELECT count(*) FROM sessions").fetchone() == (40,)
        assert conn.execute("SELECT count(*) FROM messages").fetchone() == (2_000,)
        assert conn.execute("SELECT sum(message_count) FROM sessions").fetchone() == (2_000,)
    for needle, count in session_corpus.NEEDLES.items():
        found = search(home / "state.db", parse(needle))
        assert (found.total, found.total_is_exact) == (count, True), needle


@pytest.mark.parametrize(("percent", "expected"), [(50, 10), (95, 19), (100, 20), (1, 1)])
def test_a_percentile_is_a_measured_value(percent: int, expected: int) -> None:
    assert figures.percentile(list(range(20, 0, -1)), percent) == expected


def test_a_ratio_is_the_median_of_pairs_not_of_sides() -> None:
    assert figures.ratio([1, 2, 100], [2, 4, 100]) == 0.5


def test_a_table_lines_its_figures_up() -> None:
    assert figures.table([["a", "1.0"], ["long", "10.25"]]) == "a       1.0\nlong  10.25"


def test_made_up_entries_are_as_long_as_real_ones() -> None:
    lengths = sorted(map(len, homes.entries(500, 7)))
    assert 140 < lengths[250] < 200
