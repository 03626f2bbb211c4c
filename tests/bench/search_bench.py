"""Our search beside the search call of the real Hermes, on one state.db, query by query in turn.

``python -m tests.bench.search_bench --home HOME --hermes-python PYTHON``; HOME holds a state.db of a million messages.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sessions_app.query_language import parse
from sessions_app.search import Options, search
from tests.bench import figures
from tests.bench.figures import Target
from tests.bench.queries import LIMIT, QUERIES
from tests.bench.search_beside import Beside, measure_beside

ROUNDS: Final = 5
SLOWEST: Final = 10
P95_MS, WORST_MS, TIMES_QUICKER = 25, 60, 10


@dataclass
class Figures:
    """What one query took, in milliseconds, and what it found."""

    query: str
    ours: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)  # the part of ours that was not waiting for the processor
    theirs: list[float] = field(default_factory=list)
    total: str = ""
    found: int = 0

    @property
    def times(self) -> float:
        """How many times quicker ours is, by the medians."""
        return statistics.median(self.theirs) / statistics.median(self.ours)


@contextmanager
def hermes(python: Path, state_db: Path) -> Iterator[subprocess.Popen[str]]:
    """Hermes' search in a process of its own."""
    script = Path(__file__).with_name("hermes_search.py")
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    environ = {**kept, "HERMES_HOME": str(state_db.parent), "HOME": str(state_db.parent), "PYTHONUTF8": "1"}
    process = subprocess.Popen(
        [str(python), "-I", str(script), str(state_db)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environ,
    )  # fmt: skip
    with process:
        try:
            yield process
        finally:
            process.kill()


def ask(process: subprocess.Popen[str], query: str) -> dict[str, Any]:
    """Hermes' answer to one query."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"query": query, "limit": LIMIT}) + "\n")
    process.stdin.flush()
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer


def measure(state_db: Path, python: Path, *, queries: Sequence[str] = QUERIES, rounds: int = ROUNDS) -> list[Figures]:
    """Ask both in turn; the first round only warms caches. Hermes knows no filters: it gets the words alone."""
    found = [Figures(query) for query in queries]
    with hermes(python, state_db) as process:
        for number in range(rounds + 1):
            for one in found:
                before = time.thread_time()
                results = search(state_db, parse(one.query), Options(limit=LIMIT))
                work = (time.thread_time() - before) * 1000
                answer = ask(process, " ".join(word for word in one.query.split() if ":" not in word))
                one.total = f"{results.total:,}" if results.total_is_exact else f"≥ {results.total:,}"
                one.found = answer["count"]
                if number:
                    one.ours.append(results.ms)
                    one.work.append(work)
                    one.theirs.append(answer["ms"])
    return found


def targets(found: Sequence[Figures]) -> list[Target]:
    """The verdicts. Absolute times belong to the machine that is named beside them."""
    every = [value for one in found for value in one.ours]
    p95, worst = figures.percentile(every, 95), max(statistics.median(one.ours) for one in found)
    slowest = sorted(found, key=lambda one: statistics.median(one.theirs))[-SLOWEST:]
    least = min(one.times for one in slowest)
    return [
        Target("our search, all queries, p95", f"{p95:.1f} ms", f"≤ {P95_MS} ms", p95 <= P95_MS),
        Target("our search, slowest query, median", f"{worst:.1f} ms", f"≤ {WORST_MS} ms", worst <= WORST_MS),
        Target(
            f"the {SLOWEST} slowest for Hermes, least",
            f"{least:.1f} × quicker",
            f"≥ {TIMES_QUICKER} ×",
            least >= TIMES_QUICKER,
        ),
    ]


def measure_search(home: Path, python: Path) -> list[Target]:
    """The verdicts of searching alone and while Hermes writes. Hermes may write to the home; ``python`` is its own."""
    state_db = home / "state.db"
    return [*targets(measure(state_db, python)), *measure_beside(state_db, python).targets()]


def report(found: Sequence[Figures], beside: Beside | None = None) -> str:
    """Everything measured, as a table and a list of verdicts."""
    rows = [["query", "found", "ours", "work", "worst", "Hermes", "quicker"]]
    for one in sorted(found, key=lambda one: -statistics.median(one.theirs)):
        ours, work, theirs = map(statistics.median, (one.ours, one.work, one.theirs))
        figure = (f"{value:.1f}" for value in (ours, work, max(one.ours), theirs))
        rows.append([one.query, one.total, *figure, f"{one.times:.1f} ×"])
    verdicts = [["target", "measured", "promised", ""]]
    every = [*targets(found), *(beside.targets() if beside else ())]
    verdicts += [[t.name, t.measured, t.promised, "kept" if t.kept else "MISSED"] for t in every]
    note = (
        f"Milliseconds, medians of {len(found[0].ours)} rounds, {LIMIT} hits each, both warm, asked in turn. "
        "Work is the part of ours that did not wait for a processor."
    )
    notes = [note, beside.line()] if beside else [note]
    return "\n\n".join([figures.machine(), figures.table(rows), *notes, figures.table(verdicts)])


def main() -> int:
    """Measure, print, and end with 1 when a target was missed."""
    parser = argparse.ArgumentParser(description="Measure our search beside that of the real Hermes.")
    default = os.environ.get("MEMORYHUB_TEST_HERMES_PYTHON", ".venv-hermes/bin/python")
    parser.add_argument("--home", type=Path, required=True, help="a home whose state.db is searched")
    parser.add_argument("--hermes-python", type=Path, default=Path(default))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--beside", action="store_true", help="let Hermes write messages to the home, and search then")
    given = parser.parse_args()
    found = measure(given.home / "state.db", given.hermes_python.absolute(), rounds=given.rounds)
    beside = measure_beside(given.home / "state.db", given.hermes_python.absolute()) if given.beside else None
    sys.stdout.write(report(found, beside) + "\n")
    return 0 if all(target.kept for target in [*targets(found), *(beside.targets() if beside else ())]) else 1


if __name__ == "__main__":
    sys.exit(main())
