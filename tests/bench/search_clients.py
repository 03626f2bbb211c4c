"""A process with clients that search a state.db in turn, each as fast as it is answered or with pauses.

``python -m tests.bench.search_clients STATE_DB CLIENTS PAUSE_MS``. A line on its input lets them begin, the next lets
them end; it answers with one line: the milliseconds of every search.
"""

from __future__ import annotations

import json
import random
import sys
import threading
from pathlib import Path

from sessions_app.query_language import parse
from sessions_app.search import Options, search
from tests.bench.queries import LIMIT, QUERIES


def client(path: Path, number: int, pause: float, is_over: threading.Event, taken: list[float]) -> None:
    """Search in an order of its own until it is over."""
    rng = random.Random(number)
    while not is_over.wait(pause and rng.uniform(0, 2 * pause)):
        taken.append(search(path, parse(rng.choice(QUERIES)), Options(limit=LIMIT)).ms)


def main() -> None:
    """Obey the lines on the input."""
    path, clients, pause = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) / 1000
    for query in QUERIES:
        search(path, parse(query), Options(limit=LIMIT))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while sys.stdin.readline():
        taken: list[float] = []
        is_over = threading.Event()
        each = [threading.Thread(target=client, args=(path, one, pause, is_over, taken)) for one in range(clients)]
        for thread in each:
            thread.start()
        sys.stdin.readline()
        is_over.set()
        for thread in each:
            thread.join()
        sys.stdout.write(json.dumps(taken) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
