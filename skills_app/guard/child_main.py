"""Runs in a child process: scans the skills it is asked for, one after another, and says which file it is at.

Started by its path, isolated; the package it belongs to is found beside it. One JSON object a line goes in and out.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import IO, Any

MEGABYTES = 2048


def limit_self() -> None:
    """Let the system refuse more memory than a scan can need; where it cannot, the parent's clock must do."""
    try:
        resource = importlib.import_module("resource")
    except ImportError:
        return
    for name, most in (("RLIMIT_AS", MEGABYTES << 20), ("RLIMIT_CORE", 0)):
        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (bound, hard))


def answer(question: dict[str, Any], said: IO[bytes]) -> dict[str, Any]:
    """Scan one folder; every problem is part of the answer."""
    scanner = importlib.import_module("skills_app.guard.scanner")
    keeping = importlib.import_module("skills_app.keeping")

    def at(path: str) -> None:
        _say(said, {"at": path.encode("utf-8", "replace").decode()})

    try:
        report = scanner.scan_skill(
            Path(os.fsdecode(bytes.fromhex(question["folder"]))),
            limit_seconds=question["limit_seconds"],
            file_seconds=question["file_seconds"],
            skip=question["skip"],
            at=at,
        )
        return {"report": keeping.to_plain(report)}
    except MemoryError:
        return {"error": "it took more memory than a scan may"}
    except BaseException as error:  # whatever went wrong is the answer: never silence
        return {"error": f"{type(error).__name__}: {error}"[:300]}


def _say(said: IO[bytes], line: dict[str, Any]) -> None:
    said.write(json.dumps(line).encode() + b"\n")
    said.flush()


def main() -> None:
    """Answer until there are no more questions."""
    said = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    limit_self()
    importlib.import_module("skills_app.guard.scanner").get_ready()
    for line in sys.stdin.buffer:
        _say(said, answer(json.loads(line), said))


if __name__ == "__main__":
    main()
