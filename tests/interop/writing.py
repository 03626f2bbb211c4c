"""One home and one data folder for the tests of concurrent and killed writers, and how to start a process on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoryhub import data_folder
from memoryhub.hermes.home import FILE_NAMES
from tests.interop import facts_as_entries

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Place:
    """A home with room for every entry, and a data folder of ours with its database in place."""

    home: Path
    data_dir: Path

    @property
    def memories(self) -> Path:
        return self.home / "memories"

    def environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
        ours = {"MEMORYHUB_DATA_DIR": str(self.data_dir), "DJANGO_SETTINGS_MODULE": "memoryhub.settings"}
        return {**kept, **ours, "HERMES_HOME": str(self.home), "HOME": str(self.home), "PYTHONPATH": str(ROOT)}

    def python(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start our own Python on this home."""
        return subprocess.Popen([sys.executable, *arguments], env=self.environment(), cwd=ROOT)

    def history(self) -> dict[str, Any]:
        """Everything recorded, after a start has looked at the files (see our_history.py)."""
        command = [sys.executable, "-m", "tests.interop.our_history"]
        out = subprocess.check_output(command, env=self.environment(), cwd=ROOT, timeout=60)
        found: dict[str, Any] = json.loads(out)
        return found

    def names(self, target: str) -> list[str]:
        """The names in a memory file as it stands at this moment; raises ValueError when it is torn."""
        path = self.memories / FILE_NAMES[target]
        return facts_as_entries.names_in(path.read_bytes()) if path.exists() else []

    def leftovers(self) -> list[str]:
        """Whatever lies in the memories folder that does not belong there."""
        usual = {name + end for name in FILE_NAMES.values() for end in ("", ".lock")}
        return sorted(path.name for path in self.memories.iterdir() if path.name not in usual)


def make_place(folder: Path) -> Place:
    """A fresh home and data folder below ``folder``."""
    place = Place(folder / "home", folder / "data")
    place.memories.mkdir(parents=True)
    (place.home / "config.yaml").write_text("memory:\n  memory_char_limit: 90000\n  user_char_limit: 90000\n")
    data_folder.prepare(place.data_dir)
    assert place.python("manage.py", "migrate", "--verbosity", "0").wait(60) == 0
    return place
