"""One skill of the list as it is shown: words, badges and its address."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from memoryhub.web.htmx import HubRequest
from skills_app.guard.model import Coverage
from skills_app.library.model import RootKind, Skill
from skills_app.shelf import Row, group_of
from skills_app.views import texts
from skills_app.views.common import address
from skills_app.views.facets import category_word
from skills_app.views.words import (
    Badge,
    counts_words,
    coverage_word,
    policy_word,
    state_word,
    tier_word,
    verdict_badge,
    verdict_word,
)


@dataclass(frozen=True)
class RowView:
    """One skill, ready to show."""

    id: str
    url: str
    name: str
    description: str
    place: str
    category: str
    badges: tuple[Badge, ...]
    problem: str
    tier: str
    verdict: Badge
    coverage: str
    policy: str
    findings: str
    dismissed: int
    uses: int
    used: datetime | None
    changed: datetime | None
    restore_url: str


@dataclass(frozen=True)
class Group:
    """Rows that stand together; ``label`` is empty where the order makes no groups."""

    label: str
    rows: tuple[RowView, ...]


def row_view(request: HubRequest, row: Row) -> RowView:
    """Make the view of a row."""
    skill = row.skill
    problem = next((each.sentence for each in skill.problems if each.keeps_out), "")
    is_archived = skill.root.kind is RootKind.ARCHIVE
    return RowView(
        id=f"skill-{skill.key}",
        url=address(request, "skills:show", skill.key),
        name=shown_name(skill),
        description=texts.line(skill.description, 240),
        place=place_words(skill),
        category=category_word(skill.category) if skill.category else "",
        badges=tuple(skill_badges(row)),
        problem=problem or next((each.sentence for each in skill.problems), ""),
        tier=tier_word(skill.tier),
        verdict=verdict_badge(row.verdict, row.unread),
        coverage=coverage_word(row.coverage) if row.coverage not in (None, Coverage.FULL) else "",
        policy=policy_word(row.policy),
        findings=counts_words(row.counts),
        dismissed=row.dismissed,
        uses=row.uses,
        used=skill.usage.last_used_at if skill.usage else None,
        changed=skill.last_changed,
        restore_url=address(request, "skills:switch", skill.key, "restore") if is_archived else "",
    )


def grouped(request: HubRequest, rows: tuple[Row, ...], order: str) -> list[Group]:
    """The rows of a page in their groups, in order."""
    found: list[tuple[str | None, list[RowView]]] = []
    for row in rows:
        value = group_of(row, order)
        if not found or found[-1][0] != value:
            found.append((value, []))
        found[-1][1].append(row_view(request, row))
    return [Group("" if value is None else _group_label(order, value), tuple(views)) for value, views in found]


def shown_name(skill: Skill) -> str:
    """The skill's name on one line, its folder's where it has none."""
    return texts.line(skill.name, 120) or texts.line(skill.folder_name, 120) or _("a skill without a name")


def place_words(skill: Skill) -> str:
    """Where the skill lies, when its name does not say so already."""
    is_plain = skill.root.kind is RootKind.HOME and skill.relative.rpartition("/")[2] == skill.name
    return "" if is_plain else texts.line(f"{skill.root.label}/{skill.relative}", 200)


def skill_badges(row: Row) -> list[Badge]:
    """What is particular about a skill."""
    skill = row.skill
    found = []
    if skill.root.kind is RootKind.EXTERNAL:
        found.append(Badge(_("external"), title=_("from a folder of skills.external_dirs; only read here")))
    if skill.root.kind is RootKind.PROJECT:
        found.append(Badge(_("project"), title=_("for sessions inside one project; only read here")))
    if skill.is_disabled:
        found.append(Badge(_("disabled"), "", "⏻", _("in skills.disabled of config.yaml")))
    if skill.disabled_on:
        platforms = ", ".join(texts.line(one, 40) for one in skill.disabled_on)
        found.append(Badge(_("disabled on %s") % platforms, title=_("in skills.platform_disabled of config.yaml")))
    if not skill.loaded and not skill.is_disabled and row.skill.state != "archived":
        found.append(Badge(_("not loaded"), "amber", "◐"))
    if skill.is_modified:
        found.append(Badge(state_word("modified"), "accent", "~", _("its files differ from those that were shipped")))
    if skill.pinned:
        found.append(Badge(state_word("pinned"), "accent", "▪", _("Hermes' curator leaves it alone")))
    if skill.state == "stale":
        found.append(Badge(state_word("stale"), title=_("Hermes' curator saw no use of it for a while")))
    if row.disagrees:
        theirs = verdict_word(row.theirs.value if row.theirs else "")
        found.append(Badge(_("Hermes: %s") % theirs, title=_("Hermes' own guard comes to another verdict")))
    return found


def _group_label(order: str, value: str) -> str:
    if order == "category":
        return category_word(value)
    return verdict_word(value) if order == "verdict" else tier_word(value)
