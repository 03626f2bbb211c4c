"""One skill: its verdict and findings, what it could do, what it says, where it came from and what became of it."""

from __future__ import annotations

import hashlib
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memoryhub.hermes.config import read_config
from memoryhub.web.htmx import HubRequest, respond
from skills_app.forms import DismissForm
from skills_app.judging import judge
from skills_app.library.model import RootKind, Skill
from skills_app.services import dismissals, timeline
from skills_app.services.catalogue import Catalogue
from skills_app.services.hermes_verdicts import find_theirs
from skills_app.services.verdicts import find_scan
from skills_app.shelf import Row
from skills_app.views import contents, facts, texts, theirs
from skills_app.views.common import address, row_or_404
from skills_app.views.findings import finding_lists
from skills_app.views.rows import place_words, row_view, shown_name, skill_badges
from skills_app.views.verdicts import verdict_view
from skills_app.views.words import tier_word, tier_words

PAGE = "skills_app/show.html"
PART = "skills_app/_show.html"
PULSE = "skills_app/_pulse.html"


@require_safe
def skill_show(request: HubRequest, key: str) -> HttpResponse:
    """The page of one skill."""
    known, row = row_or_404(request, key)
    asked = request.GET.get("state")
    if asked == page_state(row):  # the page asks whether it changed
        return HttpResponse(status=204)
    if asked and "checking" not in request.GET:
        return respond(
            request, PAGE, part=PULSE, changed_url=address(request, "skills:show", key), **context(request, known, row)
        )
    return respond(request, PAGE, part=PART, **context(request, known, row))


def page_state(row: Row) -> str:
    """A short text that changes when this page would."""
    skill = row.skill
    facts = (
        skill.signature,
        skill.is_disabled,
        skill.disabled_on,
        skill.pinned,
        skill.root.kind,
        skill.tier,
        row.digest,
    )
    said = (row.verdict, row.theirs, row.dismissed)
    return hashlib.sha256(repr((facts, said)).encode()).hexdigest()[:16]


def show_again(
    request: HubRequest, key: str, *, status: int = 200, form: DismissForm | None = None, refusal: str = ""
) -> HttpResponse:
    """The page after something was refused: with the typed text, and the sentence that says why."""
    known, row = row_or_404(request, key)
    return respond(request, PAGE, part=PART, status=status, form=form, refusal=refusal, **context(request, known, row))


def context(request: HubRequest, known: Catalogue, row: Row) -> dict[str, Any]:
    """What the page shows."""
    skill = row.skill
    scan = find_scan(row.digest)
    records = list(dismissals.standing(request.hermes_home).filter(skill=skill.key))
    judged = judge(scan.report, [dismissals.for_matching(one) for one in records]) if scan else None
    everything, config = request.GET.get("findings") == "all", read_config(request.hermes_home.config_file)
    return {
        "row": row_view(request, row),
        "skill": skill,
        "head": _head(request, row),
        "verdict": verdict_view(row, known, scan.report if scan else None, judged, scan.at if scan else None),
        "findings": finding_lists(request, skill, judged, records, everything=everything) if judged else None,
        "all_url": address(request, "skills:show", skill.key, findings="all") + "#findings",
        "theirs": theirs.their_view(find_theirs(skill, row.digest), scan.report if scan else None),
        "guard_is_off": not config.guard_agent_created,
        "capabilities": facts.capability_views(scan.report.capabilities) if scan else (),
        "inline_shell": config.skills.inline_shell,
        **contents.contents(request, skill, scan.report if scan else None),
        **facts.facts(request, known, skill),
        "timeline": timeline.timeline(request.hermes_home, skill),
        "is_checking": scan is None and not row.unread,
        "pulse_url": _pulse_url(request, row, is_checking=scan is None),
    }


def _pulse_url(request: HubRequest, row: Row, *, is_checking: bool) -> str:
    checking = 1 if is_checking else None
    return address(request, "skills:show", row.skill.key, state=page_state(row), checking=checking)


def _head(request: HubRequest, row: Row) -> dict[str, Any]:
    skill = row.skill
    return {
        "name": shown_name(skill),
        "description": texts.line(skill.description, 1_024),
        "tier": tier_word(skill.tier),
        "tier_words": tier_words(skill.tier),
        "evidence": [texts.line(each, 600) for each in skill.evidence],
        "place": place_words(skill),
        "badges": skill_badges(row),
        "problems": skill.problems,
        "switches": switches(request, skill),
        "is_archived": skill.root.kind is RootKind.ARCHIVE,
        "list_url": address(request, "skills:archived" if skill.root.kind is RootKind.ARCHIVE else "skills:list"),
    }


def switches(request: HubRequest, skill: Skill) -> list[dict[str, Any]]:
    """What can be done with the skill: each a form of its own."""
    if skill.root.kind is RootKind.ARCHIVE:
        return [_switch(request, skill, "restore", _("Restore"), "main")]
    found = []
    if skill.is_disabled:
        found.append(_switch(request, skill, "enable", _("Enable"), "main"))
    else:
        found.append(_switch(request, skill, "disable", _("Disable"), ""))
    if skill.usage is not None and not skill.is_read_only:
        pin = ("unpin", _("Unpin")) if skill.pinned else ("pin", _("Pin"))
        found.append(_switch(request, skill, *pin, ""))
    return found


def _switch(request: HubRequest, skill: Skill, action: str, label: str, tone: str) -> dict[str, Any]:
    url = address(request, "skills:switch", skill.key, action)
    about = _("for every platform, in skills.disabled of config.yaml") if action in ("disable", "enable") else ""
    return {"label": label, "url": url, "tone": tone, "post": True, "about": about}
