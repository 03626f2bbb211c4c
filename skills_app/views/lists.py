"""The list of skills, and that of the archived ones."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from memoryhub.web.htmx import HubRequest, respond
from skills_app.forms import ListRequest, list_request
from skills_app.guard import RULES_VERSION
from skills_app.library.model import Listing
from skills_app.services import catalogue
from skills_app.services.catalogue import Catalogue
from skills_app.shelf import PER_PAGE, Row, page
from skills_app.views import texts
from skills_app.views.common import address, changed_query
from skills_app.views.facets import facets
from skills_app.views.rows import grouped
from skills_app.views.words import choice_words

PAGE = "skills_app/list.html"
PART = "skills_app/_list_body.html"
_KEPT = ("profile", "verdict", "tier", "category", "is", "order")


@require_safe
def skill_list(request: HubRequest) -> HttpResponse:
    """All skills that the agent can load, and those that it cannot, with their verdicts."""
    known = catalogue.current(request.hermes_home)
    return _list(request, known, known.rows, is_archive=False)


@require_safe
def archived_list(request: HubRequest) -> HttpResponse:
    """The skills that Hermes' curator put away."""
    known = catalogue.current(request.hermes_home)
    return _list(request, known, known.archived, is_archive=True)


def _list(request: HubRequest, known: Catalogue, rows: tuple[Row, ...], *, is_archive: bool) -> HttpResponse:
    asked = list_request(request)
    if asked.state == known.state:  # a page asks whether something changed
        return HttpResponse(status=204)
    shown = page(rows, asked.filters, asked.order, after=asked.after, before=asked.before)
    return respond(
        request,
        PAGE,
        part=PART,
        asked=asked,
        is_archive=is_archive,
        groups=grouped(request, shown.rows, asked.order),
        facets=facets(request, asked, shown.facets),
        total=shown.total,
        everything=len(rows),
        narrows=asked.filters.narrows,
        newer=changed_query(request, before=shown.before) if shown.before else None,
        older=changed_query(request, after=shown.after) if shown.after else None,
        stretch=_stretch(shown.first, len(shown.rows), shown.total),
        frame=_frame(request, asked, known),
        progress=progress_words(known),
        notes=_notes(known.listing),
        scanned_at=known.scanned_at,
        choice=choice_words(known.choice),
    )


def _frame(request: HubRequest, asked: ListRequest, known: Catalogue) -> dict[str, Any]:
    """What the page's head, its box and its pulse need."""
    return {
        "url": request.path,
        "clear_url": address(request, request.resolver_match.view_name if request.resolver_match else "skills:list"),
        "kept": [(name, request.GET[name]) for name in _KEPT if name in request.GET],
        "pulse_url": changed_query(request, after=asked.after or None, before=asked.before or None, state=known.state),
        "tabs": tabs(request, known),
        "rules_version": RULES_VERSION,
        "disagreeing": sum(1 for row in known.rows if row.disagrees),
        "disagreeing_url": f"{reverse('skills:list')}?is=disagree",
    }


def tabs(request: HubRequest, known: Catalogue) -> list[dict[str, Any]]:
    tabs = [
        ("skills:list", _("Library"), len(known.rows)),
        ("skills:archived", _("Archived"), len(known.archived)),
        ("skills:rules", _("Rules"), None),
    ]
    return [
        {"url": address(request, name), "label": label, "count": count, "is_current": reverse(name) == request.path}
        for name, label, count in tabs
    ]


def progress_words(known: Catalogue) -> str:
    """How far scanning is; empty when everything was scanned."""
    waiting = known.waiting
    if not waiting:
        return ""
    facts = {"done": len(known.rows) + len(known.archived) - waiting, "all": len(known.rows) + len(known.archived)}
    return _("Checking: %(done)s of %(all)s skills are scanned.") % facts


def _notes(listing: Listing) -> list[str]:
    """What is wrong with folders and records, a sentence each."""
    found = [f"{each.sentence} {each.advice}".strip() for each in listing.problems]
    if records := listing.damaged_records:
        names = ", ".join(texts.line(each.name or each.install_path, 60) or "–" for each in records[:5])
        sentence = ngettext(
            "%(count)s install record cannot be relied on (%(names)s): %(why)s",
            "%(count)s install records cannot be relied on (%(names)s): %(why)s",
            len(records),
        )
        found.append(sentence % {"count": len(records), "names": names, "why": texts.line(records[0].damage)})
    return found


def _stretch(first: int, shown: int, total: int) -> str:
    if total <= PER_PAGE:
        return ""
    return _("%(first)s–%(last)s of %(total)s") % {"first": first, "last": first + shown - 1, "total": total}
