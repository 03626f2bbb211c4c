"""The filters of the list as links: each value with its count, one click to choose, one to let go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from memoryhub.web.htmx import HubRequest
from sessions_app import pieces
from sessions_app.catalogue import Catalogue
from sessions_app.forms import ListRequest
from sessions_app.list_counts import Facet
from sessions_app.listing import Page
from sessions_app.views.common import changed_query
from sessions_app.views.rows import background_word


@dataclass(frozen=True)
class Choice:
    """One value: a link that chooses it, or lets it go."""

    label: str
    url: str
    count: int | None
    is_chosen: bool
    title: str = ""


@dataclass(frozen=True)
class FilterGroup:
    """The values of one filter."""

    name: str
    label: str
    choices: tuple[Choice, ...]


def filter_groups(request: HubRequest, facets: Mapping[str, Sequence[Facet]]) -> list[FilterGroup]:
    """The groups that have something to choose between."""
    labels = {"source": _("Source"), "model": _("Model"), "folder": _("Folder")}
    return [
        FilterGroup(name, labels[name], tuple(_choice(request, name, one) for one in values))
        for name, values in facets.items()
        if len(values) > 1 or any(one.is_chosen for one in values)
    ]


def tool_group(request: HubRequest, chosen: str, names: Sequence[str]) -> list[FilterGroup]:
    """The tools used lately, and the one chosen. They are not counted: that would mean reading every conversation."""
    values = names if not chosen or chosen in names else [chosen, *names]
    choices = tuple(_choice(request, "tool", Facet(one, None, one == chosen)) for one in values)
    return [FilterGroup("tool", _("Used the tool"), choices)] if choices else []


def _choice(request: HubRequest, name: str, facet: Facet) -> Choice:
    label = pieces.line(facet.value)
    short = "…/" + "/".join(label.rstrip("/").split("/")[-2:]) if name == "folder" and label.count("/") > 2 else label
    url = changed_query(request, **{name: None if facet.is_chosen else facet.value})
    return Choice(short, url, facet.count, facet.is_chosen, label)


def toggles(request: HubRequest, asked: ListRequest, shown: Page, known: Catalogue, running: int) -> list[Choice]:
    """The switches of the list: background work, running, with tools, archived."""
    filters = asked.filters
    archived = known_archived(known)
    hidden = sum(shown.counts.hidden.values())
    found = []
    if hidden or filters.everything:
        kinds = ", ".join(f"{background_word(kind)} {count}" for kind, count in sorted(shown.counts.hidden.items()))
        label = _("Scheduled, API and sub-agent work")
        url = changed_query(request, all=not filters.everything)
        found.append(Choice(label, url, hidden or None, filters.everything, kinds))
    found.append(
        Choice(_("Running now"), changed_query(request, running=not filters.running), running, filters.running)
    )
    found.append(Choice(_("Used tools"), changed_query(request, tools=not filters.tools), None, filters.tools))
    if archived or filters.archived:
        url = changed_query(request, archived=not filters.archived)
        found.append(Choice(_("Archived"), url, archived, filters.archived))
    return found


def known_archived(known: Catalogue) -> int:
    """How many conversations are archived, of every kind."""
    if "archived" not in known.memo:
        kinds = {place for place, kind in enumerate(known.kinds) if kind.is_archived}
        known.memo["archived"] = sum(1 for one in known.conversations if one.kind in kinds)
    return int(known.memo["archived"])  # type: ignore[call-overload,no-any-return]
