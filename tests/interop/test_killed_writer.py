"""Our process killed with SIGKILL two hundred times or more while it writes: the old or the new state, all recorded."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memoryhub.hermes.home import TARGETS
from tests.interop import facts_as_entries as facts
from tests.interop.writing import ROOT, Place, make_place

pytestmark = pytest.mark.interop

KILLS, MOST_KILLS = 200, 1_000  # more are made when, by chance, none left a temporary file
State = dict[str, list[str]]
OTHER = {"memory": "user", "user": "memory"}


class Nursery:
    """A process that starts writers and kills them (see our_nursery.py)."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, command: object) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return make_place(tmp_path)


@pytest.fixture
def nursery(place: Place) -> Iterator[Nursery]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.interop.our_nursery"],
        env=place.environment(),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    with process:
        yield Nursery(process)
        process.kill()


def after(before: State, step: dict[str, Any]) -> Iterator[State]:
    """The states that the files go through during a change; the last one is the new state."""
    target, first = step["target"], step["first"]
    names = list(before[target])
    if step["kind"] == "move":
        yield {**before, OTHER[target]: [*before[OTHER[target]], first]}
        names.remove(first)
        yield {target: names, OTHER[target]: [*before[OTHER[target]], first]}
        return
    if step["kind"] == "add":
        names += step["made"]
    elif step["kind"] == "place":
        names.remove(first)
        names.insert(step["place"], first)
    else:  # replace, remove, merge: what is made stands where the earliest that goes stood
        at = min(names.index(name) for name in step["gone"])
        names = [name for name in names if name not in step["gone"]]
        names[at:at] = step["made"]
    yield {**before, target: names}


def state_of(place: Place) -> State:
    return {target: place.names(target) for target in TARGETS}


class Expected:
    """What the files must hold, and every state of each file that must have been recorded, followed step by step."""

    def __init__(self) -> None:
        self.now: State = {"memory": [], "user": []}
        self.passed: dict[str, list[list[str]]] = {"memory": [], "user": []}
        self.unfinished = 0

    def follow(self, lines: list[dict[str, Any]], found: State) -> None:
        """Follow a killed writer's log: all that was acknowledged, and its last change if the files show it."""
        for line in lines:
            if line["ok"]:
                for state in after(self.now, line):
                    self._pass(state)
            half_moved = line["kind"] == "move" and line["first"] in self.now[OTHER[line["target"]]]
            assert line["ok"] is not False or half_moved, f"refused: {line}"
        if lines and lines[-1]["ok"] is None:
            self.unfinished += 1
            for state in after(self.now, lines[-1]):
                if found == self.now:
                    break
                self._pass(state)
        assert found == self.now, "the files are neither the old nor the new state"

    def _pass(self, state: State) -> None:
        for target in TARGETS:
            if state[target] != self.now[target]:
                self.passed[target].append(state[target])
        self.now = state


def recorded(rows: list[dict[str, Any]], target: str) -> list[list[str | None]]:
    """The states of one file in our history, oldest first, as names."""
    return [[facts.name_of(text) for text in row["texts"]] for row in rows if row["target"] == target]


def test_a_writer_killed_at_any_moment_leaves_the_old_or_the_new_state(
    nursery: Nursery, place: Place, tmp_path: Path
) -> None:
    rng, expected, strays = facts.generator("moments"), Expected(), 0
    rows: list[dict[str, Any]] = []
    for kill in range(MOST_KILLS):
        log = tmp_path / f"log-{kill}"
        killed = {"letter": f"k{kill}", "log": str(log), "seconds": rng.uniform(0, 0.1)}
        assert nursery.ask(killed) == "killed"
        lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []
        expected.follow(lines, state_of(place))
        strays += len(place.leftovers())

        history = nursery.ask({"after": rows[-1]["id"] if rows else 0})
        rows += history["revisions"]
        assert place.leftovers() == [], "a start leaves temporary files of a dead writer"
        assert history["intents"] == 0
        for target in TARGETS:
            assert recorded(rows, target) == expected.passed[target], f"after kill {kill}"
        assert {row["writer"] for row in rows} <= {"you"}, "our own change is called somebody else's"
        if kill + 1 >= KILLS and strays and expected.unfinished > KILLS // 5:
            break
    assert expected.unfinished > KILLS // 5, "too few were killed in the middle of a change to prove anything"
    assert nursery.ask({"after": 0})["revisions"] == rows, "history was rewritten"
    assert strays > 0, "no kill ever left a temporary file, so its removal was not tried"
