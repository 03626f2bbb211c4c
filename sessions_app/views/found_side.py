"""What stands beside search results: sorting, counts to narrow by, hits over time. Each is a link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from memoryhub.web.htmx import HubRequest
from sessions_app import pieces
from sessions_app.forms import ListRequest
from sessions_app.list_counts import LONGEST_VALUE
from sessions_app.narrowing import has_filter, with_filter, without_field, without_filter
from sessions_app.search import Explored
from sessions_app.views.common import changed_query
from sessions_app.views.facets import Choice, FilterGroup

BARS: Final = 48
_HEIGHT: Final = 44


@dataclass(frozen=True)
class Bar:
    """One month of the chart; sizes in the units of its view box."""

    x: int
    y: int
    height: int
    month: str
    words: str
    url: str


def sorts(request: HubRequest, asked: ListRequest) -> list[Choice]:
    """The ways to sort."""
    labels = {"best": _("Best match"), "newest": _("Newest"), "oldest": _("Oldest")}
    return [
        Choice(label, changed_query(request, sort=None if name == "best" else name), None, asked.sort == name)
        for name, label in labels.items()
    ]


def facets(request: HubRequest, asked: ListRequest, found: Explored) -> list[FilterGroup]:
    """Values that the hits have, with counts: one click puts a filter into the query or takes it out."""
    labels = {"source": _("Source"), "role": _("Said by"), "model": _("Model"), "month": _("Month")}
    groups = []
    for facet in found.counts.facets:
        if facet.field not in labels:
            continue
        values = [(value, count) for value, count in facet.values if 0 < len(value) <= LONGEST_VALUE]
        choices = tuple(_choice(request, asked, facet.field, value, count) for value, count in values)
        chosen = any(one.is_chosen for one in choices)
        if len(choices) > 1 or chosen:
            groups.append(FilterGroup(facet.field, labels[facet.field], choices))
    return groups


def _choice(request: HubRequest, asked: ListRequest, field: str, value: str, count: int) -> Choice:
    if field == "month":
        return _month_choice(request, asked, value, count)
    is_chosen = has_filter(asked.q, field, value)
    text = without_filter(asked.q, field, value) if is_chosen else with_filter(asked.q, field, value)
    return Choice(_value_words(field, value), changed_query(request, q=text), count, is_chosen)


def _month_choice(request: HubRequest, asked: ListRequest, value: str, count: int) -> Choice:
    try:
        first = date.fromisoformat(f"{value}-01")
    except ValueError:
        return Choice(pieces.line(value), changed_query(request), count, False)
    is_chosen = has_filter(asked.q, "after", value)
    text = without_field(asked.q, "after", "before")
    if not is_chosen:
        text = with_filter(with_filter(text, "after", value), "before", f"{_next_month(first):%Y-%m}")
    return Choice(date_format(first, "M Y"), changed_query(request, q=text), count, is_chosen)


def _next_month(first: date) -> date:
    return date(first.year + first.month // 12, first.month % 12 + 1, 1)


def _value_words(field: str, value: str) -> str:
    if field == "role":
        words = {"user": _("you"), "assistant": _("the agent"), "tool": _("tools"), "system": _("system")}
        return words.get(value, pieces.line(value))
    return pieces.line(value)


def bars(request: HubRequest, asked: ListRequest, months: Sequence[tuple[date, int]]) -> list[Bar]:
    """The chart of hits over time: at most so many bars, each a link to its month."""
    shown = months[-BARS:]
    most = max((count for _month, count in shown), default=0)
    if most == 0 or len(shown) < 2:
        return []
    text = without_field(asked.q, "after", "before")
    bars = []
    for place, (month, count) in enumerate(shown):
        height = max(2, round(count / most * _HEIGHT)) if count else 0
        typed = with_filter(with_filter(text, "after", f"{month:%Y-%m}"), "before", f"{_next_month(month):%Y-%m}")
        name = date_format(month, "M Y")
        url = changed_query(request, q=typed)
        bars.append(Bar(place * 10, _HEIGHT - height, height, name, f"{name}: {count}", url))
    return bars


def options(request: HubRequest, asked: ListRequest) -> list[Choice]:
    """What else may be looked through."""
    return [
        Choice(
            _("Look through reasoning too"),
            changed_query(request, reasoning=not asked.reasoning),
            None,
            asked.reasoning,
        ),
        Choice(_("Undone messages too"), changed_query(request, undone=not asked.rewound), None, asked.rewound),
    ]
