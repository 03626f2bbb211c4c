"""The guard measured: a skill at a time, beside the real skills_guard, and a whole library cold.

``python -m tests.bench.guard_bench FOLDER HERMES_PYTHON`` prints the table for the skills below any folder.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from skills_app.guard import hermes_guard
from skills_app.guard.child import scan_many
from skills_app.guard.scanner import get_ready, scan_skill
from tests.bench import figures
from tests.bench.figures import Target

SKILLS: Final = 400
BYTES: Final = 25_000_000
COMPARED: Final = 40  # skills that both guards scan, one after the other
ENOUGH: Final = 120.0  # seconds for one skill of theirs


def measure_guard(folder: Path, hermes_python: Path) -> list[Target]:
    """Measure on the skills below ``folder``; the library of 400 is made of their texts."""
    skills = sorted({path.parent for path in folder.rglob("SKILL.md")})
    get_ready()
    times = [_seconds(skill) for skill in skills]
    median, late = figures.percentile(times, 50) * 1000, figures.percentile(times, 95) * 1000
    faster = _faster(skills[:: max(1, len(skills) // COMPARED)][:COMPARED], hermes_python)
    with tempfile.TemporaryDirectory() as made:
        library = make_library(Path(made), skills)
        began = time.perf_counter()
        count = sum(1 for _ in scan_many(library))
        cold = time.perf_counter() - began
    return [
        Target("scan of a skill, median", f"{median:.1f} ms", "≤ 15 ms", median <= 15),
        Target("scan of a skill, p95", f"{late:.1f} ms", "≤ 100 ms", late <= 100),
        Target("throughput", f"{faster:.1f} × skills_guard", "≥ 3 ×", faster >= 3),
        Target(f"{count} skills of 25 MB, cold", f"{cold:.1f} s", "≤ 5 s", cold <= 5),
    ]


def make_library(folder: Path, skills: list[Path]) -> list[Path]:
    """400 skills of 25 MB in all, each of the texts of one given skill over and over."""
    made = []
    for number in range(SKILLS):
        source = skills[number % len(skills)]
        texts = [path.read_bytes() for path in sorted(source.rglob("*.md"))][:20]
        target = folder / f"skill-{number}"
        (target / "references").mkdir(parents=True)
        (target / "SKILL.md").write_bytes(texts[0][:20_000] if texts else b"# Nothing\n")
        left, part = BYTES // SKILLS - 20_000, 0
        while left > 0 and texts:
            text = texts[part % len(texts)][:left] or b"\n"
            (target / "references" / f"{part}.md").write_bytes(text)
            left, part = left - len(text), part + 1
        made.append(target)
    return made


def _seconds(skill: Path) -> float:
    began = time.perf_counter()
    scan_skill(skill)
    return time.perf_counter() - began


def _faster(skills: list[Path], hermes_python: Path) -> float:
    """How many times the throughput of the real guard ours has, both in this run; without the start of its child."""
    ours = sum(_seconds(skill) for skill in skills)
    with tempfile.TemporaryDirectory() as empty:
        (Path(empty) / "SKILL.md").write_text("# Nothing\n")
        start = _their_seconds([Path(empty)], hermes_python)
    return (_their_seconds(skills, hermes_python) - start) / ours


def _their_seconds(skills: list[Path], hermes_python: Path) -> float:
    began = time.perf_counter()
    hermes_guard.scan_several(hermes_python, [(skill, "community") for skill in skills], seconds=ENOUGH * len(skills))
    return time.perf_counter() - began


if __name__ == "__main__":
    found = measure_guard(Path(sys.argv[1]), Path(sys.argv[2]))
    rows = [("", "measured", "promised", "kept"), *((t.name, t.measured, t.promised, str(t.kept)) for t in found)]
    sys.stdout.write(f"{figures.machine()}\n{figures.table(rows)}\n")
