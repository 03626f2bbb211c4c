"""A home full of staged writes whose effect shows how often it was applied, for the tests of crashes and races."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.interop.writing import ROOT, Place
from tests.skills_app.staged import document, make_skill, stage_memory, stage_skill

FULL = os.environ.get("MEMORYHUB_TEST_FULL") == "1"
KINDS = ("add", "create", "append", "write", "delete", "batch")


@dataclass
class Pile:
    """Staged writes on one home, whose effects can be counted: 0 before, 1 when applied, more when applied twice."""

    home: Path
    kinds: dict[str, str] = field(default_factory=dict)

    def stage(self, number: int, kind: str) -> str:
        """Stage one write; its id as we name it."""
        record_id = f"{number:08x}"
        item = f"memory:{record_id}" if kind == "add" else f"skill:{record_id}"
        if kind == "add":
            stage_memory(self.home, record_id, "add", content=f"Fact <{number}>.")
        elif kind == "create":
            stage_skill(self.home, record_id, "create", f"made-{number}", content=document(f"made-{number}"))
        elif kind == "append":  # fits again once it was applied
            self._skill(number)
            stage_skill(self.home, record_id, "patch", f"s-{number}", old_string="End.", new_string=f"<{number}>\nEnd.")
        elif kind == "write":
            self._skill(number)
            stage_skill(self.home, record_id, "write_file", f"s-{number}", file_path="assets/a", file_content="<x>")
        elif kind == "delete":
            self._skill(number)
            stage_skill(self.home, record_id, "delete", f"s-{number}")
        else:
            steps = [{"action": "remove_file", "file_path": "references/b.md"}]
            steps.append({"action": "patch", "old_string": "End.", "new_string": f"<{number}>\nEnd."})
            self._skill(number)
            stage_skill(self.home, record_id, "batch", f"s-{number}", operations=steps)
        self.kinds[item] = kind
        return item

    def _skill(self, number: int) -> None:
        make_skill(self.home, f"s-{number}", "Begin.\nEnd.\n", references__b_md="b\n", scripts__c_sh="c\n")

    def applied(self, item: str) -> int:
        """How often a write's effect is to be seen; raises AssertionError when it is there in part."""
        number = int(item.partition(":")[2], 16)
        kind, folder = self.kinds[item], self.home / "skills" / f"s-{number}"
        if kind == "add":
            path = self.home / "memories" / "MEMORY.md"
            return (path.read_text("utf-8") if path.exists() else "").count(f"Fact <{number}>.")
        if kind == "create":
            return int((self.home / "skills" / f"made-{number}" / "SKILL.md").exists())
        if kind == "write":
            return int((folder / "assets" / "a").exists())
        if kind == "delete":
            files = [path for path in folder.rglob("*") if path.is_file()]
            assert len(files) in (0, 3), f"deleted in part: {files}"
            assert folder.exists() == bool(files)
            return int(not files)
        count = (folder / "SKILL.md").read_text("utf-8").count(f"<{number}>")
        if kind == "batch":
            assert (folder / "references" / "b.md").exists() == (count == 0), "a batch was applied in part"
        return count

    def strays(self) -> list[str]:
        """Files that no writer should leave behind."""
        places = (*(self.home / "skills").glob("*/"), self.home / "pending")  # elsewhere the next write clears up
        return [str(p) for place in places for p in place.rglob("*") if ".tmp" in p.name or ".claimed-" in p.name]


def environment(place: Place, **more: str) -> dict[str, str]:
    """The environment of a process of ours on this home."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    settings = os.environ.get("DJANGO_SETTINGS_MODULE", "memoryhub.settings")
    return {**place.environment(), "PYTHONPATH": os.pathsep.join(paths), "DJANGO_SETTINGS_MODULE": settings, **more}


class Approver:
    """A process of ours that decides (see our_approver.py)."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, command: object) -> Any:
        """What it answers to one command."""
        self.put(command)
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def put(self, command: object) -> None:
        """Give a command without waiting."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        """Wait for the answer to what was put."""
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


@contextmanager
def approvers(place: Place, count: int, **more: str) -> Iterator[Sequence[Approver]]:
    """Start so many of them, and end them afterwards."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.interop.our_approver"],
            env=environment(place, **more),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        for _ in range(count)
    ]
    try:
        yield [Approver(process) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.communicate()
