"""All health rules, in the order in which a person should hear of them; of several questions the first counts."""

from __future__ import annotations

from typing import Final

from memoryhub.curation.health import (
    dates,
    diary,
    emptiness,
    known,
    machine,
    person,
    procedure,
    together,
    transient,
)
from memoryhub.curation.health.model import Rule

_BY_CODE: Final[dict[str, Rule]] = {
    rule.code: rule
    for module in (known, together, emptiness, dates, transient, diary, procedure, person, machine)
    for rule in module.RULES
}
_ORDER: Final = (
    *("secret", "threat", "copy", "twin", "hollow", "promoted", "log_line", "migrated"),
    *(
        "both_files",
        "overlap",
        "date_passed",
        "passing_failure",
        "skill_pointer",
        "vague",
        "person_in_memory",
        "machine_in_user",
    ),
    *("procedure", "diary", "stale", "too_long"),
)
RULES: Final[tuple[Rule, ...]] = tuple(_BY_CODE[code] for code in _ORDER)
RANK: Final = {rule.code: rank for rank, rule in enumerate(RULES)}


def get_rule(code: str) -> Rule:
    """The rule with this code. Raises LookupError."""
    return _BY_CODE[code]
