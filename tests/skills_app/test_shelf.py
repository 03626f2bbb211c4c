"""The list of skills: filters, counts, orders and paging by key."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from skills_app.guard.model import Severity, Tier, Verdict
from skills_app.library.model import Problem, Root, RootKind, Skill, Usage
from skills_app.shelf import ORDERS, PER_PAGE, Filters, Page, Row, page, search_text

ROOT = Root(RootKind.HOME, Path("/h/skills"), Path("/h/skills"), "home")
NOW = datetime(2026, 5, 1, tzinfo=UTC)


def row(name: str, verdict: Verdict | None = Verdict.SAFE, **facts: object) -> Row:
    uses, counts = facts.pop("uses", 0), facts.pop("counts", {})
    skill = Skill(
        name, name, name, ROOT, name, ROOT.path / name, "SKILL.md", usage=Usage(name, use_count=uses), **facts
    )
    return Row(skill, ours=verdict, verdict=verdict, counts=counts, text=search_text(skill))


def names(shown: Page) -> list[str]:
    return [one.skill.name for one in shown.rows]


def test_dangerous_ones_come_first_then_by_their_worst_findings() -> None:
    rows = [
        row("safe"),
        row("waiting", None),
        row("bad", Verdict.DANGEROUS, counts={Severity.CRITICAL: 1}),
        row("worse", Verdict.DANGEROUS, counts={Severity.CRITICAL: 3}),
        row("care", Verdict.CAUTION, counts={Severity.HIGH: 1}),
    ]
    assert names(page(rows, Filters(), "verdict")) == ["worse", "bad", "care", "waiting", "safe"]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("name", ["Alpha", "beta", "gamma"]),
        ("use", ["beta", "gamma", "Alpha"]),
        ("change", ["gamma", "beta", "Alpha"]),
        ("category", ["gamma", "Alpha", "beta"]),
        ("trust", ["beta", "Alpha", "gamma"]),
    ],
)
def test_each_order(order: str, expected: list[str]) -> None:
    rows = [
        row("gamma", uses=2, last_changed=NOW, category="a", tier=Tier.BUILTIN),
        row("Alpha", uses=0, category="b", tier=Tier.COMMUNITY),
        row("beta", uses=9, last_changed=NOW - timedelta(days=1), category="c", tier=Tier.AGENT_CREATED),
    ]
    assert names(page(rows, Filters(), order)) == expected


@pytest.mark.parametrize("order", ORDERS)
def test_paging_by_key_shows_every_skill_once_both_ways(order: str) -> None:
    rows = [row(f"s{number:03}", uses=number % 7, category=str(number % 3)) for number in range(PER_PAGE * 2 + 7)]
    seen, shown = [], page(rows, Filters(), order)
    seen += names(shown)
    while shown.after:
        last = shown
        shown = page(rows, Filters(), order, after=shown.after)
        assert names(page(rows, Filters(), order, before=shown.before)) == names(last)
        seen += names(shown)
    assert sorted(seen) == [one.skill.name for one in rows]
    assert shown.first + len(shown.rows) - 1 == len(rows)


def test_the_key_of_a_skill_that_is_gone_leads_to_the_beginning() -> None:
    rows = [row("a"), row("b")]
    assert names(page(rows, Filters(), "name", after="gone")) == ["a", "b"]


def test_the_key_of_the_last_skill_still_shows_something() -> None:
    assert names(page([row("a"), row("b")], Filters(), "name", after="b")) == ["b"]


def test_each_facet_counts_what_choosing_its_value_would_show() -> None:
    rows = [
        row("a", Verdict.DANGEROUS, tier=Tier.LOCAL, category="x"),
        row("b", Verdict.SAFE, tier=Tier.LOCAL, category="x"),
        row("c", Verdict.SAFE, tier=Tier.BUILTIN, category="y", is_modified=True),
    ]
    shown = page(rows, Filters(tier="local"), "name")
    assert shown.facets["verdict"] == {"dangerous": 1, "safe": 1}
    assert shown.facets["tier"] == {"local": 2, "builtin": 1}
    for value, count in shown.facets["verdict"].items():
        assert page(rows, Filters(tier="local", verdict=value), "name").total == count


def test_words_are_found_in_name_description_category_and_tags_whatever_their_case() -> None:
    rows = [row("Écrire", description="Write a LETTER", category="home", tags=("paper",)), row("other")]
    for words in (("écrire",), ("letter", "home"), ("paper",)):
        assert names(page(rows, Filters(words=words), "name")) == ["Écrire"]
    assert not page(rows, Filters(words=("letter", "nowhere")), "name").rows


@pytest.mark.parametrize(
    ("state", "facts"),
    [
        ("broken", {"problems": (Problem("x", "y"),)}),
        ("disabled", {"is_disabled": True}),
        ("disabled", {"disabled_on": ("telegram",)}),
        ("modified", {"is_modified": True}),
    ],
)
def test_what_is_particular_about_a_skill_can_be_filtered(state: str, facts: dict[str, object]) -> None:
    rows = [row("plain"), row("other", **facts)]
    shown = page(rows, Filters(state=state), "name")
    assert names(shown) == ["other"]
    assert shown.facets["state"][state] == 1


def test_no_category_is_a_category_of_its_own() -> None:
    rows = [row("a"), row("b", category="x")]
    assert names(page(rows, Filters(category=""), "name")) == ["a"]
    assert page(rows, Filters(), "name").total == 2
