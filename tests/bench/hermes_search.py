"""Runs inside Hermes' own Python: answers one query a line with its search call's milliseconds and number of hits."""

import json
import logging
import sys
import time
from pathlib import Path

logging.disable(logging.CRITICAL)

from hermes_state import SessionDB  # noqa: E402


def main():
    db = SessionDB(Path(sys.argv[1]))
    for line in sys.stdin:
        question = json.loads(line)
        started = time.perf_counter()
        try:
            count = len(db.search_messages(question["query"], limit=question["limit"]))
        except Exception as error:  # a refusal is an answer, too
            count = -1
            sys.stderr.write(f"{type(error).__name__}\n")
        answer = {"ms": (time.perf_counter() - started) * 1000, "count": count}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


main()
