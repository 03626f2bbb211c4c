"""Everything the patterns of the rules find in one text, in each of its forms, weighed by where it stands."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from skills_app.guard.decoding import decoded
from skills_app.guard.findings import make_finding
from skills_app.guard.model import EXCERPT, Finding, Rule
from skills_app.guard.places import Places
from skills_app.guard.searching import Prepared, RuleBook, search
from skills_app.guard.snippets import disguised, unquoted
from skills_app.guard.text import SourceText, line_at
from skills_app.guard.variants import Form, Span, flatten, form_of
from skills_app.guard.weighing import weigh

MOST: Final = 25  # findings of one rule in one file that are listed; the gravest are
_AROUND: Final = 160


class OutOfTime(Exception):
    """The time for one text is over; ``found`` is what was found until then."""

    def __init__(self, found: list[Finding]) -> None:
        super().__init__("The time limit was reached.")
        self.found = found


@dataclass
class Matcher:
    """A search through one text, ``until`` a time of ``time.monotonic``; ``named``: the instructions name the file."""

    source: SourceText
    book: RuleBook
    until: float
    named: bool = False
    places: Places = field(init=False)
    flat: Form = field(init=False)
    found: dict[tuple[str, int], Finding] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.places = Places(self.source)
        self.flat = Form(self.source.text, lowered=self.source.lowered)

    def findings(self) -> list[Finding]:
        """What the rules find; raises OutOfTime."""
        for form, present, known in self._forms():
            for prepared, hints in self.book.candidates(present, self.source.kind):
                self._search(form, prepared, hints, known)
        return self._listed()

    def _forms(self) -> Iterator[tuple[Form, frozenset[str], str | None]]:
        """The forms to search in, each with the hints it holds and a text of the same length searched before."""
        present = self.book.present(self.source.lowered)
        yield self.flat, present, None
        self.flat = flatten(self.source, self.places.blocks) or self.flat
        if self.flat.text != self.source.text:
            yield self.flat, present | self.book.present_across(self.flat.lowered), self.source.text
        if form := form_of([*disguised(self.source), *unquoted(self.source), *decoded(self.source)]):
            yield form, self.book.present(form.lowered), None

    def _search(self, form: Form, prepared: Prepared, hints: list[str], known: str | None) -> None:
        rule = prepared.rule
        for span in search(prepared, form.text, form.lowered, hints, known, self._is_late):
            origin = form.origin(span)
            key = rule.id, self.source.line_index(origin[0])
            if key in self.found and not self._is_worse(form, rule, origin, self.found[key]):
                continue
            if prepared.unless and prepared.unless.search(_line_around(form, span)):
                continue
            finding = self._finding(form, rule, span, origin)
            if finding is not None:
                self.found[key] = finding

    def _is_late(self) -> None:
        """Raise OutOfTime when it is."""
        if time.monotonic() > self.until:
            raise OutOfTime(self._listed())

    def _is_worse(self, form: Form, rule: Rule, origin: Span, known: Finding) -> bool:
        """Whether a further match in a line weighs more than the one that is known."""
        if known.severity is rule.severity or known.decoded:
            return False
        self._is_late()
        spot = self.places.at(*origin)
        return weigh(rule, spot, decoded=form.is_hidden, named=self.named)[0].rank < known.severity.rank

    def _finding(self, form: Form, rule: Rule, span: Span, origin: Span) -> Finding | None:
        spot = self.places.at(*origin)
        if rule.roles and spot.place.role not in rule.roles:
            return None
        severity, weakened = weigh(rule, spot, decoded=form.is_hidden, named=self.named)
        return make_finding(
            rule,
            self.source,
            origin,
            spot.place,
            severity=severity,
            weakened=weakened,
            decoded=_decoded(form, span, self.source, origin),
        )

    def _listed(self) -> list[Finding]:
        """At most MOST of each rule, the gravest; the last of them says how many more there are."""
        by_rule: dict[str, list[Finding]] = {}
        for finding in self.found.values():
            by_rule.setdefault(finding.rule, []).append(finding)
        listed: list[Finding] = []
        for findings in by_rule.values():
            findings.sort(key=lambda finding: (finding.severity.rank, finding.line))
            listed += findings[:MOST]
            if (more := len(findings) - MOST) > 0:
                words = f"{listed[-1].description} (and in {more} more lines of this file)"
                listed[-1] = replace(listed[-1], description=words)
        return listed


def _line_around(form: Form, span: Span) -> str:
    return form.text[slice(*line_at(form.text, *span))]


def _decoded(form: Form, span: Span, source: SourceText, origin: Span) -> str:
    """What the form says where it matched, unless the text itself says it there."""
    said = form.text[span[0] : span[1]]
    if said == source.text[origin[0] : origin[1]]:
        return ""
    start, end = line_at(form.text, *span)
    around = form.text[max(start, span[0] - _AROUND) : min(end, span[1] + _AROUND)]
    return " ".join(around.split()) if not form.is_hidden else around[: EXCERPT * 2]
