"""Words and figures of the session pages, and `highlight`: the one place here that makes HTML of foreign text."""

from __future__ import annotations

import re
from typing import Final

from django import template
from django.utils.formats import number_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sessions_app import pieces
from sessions_app.money import Usage
from sessions_app.search.snippets import END, START

register = template.Library()

_ENTITIES: Final = re.compile(r"(<[^>]*>)")
_IN_ADDRESS: Final = re.compile(r"%EE%80%8[01]|[\ue000\ue001]")
_UNITS: Final = ("KB", "MB", "GB", "TB")


@register.filter
def highlight(text: str) -> SafeString:
    """Escape a text that carries U+E000 … U+E001 around what was found, and only then make these marks elements."""
    html = str(escape(pieces.marked_line(text)))
    return mark_safe(_marked(html))  # noqa: S308 - escaped first; only our own <mark> is added


def marked_html(html: str) -> SafeString:
    """Make marks elements in HTML that memoryhub.web.markup made: in its texts only, never across a tag."""
    pieces_of = []
    is_open = False
    for piece in _ENTITIES.split(html):
        if piece.startswith("<") and piece.endswith(">"):
            pieces_of.append(_IN_ADDRESS.sub("", piece))
            continue
        text = (START if is_open else "") + piece
        is_open = text.rfind(START) > text.rfind(END)
        pieces_of.append(_marked(text + (END if is_open else "")))
    return mark_safe("".join(pieces_of))  # noqa: S308 - the HTML is web/markup.py's


def _marked(escaped: str) -> str:
    """Turn balanced marks of an escaped text into elements; a stray one goes."""
    made = re.sub(f"{START}([^{START}{END}]+){END}", r"<mark>\1</mark>", escaped)
    return made.replace(START, "").replace(END, "")


@register.filter
def one_line(text: str) -> str:
    """Foreign text on one line: secrets masked, unseen characters named."""
    return pieces.line(text)


@register.filter
def size(value: int) -> str:
    """Bytes in words: 812 bytes, 12 KB, 3.4 MB."""
    if value < 1_000:
        return ngettext("%(n)s byte", "%(n)s bytes", value) % {"n": value}
    amount, unit = value / 1_000, 0
    while amount >= 999.5 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1_000, unit + 1
    return f"{number_format(amount, decimal_pos=0 if amount >= 10 else 1)} {_UNITS[unit]}"


@register.filter
def short_number(value: int) -> str:
    """A number that may be rough: 950, 12k, 3.4M."""
    if value < 1_000:
        return str(value)
    amount, unit = (value / 1_000, "k") if value < 999_500 else (value / 1_000_000, "M")
    return f"{number_format(amount, decimal_pos=0 if amount >= 10 else 1)}{unit}"


@register.filter
def dollars(usage: Usage) -> str:
    """The cost, and whether it is estimated: about $0.06, $1.20; nothing when it is not known."""
    if usage.cost is None:
        return ""
    amount = f"${usage.cost:,.2f}" if usage.cost >= 0.005 else _("less than $0.01")
    return amount if usage.is_actual else _("about %s") % amount


@register.filter
def cost_kind(usage: Usage) -> str:
    """What the cost rests on."""
    return _("as charged") if usage.is_actual else _("estimated")


@register.filter
def role_word(role: str) -> str:
    """Who speaks."""
    return {
        "user": _("you"),
        "assistant": _("the agent"),
        "tool": _("a tool"),
        "system": _("system"),
    }.get(role, pieces.line(role) or _("unknown"))


@register.filter
def source_word(source: str) -> str:
    """Where a conversation was held."""
    return pieces.line(source) or _("unknown source")


@register.filter
def secret_word(kind: str) -> str:
    """Why something is masked."""
    return {
        "private_key": _("a private key"),
        "token": _("a token"),
        "url": _("a password in an address"),
        "password": _("a password"),
        "key": _("a key or password"),
        "login": _("a login"),
        "default_login": _("a login"),
    }.get(kind, _("a secret"))


@register.simple_tag
def visible_run(label: str, kind: str) -> SafeString:
    """What stands for a character that cannot be seen."""
    return format_html(
        '<span class="unseen is-{}" title="{}">{}</span>', kind, label, label.split(" ", 1)[0] if label else kind
    )
