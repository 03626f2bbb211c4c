"""Searching while the real Hermes writes fifty messages a second into the same file: how quick, and at whose cost.

The writer is measured in pairs: a second alone, then a second beside clients that search.
"""

from __future__ import annotations

import itertools
import json
import statistics
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sessions_app.query_language import parse
from sessions_app.search import Options, search
from tests.bench import figures
from tests.bench.figures import Target
from tests.bench.queries import LIMIT, QUERIES
from tests.bench.read_locks import ReadLocks
from tests.interop.hermes import environment

CLIENTS, PAUSE_MS = 8, 250  # a person waits between two searches
PER_SECOND, SECONDS, PAIRS = 50, 20, 12
P95_MS, WORST_MS, LATENCY, TRANSACTION_MS = 25, 60, 1.25, 250
_ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass
class Beside:
    """What was measured: milliseconds of searches while Hermes writes, of one client and of many; of its writes."""

    ours: dict[str, list[float]] = field(default_factory=dict)
    of_many: list[float] = field(default_factory=list)
    writes_alone: list[float] = field(default_factory=list)
    writes_beside: list[float] = field(default_factory=list)
    longest_ms: float = 0.0
    transactions: int = 0

    def targets(self) -> list[Target]:
        """The verdicts. Absolute times belong to the machine that is named beside them."""
        every = [value for some in self.ours.values() for value in some]
        p95, worst = figures.percentile(every, 95), max(map(statistics.median, self.ours.values()))
        times = figures.ratio(self.writes_beside, self.writes_alone)
        is_short = self.transactions > 0 and self.longest_ms <= TRANSACTION_MS
        return [
            Target("our search, Hermes writing, p95", f"{p95:.1f} ms", f"≤ {P95_MS} ms", p95 <= P95_MS),
            Target("the same, slowest query, median", f"{worst:.1f} ms", f"≤ {WORST_MS} ms", worst <= WORST_MS),
            Target(
                f"Hermes' write, {CLIENTS} clients searching / alone",
                f"{times:.2f} ×",
                f"≤ {LATENCY} ×",
                times <= LATENCY,
            ),
            Target(
                "longest read transaction of a search", f"{self.longest_ms:.0f} ms", f"≤ {TRANSACTION_MS} ms", is_short
            ),
        ]

    def line(self) -> str:
        """What the verdicts do not say."""
        alone, beside = statistics.median(self.writes_alone), statistics.median(self.writes_beside)
        return (
            f"{sum(map(len, self.ours.values()))} searches of one client beside {PER_SECOND} writes a second, "
            f"{len(self.of_many)} of {CLIENTS} clients in {len(self.writes_alone)} pairs (their p95 "
            f"{figures.percentile(self.of_many, 95):.1f} ms, worst {max(self.of_many):.0f} ms); a write takes "
            f"{alone:.2f} ms alone, {beside:.2f} ms beside them; {self.transactions} read transactions seen."
        )


def measure_beside(
    state_db: Path, python: Path, *, seconds: int = SECONDS, pairs: int = PAIRS, pause_ms: int = PAUSE_MS
) -> Beside:
    """Measure on a file to which Hermes may write; `python` is Hermes' own."""
    found = Beside({query: [] for query in QUERIES})
    with message_writer(python, state_db) as writer:
        for query in QUERIES:
            search(state_db, parse(query), Options(limit=LIMIT))
        waiting = threading.Thread(target=write, args=(writer, seconds))
        waiting.start()
        for query in itertools.cycle(QUERIES):
            if not waiting.is_alive():
                break
            found.ours[query].append(search(state_db, parse(query), Options(limit=LIMIT)).ms)
        with searching(state_db, pause_ms) as clients, ReadLocks(state_db, clients.pid) as locks:
            for _ in range(pairs):
                found.writes_alone.append(write(writer, 1))
                _say(clients)
                found.writes_beside.append(write(writer, 1))
                found.of_many += json.loads(_say(clients, waits=True))
        found.longest_ms, found.transactions = locks.longest * 1000, locks.seen
    return found


@contextmanager
def message_writer(python: Path, state_db: Path) -> Iterator[subprocess.Popen[str]]:
    """The real Hermes, ready to write messages."""
    script = Path(__file__).with_name("hermes_message_writer.py")
    process = subprocess.Popen(
        [str(python), "-I", str(script), str(state_db)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, env=environment(state_db.parent),
    )  # fmt: skip
    with process:
        try:
            yield process
        finally:
            process.kill()


def write(writer: subprocess.Popen[str], seconds: int) -> float:
    """Let Hermes write for some seconds; the median milliseconds of its writes."""
    assert writer.stdin is not None
    assert writer.stdout is not None
    writer.stdin.write(json.dumps({"count": PER_SECOND * seconds, "per_second": PER_SECOND}) + "\n")
    writer.stdin.flush()
    return statistics.median(json.loads(writer.stdout.readline()))


@contextmanager
def searching(state_db: Path, pause_ms: int) -> Iterator[subprocess.Popen[str]]:
    """Clients in a process of their own, ready to search."""
    arguments: Sequence[str] = (str(state_db), str(CLIENTS), str(pause_ms))
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.search_clients", *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_ROOT,
    )  # fmt: skip
    with process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process
        finally:
            process.kill()


def _say(clients: subprocess.Popen[str], *, waits: bool = False) -> str:
    assert clients.stdin is not None
    assert clients.stdout is not None
    clients.stdin.write("\n")
    clients.stdin.flush()
    return clients.stdout.readline() if waits else ""
