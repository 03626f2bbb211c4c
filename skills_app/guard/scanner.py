"""A scan of one skill, in this process: read, look at the structure, search, follow, weigh, judge."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from skills_app.guard.capabilities import Collector
from skills_app.guard.flows import Readable, flow_findings
from skills_app.guard.hidden import hidden_findings
from skills_app.guard.matching import Matcher, OutOfTime
from skills_app.guard.model import FileRead, Finding, Read, Report, Rule
from skills_app.guard.policy import coverage_of, judge
from skills_app.guard.reading import Reading, read_bytes, read_folder
from skills_app.guard.rules import RULES
from skills_app.guard.rules.flows import FLOWS
from skills_app.guard.rules.structural import STRUCTURAL
from skills_app.guard.rules.unseen import UNSEEN
from skills_app.guard.searching import RuleBook
from skills_app.guard.structure import structure_findings
from skills_app.guard.text import SourceText
from skills_app.guard.version import RULES_VERSION

SECONDS: Final = 20.0  # for one skill
FILE_SECONDS: Final = 1.5  # for one file of it


def scan_skill(
    folder: Path,
    *,
    limit_seconds: float = SECONDS,
    file_seconds: float = FILE_SECONDS,
    rules: tuple[Rule, ...] | None = None,
    skip: Mapping[str, str] = MappingProxyType({}),
    at: Callable[[str], None] | None = None,
) -> Report:
    """Scan the skill in ``folder``. Reads only, follows no link; never raises for what a skill holds.

    ``skip`` maps the files that are not to be searched to the reason; ``at`` is told each file before it is searched.
    """
    scan = _Scan(read_folder(folder), _table(rules), limit_seconds, file_seconds)
    scan.late.update(skip)
    scan.at = at
    return scan.report()


def scan_texts(
    files: Mapping[str, bytes],
    *,
    limit_seconds: float = SECONDS,
    file_seconds: float = FILE_SECONDS,
    rules: tuple[Rule, ...] | None = None,
) -> Report:
    """Scan a skill that is not on disk (yet); ``files`` maps relative posix paths to bytes."""
    return _Scan(read_bytes(files), _table(rules), limit_seconds, file_seconds).report()


def get_ready() -> None:
    """Make the table of rules ready, which takes longer than many a scan."""
    _default_table()


@dataclass(frozen=True)
class Table:
    """The rules of a scan: those with a pattern made ready, all of them by id."""

    book: RuleBook
    by_id: Mapping[str, Rule]

    @property
    def row(self) -> Callable[[str], Rule]:
        """A rule by its id."""
        return self.by_id.__getitem__


def _table(rules: tuple[Rule, ...] | None) -> Table:
    return _default_table() if rules is None else _make_table(rules)


@lru_cache(maxsize=1)
def _default_table() -> Table:
    table = _make_table(RULES)
    table.book.prepare()  # now, so that no file's time is spent on it
    return table


def _make_table(rules: Iterable[Rule]) -> Table:
    rules = tuple(rules)
    return Table(RuleBook(rules), {rule.id: rule for rule in (*STRUCTURAL, *UNSEEN, *FLOWS, *rules)})


@dataclass
class _Scan:
    """One scan on its way."""

    reading: Reading
    table: Table
    limit_seconds: float
    file_seconds: float
    found: list[Finding] = field(default_factory=list)
    read: list[Readable] = field(default_factory=list)
    able: Collector = field(default_factory=Collector)
    late: dict[str, str] = field(default_factory=dict)  # files that took too long or were left out, with the reason
    at: Callable[[str], None] | None = None

    def report(self) -> Report:
        until = time.monotonic() + self.limit_seconds
        self.found += structure_findings(self.reading, self.table.row)
        texts = self.reading.texts()
        named = _names_in(texts)
        for source in texts:
            if source.path not in self.late:
                self._text(source, until, named(source.path))
        self.found += flow_findings(self.read, self.table.row)
        self.found.sort(key=_order)
        files = tuple(self._file(entry.read) for entry in self.reading.entries)
        verdict, reason = judge(self.found, files)
        for entry in self.reading.entries:
            self.able.note_file(entry)
        return Report(
            rules_version=RULES_VERSION,
            digest=self.reading.digest,
            verdict=verdict,
            reason=reason,
            findings=tuple(self.found),
            files=files,
            coverage=coverage_of(files),
            capabilities=self.able.capabilities(),
        )

    def _text(self, source: SourceText, until: float, named: bool) -> None:
        if self.at:
            self.at(source.path)
        matcher = Matcher(source, self.table.book, min(until, time.monotonic() + self.file_seconds), named)
        try:
            self.found += matcher.findings()
        except OutOfTime as late:
            self.found += late.found
            words = f"The rules did not come to an end within {self.file_seconds:g} seconds."
            self.late[source.path.partition("!/")[0]] = words
        self.found += hidden_findings(source, matcher.places, self.table.row)
        self.able.look(source, matcher.places)
        self.read.append(Readable(source, matcher.flat, matcher.places))

    def _file(self, read: FileRead) -> FileRead:
        if read.path not in self.late:
            return read
        return replace(read, read=Read.TIMEOUT, reason=self.late[read.path])


def _order(finding: Finding) -> tuple[int, bool, str, int, str]:
    return finding.severity.rank, finding.file != "SKILL.md", finding.file, finding.line, finding.rule


def _names_in(texts: list[SourceText]) -> Callable[[str], bool]:
    """Whether the instructions, or a script, name a file: then nothing about it is a mere test."""
    spoken = "\n".join(text.lowered for text in texts if text.path == "SKILL.md")[:1_000_000]
    words = {word.strip(".-") for word in re.split(r"[^\w.-]+", spoken)}
    return lambda path: path.rpartition("/")[2].lower() in words
