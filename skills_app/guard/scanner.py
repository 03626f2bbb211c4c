"""A scan of one skill, in this process: read, search, look at the structure, weigh, judge."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from skills_app.guard.findings import make_finding
from skills_app.guard.model import FileRead, Finding, Place, Read, Report, Rule, Severity
from skills_app.guard.places import index_places
from skills_app.guard.policy import coverage_of, judge
from skills_app.guard.reading import Reading, read_bytes, read_folder, texts_of
from skills_app.guard.rules import RULES
from skills_app.guard.searching import RuleBook, search
from skills_app.guard.text import SourceText
from skills_app.guard.version import RULES_VERSION

SECONDS: Final = 20.0
_DEFAULT: Final = tuple(RULES)


def scan_skill(folder: Path, *, limit_seconds: float = SECONDS, rules: tuple[Rule, ...] | None = None) -> Report:
    """Scan the skill in ``folder``. Reads only; follows no link; never raises for what a skill holds."""
    return _scan(read_folder(folder), limit_seconds, rules)


def scan_texts(
    files: Mapping[str, bytes], *, limit_seconds: float = SECONDS, rules: tuple[Rule, ...] | None = None
) -> Report:
    """Scan a skill that is not on disk (yet); ``files`` maps relative posix paths to bytes."""
    return _scan(read_bytes(files), limit_seconds, rules)


def _scan(reading: Reading, limit_seconds: float, rules: tuple[Rule, ...] | None) -> Report:
    book = _default_book() if rules is None else RuleBook(rules)
    found = [finding for source in texts_of(reading) for finding in scan_text(source, book)]
    found.sort(key=lambda finding: (finding.severity.rank, finding.file != "SKILL.md", finding.file, finding.line))
    files = tuple(entry.read for entry in reading.entries if entry.read)
    verdict, reason = judge(found, files)
    return Report(RULES_VERSION, reading.digest, verdict, reason, tuple(found), files, coverage_of(files))


@lru_cache(maxsize=1)
def _default_book() -> RuleBook:
    return RuleBook(_DEFAULT)


def scan_text(source: SourceText, book: RuleBook) -> Iterator[Finding]:
    """Everything that the patterns find in one text; a rule counts once a line."""
    places = index_places(source)
    for prepared, hints in book.candidates(source.lowered, source.kind):
        seen: set[int] = set()
        for span in search(prepared, source.text, source.lowered, hints):
            index = source.line_index(span[0])
            if index in seen or (prepared.unless and prepared.unless.search(source.line(index))):
                continue
            place = places.at(span[0])
            if prepared.rule.roles and place.role not in prepared.rule.roles:
                continue
            seen.add(index)
            yield make_finding(prepared.rule, source, span, place, severity=_severity(prepared.rule, place))


def _severity(rule: Rule, place: Place) -> Severity:
    milder = [rule.at[key] for key in (place.role, place.kind) if key in rule.at]
    return max([*milder, rule.severity] if milder else [rule.severity], key=lambda severity: severity.rank)


_ = (time, FileRead, Read, dataclass)
