"""Several questions to one child in the agent's own Python, one JSON line each: starting Hermes takes the longest.

A question may carry an open file, which the child holds until it has answered, also when we die meanwhile.
"""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from memoryhub.hermes.agent_process import (
    MEGABYTES,
    MOST_BYTES,
    SECONDS,
    AgentFailed,
    AgentTookTooLong,
    Place,
    answer_of,
    end_child,
    start_child,
)

MOST_SECONDS: Final = 600  # of processor time for a whole conversation


class Talk:
    """A child that is asked again and again. After an AgentProblem it has ended: begin another."""

    def __init__(self, process: subprocess.Popen[bytes], ours: socket.socket, theirs: int) -> None:
        self._process = process
        self._ours = ours
        self._theirs = theirs

    @property
    def is_open(self) -> bool:
        return self._process.poll() is None

    def ask(self, question: Mapping[str, Any], keep: int | None = None, *, seconds: float = SECONDS) -> dict[str, Any]:
        """What the child answers; ``keep`` is an open file that it holds meanwhile.

        Raises AgentTookTooLong or AgentFailed.
        """
        limits = {"seconds": MOST_SECONDS, "megabytes": MEGABYTES, "socket": None if keep is None else self._theirs}
        late = threading.Event()

        def end() -> None:
            late.set()
            end_child(self._process)

        clock = threading.Timer(seconds, end)
        clock.start()
        try:
            line = self._exchange(json.dumps({**question, **limits}).encode() + b"\n", keep)
        finally:
            clock.cancel()
        if late.is_set():
            raise AgentTookTooLong(f"The installed Hermes did not answer within {seconds:g} seconds and was ended.")
        if not line.endswith(b"\n"):
            end_child(self._process)
            raise AgentFailed("The installed Hermes ended without an answer.")
        return answer_of(line)

    def _exchange(self, line: bytes, keep: int | None) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            if keep is not None:
                socket.send_fds(self._ours, [b"k"], [keep])
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except OSError:
            return b""
        return self._process.stdout.readline(MOST_BYTES)


@contextmanager
def talking(python: Path, script: Path, place: Place) -> Iterator[Talk]:
    """Begin a conversation, and end the child with it. Raises AgentMissing."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = start_child(python, script, Place(place.hermes_home, place.home, (*place.keep, theirs.fileno())))
        with process:
            try:
                yield Talk(process, ours, theirs.fileno())
            finally:
                if process.stdin is not None:
                    process.stdin.close()
                end_child(process)
