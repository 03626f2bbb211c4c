"""Settings: which home this is and what its config says, how it is doing, and the keys."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memoryhub.hermes.config import read_config
from memoryhub.hermes.home import profiles
from memoryhub.models import Preference
from memoryhub.services import hooks
from memoryhub.services.doctor import examine
from memoryhub.views.access import home_of
from memoryhub.views.guard import guarded
from memoryhub.views.parts import with_profile
from memoryhub.web.htmx import redirect_to, respond


@require_safe
def settings(request: HttpRequest) -> HttpResponse:
    """Homes and profiles with their limits and gates, what doctor finds, and the switch for single-letter keys."""
    home = home_of(request)
    homes = [(each, read_config(each.config_file)) for each in profiles(home)]
    return respond(request, "memoryhub/settings.html", homes=homes, checks=examine(home), panels=hooks.panels(request))


@require_POST
@guarded
def keys(request: HttpRequest) -> HttpResponse:
    """Switch single-letter keys off or on (WCAG 2.1.4)."""
    wanted = "off" if request.POST.get("keys") == "off" else "on"
    Preference.objects.update_or_create(key="keys", defaults={"value": wanted})
    messages.success(request, _("Single-letter keys are off.") if wanted == "off" else _("Single-letter keys are on."))
    return redirect_to(request, with_profile(request, reverse("settings")))
