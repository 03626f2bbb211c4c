"""Check memory files with all rules: every alarm, and of the questions about one entry the first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache

from memoryhub.curation.health import together
from memoryhub.curation.health.model import ALARM, Asked, Finding
from memoryhub.curation.health.rules import RANK, RULES


def check(files: Mapping[str, Sequence[str]], today: date) -> tuple[Finding, ...]:
    """Check the entries of both memory files of a home.

    `files` maps `memory` and `user` to the texts of their entries, in file order; `today` decides which dates have
    passed. Findings come in the order of the files and entries, alarms before the one question about an entry.
    """
    return _checked(tuple((target, tuple(texts)) for target, texts in files.items()), today)


@lru_cache(maxsize=32)
def _checked(files: tuple[tuple[str, tuple[str, ...]], ...], today: date) -> tuple[Finding, ...]:
    found = together.find(dict(files))
    for target, texts in files:
        for place, text in enumerate(texts):
            found += _alone(target, place, text, today)
    return tuple(_one_question_each(sorted(found, key=lambda one: (_place_of(files, one), RANK[one.code]))))


def _alone(target: str, place: int, text: str, today: date) -> list[Finding]:
    asked = Asked(text, target, today)
    return [
        Finding(rule.code, rule.level, target, place, spans)
        for rule in RULES
        if rule.find is not None and (spans := rule.find(asked))
    ]


def _place_of(files: tuple[tuple[str, tuple[str, ...]], ...], finding: Finding) -> tuple[int, int]:
    return [target for target, _ in files].index(finding.target), finding.place


def _one_question_each(findings: Iterable[Finding]) -> list[Finding]:
    """Drop questions about an entry that has one already, or that an alarm would have removed."""
    kept: list[Finding] = []
    settled: set[tuple[str, int]] = set()
    for finding in findings:
        where = finding.target, finding.place
        if finding.level == ALARM or where not in settled:
            kept.append(finding)
        if finding.level != ALARM or finding.code in ("copy", "twin", "hollow", "log_line"):
            settled.add(where)
    return kept
