"""Medians, percentiles and verdicts, and the machine they were measured on."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Target:
    """One promise: what was measured, in words, and whether it was kept."""

    name: str
    measured: str
    promised: str
    kept: bool


def percentile(values: Sequence[float], percent: int) -> float:
    """The smallest value that at least ``percent`` of a hundred do not exceed."""
    ranked = sorted(values)
    return ranked[max(0, -(-len(ranked) * percent // 100) - 1)]


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the ratios within pairs that were measured one right after the other."""
    return statistics.median(our / their for our, their in zip(ours, theirs, strict=True))


def machine() -> str:
    """This machine in one line."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    memory = int(Path("/proc/meminfo").read_text().split()[1]) // 1024**2
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} × {model}, {memory} GiB, {platform.system()} {platform.release()}, load {load:.1f}"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns of equal width; the first is text, the others are figures."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [[cell.rjust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    return "\n".join("  ".join([row[0].ljust(widths[0]), *line[1:]]) for row, line in zip(rows, lines, strict=True))


def verdicts(targets: Sequence[Target]) -> str:
    """Promises, what was measured, and whether each was kept."""
    rows = [["target", "measured", "promised", ""]]
    return table(rows + [[t.name, t.measured, t.promised, "kept" if t.kept else "MISSED"] for t in targets])
