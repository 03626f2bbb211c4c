"""Proof that a rewording loses nothing: each fact of the old entries is kept, said in other words, or missing.

And the other way round: each sentence of the new text points to the entries it comes from; facts without a source are
named. Words and shapes decide, not meaning, so "reworded" asks for a look and "missing" for a tick.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from memoryhub import likeness
from memoryhub.curation.facts import NEGATIONS, Fact, FactKind, content_words, find_facts
from memoryhub.curation.health.model import Span
from memoryhub.curation.health.wording import sentences

State = Literal["kept", "reworded", "missing"]
_LITERAL: Final = frozenset(
    [FactKind.COMMAND, FactKind.PATH, FactKind.QUOTE, FactKind.NUMBER, FactKind.SIGN, FactKind.NAME]
)
_DIGITS: Final = re.compile(r"\d+")
_SHARE: Final = 0.5  # of the words that a wish or negation is about
_SOURCE: Final = 0.34  # of a sentence's words that an entry must hold to count as its source


@dataclass(frozen=True)
class Checked:
    """What became of one fact of the old entries; `place` is the entry's (from 0). `new` is where it stands now."""

    fact: Fact
    place: int
    state: State
    new: Span | None = None

    @property
    def key(self) -> str:
        """A name for the tick that accepts its loss, the same while the old texts are."""
        return f"{self.place}:{self.fact.kind}:{self.fact.span[0]}"


@dataclass(frozen=True)
class Claim:
    """One sentence of the new text and the entries (places from 0) it comes from; none when nothing holds it."""

    span: Span
    sources: tuple[int, ...]
    unsourced: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Proof:
    """The whole comparison of old entries with the new texts."""

    facts: tuple[Checked, ...]
    claims: tuple[tuple[Claim, ...], ...]

    @property
    def missing(self) -> tuple[Checked, ...]:
        """What is lost: each needs its own tick."""
        return tuple(checked for checked in self.facts if checked.state == "missing")

    @property
    def unsourced(self) -> tuple[Fact, ...]:
        """Facts of the new texts that no old entry holds."""
        return tuple(fact for claims in self.claims for claim in claims for fact in claim.unsourced)


def prove(old: Sequence[str], new: Sequence[str]) -> Proof:
    """Compare old entries with the texts that shall replace them."""
    after = "\n".join(new)
    facts = [
        Checked(fact, place, *_fate(fact, text, after)) for place, text in enumerate(old) for fact in find_facts(text)
    ]
    return Proof(tuple(_once(facts)), tuple(tuple(_claims(text, old)) for text in new))


def _fate(fact: Fact, text: str, after: str) -> tuple[State, Span | None]:
    if fact.kind in _LITERAL:
        return _literal_fate(fact.text, after)
    return _said_fate(fact, text, after)


def _literal_fate(wanted: str, after: str) -> tuple[State, Span | None]:
    if (at := _find_word(wanted, after)) is not None:
        return "kept", (at, at + len(wanted))
    folded, seen = likeness.fold(wanted), likeness.fold(after)
    if _find_word(folded, seen) is not None or _find_word(_plain(folded), _plain(seen)) is not None:
        return "reworded", None
    return "missing", None


def _said_fate(fact: Fact, text: str, after: str) -> tuple[State, Span | None]:
    """A negation or wish is kept when a sentence says it of the same words, in these or other words."""
    best: tuple[float, Span] | None = None
    for begin, end in sentences(after):
        sentence = after[begin:end]
        if fact.kind == FactKind.NEGATION and not NEGATIONS.within(sentence):
            continue
        shared = len(fact.about & content_words(sentence)) / max(1, len(fact.about))
        if best is None or shared > best[0]:
            best = shared, (begin, end)
    if best is None or best[0] < _SHARE:
        return "missing", None
    said = text[fact.span[0] : fact.span[1]].casefold()
    same = best[0] == 1.0 and said in after[best[1][0] : best[1][1]].casefold()
    return ("kept" if same else "reworded"), best[1]


def _find_word(wanted: str, text: str) -> int | None:
    """Where a text stands as a whole word or number, not as a part of a longer one."""
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        before, behind = text[at - 1 : at], text[end : end + 1]
        if not (_joins(before, wanted[0]) or _joins(wanted[-1], behind)):
            return at
        at = text.find(wanted, at + 1)
    return None


def _joins(first: str, second: str) -> bool:
    """Whether two neighbours are of one word or number; Chinese characters stand each for itself."""
    return bool(first and second) and all(c.isascii() and (c.isalnum() or c == "_") for c in (first, second))


def _plain(text: str) -> str:
    """Numbers without the commas in thousands, paths without the slash at their end, names without their plural."""
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    text = re.sub(r"(?<=\w)/(?=\s|$)", "", text)
    return re.sub(r"(?<=[a-z]{3})s\b", "", text)


def _once(facts: Iterable[Checked]) -> list[Checked]:
    """The facts with each literal told once, at its first place; a fact that one entry repeats is one fact."""
    seen: set[tuple[str, str]] = set()
    kept = []
    for checked in facts:
        key = (checked.fact.kind, likeness.fold(checked.fact.text))
        if checked.fact.kind not in _LITERAL or key not in seen:
            kept.append(checked)
        seen.add(key)
    return kept


def _claims(text: str, old: Sequence[str]) -> Iterable[Claim]:
    bags = [content_words(each) for each in old]
    together = "\n".join(old)
    for begin, end in sentences(text):
        sentence = text[begin:end]
        mine = content_words(sentence)
        sources = tuple(place for place, bag in enumerate(bags) if mine and len(mine & bag) / len(mine) >= _SOURCE)
        strange = tuple(
            Fact(fact.kind, fact.text, (begin + fact.span[0], begin + fact.span[1]))
            for fact in find_facts(sentence)
            if fact.kind in _LITERAL and _literal_fate(fact.text, together)[0] == "missing"
        )
        if mine or strange:
            yield Claim((begin, end), sources, strange)
