"""Sentences about decisions and about what differs between two contents of a skill."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from skills_app.models import Decision

_NAMED = 3


def action_words(one: Decision) -> str:
    """What was decided, and by whom."""
    words = {
        "disable": _("disabled by you"),
        "enable": _("enabled by you"),
        "pin": _("pinned by you"),
        "unpin": _("unpinned by you"),
        "restore": _("restored from the archive by you"),
    }
    return words.get(one.action, one.action)


def changes_words(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Which files came, went or changed between two contents, the first few by name."""
    names = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    if not names:
        return _("other bytes")
    rest = len(names) - _NAMED
    shown = ", ".join(path[:80] for path in names[:_NAMED])
    return shown if rest <= 0 else shown + ngettext(" and %s more file", " and %s more files", rest) % rest
