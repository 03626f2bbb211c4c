"""The installed Hermes as a child process: what it would put into the prompt, said by itself.

The child is isolated (`-I`), has a clean environment and a home of its own that is deleted afterwards, limits its own
memory and processor time, and is ended when it takes too long. Nothing is started on import.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from memoryhub.hermes.agent_python import find_python
from memoryhub.hermes.prompt import PromptBlock, read_block

__all__ = [
    "AgentFailed",
    "AgentMissing",
    "AgentProblem",
    "AgentTookTooLong",
    "find_python",
    "prompt_block",
    "version",
]

FILE_NAMES: Final[Mapping[str, str]] = {"memory": "MEMORY.md", "user": "USER.md"}
SECONDS: Final = 20.0  # Hermes needs about one; a cold disk more
MEGABYTES: Final = 2048
_MOST_BYTES = 16 << 20
_CHILD = Path(__file__).with_name("agent_child.py")


class AgentProblem(Exception):
    """The installed Hermes could not be asked; `str()` says why in a sentence."""


class AgentMissing(AgentProblem):
    """There is no Hermes where it was looked for, or nothing that can be started."""


class AgentTookTooLong(AgentProblem):
    """Hermes did not answer in time and was ended."""


class AgentFailed(AgentProblem):
    """Hermes ended without an answer, or with an error of its own."""


def version(python: Path, *, seconds: float = SECONDS) -> str:
    """Return the version of the Hermes in this Python, "" when it does not say. Raises AgentProblem."""
    return str(_run(python, {}, {}, seconds).get("version", ""))


def prompt_block(python: Path, data: bytes | None, target: str, limit: int, *, seconds: float = SECONDS) -> PromptBlock:
    """Return the prompt block that this Hermes makes of the bytes of one memory file, without text when it has none.

    `limit` is in characters. The answer stays the same as long as the arguments and that Hermes do: keep it.
    Raises AgentMissing, AgentTookTooLong or AgentFailed.
    """
    answer = _run(python, {target: data}, {"memory": limit, "user": limit}, seconds)
    try:
        said = answer["files"][target]
        return read_block(said["block"], said["entries"])
    except (KeyError, TypeError, AttributeError) as error:
        raise AgentFailed("The installed Hermes answered with something else than a memory block.") from error


def _run(python: Path, files: Mapping[str, bytes | None], limits: Mapping[str, int], seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="memoryhub-agent-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        memories = home / "memories"
        memories.mkdir(mode=0o700)
        for target, data in files.items():
            if data is not None:
                (memories / FILE_NAMES[target]).write_bytes(data)
        question = {"limits": dict(limits), "seconds": int(seconds) + 1, "megabytes": MEGABYTES}
        return _answer(_talk(python, home, json.dumps(question).encode(), seconds))


def _answer(data: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(data)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise AgentFailed("The installed Hermes ended without an answer.")
    if "error" in answer:
        raise AgentFailed(f"The installed Hermes could not say what it makes of the files: {answer['error']}")
    return answer


def _talk(python: Path, home: Path, question: bytes, seconds: float) -> bytes:
    """Start the child, ask the one question, and return what it wrote, at most 16 MiB."""
    process = _start(python, home)
    late = threading.Event()

    def end() -> None:
        late.set()
        _end(process)

    clock = threading.Timer(seconds, end)
    clock.start()
    try:
        answer = _exchange(process, question)
    finally:
        clock.cancel()
        _end(process)
        process.wait()
    if late.is_set():
        raise AgentTookTooLong(f"The installed Hermes did not answer within {seconds:g} seconds and was ended.")
    if len(answer) > _MOST_BYTES:
        raise AgentFailed("The installed Hermes answered with more than can be a memory block.")
    return answer


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the child and whatever it started."""
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _exchange(process: subprocess.Popen[bytes], question: bytes) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin as to_child, process.stdout as from_child:
        try:
            to_child.write(question)
            to_child.close()
        except BrokenPipeError:
            return b""
        return from_child.read(_MOST_BYTES + 1)


def _start(python: Path, home: Path) -> subprocess.Popen[bytes]:
    environment = {"HOME": str(home), "HERMES_HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8"}
    if sys.platform == "win32":
        environment |= {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
    try:
        return subprocess.Popen(  # noqa: S603  the program is named by the person, never by a page
            [str(python), "-I", "-B", "-X", "utf8", str(_CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=home,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise AgentMissing(f"The Python of the installed Hermes, {python}, cannot be started: {reason}.") from error
