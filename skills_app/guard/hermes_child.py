"""Runs inside the agent's own Python, never in ours: asks the installed Hermes' skills guard about one folder.

One JSON object comes in on standard input, one goes out on standard output; whatever Hermes prints goes to standard
error. The first thing done is to limit this process's own time, memory and files.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

MOST_FINDINGS = 2_000


def limit_self(seconds: int, megabytes: int) -> None:
    """Let the system end this process when it takes too much; where the system cannot, the parent's clock does."""
    try:
        resource = importlib.import_module("resource")
    except ImportError:
        return
    for name, most in (("RLIMIT_CPU", seconds), ("RLIMIT_AS", megabytes << 20), ("RLIMIT_CORE", 0)):
        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (bound, bound))


def version() -> str:
    """The version of the installed package, or "" when it does not say."""
    metadata = importlib.import_module("importlib.metadata")
    try:
        return str(metadata.version("hermes-agent"))
    except metadata.PackageNotFoundError:
        return ""


def scan(guard: Any, folder: str, source: str) -> dict[str, Any]:
    """What the guard says about one folder from one source, and what would follow from it."""
    result = guard.scan_skill(Path(folder), source=source)
    allowed, reason = guard.should_allow_install(result)
    return {
        "verdict": str(result.verdict),
        "trust": str(result.trust_level),
        "allowed": allowed,
        "reason": str(reason),
        "findings": [
            {
                "rule": str(one.pattern_id),
                "severity": str(one.severity),
                "category": str(one.category),
                "file": str(one.file),
                "line": int(one.line),
                "match": str(one.match)[:300],
                "description": str(one.description)[:300],
            }
            for one in list(result.findings)[:MOST_FINDINGS]
        ],
    }


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Everything that was asked; a folder over which the guard stumbles is told by itself."""
    guard = importlib.import_module("tools.skills_guard")
    said: dict[str, Any] = {"version": version(), "scanner": str(getattr(guard, "SCANNER_VERSION", ""))}
    said["skills"] = []
    for folder, source in question["skills"]:
        try:
            said["skills"].append(scan(guard, os.fsdecode(bytes.fromhex(folder)), source))
        except Exception as error:  # whatever the agent's code raises is the answer
            said["skills"].append({"error": f"{type(error).__name__}: {error}"[:300]})
    return said


def main() -> None:
    """Answer the one question of this process's life."""
    answers = os.dup(1)
    os.dup2(2, 1)
    question: dict[str, Any] = json.loads(sys.stdin.buffer.read())
    limit_self(question["seconds"], question["megabytes"])
    try:
        said = answer(question)
    except BaseException as error:  # SystemExit included
        said = {"error": f"{type(error).__name__}: {error}"[:500]}
    with os.fdopen(answers, "wb") as out:
        out.write(json.dumps(said).encode())


if __name__ == "__main__":
    main()
