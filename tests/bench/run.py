"""``make bench``: our dashboard and our search beside the real Hermes', in one run, with a verdict on each target.

Pairs are interleaved: one start of ours, one of theirs, and so on, so that whatever else the machine does meets both.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.bench import figures, homes, servers, session_corpus, walks
from tests.bench.figures import Target
from tests.bench.search_bench import measure_search
from tests.bench.sessions_bench import measure_pages

PAIRS: Final = 10
REQUESTS: Final = 200
MILLISECONDS_AT: Final = {50: 50, 500: 150}


@dataclass
class Side:
    """What was measured of one dashboard: seconds to the first page, bytes after the walk, seconds a memory page."""

    starts: list[float] = field(default_factory=list)
    resident: list[float] = field(default_factory=list)
    pages: dict[int, list[float]] = field(default_factory=lambda: {size: [] for size in homes.SIZES})
    walked: int = 0


@dataclass
class Results:
    """Both sides, measured in the same run."""

    ours: Side = field(default_factory=Side)
    theirs: Side = field(default_factory=Side)

    def targets(self) -> list[Target]:
        """The verdicts. Absolute times belong to the machine that is named beside them."""
        start = figures.ratio(self.ours.starts, self.theirs.starts)
        memory = figures.ratio(self.ours.resident, self.theirs.resident)
        found = [
            Target("first answered page", f"{start:.2f} × Hermes", "≤ 0.50 ×", start <= 0.5),
            Target("resident memory after the walk", f"{memory:.2f} × Hermes", "≤ 0.75 ×", memory <= 0.75),
        ]
        for size, limit in MILLISECONDS_AT.items():
            p95 = figures.percentile(self.ours.pages[size], 95) * 1000
            found.append(Target(f"memory page, {size} entries, p95", f"{p95:.1f} ms", f"≤ {limit} ms", p95 <= limit))
        return found


def measure(hermes_python: Path, folder: Path, *, pairs: int = PAIRS, requests: int = REQUESTS) -> Results:
    """Measure both dashboards on homes below ``folder``."""
    our_home, their_home = homes.build_demo(folder / "ours"), homes.build_demo(folder / "theirs")
    results = Results()
    for pair in range(pairs):
        with servers.memoryhub(our_home, folder / "data") as dashboard:
            results.ours.starts.append(dashboard.first_page)
            results.ours.walked = len(walks.walk_memoryhub(dashboard))
            results.ours.resident.append(dashboard.resident())
        with servers.hermes(hermes_python, their_home) as dashboard:
            results.theirs.starts.append(dashboard.first_page)
            results.theirs.walked = len(walks.walk_hermes(dashboard))
            results.theirs.resident.append(dashboard.resident())
        _progress(f"pair {pair + 1} of {pairs}")
    sizes = [homes.build_profiles(folder / name) for name in ("our-sizes", "their-sizes")]
    with servers.memoryhub(sizes[0], folder / "data") as ours, servers.hermes(hermes_python, sizes[1]) as theirs:
        _measure_pages(results, ours, theirs, requests)
    return results


def _measure_pages(results: Results, ours: servers.Dashboard, theirs: servers.Dashboard, requests: int) -> None:
    for count in range(requests + 3):
        for size in homes.SIZES:
            query = f"?profile={homes.name_of(size)}"
            pair = ours.seconds(f"/memory/{query}"), theirs.seconds(f"/api/learning/graph{query}")
            if count >= 3:  # the first ones fill caches
                results.ours.pages[size].append(pair[0])
                results.theirs.pages[size].append(pair[1])


def report(results: Results) -> str:
    """Everything measured, as a table and a list of verdicts."""
    ours, theirs = results.ours, results.theirs
    rows = [["median of", "MemoryHub", "Hermes", "ratio in pairs"]]
    for name, our, their, unit in (
        ("start to first answered page", ours.starts, theirs.starts, "ms"),
        ("resident memory after the walk", ours.resident, theirs.resident, "MiB"),
        *((f"memory page, {size} entries", ours.pages[size], theirs.pages[size], "ms") for size in homes.SIZES),
    ):
        rows.append([name, _figure(our, unit), _figure(their, unit), f"{figures.ratio(our, their):.2f}"])
    for size in homes.SIZES:
        p95 = [figures.percentile(side.pages[size], 95) for side in (ours, theirs)]
        rows.append([f"  its p95, {size} entries", *(f"{value * 1000:.1f} ms" for value in p95), ""])
    notes = (
        f"{len(ours.starts)} interleaved pairs of starts; {ours.walked} and {theirs.walked} addresses walked; "
        f"{len(ours.pages[15])} requests a size.\n"
        "Ours is timed to the page behind the door (link, cookie, page), Hermes to its first empty page; its memory\n"
        "page is the data alone (/api/learning/graph), which a browser then still has to draw."
    )
    return "\n\n".join([figures.machine(), figures.table(rows), notes, figures.verdicts(results.targets())])


def _figure(values: Sequence[float], unit: str) -> str:
    median = statistics.median(values)
    return f"{median / 2**20:.1f} MiB" if unit == "MiB" else f"{median * 1000:.1f} ms"


def _progress(line: str) -> None:
    sys.stderr.write(line + "\n")


def main() -> int:
    """Measure, print, and end with 1 when a target was missed."""
    given = _arguments()
    python = given.hermes_python.absolute()
    said: list[str] = []
    missed = 0
    with tempfile.TemporaryDirectory(prefix="memoryhub-bench-") as name:
        if given.part != "sessions":
            results = measure(python, Path(name), pairs=given.pairs, requests=given.requests)
            said.append(report(results))
            missed += sum(not target.kept for target in results.targets())
        if given.part != "memory":
            home = _sessions_home(given, Path(name))
            pages = measure_pages(home, python, Path(name) / "data")
            _progress("session pages measured")
            targets = [*measure_search(home, python), *pages.targets()]
            said += [figures.machine(), figures.table(pages.rows())]
            said.append(figures.verdicts(targets))
            missed += sum(not target.kept for target in targets)
    sys.stdout.write("\n\n".join(said) + "\n")
    return 1 if missed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure MemoryHub beside the real Hermes.")
    default = os.environ.get("MEMORYHUB_TEST_HERMES_PYTHON", ".venv-hermes/bin/python")
    parser.add_argument("--hermes-python", type=Path, default=Path(default))
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--requests", type=int, default=REQUESTS)
    parser.add_argument("--part", choices=("all", "memory", "sessions"), default="all")
    parser.add_argument("--sessions-home", type=Path, help="a home whose state.db is copied; else one is made")
    parser.add_argument("--sessions", type=int, default=session_corpus.SESSIONS)
    parser.add_argument("--messages", type=int, default=session_corpus.MESSAGES)
    given = parser.parse_args()
    if not given.hermes_python.exists():
        parser.error(f"There is no Hermes at {given.hermes_python}; make test installs it in .venv-hermes.")
    return given


def _sessions_home(given: argparse.Namespace, folder: Path) -> Path:
    """A home to which Hermes may write: a copy of the one given, else one made up."""
    home = folder / "sessions"
    if given.sessions_home is None:
        _progress(f"making a home of {given.messages:,} messages")
        return session_corpus.build_sessions(home, given.sessions, given.messages)
    home.mkdir()
    uri = f"{(given.sessions_home / 'state.db').absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as source, closing(sqlite3.connect(home / "state.db")) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = WAL")
    return home


if __name__ == "__main__":
    sys.exit(main())
