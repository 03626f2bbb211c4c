"""Making room: the cheapest set of entries to drop, move or merge so that N characters become free.

A proposal only: nothing is removed by itself, pinned entries are left out, and each option says what would be lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from memoryhub.curation.facts import Fact, FactKind, find_facts
from memoryhub.curation.health.model import Finding

Action = Literal["remove", "move", "merge", "prefix"]
DELIMITER_CHARS: Final = 3
_FREE: Final = frozenset(
    ["copy", "twin", "hollow", "log_line"]
)  # removing these loses nothing that is not said elsewhere
_MOVES: Final = {"person_in_memory": "user", "machine_in_user": "memory"}
_MERGE_SAVES: Final = 0.7  # of the shorter entry, as careful owners do
_MOVE_COST: Final = 0.15  # of the keep value: nothing is lost, the other file pays
_MERGE_COST: Final = 0.25


@dataclass(frozen=True)
class Candidate:
    """One entry of the file that needs room: its text, keep value (0-100), and whether it is pinned."""

    place: int
    text: str
    value: int
    is_pinned: bool = False


@dataclass(frozen=True)
class Option:
    """One thing that could be done about one entry. `gain` is in characters, an estimate for merges."""

    action: Action
    place: int
    gain: int
    cost: float
    is_estimate: bool = False
    other: int | None = None
    loses: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Plan:
    """The chosen options, those that win most first; `reaches` says whether they make the room asked for."""

    options: tuple[Option, ...]
    gain: int
    reaches: bool


def make_room(
    candidates: Sequence[Candidate],
    findings: Sequence[Finding],
    needed: int,
    *,
    room_elsewhere: int,
) -> Plan:
    """Choose what to do so that `needed` characters become free at the least cost.

    `findings` are those about this file; `room_elsewhere` is how many characters the other file can take. With too few
    options all of them are given and `reaches` is False.
    """
    if needed <= 0:
        return Plan((), 0, reaches=True)
    by_place = _by_place(findings)
    offered = [options for each in candidates if (options := _options(each, by_place, candidates, room_elsewhere))]
    chosen = _cheapest(offered, needed) or [max(options, key=lambda one: one.gain) for options in offered]
    chosen = _within_elsewhere(_without_partners(chosen), candidates, room_elsewhere)
    gain = sum(option.gain for option in chosen)
    return Plan(tuple(sorted(chosen, key=lambda one: -one.gain)), gain, gain >= needed)


def _by_place(findings: Sequence[Finding]) -> Mapping[int, list[Finding]]:
    found: dict[int, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.place, []).append(finding)
    return found


def _options(
    entry: Candidate, findings: Mapping[int, list[Finding]], others: Sequence[Candidate], elsewhere: int
) -> list[Option]:
    if entry.is_pinned:
        return []
    mine = findings.get(entry.place, [])
    codes = {finding.code for finding in mine}
    whole = len(entry.text) + DELIMITER_CHARS
    free = bool(codes & _FREE)
    options = [
        Option("remove", entry.place, whole, 0.0 if free else 1.0 + entry.value, loses=() if free else _facts(entry))
    ]
    if codes & set(_MOVES) and whole <= elsewhere:
        options.append(Option("move", entry.place, whole, 0.5 + _MOVE_COST * entry.value))
    for finding in mine:
        options += _further(entry, finding, others)
    return options


def _further(entry: Candidate, finding: Finding, others: Sequence[Candidate]) -> list[Option]:
    if finding.code == "migrated" and finding.spans:
        start, end = finding.spans[0]
        return [Option("prefix", entry.place, end - start, 0.1)]
    same_file = [place for target, place in finding.others if target == finding.target]
    if finding.code == "overlap" and same_file and same_file[0] < len(others) and not others[same_file[0]].is_pinned:
        partner = others[same_file[0]]
        shorter = min(len(entry.text), len(partner.text))
        gain = round(_MERGE_SAVES * shorter) + DELIMITER_CHARS
        cost = 1.0 + _MERGE_COST * min(entry.value, partner.value)
        return [Option("merge", entry.place, gain, cost, is_estimate=True, other=partner.place)]
    return []


def _facts(entry: Candidate) -> tuple[Fact, ...]:
    return tuple(fact for fact in find_facts(entry.text) if fact.kind not in (FactKind.WISH,))


def _cheapest(offered: Sequence[Sequence[Option]], needed: int) -> list[Option] | None:
    """Choose at most one option an entry, at the least cost that wins ``needed`` characters; None when none do."""
    best: dict[int, tuple[float, tuple[Option, ...]]] = {0: (0.0, ())}
    for options in offered:
        grown = dict(best)
        for gained, (cost, chosen) in best.items():
            for option in options:
                total = min(needed, gained + option.gain)
                price = cost + option.cost
                if total not in grown or price < grown[total][0]:
                    grown[total] = price, (*chosen, option)
        best = grown
    return list(best[needed][1]) if needed in best else None


def _without_partners(chosen: Sequence[Option]) -> list[Option]:
    """Drop a merge whose partner goes anyway: there is nothing left to merge with."""
    gone = {option.place for option in chosen if option.action in ("remove", "move", "merge")}
    return [option for option in chosen if option.action != "merge" or option.other not in gone]


def _within_elsewhere(chosen: Sequence[Option], candidates: Sequence[Candidate], room: int) -> list[Option]:
    """Leave out moves that the other file cannot take together."""
    kept = []
    for option in chosen:
        if option.action == "move":
            if option.gain > room:
                continue
            room -= option.gain
        kept.append(option)
    return kept
