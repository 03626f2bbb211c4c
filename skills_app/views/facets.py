"""The filters of the list as links: each value with its count, one click to choose, one to let go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from memoryhub.web.htmx import HubRequest
from skills_app.forms import ListRequest
from skills_app.guard.model import Verdict
from skills_app.judging import WAITING
from skills_app.shelf import ORDERS, STATES, TIERS, VERDICTS
from skills_app.views import texts
from skills_app.views.common import changed_query
from skills_app.views.words import order_word, state_word, tier_word, tier_words, verdict_badge, verdict_word

Counts = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Choice:
    """One value: a link that chooses it, or lets it go."""

    label: str
    url: str
    count: int | None = None
    is_chosen: bool = False
    tone: str = ""
    sign: str = ""
    title: str = ""


@dataclass(frozen=True)
class Facets:
    """All filters of the list, and the orders it can have."""

    verdicts: tuple[Choice, ...]
    tiers: tuple[Choice, ...]
    states: tuple[Choice, ...]
    categories: tuple[Choice, ...]
    orders: tuple[Choice, ...]
    category: str | None = field(default=None)


def facets(request: HubRequest, asked: ListRequest, counts: Counts) -> Facets:
    """The filters with what each value would show."""
    chosen = asked.filters
    return Facets(
        verdicts=tuple(_verdict(request, asked, value, counts["verdict"]) for value in (*VERDICTS, WAITING)),
        tiers=tuple(
            _choice(request, "tier", one.value, tier_word(one), counts["tier"], chosen.tier, title=tier_words(one))
            for one in TIERS
            if counts["tier"].get(one.value) or chosen.tier == one.value
        ),
        states=tuple(
            _choice(request, "is", one, state_word(one), counts["state"], chosen.state)
            for one in STATES
            if counts["state"].get(one) or chosen.state == one
        ),
        categories=_categories(request, asked, counts["category"]),
        orders=_orders(request, asked),
        category=None if chosen.category is None else category_word(chosen.category),
    )


def _orders(request: HubRequest, asked: ListRequest) -> tuple[Choice, ...]:
    first = next(iter(ORDERS))
    return tuple(
        Choice(
            order_word(one), changed_query(request, order=None if one == first else one), is_chosen=one == asked.order
        )
        for one in ORDERS
    )


def category_word(category: str) -> str:
    """A category as it is shown; skills that lie in no folder have none."""
    return texts.line(category, 60) or _("no category")


def _verdict(request: HubRequest, asked: ListRequest, value: str, counts: Mapping[str, int]) -> Choice:
    badge = verdict_badge(None if value == WAITING else Verdict(value))
    return _choice(
        request, "verdict", value, verdict_word(value), counts, asked.filters.verdict, tone=badge.tone, sign=badge.sign
    )


def _categories(request: HubRequest, asked: ListRequest, counts: Mapping[str, int]) -> tuple[Choice, ...]:
    chosen = asked.filters.category
    values = sorted({*counts, *([chosen] if chosen is not None else [])}, key=str.casefold)
    return tuple(_choice(request, "category", one, category_word(one), counts, chosen) for one in values)


def _choice(
    request: HubRequest,
    name: str,
    value: str,
    label: str,
    counts: Mapping[str, int],
    chosen: str | None,
    *,
    tone: str = "",
    sign: str = "",
    title: str = "",
) -> Choice:
    is_chosen = chosen == value
    url = changed_query(request, **{name: None if is_chosen else value})
    return Choice(label, url, counts.get(value, 0), is_chosen, tone, sign, title)
