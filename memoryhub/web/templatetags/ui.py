"""Words, signs and times of the shared parts. Nothing here makes HTML of foreign text; templates escape it."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime
from functools import lru_cache
from typing import cast

from django import template
from django.contrib.messages.storage.base import Message
from django.template.loader import get_template
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name, is_aware, localtime
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from memoryhub.chart import TimeTick
from memoryhub.gauge import Gauge, Segment
from memoryhub.hermes.home import FILE_NAMES

register = template.Library()

STATE_SIGNS = {"fine": "○", "nearly_full": "◐", "no_room": "◕", "full": "●", "over": "▲"}
STATE_TONES = {"nearly_full": "amber", "no_room": "amber", "full": "amber", "over": "red"}
TONE_SIGNS = {"info": "i", "green": "✓", "amber": "◐", "red": "✕", "caution": "◐", "danger": "✕", "duplicate": "="}
MESSAGE_TONES = {"success": "green", "warning": "amber", "error": "red"}
UNDO = "undo="


@register.filter
def number(value: int) -> str:
    """A whole number with its groups set apart: 2,006."""
    return _number(value, get_language())


@lru_cache(maxsize=4096)
def _number(value: int, language: str | None) -> str:
    return number_format(value, use_l10n=True, force_grouping=True)


@register.filter
def characters(value: int) -> str:
    """98 characters."""
    return ngettext("%(n)s character", "%(n)s characters", value) % {"n": number(value)}


@register.filter
def segment_words(segment: Segment) -> str:
    """What a segment of the gauge says: Entry 3: 98 characters, 4 %, and what is said about the entry."""
    words = _("Entry %(number)s: %(chars)s, %(share)s %%") % {
        "number": segment.number,
        "chars": characters(segment.chars),
        "share": segment.share,
    }
    return words if segment.tone == "plain" else f"{words}, {flag_word(segment.tone)}"


@register.filter
def file_name(target: str) -> str:
    """MEMORY.md or USER.md."""
    return FILE_NAMES.get(target, target)


@register.filter
def state_word(state: str) -> str:
    """How full a file is, in words (decisions.md 15)."""
    words = {
        "fine": _("room left"),
        "nearly_full": _("nearly full"),
        "no_room": _("a usual entry no longer fits"),
        "full": _("full"),
        "over": _("over the limit"),
    }
    return words[state]


@register.filter
def state_sign(state: str) -> str:
    """The shape that goes with the word."""
    return STATE_SIGNS[state]


@register.filter
def state_tone(state: str) -> str:
    """The tone that goes with the word; none while there is room."""
    return STATE_TONES.get(state, "")


@register.filter
def tone_sign(tone: str) -> str:
    """The sign that stands beside a colour, so that colour never speaks alone."""
    return TONE_SIGNS.get(tone, "")


@register.filter
def tone_word(tone: str) -> str:
    """The tone of a notice for those who do not see it."""
    return {"green": _("Done:"), "amber": _("Caution:"), "red": _("Problem:")}.get(tone, _("Note:"))


@register.filter
def flag_word(tone: str) -> str:
    """What a segment's tone means."""
    return {
        "caution": _("worth a look"),
        "danger": _("the agent does not see it"),
        "duplicate": _("duplicate"),
    }.get(tone, tone)


@register.filter
def change_sign(kind: str) -> str:
    """The sign of a change between two states."""
    return {"added": "+", "removed": "−", "replaced": "~", "moved": "↕"}.get(kind, "")


@register.filter
def change_word(kind: str) -> str:
    """What happened to an entry between two states."""
    words = {"added": _("added"), "removed": _("removed"), "replaced": _("changed"), "moved": _("moved")}
    return words.get(kind, kind)


@register.filter
def signed(value: int | None) -> str:
    """A change with its sign: +60, −20, nothing for the first state."""
    if not value:
        return "" if value is None else "0"
    return ("+" if value > 0 else "−") + number(abs(value))


@register.filter
def tick_words(tick: TimeTick) -> str:
    """As much of a date as an axis needs."""
    formats = {"minute": "H:i", "day": "j M", "month": "M Y", "year": "Y"}
    at = localtime(tick.at)
    if tick.unit == "minute" and not (at.hour or at.minute):
        return date_format(at, "j M")
    return date_format(at, formats[tick.unit])


@register.filter
def writer_word(writer: str) -> str:
    """Who did something."""
    return {"agent": _("the agent"), "you": _("you"), "outside": _("outside")}.get(writer, writer)


@register.filter
def gauge_room(gauge: Gauge) -> str:
    """What the room left means for the next entry."""
    data = {
        "room": number(gauge.room_for_next),
        "over": number(gauge.over_by),
        "usual": number(gauge.usual),
        "cost": gauge.next_cost,
    }
    if gauge.state == "over":
        return _("The agent's next entry is refused, or pushes out the oldest ones, depending on its version.")
    if gauge.state == "full" or not gauge.room_for_next:
        return _("No room for another entry.")
    if not gauge.next_cost:
        return _("Room for a first entry of up to %(room)s characters.") % data
    if gauge.state == "no_room":
        return (
            _("Room for %(room)s more characters of text, a usual entry has %(usual)s; the delimiter takes %(cost)s.")
            % data
        )
    return _("Room for %(room)s more characters of text; the delimiter takes %(cost)s.") % data


@register.filter
def run_label(label: str) -> str:
    """What stands for an invisible character: its code point, or the letters that are hidden in it."""
    return label.split(" ", 1)[0] if label.startswith("U+") else _("hidden: %s") % label


@register.filter
def mark_word(label: str) -> str:
    """Why words of a text are marked or masked."""
    return _("these words match a threat pattern") if label == "threat" else _("looks like a secret: %s") % label


@register.simple_tag
def moment(at: datetime | None) -> str | SafeString:
    """A time element: the full local time, which the script shortens to "14 minutes ago" and keeps as tooltip."""
    if at is None:
        return ""
    return _moment(localtime(at) if is_aware(at) else at, get_current_timezone_name(), get_language())


@lru_cache(maxsize=4096)  # the zone is part of the key: the same instant in two zones is equal
def _moment(local: datetime, zone: str, language: str | None) -> SafeString:
    words = date_format(local, "j M Y, H:i")
    exact = date_format(local, "j F Y, H:i:s e")
    return format_html('<time datetime="{}" title="{}" data-relative>{}</time>', local.isoformat(), exact, words)


@register.simple_tag
def part(name: str, **values: Hashable) -> SafeString:
    """A part rendered from these values alone, and remembered: the same values give the same HTML.

    For parts that stand on a page hundreds of times (cards). Such a part may hold no form guard and no message.
    """
    return _part(name, tuple(values.items()), get_current_timezone_name(), get_language())


@lru_cache(maxsize=2048)  # about 2 KB each; the oldest go first
def _part(name: str, values: tuple[tuple[str, Hashable], ...], zone: str, language: str | None) -> SafeString:
    return cast(SafeString, get_template(name).render(dict(values)))


@register.filter
def message_tone(message: Message) -> str:
    """The notice tone of one of Django's messages."""
    return MESSAGE_TONES.get(message.level_tag, "info")


@register.filter
def undo_url(message: Message) -> str:
    """Where the message's Undo button posts to: a path of ours, given as ``extra_tags="undo=/path"``, else nothing."""
    for tag in (message.extra_tags or "").split():
        if tag.startswith(UNDO + "/") and not tag.startswith(UNDO + "//"):
            return tag.removeprefix(UNDO)
    return ""
