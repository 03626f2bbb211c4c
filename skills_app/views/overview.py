"""What the skills add to the overview and to the settings page."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from memoryhub.hermes.config import read_config
from memoryhub.services.hooks import Attention, Panel
from memoryhub.views.access import home_of
from memoryhub.views.guard import guarded
from memoryhub.web.htmx import HubRequest, redirect_to
from skills_app.forms import ChoiceForm
from skills_app.guard import RULES_VERSION
from skills_app.guard.model import Policy, Verdict
from skills_app.judging import Choice
from skills_app.services import catalogue
from skills_app.services.choices import choice_set, current_choice
from skills_app.services.hermes_verdicts import known_version, problem
from skills_app.shelf import Row
from skills_app.views.common import address
from skills_app.views.rows import shown_name
from skills_app.views.words import choice_words, counts_words, tier_word

NAMED = 5


def attention(request: HttpRequest) -> list[Attention]:
    """The dangerous skills that the agent can load, worst first; switched-off ones are no danger now."""
    known = catalogue.current(home_of(request))
    dangerous = [
        row for row in known.rows if row.verdict is Verdict.DANGEROUS and row.skill.loaded and not row.skill.is_disabled
    ]
    dangerous.sort(key=lambda row: (row.policy is Policy.ALLOW, row.skill.name.casefold()))
    found = [
        Attention("red", _sentence(row), address(request, "skills:show", row.skill.key)) for row in dangerous[:NAMED]
    ]
    rest = len(dangerous) - NAMED
    if rest > 0:
        words = ngettext("%s more dangerous skill.", "%s more dangerous skills.", rest) % rest
        found.append(Attention("red", words, address(request, "skills:list", verdict=Verdict.DANGEROUS.value)))
    return found


def panels(request: HttpRequest) -> list[Panel]:
    """The setting which verdict decides, with what is known of Hermes' own guard."""
    current = current_choice()
    values = {
        "choices": [(one.value, choice_words(one), one is current) for one in Choice],
        "rules_version": RULES_VERSION,
        "their_version": known_version(),
        "their_problem": problem(),
        "guard_is_on": read_config(home_of(request).config_file).guard_agent_created,
    }
    return [Panel("skills_app/_settings.html", values)]


@require_POST
@guarded
def verdict_choose(request: HubRequest) -> HttpResponse:
    """Let another verdict decide."""
    form = ChoiceForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose one of the three verdicts."))
        return redirect_to(request, address(request, "settings"))
    choice = Choice(form.cleaned_data["choice"])
    choice_set(choice)
    messages.success(request, _("Saved: %s.") % choice_words(choice))
    return redirect_to(request, address(request, "settings"))


def _sentence(row: Row) -> str:
    facts = {"name": shown_name(row.skill), "tier": tier_word(row.skill.tier), "counts": counts_words(row.counts)}
    if not facts["counts"]:
        return _("The skill %(name)s (%(tier)s) is dangerous.") % facts
    return _("The skill %(name)s (%(tier)s) is dangerous: %(counts)s.") % facts
