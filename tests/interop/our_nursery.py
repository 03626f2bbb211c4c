"""Raises writers of ours to be killed: a started Django that forks, so that two hundred starts take seconds.

Reads one JSON command a line. ``{"letter", "log", "seconds"}`` forks a writer that logs each change before and after
it is made, kills it with SIGKILL that long after it began and answers "killed"; ``"history"`` forks what a starting
dashboard does and answers with everything recorded. The process itself never opens the database.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.interop import our_history, our_writer


def write_for_ever(letter: str, log_path: str) -> None:
    steps = our_writer.Steps(letter)
    with Path(log_path).open("a", encoding="utf-8", buffering=1) as log:
        while True:
            step = steps.choose()
            log.write(json.dumps({**step, "ok": None}) + "\n")
            log.write(json.dumps(steps.make(step)) + "\n")


def fork(run: Callable[[], None]) -> int:
    """Run in a child that never returns; its process id."""
    pid = os.fork()
    if pid == 0:
        try:
            run()
        except BaseException as error:
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            os._exit(1)
        os._exit(0)
    return pid


def kill_a_writer(command: dict[str, Any]) -> str:
    pid = fork(lambda: write_for_ever(command["letter"], command["log"]))
    while not Path(command["log"]).exists():
        if os.waitpid(pid, os.WNOHANG)[0]:
            return "ended by itself"
        time.sleep(0.001)
    time.sleep(command["seconds"])
    os.kill(pid, signal.SIGKILL)
    status = os.waitpid(pid, 0)[1]
    return "killed" if os.WIFSIGNALED(status) else "ended by itself"


def tell_history(pipe: int, after: int) -> None:
    with os.fdopen(pipe, "w", encoding="utf-8") as out:
        json.dump(our_history.history(after), out)


def history(after: int) -> Any:
    reading, writing = os.pipe()
    pid = fork(lambda: tell_history(writing, after))
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as answer:
        text = answer.read()
    os.waitpid(pid, 0)
    return json.loads(text)


def main() -> None:
    for line in sys.stdin:
        command = json.loads(line)
        answer = history(command["after"]) if "after" in command else kill_a_writer(command)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
