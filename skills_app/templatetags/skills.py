"""Words for the verdicts of skills in templates."""

from __future__ import annotations

from django import template

from skills_app.guard.model import Verdict
from skills_app.views import words

register = template.Library()


@register.filter
def verdict_badge(verdict: Verdict | None) -> words.Badge:
    """A verdict as a badge."""
    return words.verdict_badge(verdict)
