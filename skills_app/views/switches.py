"""Switching a skill off and on, pinning it, restoring it; each with its way back."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memoryhub.hermes.files import FileProblem
from memoryhub.views.guard import guarded
from memoryhub.web.htmx import HubRequest, redirect_to
from skills_app.library import UsageRefused
from skills_app.library.archive import RestoreRefused
from skills_app.library.model import RootKind
from skills_app.services import switching
from skills_app.shelf import Row
from skills_app.views.common import address, row_or_404
from skills_app.views.detail import show_again
from skills_app.views.rows import shown_name


@require_POST
@guarded
def skill_switch(request: HubRequest, key: str, action: str) -> HttpResponse:
    """Disable, enable, pin, unpin or restore a skill."""
    if action not in switching.ACTIONS:
        raise Http404(_("There is no such action."))
    _known, row = row_or_404(request, key)
    if refusal := _out_of_place(row, action):
        return show_again(request, key, status=409, refusal=refusal)
    try:
        switching.skill_switch(request.hermes_home, row, action)
    except (UsageRefused, RestoreRefused, FileProblem) as problem:
        return show_again(request, key, status=409, refusal=str(problem))
    return _done(request, row, action)


def _out_of_place(row: Row, action: str) -> str:
    """Why this cannot be done to the skill as it is now: somebody else did it meanwhile, or it is not ours to do."""
    skill = row.skill
    if (skill.root.kind is RootKind.ARCHIVE) != (action == "restore"):
        return _("The skill is not where it was when this page was made. Nothing was changed.")
    if action in ("pin", "unpin") and skill.is_read_only:
        return _("This skill lies in a folder that MemoryHub only reads. Nothing was changed.")
    return ""


def _done(request: HubRequest, row: Row, action: str) -> HttpResponse:
    name = shown_name(row.skill)
    sentence = {
        "disable": _("%s is disabled, in skills.disabled of config.yaml: new sessions do not load it. Its files stay."),
        "enable": _("%s is enabled, off skills.disabled of config.yaml: new sessions load it."),
        "pin": _("%s is pinned: Hermes' curator leaves it alone."),
        "unpin": _("%s is no longer pinned."),
        "restore": _("%s is restored from the archive."),
    }[action] % name
    undo = switching.OPPOSITE.get(action)
    tags = f"undo={address(request, 'skills:switch', row.skill.key, undo)}" if undo else ""
    messages.success(request, sentence, extra_tags=tags)
    if action == "restore":
        return redirect_to(request, address(request, "skills:list"))
    return redirect_to(request, address(request, "skills:show", row.skill.key))
