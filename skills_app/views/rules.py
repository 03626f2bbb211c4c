"""The rules of the guard as a document: what each looks for, why that matters, when it is harmless, and examples."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memoryhub.likeness import fold
from memoryhub.visible import Run
from memoryhub.web.htmx import HubRequest, respond
from skills_app.forms import RulesRequest, rules_request
from skills_app.guard import RULES_VERSION
from skills_app.guard.model import Category, Kind, Role, Rule, Severity
from skills_app.guard.rules import RULES
from skills_app.services import catalogue
from skills_app.views import texts
from skills_app.views.common import address, changed_query
from skills_app.views.facets import Choice
from skills_app.views.lists import tabs
from skills_app.views.words import Badge, category_word, kind_word, role_word, severity_badge, severity_word

PAGE = "skills_app/rules.html"
PART = "skills_app/_rules_body.html"


@dataclass(frozen=True)
class RuleView:
    """One rule, ready to show."""

    id: str
    severity: Badge
    title: str
    why: str
    harmless: str
    check: str
    where: str
    elsewhere: str
    matches: tuple[tuple[Run, ...], ...]
    look_alikes: tuple[tuple[Run, ...], ...]


@dataclass(frozen=True)
class Chapter:
    """The rules of one category, worst first."""

    name: str
    word: str
    rules: tuple[RuleView, ...]


@require_safe
def rule_list(request: HubRequest) -> HttpResponse:
    """All rules, or those that the filters leave."""
    asked = rules_request(request)
    shown = [rule for rule in RULES if _passes(rule, asked)]
    known = catalogue.current(request.hermes_home)
    return respond(
        request,
        PAGE,
        part=PART,
        asked=asked,
        chapters=[chapter for category in Category if (chapter := _chapter(category, shown)).rules],
        count=len(shown),
        everything=len(RULES),
        version=RULES_VERSION,
        severities=_severities(request, asked),
        categories=_categories(request, asked),
        narrows=bool(asked.words or asked.severity or asked.category),
        frame={
            "url": request.path,
            "clear_url": address(request, "skills:rules"),
            "kept": [(name, request.GET[name]) for name in ("profile", "severity", "category") if name in request.GET],
            "tabs": tabs(request, known),
        },
    )


def _passes(rule: Rule, asked: RulesRequest) -> bool:
    if (asked.severity or rule.severity) is not rule.severity or (asked.category or rule.category) is not rule.category:
        return False
    text = fold(" ".join((rule.id, rule.title, rule.why, rule.harmless, rule.check))) if asked.words else ""
    return all(word in text for word in asked.words)


def _chapter(category: Category, rules: list[Rule]) -> Chapter:
    mine = sorted((rule for rule in rules if rule.category is category), key=lambda rule: (rule.severity.rank, rule.id))
    return Chapter(category.value, category_word(category), tuple(_view(rule) for rule in mine))


def _view(rule: Rule) -> RuleView:
    milder = [
        _("%(severity)s %(where)s") % {"severity": severity_word(severity), "where": _place_word(place)}
        for place, severity in rule.at.items()
    ]
    kinds = [kind_word(kind) for kind in sorted(rule.kinds)]
    roles = [role_word(role) for role in sorted(rule.roles)]
    return RuleView(
        id=rule.id,
        severity=severity_badge(rule.severity),
        title=rule.title,
        why=rule.why,
        harmless=rule.harmless,
        check=rule.check,
        where=", ".join((*kinds, *roles)),
        elsewhere="; ".join(milder),
        matches=tuple(texts.runs(example) for example in rule.matches),
        look_alikes=tuple(texts.runs(example) for example in rule.look_alikes),
    )


def _place_word(place: object) -> str:
    if isinstance(place, Role):
        return role_word(place)
    return _("in files of the kind %s") % kind_word(place) if isinstance(place, Kind) else str(place)


def _severities(request: HubRequest, asked: RulesRequest) -> list[Choice]:
    counts = Counter(rule.severity for rule in RULES)
    found = []
    for one in Severity:
        badge, is_chosen = severity_badge(one), asked.severity is one
        url = changed_query(request, severity=None if is_chosen else one.value)
        found.append(Choice(badge.word, url, counts[one], is_chosen, badge.tone, badge.sign))
    return found


def _categories(request: HubRequest, asked: RulesRequest) -> list[Choice]:
    counts = Counter(rule.category for rule in RULES)
    return [
        Choice(
            category_word(one),
            changed_query(request, category=None if asked.category is one else one.value),
            counts[one],
            asked.category is one,
        )
        for one in Category
        if counts[one]
    ]
