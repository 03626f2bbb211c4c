"""The hidden fields of every form; a built-in tag, so that no template can forget to load it."""

from __future__ import annotations

import uuid
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

_FIELDS = (
    '<input type="hidden" name="csrfmiddlewaretoken" value="{}">'
    '<input type="hidden" name="home_fingerprint" value="{}">'
    '<input type="hidden" name="profile" value="{}">'
    '<input type="hidden" name="submission" value="{}">'
)


@register.simple_tag(takes_context=True)
def form_guard(context: dict[str, Any]) -> SafeString:
    """The CSRF token, the home and profile the form is made for, and an id that is used once."""
    return format_html(_FIELDS, context["csrf_token"], context["fingerprint"], context["home"].name, uuid.uuid4().hex)
