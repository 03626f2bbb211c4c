"""Foreign texts in templates: what is unseen is named, what is secret is masked. Templates escape what comes out."""

from __future__ import annotations

from django import template

from memoryhub import flags
from memoryhub.services import sentences
from memoryhub.views import changes, file_view
from memoryhub.visible import Run, runs

register = template.Library()


@register.filter
def visible_runs(text: str) -> tuple[Run, ...]:
    """The text with unseen characters as runs of their own."""
    return runs(text)


@register.filter
def masked_runs(text: str) -> tuple[Run, ...]:
    """The same, with secret values masked and threatening words marked."""
    return file_view.masked_runs(text, flags.check_draft(text, ()), revealed=False)


@register.filter
def shown(text: str) -> str:
    """The text on one line of a list: secrets masked, unseen characters written out."""
    return changes.shown(text)


@register.filter
def kind_word(kind: str) -> str:
    """What a revision did."""
    return sentences.change_words(kind)
