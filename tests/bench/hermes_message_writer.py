"""Runs inside Hermes' own Python: writes messages at a steady pace and answers each order with milliseconds a write."""

import json
import logging
import sys
import time
from pathlib import Path

logging.disable(logging.CRITICAL)

from hermes_state import SessionDB  # noqa: E402

SESSION = "bench_writer"
TEXT = "the redis build fails since nginx was changed; rolled back, then looked at the logs of {} again. "


def main():
    db = SessionDB(Path(sys.argv[1]))
    db.create_session(SESSION, "cli")
    written = 0
    for line in sys.stdin:
        order = json.loads(line)
        began, took = time.perf_counter(), []
        for number in range(order["count"]):
            time.sleep(max(0.0, began + number / order["per_second"] - time.perf_counter()))
            before = time.perf_counter()
            db.append_message(SESSION, "user", TEXT.format(written) * 4)
            took.append((time.perf_counter() - before) * 1000)
            written += 1
        sys.stdout.write(json.dumps(took) + "\n")
        sys.stdout.flush()


main()
