"""The session pages on a home of a million messages: quick, small, and no burden to a Hermes that writes meanwhile."""

from __future__ import annotations

import itertools
import random
import sqlite3
import statistics
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote

from tests.bench import figures, servers
from tests.bench.figures import Target
from tests.bench.queries import QUERIES
from tests.bench.read_locks import ReadLocks
from tests.bench.search_beside import message_writer, write

MILLISECONDS: Final = {"search page": 120, "list page": 40, "conversation at any message": 60}
MEGABYTES, CLIENTS = 60, 8
LATENCY, TRANSACTION_MS = 1.25, 250
PAIRS: Final = 12
PLACES: Final = 60
WARM: Final = 3  # requests that fill caches
_LISTS: Final = ("", "?all=1", "?source=telegram", "?model=gpt-5&tools=1", "?since=2026-01-01", "?archived=1")

Addresses = Mapping[str, Sequence[str]]


@dataclass
class Pages:
    """Milliseconds of each kind of page, alone and while Hermes writes; the rest of what is promised."""

    alone: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in MILLISECONDS})
    beside: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in MILLISECONDS})
    growth: float = 0.0
    writes_alone: list[float] = field(default_factory=list)
    writes_beside: list[float] = field(default_factory=list)
    longest_ms: float = 0.0
    transactions: int = 0

    def targets(self) -> list[Target]:
        """The verdicts. Absolute times belong to the machine that is named beside them."""
        found = []
        for times, words in ((self.alone, ""), (self.beside, ", Hermes writing")):
            for kind, limit in MILLISECONDS.items():
                p95 = figures.percentile(times[kind], 95)
                found.append(Target(f"{kind}{words}, p95", f"{p95:.1f} ms", f"≤ {limit} ms", p95 <= limit))
        ratio = figures.ratio(self.writes_beside, self.writes_alone)
        name = f"memory growth, {CLIENTS} clients searching"
        found.append(Target(name, f"{self.growth:.1f} MB", f"< {MEGABYTES} MB", self.growth < MEGABYTES))
        found.append(Target("Hermes' write, beside / alone", f"{ratio:.2f} ×", f"≤ {LATENCY} ×", ratio <= LATENCY))
        is_short = self.transactions > 0 and self.longest_ms <= TRANSACTION_MS
        name = "longest read transaction"
        return [*found, Target(name, f"{self.longest_ms:.0f} ms", f"≤ {TRANSACTION_MS} ms", is_short)]

    def rows(self) -> list[list[str]]:
        """Medians, p95 and worst of each kind of page."""
        found = [["page", "requests", "median", "p95", "worst"]]
        for times, words in ((self.alone, ""), (self.beside, ", Hermes writing")):
            for kind, values in times.items():
                shown = (statistics.median(values), figures.percentile(values, 95), max(values))
                found.append([f"{kind}{words}", str(len(values)), *(f"{one:.1f} ms" for one in shown)])
        return found


def measure_pages(
    home: Path, python: Path, data: Path, *, places: int = PLACES, rounds: int = 3, pairs: int = PAIRS
) -> Pages:
    """Measure on a home to which Hermes may write; `python` is Hermes' own."""
    found = Pages()
    with servers.memoryhub(home, data) as dashboard:
        idle = dashboard.resident()
        asked = addresses(home / "state.db", places)
        for address in asked["list page"][:WARM]:
            dashboard.seconds(address)
        for kind, some in asked.items():
            # A conversation is opened once: whoever opens it has not been there before.
            for address in some if kind.startswith("conversation") else [*some] * rounds:
                found.alone[kind].append(dashboard.seconds(address) * 1000)
        found.growth = (_most_resident(dashboard, asked["search page"]) - idle) / 1_000_000
        with message_writer(python, home / "state.db") as writer:
            for _ in range(pairs):
                _measure_pair(found, dashboard, writer, home / "state.db", asked)
    return found


def addresses(state_db: Path, places: int) -> dict[str, list[str]]:
    """Addresses of each kind of page; of conversations the longest one and any others, at any of their messages."""
    rng = random.Random(places)
    with closing(sqlite3.connect(f"{state_db.absolute().as_uri()}?mode=ro", uri=True)) as conn:
        (longest,) = conn.execute(
            "SELECT session_id FROM messages GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"
        ).fetchone()
        (last,) = conn.execute("SELECT max(id) FROM messages").fetchone()
        long = [row[0] for row in conn.execute("SELECT id FROM messages WHERE session_id = ?", (longest,))]
        chosen = [(rng.choice(long), longest) for _ in range(places // 3)]
        for _ in range(places - len(chosen)):
            chosen += conn.execute("SELECT id, session_id FROM messages WHERE id >= ? LIMIT 1", (rng.randint(1, last),))
    searched = itertools.cycle(("", "", f"&q={quote('docker deployment')}", "&q=redis"))
    return {
        "search page": [f"/sessions/?q={quote(query)}" for query in QUERIES],
        "list page": [f"/sessions/{query}" for query in _LISTS],
        "conversation at any message": [f"/sessions/{name}/?at={one}{next(searched)}" for one, name in chosen],
    }


def _most_resident(dashboard: servers.Dashboard, some: Sequence[str]) -> int:
    """The most memory that the server takes while clients ask for pages, each in an order of its own."""

    def ask(number: int) -> None:
        with closing(servers.Dashboard(dashboard.process, dashboard.port, 0.0, dict(dashboard.headers))) as client:
            for address in random.Random(number).sample(some, len(some)):
                client.seconds(address)

    clients = [threading.Thread(target=ask, args=(number,)) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    most = dashboard.resident()
    while any(client.is_alive() for client in clients):
        most = max(most, dashboard.resident())
        clients[0].join(0.05)
    return max(most, dashboard.resident())


def _measure_pair(
    found: Pages, dashboard: servers.Dashboard, writer: subprocess.Popen[str], state_db: Path, asked: Addresses
) -> None:
    """Let Hermes write for a second alone, then for a second while pages are asked for one after the other."""
    found.writes_alone.append(write(writer, 1))
    rng = random.Random(len(found.writes_alone))
    waiting = threading.Thread(target=lambda: found.writes_beside.append(write(writer, 1)))
    with ReadLocks(state_db, dashboard.process.pid) as locks:
        waiting.start()
        while waiting.is_alive():
            for kind, some in asked.items():
                found.beside[kind].append(dashboard.seconds(rng.choice(some)) * 1000)
    found.longest_ms = max(found.longest_ms, locks.longest * 1000)
    found.transactions += locks.seen
