"""What addresses and forms of the skill pages ask, turned into types. A filter that means nothing is left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from memoryhub.likeness import fold
from skills_app.guard.model import Category, Severity, Tier, Verdict
from skills_app.judging import WAITING, Choice, Scope
from skills_app.shelf import ORDERS, STATES, Filters

_LONGEST: Final = 200
_LONGEST_REASON: Final = 1_000


@dataclass(frozen=True)
class ListRequest:
    """The list: what the box holds, filters, order, and where in it one is."""

    q: str
    filters: Filters
    order: str
    after: str
    before: str
    state: str  # of the page that asks whether something changed


def list_request(request: HttpRequest) -> ListRequest:
    """Read the address of the list."""
    given = request.GET
    q = " ".join(given.get("q", "").replace("\0", " ").split())[:_LONGEST]
    order = given.get("order", "")
    return ListRequest(
        q=q,
        filters=Filters(
            words=tuple(fold(q).split()),
            verdict=_one_of(given.get("verdict"), (*(one.value for one in Verdict), WAITING)),
            tier=_one_of(given.get("tier"), tuple(one.value for one in Tier)),
            category=given["category"][:_LONGEST] if "category" in given else None,
            state=_one_of(given.get("is"), STATES),
        ),
        order=order if order in ORDERS else "verdict",
        after=given.get("after", ""),
        before=given.get("before", ""),
        state=given.get("state", ""),
    )


@dataclass(frozen=True)
class RulesRequest:
    """The table of rules, narrowed to words, a severity or a category."""

    q: str
    words: tuple[str, ...]
    severity: Severity | None
    category: Category | None


def rules_request(request: HttpRequest) -> RulesRequest:
    """Read the address of the rules page."""
    given = request.GET
    q = " ".join(given.get("q", "").replace("\0", " ").split())[:_LONGEST]
    severity = _one_of(given.get("severity"), tuple(one.value for one in Severity))
    category = _one_of(given.get("category"), tuple(one.value for one in Category))
    return RulesRequest(
        q, tuple(fold(q).split()), Severity(severity) if severity else None, Category(category) if category else None
    )


class DismissForm(forms.Form):
    """Why a finding is fine, and how far that reaches; ``digest`` and ``finding`` name what was looked at."""

    reason = forms.CharField(
        label=_("Reason"), max_length=_LONGEST_REASON, error_messages={"required": _("Say why this finding is fine.")}
    )
    scope = forms.ChoiceField(label=_("How far"), choices=[(one.value, one.value) for one in Scope])
    finding = forms.CharField(max_length=64)
    digest = forms.CharField(max_length=64)


class ChoiceForm(forms.Form):
    """Whose verdict decides."""

    choice = forms.ChoiceField(choices=[(one.value, one.value) for one in Choice])


def _one_of(value: str | None, values: tuple[str, ...]) -> str | None:
    return value if value in values else None
