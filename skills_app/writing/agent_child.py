"""Runs inside the agent's own Python, never in ours: has the installed Hermes make skill writes, and says how it went.

One JSON object a line comes in on standard input, one goes out on standard output; whatever Hermes prints goes to
standard error. Needs nothing but the standard library and Hermes.
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import json
import os
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
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


@contextlib.contextmanager
def past_guard(wanted: bool) -> Iterator[bool]:
    """Switch the guard of skill writes off for a block, in this process only; False when there is no such switch."""
    known = vars(importlib.import_module("tools.skill_manager_tool"))
    switch = known.get("_guard_agent_created_enabled")
    if not wanted or switch is None:
        yield False
        return
    known["_guard_agent_created_enabled"] = lambda: False
    try:
        yield True
    finally:
        known["_guard_agent_created_enabled"] = switch


def apply(steps: list[dict[str, Any]], by_agent: bool) -> list[dict[str, Any]]:
    """Make the writes one after the other until one is refused; what Hermes answers to each."""
    tool = importlib.import_module("tools.skill_manager_tool")
    answers = []
    for step in steps:
        try:
            answer = json.loads(tool.apply_skill_pending(step))
        except Exception as error:  # a write that makes Hermes fail is refused, and the next is not tried
            answer = {"success": False, "error": f"{type(error).__name__}: {error}"[:500]}
        answers.append(
            {"ok": bool(answer.get("success")), "said": str(answer.get("error") or answer.get("message") or "")}
        )
        if not answers[-1]["ok"]:
            break
        if by_agent and step.get("action") == "create":
            importlib.import_module("tools.skill_usage").mark_agent_created(step["name"])
    return answers


def rehearse(job: dict[str, Any]) -> dict[str, Any]:
    """Make the writes on a copy: ``files`` (base64 by path below skills) before, the same and the answers after."""
    skills = Path(os.environ["HERMES_HOME"]) / "skills"
    shutil.rmtree(skills, ignore_errors=True)
    skills.mkdir()
    for name, data in job["files"].items():
        path = skills / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(data))
    answers = apply(job["steps"], False)
    after = {
        path.relative_to(skills).as_posix(): base64.b64encode(path.read_bytes()).decode()
        for path in skills.rglob("*")
        if path.is_file() and path.relative_to(skills).parts[0][0] != "."
    }
    return {"answers": answers, "files": after}


def respond(question: dict[str, Any]) -> dict[str, Any]:
    """The answer to one question; an open file that comes with it is held until then."""
    held = received(question.get("socket"))
    try:
        with past_guard(question["past_guard"]) as is_past:
            answer: dict[str, Any] = {"version": version(), "past_guard": is_past}
            if "jobs" in question:
                answer["jobs"] = [rehearse(job) for job in question["jobs"]]
            else:
                answer["answers"] = apply(question["steps"], question["by_agent"])
            return answer
    except BaseException as error:  # whatever the agent's code raises, SystemExit included, is the answer
        return {"error": f"{type(error).__name__}: {error}"[:500]}
    finally:
        for handle in held:
            os.close(handle)


def received(number: int | None) -> list[int]:
    """The open file that was sent along, by the socket with this number."""
    if number is None:
        return []
    with socket.socket(fileno=os.dup(number)) as line:
        return socket.recv_fds(line, 1, 1)[1]


def main() -> None:
    """Answer questions, one JSON object a line, until there are no more."""
    out = os.dup(1)
    os.dup2(2, 1)
    limited = False
    with os.fdopen(out, "wb") as stream:
        for line in sys.stdin.buffer:
            question: dict[str, Any] = json.loads(line)
            if not limited:
                limit_self(question["seconds"], question["megabytes"])
                limited = True
            stream.write(json.dumps(respond(question)).encode() + b"\n")
            stream.flush()


if __name__ == "__main__":
    main()
