"""How well the guard tells good skills from bad ones, and how quickly: a table for any folder of labelled skills.

    python tests/bench/guard_figures.py FOLDER [--only SET] [--list FILE] [--jobs N]

FOLDER/LABEL/SET/SKILL/… holds the skills (SET may be missing: FOLDER/LABEL/SKILL/…). Of the label ``malicious`` what
was found counts; of every other label (benign, agents, …) the false alarms. The label ``injected`` holds
FOLDER/injected/SET/SKILL/VARIANT/… beside the clean FOLDER/clean/SET/SKILL/…: only findings that the clean skill lacks
count. Times are of the processor. Nothing of the skills is run, nothing leaves the machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from skills_app.guard.model import Finding, Report, Verdict
from skills_app.guard.policy import judge
from skills_app.guard.scanner import scan_skill

_CLEAN, _INJECTED = "clean", "injected"
_ROW = "{:<34}{:>7}{:>11}{:>10}{:>9}{:>9}"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


@dataclass(frozen=True)
class Scanned:
    """One skill and what the guard said of it."""

    path: str
    verdict: Verdict
    deciding: tuple[str, ...]
    new: int  # findings, for injected skills those that the clean one lacks
    seconds: float


@dataclass
class Figures:
    """The figures of one set."""

    scanned: list[Scanned] = field(default_factory=list)

    def share(self, *verdicts: Verdict) -> float:
        """Percent of the skills with one of the verdicts."""
        return 100 * sum(one.verdict in verdicts for one in self.scanned) / len(self.scanned)

    @property
    def noticed(self) -> float:
        """Percent of the skills with any finding of their own."""
        return 100 * sum(one.new > 0 for one in self.scanned) / len(self.scanned)

    @property
    def times(self) -> tuple[float, float]:
        """Median and 95th percentile, in milliseconds."""
        all_times = sorted(one.seconds * 1000 for one in self.scanned)
        return median(all_times), quantiles(all_times, n=20)[-1] if len(all_times) > 1 else all_times[0]


def find_skills(folder: Path) -> Iterator[tuple[str, Path]]:
    """Each labelled skill with the name of its set (label/set)."""
    for label in sorted(each for each in folder.iterdir() if each.is_dir()):
        for first in sorted(each for each in label.iterdir() if each.is_dir()):
            inner = sorted(each for each in first.iterdir() if each.is_dir())
            is_skill = any(each.name.lower() == "skill.md" for each in first.iterdir()) or not inner
            if is_skill:
                yield label.name, first
            elif label.name == _INJECTED:
                yield from ((f"{label.name}/{first.name}", each) for skill in inner for each in sorted(skill.iterdir()))
            else:
                yield from ((f"{label.name}/{first.name}", each) for each in inner)


def scan_one(job: tuple[str, Path]) -> tuple[str, Scanned]:
    """Scan one skill; an injected one twice, with and without the injection."""
    name, path = job
    began = time.process_time()
    report = scan_skill(path)
    seconds = time.process_time() - began
    findings = list(report.findings)
    verdict = report.verdict
    if name.startswith(_INJECTED):
        findings = _only_new(report, scan_skill(_clean_of(path)))
        verdict = judge(findings, ())[0]
    deciding = tuple(sorted({one.rule for one in findings if judge([one], ())[0] is verdict}))
    return name, Scanned(str(path), verdict, deciding, len(findings), seconds)


def _only_new(report: Report, clean: Report) -> list[Finding]:
    known = Counter((one.rule, one.fingerprint) for one in clean.findings)
    return [one for one in report.findings if not known[(one.rule, one.fingerprint)]]


def _clean_of(path: Path) -> Path:
    label = next(parent for parent in path.parents if parent.name == _INJECTED)
    return label.parent / _CLEAN / path.parent.relative_to(label)


def show_table(sets: dict[str, Figures]) -> None:
    """Print one line a set, then one a label."""
    _say(_ROW.format("set", "skills", "dangerous %", "flagged %", "median ms", "p95 ms"))
    labels: dict[str, Figures] = {}
    for name, figures in sorted(sets.items()):
        _show_row(name, figures)
        labels.setdefault(name.partition("/")[0], Figures()).scanned.extend(figures.scanned)
    _say("-" * 80)
    for name, figures in sorted(labels.items()):
        _show_row(f"all {name}", figures)
        if name == _INJECTED:
            _say(f"    with a finding that the clean skill lacks: {figures.noticed:.1f} %")
    for name, figures in sorted(labels.items()):
        if name not in ("malicious", _INJECTED):
            _show_rules(name, figures)


def _show_row(name: str, figures: Figures) -> None:
    middle, late = figures.times
    dangerous, flagged = figures.share(Verdict.DANGEROUS), figures.share(Verdict.DANGEROUS, Verdict.CAUTION)
    _say(_ROW.format(name, len(figures.scanned), f"{dangerous:.1f}", f"{flagged:.1f}", f"{middle:.1f}", f"{late:.1f}"))


def _show_rules(name: str, figures: Figures) -> None:
    for verdict in (Verdict.DANGEROUS, Verdict.CAUTION):
        rules = Counter(rule for one in figures.scanned if one.verdict is verdict for rule in one.deciding)
        listed = ", ".join(f"{rule} {count}" for rule, count in rules.most_common(25))
        _say(f"\n{name}, deciding rules of {verdict}: {listed or 'none'}")


def main() -> None:
    """Measure the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="sets whose name holds this text")
    parser.add_argument("--list", type=Path, help="write each skill with its verdict and deciding rules to this file")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    jobs = [job for job in find_skills(options.folder) if options.only in job[0]]
    sets: dict[str, Figures] = {}
    with ProcessPoolExecutor(options.jobs) as pool:
        for name, scanned in pool.map(scan_one, jobs, chunksize=8):
            sets.setdefault(name, Figures()).scanned.append(scanned)
    show_table(sets)
    if options.list:
        lines = [
            f"{name}\t{one.verdict}\t{' '.join(one.deciding)}\t{one.path}"
            for name in sets
            for one in sets[name].scanned
        ]
        options.list.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
