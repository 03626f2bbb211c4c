"""The real Hermes as a child process of the tests: one question, one answer, in JSON lines over pipes."""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DRIVER = Path(__file__).with_name("hermes_driver.py")


def environment(home: Path) -> dict[str, str]:
    """A clean environment in which Hermes knows one home and nothing else of this machine."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
    return {**kept, "HERMES_HOME": str(home), "HOME": str(home), "PYTHONUTF8": "1"}


class Hermes:
    """A running Hermes that is asked about memory files."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, op: str, **arguments: Any) -> dict[str, Any]:
        """The answer to one question; ``{"error": NAME}`` when Hermes raised."""
        self.put(op, **arguments)
        return self.answer()

    def put(self, op: str, **arguments: Any) -> None:
        """Ask without waiting for the answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"op": op, **arguments}) + "\n")
        self._process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """Wait for the answer to what was put."""
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def has_answered(self, within: float) -> bool:
        """Whether an answer comes ``within`` so many seconds."""
        return bool(select.select([self._process.stdout], [], [], within)[0])

    def look(self, data: bytes | None, target: str, limit: int) -> dict[str, Any]:
        """Hermes' entries, used, percent and drift for a file that holds ``data``."""
        return self.ask("look", data=_text(data), target=target, limit=limit)

    def threats(self, texts: Sequence[str]) -> list[list[str]]:
        """The pattern ids that Hermes names for each text."""
        ids: list[list[str]] = self.ask("threats", texts=list(texts))["ids"]
        return ids

    def block(self, data: bytes | None, target: str, limit: int) -> dict[str, Any]:
        """Hermes' prompt block for a file that holds ``data``: ``{"block": text or None}``."""
        return self.ask("block", data=_text(data), target=target, limit=limit)

    def write(
        self, data: bytes | None, target: str, limit: int, calls: Sequence[Sequence[Any]]
    ) -> tuple[list[dict[str, Any]], bytes | None]:
        """What Hermes answers to ``calls`` on a file that holds ``data``, and the bytes it leaves."""
        answer = self.ask("write", data=_text(data), target=target, limit=limit, calls=list(calls))
        assert "error" not in answer, answer
        left = answer["data"]
        return answer["answers"], None if left is None else base64.b64decode(left)


@contextmanager
def running(python: Path, home: Path, driver: Path = DRIVER) -> Iterator[Hermes]:
    """Start Hermes' Python on a driver, and end it afterwards."""
    process = subprocess.Popen(
        [str(python), "-I", str(driver)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env=environment(home),
    )
    with process:
        try:
            yield Hermes(process)
        finally:
            process.kill()


def _text(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()
