"""Two approvers of ours and a Hermes that approves in its chat, all over the same records: each is applied once."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import pytest

from tests.interop.approving import FULL, KINDS, Pile, approvers
from tests.interop.hermes import Hermes, environment
from tests.interop.test_approvals_killed import make_place

pytestmark = pytest.mark.interop

RECORDS = 500 if FULL else 150
APPROVER = Path(__file__).with_name("hermes_approver.py")
HERMES_KINDS = tuple(kind for kind in KINDS if kind != "batch")  # 0.19.0 knows no batches of skill writes


def test_each_record_is_applied_exactly_once(hermes_python: Path, tmp_path: Path) -> None:
    place, rng = make_place(tmp_path), random.Random(11)
    pile = Pile(place.home)
    items = [pile.stage(number, HERMES_KINDS[number % len(HERMES_KINDS)]) for number in range(1, RECORDS + 1)]
    orders = [rng.sample(items, len(items)) for _ in range(3)]
    logs = [tmp_path / f"log-{n}" for n in range(2)]
    command = [str(hermes_python), "-I", str(APPROVER)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with (
        approvers(place, 2, PATH="/nowhere") as ours,
        subprocess.Popen(command, text=True, encoding="utf-8", env=environment(place.home), **pipes) as process,  # type: ignore[call-overload]
    ):
        hermes = Hermes(process)
        for approver, order, log, together in zip(ours, orders, logs, (1, 10), strict=False):
            verbs = [[item, "approve"] for item in order]
            approver.put({"decide": verbs, "log": str(log), "together": together, "seconds": None})
        # A third only: Hermes checks little and would be through with all of them before ours have begun.
        theirs = {item: approve_in_chat(hermes, item) for item in orders[2][: RECORDS // 3]}
        assert [approver.answer() for approver in ours] == ["ended by itself"] * 2
        told = ours[0].ask({"recover": True})
        process.kill()

    counts = {item: pile.applied(item) for item in items}
    assert {item: count for item, count in counts.items() if count != 1} == {}, "applied twice, or never"
    decided = [item for item, _, _ in told["decided"]]
    assert len(decided) == len(set(decided))
    assert set(decided) | {item for item, ok in theirs.items() if ok} == set(items)
    # Hermes deletes a record by its name: one that it applied while we held it comes back, and cannot be applied again.
    assert set(told["waiting"]) <= {item for item, ok in theirs.items() if ok} - set(decided)
    assert pile.strays() == []
    acknowledged = [[json.loads(line) for line in log.read_text("utf-8").splitlines()] for log in logs]
    shares = [sum(1 for line in lines if line["ok"]) for lines in acknowledged]
    assert sum(shares) == len(decided)
    assert min(*shares, sum(theirs.values())) > 0, "one of them did nothing"


def approve_in_chat(hermes: Hermes, item: str) -> bool:
    kind, _, record_id = item.partition(":")
    answer = hermes.ask("approve", subsystem="memory" if kind == "memory" else "skills", record_id=record_id)
    return bool(answer.get("ok"))
