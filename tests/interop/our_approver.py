"""Processes of ours that decide on staged writes, to be raced and killed; one JSON command a line, one answer a line.

The process itself never opens the database: each command is done by a child that it forks, so that many starts are
quick. ``{"decide": [[id, verb]…], "log", "together", "seconds"}`` decides on so many together and is killed after that
time (``null``: it ends by itself); ``{"recover": true}`` does what a starting dashboard does and tells what waits and
what was decided.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")
django.setup()

from memoryhub.hermes.home import resolve_home  # noqa: E402
from skills_app.models import Decision  # noqa: E402
from skills_app.pending.records import list_records  # noqa: E402
from skills_app.services import decisions, decisions_many  # noqa: E402
from skills_app.services.decisions import SHELL, Approval  # noqa: E402


def decide(items: list[list[str]], log_path: str, together: int) -> None:
    """Decide on so many items together, again and again, telling of them before and after."""
    home = resolve_home(None, os.environ)
    with Path(log_path).open("a", encoding="utf-8", buffering=1) as log:
        for at in range(0, len(items), together):
            some = items[at : at + together]
            log.write(json.dumps({"item": some[0][0], "ok": None}) + "\n")
            approved = [(item, Approval(via=SHELL)) for item, verb in some if verb == "approve"]
            rejected = [(item, None) for item, verb in some if verb != "approve"]
            found = decisions_many.approve_many(home, approved) if approved else []
            found += decisions_many.reject_many(home, rejected, via=SHELL) if rejected else []
            for each in found:
                log.write(json.dumps({"item": each.item, "ok": each.ok, "said": each.message}) + "\n")


def recover() -> dict[str, Any]:
    home = resolve_home(None, os.environ)
    found = decisions.recover(home)
    rows = Decision.objects.filter(home=home.key).order_by("id").values_list("item", "action", "result")
    return {
        "waiting": [record.id for record in list_records(home.pending)],
        "decided": [list(row) for row in rows],
        "recovered": [[each.item, each.outcome.value] for each in found],
    }


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


def decide_and_die(command: dict[str, Any]) -> str:
    pid = fork(lambda: decide(command["decide"], command["log"], command["together"]))
    if command["seconds"] is not None:
        while not Path(command["log"]).exists():  # the time counts from when it began
            if os.waitpid(pid, os.WNOHANG)[0]:
                return "ended by itself"
            time.sleep(0.001)
        time.sleep(command["seconds"])
        os.kill(pid, signal.SIGKILL)
    status = os.waitpid(pid, 0)[1]
    return "killed" if os.WIFSIGNALED(status) else "ended by itself"


def tell(pipe: int) -> None:
    with os.fdopen(pipe, "w", encoding="utf-8") as out:
        json.dump(recover(), out)


def recovered() -> Any:
    reading, writing = os.pipe()
    pid = fork(lambda: tell(writing))
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as answer:
        text = answer.read()
    os.waitpid(pid, 0)
    return json.loads(text)


def main() -> None:
    for line in sys.stdin:
        command = json.loads(line)
        answer = decide_and_die(command) if "decide" in command else recovered()
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
