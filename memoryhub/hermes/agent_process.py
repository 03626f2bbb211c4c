"""A script run by the agent's own Python: one JSON question in, one JSON answer out, in bounded time and size.

The child is isolated (`-I`), has a clean environment and is ended, with whatever it started, when it takes too long.
Nothing is started on import.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

SECONDS: Final = 20.0  # Hermes needs about one; a cold disk more
MEGABYTES: Final = 2048
MOST_BYTES: Final = 16 << 20


class AgentProblem(Exception):
    """The installed Hermes could not be asked; `str()` says why in a sentence."""


class AgentMissing(AgentProblem):
    """There is no Hermes where it was looked for, or nothing that can be started."""


class AgentTookTooLong(AgentProblem):
    """Hermes did not answer in time and was ended."""


class AgentFailed(AgentProblem):
    """Hermes ended without an answer, or with an error of its own."""


@dataclass(frozen=True)
class Place:
    """Where a child runs: its Hermes home, what it takes for the person's home, and open files that it keeps."""

    hermes_home: Path
    home: Path
    keep: Sequence[int] = ()


def ask(
    python: Path,
    script: Path,
    question: Mapping[str, Any],
    place: Place,
    *,
    seconds: float = SECONDS,
    most_bytes: int = MOST_BYTES,
) -> dict[str, Any]:
    """Return what the script answers. Raises AgentMissing, AgentTookTooLong or AgentFailed.

    The question also tells the child its limits, as `seconds` and `megabytes`.
    """
    limits = {"seconds": int(seconds) + 1, "megabytes": MEGABYTES}
    process = start_child(python, script, place)
    return answer_of(_talk(process, json.dumps({**question, **limits}).encode(), seconds, most_bytes))


def answer_of(data: bytes) -> dict[str, Any]:
    """The JSON object that a child wrote. Raises AgentFailed."""
    try:
        answer = json.loads(data)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise AgentFailed("The installed Hermes ended without an answer.")
    if "error" in answer:
        raise AgentFailed(f"The installed Hermes could not answer: {answer['error']}")
    return answer


def _talk(process: subprocess.Popen[bytes], question: bytes, seconds: float, most_bytes: int) -> bytes:
    late = threading.Event()

    def end() -> None:
        late.set()
        end_child(process)

    clock = threading.Timer(seconds, end)
    clock.start()
    try:
        answer = _exchange(process, question, most_bytes)
    finally:
        clock.cancel()
        end_child(process)
        process.wait()
    if late.is_set():
        raise AgentTookTooLong(f"The installed Hermes did not answer within {seconds:g} seconds and was ended.")
    if len(answer) > most_bytes:
        raise AgentFailed("The installed Hermes answered with more than such an answer can be.")
    return answer


def end_child(process: subprocess.Popen[bytes]) -> None:
    """End the child and whatever it started."""
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _exchange(process: subprocess.Popen[bytes], question: bytes, most_bytes: int) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin as to_child, process.stdout as from_child:
        try:
            to_child.write(question)
            to_child.close()
        except BrokenPipeError:
            return b""
        return from_child.read(most_bytes + 1)


def start_child(python: Path, script: Path, place: Place) -> subprocess.Popen[bytes]:
    """Start a script in the agent's Python. Raises AgentMissing."""
    command = [str(python), "-I", "-B", "-X", "utf8", str(script)]
    environment = {
        "HOME": str(place.home),
        "HERMES_HOME": str(place.hermes_home),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
    }
    if sys.platform == "win32":
        environment |= {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
    try:
        return subprocess.Popen(  # noqa: S603  the program is named by the person, never by a page
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=place.hermes_home,
            env=environment,
            start_new_session=True,
            pass_fds=tuple(place.keep),
        )
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise AgentMissing(f"The Python of the installed Hermes, {command[0]}, cannot be started: {reason}.") from error
