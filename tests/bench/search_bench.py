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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sessions_app.query_language import parse
from sessions_app.search import Options, search
from tests.bench import figures
from tests.bench.figures import Target

LIMIT: Final = 50
ROUNDS: Final = 5
SLOWEST: Final = 10
P95_MS, WORST_MS, TIMES_QUICKER = 25, 60, 10
# Rare, common and very common words, phrases, Chinese and Japanese, code, filters, and words nobody wrote.
QUERIES: Final = (
    "zyxquartz", "Müllerstraße", "deprecated", "timeout", "docker", "terraform", "self", "the", "return",
    "docker deployment", "redis celery", "kubernetes NOT docker", "nginx OR systemd", '"in the"', '"fix the failing"',
    "紫砂", "漓江", "蓝鲸计划", "データベース", "的", "heliotrope-lattice", "qq7.4.2-rc1", "C++",
    "my-app.config.ts", "node_modules",
    "depl*", "docker source:telegram", "postgres role:user after:2026-04", "nosuchwordanywhere", "zzqq.nothing.here",
)  # fmt: skip


@dataclass
class Figures:
    """What one query took, in milliseconds, and what it found."""

    query: str
    ours: list[float] = field(default_factory=list)
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
                results = search(state_db, parse(one.query), Options(limit=LIMIT))
                answer = ask(process, " ".join(word for word in one.query.split() if ":" not in word))
                one.total = f"{results.total:,}" if results.total_is_exact else f"≥ {results.total:,}"
                one.found = answer["count"]
                if number:
                    one.ours.append(results.ms)
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


def report(found: Sequence[Figures]) -> str:
    """Everything measured, as a table and a list of verdicts."""
    rows = [["query", "found", "ours", "worst", "Hermes", "quicker"]]
    for one in sorted(found, key=lambda one: -statistics.median(one.theirs)):
        ours, theirs = statistics.median(one.ours), statistics.median(one.theirs)
        rows.append(
            [one.query, one.total, f"{ours:.1f}", f"{max(one.ours):.1f}", f"{theirs:.1f}", f"{one.times:.1f} ×"]
        )
    verdicts = [["target", "measured", "promised", ""]]
    verdicts += [[t.name, t.measured, t.promised, "kept" if t.kept else "MISSED"] for t in targets(found)]
    note = f"Milliseconds, medians of {len(found[0].ours)} rounds, {LIMIT} hits each, both warm, asked in turn."
    return "\n\n".join([figures.machine(), figures.table(rows), note, figures.table(verdicts)])


def main() -> int:
    """Measure, print, and end with 1 when a target was missed."""
    parser = argparse.ArgumentParser(description="Measure our search beside that of the real Hermes.")
    default = os.environ.get("MEMORYHUB_TEST_HERMES_PYTHON", ".venv-hermes/bin/python")
    parser.add_argument("--home", type=Path, required=True, help="a home whose state.db is searched")
    parser.add_argument("--hermes-python", type=Path, default=Path(default))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    found = measure(given.home / "state.db", given.hermes_python.absolute(), rounds=given.rounds)
    sys.stdout.write(report(found) + "\n")
    return 0 if all(target.kept for target in targets(found)) else 1


if __name__ == "__main__":
    sys.exit(main())
