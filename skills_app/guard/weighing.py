"""How much a finding weighs where it stands: the rule's own table first, then what holds for all rules.

Read as an attacker: code in a runnable file is never made milder by prose, and by a list or a test never below high;
what had to be decoded to be seen, leaked secrets and hidden characters weigh the same everywhere.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from skills_app.guard.model import Category, Kind, Place, Role, Rule, Severity
from skills_app.guard.places import Spot

_ORDER: Final = tuple(Severity)
_STEADFAST: Final = frozenset([Category.CREDENTIAL_EXPOSURE, Category.STRUCTURAL])
_BY_KIND: Final = {
    Kind.REFERENCE: "It stands in a reference, not in the instructions.",
    Kind.TEST: "It stands in a test or its data, which the instructions do not name.",
    Kind.ASSET: "It stands in a file that is neither instructions nor code.",
}
_CODE: Final = frozenset([Role.CODE, Role.DENY_LIST, Role.COMMENT])


def weigh(rule: Rule, spot: Spot, *, decoded: bool = False, named: bool = False) -> tuple[Severity, str]:
    """The severity of a match and why it is milder than the rule's own ("" when it is not).

    ``decoded``: the text was not readable as it stood. ``named``: the instructions name this file.
    """
    place = spot.place
    own = _own(rule, place)
    if decoded or rule.category in _STEADFAST:
        return own, _why_own(rule, own, place)
    steps, why = _steps(rule, spot, named=named)
    weakest = _ORDER[min(rule.severity.rank + steps, len(_ORDER) - 1)]
    if place.kind is Kind.SCRIPT and place.role is not Role.COMMENT and rule.severity is Severity.CRITICAL:
        weakest = min(weakest, Severity.HIGH, key=_rank)
    if weakest.rank <= own.rank:
        return own, _why_own(rule, own, place)
    return weakest, why


def _steps(rule: Rule, spot: Spot, *, named: bool) -> tuple[int, str]:
    place, steps, why = spot.place, spot.steps, spot.why if spot.steps else ""
    if place.role is Role.COMMENT and (rule.category is Category.INJECTION or place.language == "html"):
        steps, why = 0, ""  # an agent reads comments as well
    by_kind = _BY_KIND.get(place.kind, "")
    if by_kind and not (named and place.kind is not Kind.REFERENCE):
        steps, why = steps + 1, " ".join(filter(None, (why, by_kind)))
    return min(steps, 2), why


def _own(rule: Rule, place: Place) -> Severity:
    """What the rule itself says of such a place: the mildest that applies."""
    return max([rule.severity, *_applying(rule, place)], key=_rank)


def _applying(rule: Rule, place: Place) -> Collection[Severity]:
    return [rule.at[key] for key in (place.role, place.kind) if key in rule.at]


def _why_own(rule: Rule, own: Severity, place: Place) -> str:
    if own is rule.severity:
        return ""
    by_role = rule.at.get(place.role) is own
    where = _ROLES[place.role] if by_role else _KINDS[place.kind]
    return f"In {where} this rule weighs less."


def _rank(severity: Severity) -> int:
    return severity.rank


_ROLES: Final = {
    Role.HEADER: "a header",
    Role.PROSE: "prose",
    Role.CODE: "code",
    Role.INLINE_CODE: "inline code",
    Role.COMMENT: "a comment",
    Role.QUOTE: "a quotation",
    Role.DENY_LIST: "a list of what is refused",
    Role.PROHIBITION: "a prohibition",
}
_KINDS: Final = {
    Kind.SKILL: "instructions",
    Kind.SCRIPT: "a script",
    Kind.REFERENCE: "a reference",
    Kind.CONFIG: "a configuration",
    Kind.TEST: "a test",
    Kind.ASSET: "an asset",
}
