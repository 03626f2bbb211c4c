"""Words for the verdicts of skills in templates."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from skills_app.guard.model import Verdict
from skills_app.views import words

register = template.Library()


@register.filter
def verdict_badge(verdict: Verdict | None) -> words.Badge:
    """A verdict as a badge."""
    return words.verdict_badge(verdict)


@register.simple_tag
def day(at: datetime) -> SafeString:
    """A time element that shows the day, for narrow columns; the script shortens a recent one to "2 days ago"."""
    local = localtime(at)
    exact = date_format(local, "j F Y, H:i:s e")
    shown = date_format(local, "j M Y")
    return format_html('<time datetime="{}" title="{}" data-relative>{}</time>', local.isoformat(), exact, shown)
