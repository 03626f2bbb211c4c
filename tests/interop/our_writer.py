"""Writes memory through our services, as the pages do, and logs each acknowledged write as a JSON line.

Arguments: the letter of this writer, how many acknowledged writes to make, the log file. Home and data folder come
from the environment.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import django

from memoryhub.entries import EntryRefused
from memoryhub.hermes import files
from memoryhub.hermes.home import resolve_home
from tests.interop import facts_as_entries as facts

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")
django.setup()

from memoryhub import store  # noqa: E402
from memoryhub.services import memory, writes  # noqa: E402


class Steps:
    """Chooses and makes one change after another; ``rng`` decides all of it."""

    def __init__(self, letter: str) -> None:
        self.letter = letter
        self.rng = facts.generator(letter)
        self.home = resolve_home(None, os.environ)
        self.count = 0

    def choose(self) -> dict[str, Any]:
        """What to do next: the call, and what comes (``made``) and goes (``gone``), by name."""
        target = self.rng.choice(("memory", "memory", "user"))
        found = list(writes.read(self.home, target).entries)
        kinds = ["add", "replace", "remove", "move", "place", "merge"] if len(found) < 40 else ["remove", "merge"]
        kind = self.rng.choice(kinds) if len(found) > 2 else "add"
        chosen = self.rng.sample(found, 2) if len(found) > 2 else []
        names = [facts.name_of(entry.text) for entry in chosen]
        gone = {"replace": names[:1], "remove": names[:1], "merge": names}.get(kind, [])
        text = self._new_entry() if kind in ("add", "replace", "merge") else ""
        return {
            "kind": kind,
            "target": target,
            "ids": [entry.id for entry in chosen],
            "first": names[0] if names else None,
            "text": text,
            "place": self.rng.randrange(8),
            "made": [facts.name_of(text)] if text else [],
            "gone": gone,
        }

    def make(self, step: dict[str, Any]) -> dict[str, Any]:
        """Make the chosen change; the answer is what to log, ``ok`` false when it was refused."""
        try:
            self._call(**{name: step[name] for name in ("kind", "target", "ids", "text", "place")})
        except (store.MemoryChanged, EntryRefused, files.FileProblem) as refusal:
            return {**step, "ok": False, "why": type(refusal).__name__}
        return {**step, "ok": True}

    def _new_entry(self) -> str:
        self.count += 1
        return facts.make(f"{self.letter}-{self.count}", self.rng)

    def _call(self, kind: str, target: str, ids: list[str], text: str, place: int) -> None:
        if kind == "add":
            memory.entry_add(self.home, target, text, via="page")
        elif kind == "replace":
            memory.entry_replace(self.home, target, ids[0], text, via="page")
        elif kind == "remove":
            memory.entry_remove(self.home, target, ids[0], via="page")
        elif kind == "move":
            memory.entry_move(self.home, target, ids[0], via="page")
        elif kind == "place":
            memory.entry_place(self.home, target, ids[0], place, via="page")
        else:
            memory.entries_merge(self.home, target, ids, text, via="page")


def main(letter: str, wanted: int, log_path: str) -> None:
    steps, acknowledged = Steps(letter), 0
    with Path(log_path).open("w", encoding="utf-8", buffering=1) as log:
        while acknowledged < wanted:
            line = steps.make(steps.choose())
            acknowledged += bool(line["ok"])
            log.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
