"""Long tool outputs for made-up conversations: log lines as servers and tests print them."""

from __future__ import annotations

import random
from typing import Final

_LINES: Final = (
    "INFO  ledger.worker      job {n} done in 0.{m} s",
    "INFO  ledger.web         GET /invoices/{n} 200 {m} ms",
    "INFO  ledger.web         POST /payments 201 {m} ms",
    "DEBUG ledger.vat         rate 21% for line {n}",
    "WARN  ledger.mail        retry {m} for message {n}",
    "INFO  tidewatch.fetch    station {m}: {n} rows, newest 00:{m}",
    "WARN  tidewatch.fetch    station {m} answered slowly ({n} ms)",
    "INFO  caddy              handled request status=200 duration=0.0{m}",
    "ERROR kiosk.printer      paper low on printer {m}",
    "INFO  kiosk.till         receipt {n} printed",
    "INFO  docker             container kiosk-{m} healthy",
    "DEBUG homeassistant      sensor.study_temperature = {m}.{d}",
    "INFO  pytest             tests/test_{w}.py::test_{v} PASSED",
    "INFO  pip                Requirement already satisfied: {w}-{v}",
)
_WORDS: Final = ("invoice", "rounding", "customer", "station", "export", "login", "printer", "calendar", "backup")
_MORE_WORDS: Final = ("empty", "twice", "late", "utc", "order", "limits", "unicode", "header", "restart")


# Commands that print much before they come to the point.
_CHATTY: Final = ("make ", "pytest", "build", "journalctl", "airflow tasks run", "scripts/", "mock_server")


def is_chatty(command: str) -> bool:
    """Say whether a command prints a log before its result."""
    return any(word in command for word in _CHATTY)


def log_lines(rng: random.Random, count: int) -> str:
    """Return so many lines of a log, in the order of their times."""
    hour = rng.randint(7, 22)
    seconds = sorted(rng.sample(range(3_600), count))
    return "\n".join(f"{hour:02d}:{at // 60:02d}:{at % 60:02d} {_line(rng)}" for at in seconds)


def _line(rng: random.Random) -> str:
    return rng.choice(_LINES).format(
        n=rng.randint(1_000, 99_999),
        m=rng.randint(10, 59),
        d=rng.randint(0, 9),
        w=rng.choice(_WORDS),
        v=rng.choice(_MORE_WORDS),
    )
