"""What a query consists of: terms, filters, notes, and the whole of it, frozen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

Kind = Literal["word", "prefix", "phrase", "literal"]

TEXT_FIELDS: Final = ("source", "model", "role", "tool", "title", "session", "folder", "profile")
DATE_FIELDS: Final = ("before", "after")
FLAGS: Final = {"is": ("archived", "running"), "has": ("error",)}
FIELDS: Final = (*TEXT_FIELDS, *DATE_FIELDS, *FLAGS)


@dataclass(frozen=True)
class Term:
    """A text to look for.

    `word`: a whole word. `prefix`: words that begin so. `phrase`: words in a row, whatever stands between them.
    `literal`: exactly these characters anywhere (code, punctuation, scripts without spaces); case is ignored.
    `is_exact` terms are never relaxed when they find nothing.
    """

    text: str
    kind: Kind
    is_exact: bool = False


@dataclass(frozen=True)
class Filter:
    """A condition on the message or its session. `value` is what was typed.

    Dates have a `moment` (UTC), and that moment as it is `said` in the reader's time zone: 2026-05-01, or with a time.
    """

    field: str
    value: str
    is_excluded: bool = False
    moment: datetime | None = None
    said: str = ""


@dataclass(frozen=True)
class Note:
    """Something worth saying about the text that was typed. `text` is the piece it is about.

    Codes: unknown_filter, unknown_value, not_a_date, unbalanced_quote, unbalanced_bracket, star_alone,
    stray_operator, only_exclusions, too_long, nothing_to_find.
    """

    code: str
    text: str = ""


@dataclass(frozen=True)
class SearchQuery:
    """What a person typed, understood: every group must match, by any one of its terms; no excluded term may.

    Filters of one field are alternatives; different fields must all hold; excluded ones must not.
    """

    text: str
    groups: tuple[tuple[Term, ...], ...] = ()
    excluded: tuple[Term, ...] = ()
    filters: tuple[Filter, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def finds_something(self) -> bool:
        """Whether there is anything to look for: a term, or a filter that is not an exclusion."""
        return bool(self.groups) or any(not one.is_excluded for one in self.filters if one.field != "profile")

    @property
    def terms(self) -> tuple[Term, ...]:
        """All terms that are looked for."""
        return tuple(term for group in self.groups for term in group)

    @property
    def profile(self) -> str | None:
        """The profile named by `profile:`, whose database the caller opens; the last one named counts."""
        names = [one.value for one in self.filters if one.field == "profile" and not one.is_excluded]
        return names[-1] if names else None

    def values(self, field: str, *, excluded: bool = False) -> tuple[str, ...]:
        """The values given for a field."""
        return tuple(one.value for one in self.filters if one.field == field and one.is_excluded is excluded)

    def with_groups(self, groups: tuple[tuple[Term, ...], ...]) -> SearchQuery:
        """The same query with other terms to look for."""
        return replace(self, groups=groups)
