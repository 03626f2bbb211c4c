"""Dismissing a finding, and taking that back."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memoryhub.views.guard import guarded
from memoryhub.web.htmx import HubRequest, redirect_to
from skills_app.forms import DismissForm
from skills_app.judging import Scope
from skills_app.models import Dismissal
from skills_app.services import dismissals
from skills_app.services.verdicts import find_scan
from skills_app.views.common import address, row_or_404
from skills_app.views.detail import show_again
from skills_app.views.findings import finding_mark


@require_POST
@guarded
def finding_dismiss(request: HubRequest, key: str) -> HttpResponse:
    """Record that a finding is fine; it stays visible and counted."""
    _known, row = row_or_404(request, key)
    form = DismissForm(request.POST)
    if not form.is_valid():
        return show_again(request, key, status=422, form=form)
    given = form.cleaned_data
    scan = find_scan(row.digest)
    found = scan and next((one for one in scan.report.findings if finding_mark(one) == given["finding"]), None)
    if not scan or not found or scan.report.digest != given["digest"]:
        sentence = _(
            "The skill was changed since this page was made. Look at the findings again; nothing was recorded."
        )
        return show_again(request, key, status=409, form=form, refusal=sentence)
    made = dismissals.finding_dismiss(
        request.hermes_home, key, scan.report.digest, found, scope=Scope(given["scope"]), reason=given["reason"]
    )
    undo = address(request, "skills:withdraw", key, made.pk)
    messages.success(request, _("Dismissed: %s. It stays listed below.") % found.rule, extra_tags=f"undo={undo}")
    return redirect_to(request, address(request, "skills:show", key) + "#findings")


@require_POST
@guarded
def dismissal_withdraw(request: HubRequest, key: str, number: int) -> HttpResponse:
    """Take a dismissal back: the finding counts again."""
    row_or_404(request, key)
    found = Dismissal.objects.filter(home=request.hermes_home.key, skill=key, pk=number, withdraws__isnull=True).first()
    if found is None:
        raise Http404(_("There is no such dismissal."))
    try:
        dismissals.dismissal_withdraw(found)
    except dismissals.AlreadyWithdrawn:
        return show_again(request, key, status=409, refusal=_("This dismissal was taken back before."))
    messages.success(request, _("The finding %s counts again.") % found.rule)
    return redirect_to(request, address(request, "skills:show", key) + "#findings")
