"""Runs inside the agent's own Python, never in ours: asks the installed Hermes what it makes of two memory files.

One JSON object comes in on standard input, one goes out on standard output; whatever Hermes prints goes to standard
error. The first thing done is to limit this process's own time, memory and files.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any


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


def look(limits: dict[str, int]) -> dict[str, dict[str, Any]]:
    """What the agent makes of the memory files in HERMES_HOME: by target, its entries and the prompt block, or ""."""
    store = importlib.import_module("tools.memory_tool").MemoryStore(
        memory_char_limit=limits["memory"], user_char_limit=limits["user"]
    )
    store.load_from_disk()
    return {
        target: {
            "block": store.format_for_system_prompt(target) or "",
            "entries": list(getattr(store, f"{target}_entries", ())),
        }
        for target in limits
    }


def main() -> None:
    """Answer the one question of this process's life."""
    answers = os.dup(1)
    os.dup2(2, 1)
    question: dict[str, Any] = json.loads(sys.stdin.buffer.read())
    limit_self(question["seconds"], question["megabytes"])
    try:
        answer: dict[str, Any] = {"version": version()}
        if question["limits"]:
            answer["files"] = look(question["limits"])
    except BaseException as error:  # whatever the agent's code raises, SystemExit included, is the answer
        answer = {"error": f"{type(error).__name__}: {error}"[:500]}
    with os.fdopen(answers, "wb") as out:
        out.write(json.dumps(answer).encode())


if __name__ == "__main__":
    main()
