"""A process of ours killed with SIGKILL while it decides: each write waits or is done, never lost, never done twice."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memoryhub import data_folder
from tests.growth import that_ends
from tests.interop.approving import FULL, KINDS, Approver, Pile, approvers, environment
from tests.interop.writing import ROOT, Place

pytestmark = pytest.mark.interop

KILLS = 100 if FULL else 30
KILLS_BESIDE_HERMES = 12 if FULL else 6


def make_place(folder: Path) -> Place:
    place = Place(folder / "home", folder / "data")
    place.memories.mkdir(parents=True)
    (place.home / "config.yaml").write_text("memory:\n  memory_char_limit: 900000\n")
    data_folder.prepare(place.data_dir)
    command = [sys.executable, "-m", "django", "migrate", "--verbosity", "0", "--skip-checks"]
    subprocess.run(command, env=environment(place), cwd=ROOT, check=True, timeout=120)
    return place


def check(pile: Pile, told: dict[str, Any], rejected: set[str]) -> None:
    """Each write either waits, or was decided exactly once and shows its effect exactly once."""
    waiting, decided = set(told["waiting"]), [item for item, _, _ in told["decided"]]
    assert len(decided) == len(set(decided)), "decided twice"
    for item in pile.kinds:
        assert (item in waiting) != (item in decided), f"{item} is lost, or both done and waiting"
        expected = 0 if item in waiting or item in rejected else 1
        assert pile.applied(item) == expected, f"{item} ({pile.kinds[item]}) {'waits' if item in waiting else 'done'}"
    assert pile.strays() == []


def recovered(place: Place, approver: Approver) -> dict[str, Any]:
    """What a start finds, once a Hermes that still works for the dead process has ended too."""
    told: dict[str, Any] = approver.ask({"recover": True})
    with that_ends():
        while any((place.home / "pending").rglob("*.claimed-*")):
            told = approver.ask({"recover": True})
    return told


def kill_often(place: Place, approver: Approver, logs: Path, kills: int, longest: float) -> tuple[int, int]:
    """Kill an approver so many times; how often in the middle of a decision, and how much was decided in all."""
    rng, pile, rejected, number, in_the_middle = random.Random(5), Pile(place.home), set[str](), 0, 0
    told: dict[str, Any] = approver.ask({"recover": True})
    for kill in range(5 * kills):  # more than asked for while they prove too little
        if kill >= kills and min(in_the_middle, len(told["decided"])) > kills // 4:
            break
        for kind in rng.sample(KINDS, len(KINDS)) if len(told["waiting"]) < 6 else ():
            number += 1
            pile.stage(number, kind)
            told["waiting"].append(next(reversed(pile.kinds)))
        verbs = [[item, "reject" if rng.random() < 0.15 else "approve"] for item in told["waiting"]]
        rejected |= {item for item, verb in verbs if verb == "reject"}
        log = logs / f"log-{kill}"
        moment = {"together": rng.choice([1, 3, 6]), "seconds": rng.uniform(0.01, longest)}
        approver.ask({"decide": verbs, "log": str(log), **moment})
        lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []
        assert not [line for line in lines if line["ok"] is False], lines
        in_the_middle += bool(lines) and lines[-1]["ok"] is None
        told = recovered(place, approver)
        rejected -= set(told["waiting"])
        check(pile, told, rejected)
    return in_the_middle, len(told["decided"])


def test_an_approver_killed_at_any_moment_loses_nothing_and_does_nothing_twice(tmp_path: Path) -> None:
    place = make_place(tmp_path)
    with approvers(place, 1, PATH="/nowhere") as (approver,):
        in_the_middle, decided = kill_often(place, approver, tmp_path, KILLS, 0.8)
    assert in_the_middle > KILLS // 4, "too few were killed in the middle of a decision to prove anything"
    assert decided > KILLS // 4


def test_neither_when_the_installed_hermes_does_the_writing(hermes_python: Path, tmp_path: Path) -> None:
    place = make_place(tmp_path)
    with approvers(place, 1, HERMES_PYTHON=str(hermes_python)) as (approver,):
        in_the_middle, _ = kill_often(place, approver, tmp_path, KILLS_BESIDE_HERMES, 2.0)
    assert in_the_middle > 0
