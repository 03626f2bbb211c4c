"""Four real Hermes writers and two of ours on one home: nothing acknowledged is lost, nothing is ever torn."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from memoryhub.hermes.home import FILE_NAMES, TARGETS
from tests.interop import facts_as_entries
from tests.interop import hermes as real
from tests.interop.writing import Place, make_place

pytestmark = pytest.mark.interop

HERE = Path(__file__).parent
HERMES_WRITERS, OUR_WRITERS = "abcd", "yz"
WRITES = 2_000


def start_writers(hermes_python: Path, place: Place, logs: Path) -> list[subprocess.Popen[bytes]]:
    each = str(-(-WRITES // len(HERMES_WRITERS + OUR_WRITERS)))
    hermes = [
        subprocess.Popen(
            [hermes_python, "-I", HERE / "hermes_writer.py", f"{letter}1", each, logs / letter, HERE],
            env=real.environment(place.home),
        )
        for letter in HERMES_WRITERS
    ]
    ours = [
        place.python("-m", "tests.interop.our_writer", f"{letter}1", each, str(logs / letter)) for letter in OUR_WRITERS
    ]
    return hermes + ours


def watch(place: Place, writers: Sequence[subprocess.Popen[bytes]]) -> tuple[int, set[tuple[str, int]]]:
    """Read both files over and over while the writers run (a torn one raises); the reads, and the lock files seen."""
    reads, locks = 0, set()
    while running := [writer for writer in writers if writer.poll() is None]:
        for target in TARGETS:
            place.names(target)
            lock = place.memories / (FILE_NAMES[target] + ".lock")
            if lock.exists():
                locks.add((target, lock.stat().st_ino))
        reads += 1
        with suppress(subprocess.TimeoutExpired):  # the writers need the processor more than we do
            running[0].wait(0.003)
    return reads, locks


def logged(logs: Path, letters: str) -> list[dict[str, Any]]:
    return [json.loads(line) for letter in letters for line in (logs / letter).read_text("utf-8").splitlines()]


def changes_by(recorded: Sequence[dict[str, Any]], writer: str) -> list[tuple[str, list[str], list[str]]]:
    """What each revision of ``writer`` brought and took, as its kind and two lists of names."""
    found = []
    for revision in recorded:
        if revision["writer"] == writer:
            came = [c["text"] for c in revision["changes"] if c["kind"] in ("added", "replaced")]
            went = [c["text"] for c in revision["changes"] if c["kind"] == "removed"]
            went += [c["old"] for c in revision["changes"] if c["kind"] == "replaced"]
            found.append((revision["kind"], names(came), names(went)))
    return found


def names(texts: Sequence[str]) -> list[str]:
    return sorted(name for text in texts if (name := facts_as_entries.name_of(text)))


def test_no_acknowledged_write_is_lost_and_no_file_is_torn(hermes_python: Path, tmp_path: Path) -> None:
    place, logs = make_place(tmp_path), tmp_path / "logs"
    logs.mkdir()
    writers = start_writers(hermes_python, place, logs)
    reads, locks = watch(place, writers)
    assert [writer.returncode for writer in writers] == [0] * 6

    lines = logged(logs, HERMES_WRITERS + OUR_WRITERS)
    done = [line for line in lines if line["ok"]]
    made = Counter(name for line in done for name in line["made"])
    gone = Counter(name for line in done for name in line["gone"])
    at_the_end = Counter(place.names("memory") + place.names("user"))

    assert len(done) >= WRITES
    assert {name for name, times in gone.items() if times > 1} == set(), "taken away twice: a lost update"
    assert at_the_end == made - gone, "an acknowledged write is missing, or a removed one is back"
    assert set(gone) <= set(made)
    assert place.leftovers() == [], "backups or temporary files were left"
    assert len(locks) == len(TARGETS), "a lock file was replaced while somebody held it"
    assert reads > 100
    assert_history_tells_it(place, logged(logs, OUR_WRITERS))


def assert_history_tells_it(place: Place, ours: Sequence[dict[str, Any]]) -> None:
    """Each acknowledged write of ours is one revision of the person's, and nobody else's work is called theirs."""
    recorded = place.history()
    for target in TARGETS:
        newest = [revision for revision in recorded["revisions"] if revision["target"] == target][-1]
        assert [facts_as_entries.name_of(text) for text in newest["texts"]] == place.names(target)
    mine = changes_by(recorded["revisions"], "you")
    for line in ours:
        if line["ok"] and line["kind"] not in ("place", "move"):
            assert (line["kind"], sorted(line["made"]), sorted(line["gone"])) in mine, line
    invented = [name for kind, came, _ in mine if kind != "move" for name in came if name[0] not in OUR_WRITERS]
    assert invented == []
    assert recorded["intents"] == 0
