"""Words about turns: who speaks, what a call is about, why a message ended, what stands between two."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from sessions_app import pieces
from sessions_app.facts import PartFacts
from sessions_app.transcript import Call, Turn
from sessions_app.views.turn_views import Boundary


def who(turn: Turn) -> str:
    """Who speaks."""
    known = {"user": _("You"), "assistant": _("The agent"), "tool": _("A tool"), "system": _("System")}
    return known.get(turn.kind) or pieces.line(turn.role) or _("Unknown role")


def summary(call: Call) -> str:
    """The argument that says most about a call, on one line."""
    for wanted in ("command", "path", "file_path", "query", "url", "pattern", "code", "name", "action"):
        for name, value in call.arguments or ():
            if name == wanted and value.strip():
                return _short(pieces.value_line(name, value[:600]))
    return next(
        (_short(pieces.value_line(name, value[:600])) for name, value in call.arguments or () if value.strip()), ""
    )


def _short(text: str) -> str:
    return text if len(text) <= 90 else text[:90] + "…"


def finish_words(reason: str) -> str:
    """Why a message ended, where that is worth saying."""
    if reason in ("", "stop", "end_turn", "tool_calls", "tool_use", "completed"):
        return ""
    known = {
        "length": _("cut off at the length limit"),
        "max_tokens": _("cut off at the length limit"),
        "content_filter": _("stopped by a filter"),
        "interrupted": _("interrupted"),
        "cancelled": _("cancelled"),
        "error": _("ended by an error"),
    }
    return known.get(reason) or pieces.line(reason)


def boundaries(before: Turn | None, turn: Turn, parts: Sequence[PartFacts], *, is_first: bool) -> list[Boundary]:
    """What stands between two turns: another part, a compaction, another model."""
    found = []
    part = parts[turn.part] if turn.part < len(parts) else None
    if part is not None and ((before is not None and before.part != turn.part) or (is_first and turn.part > 0)):
        found.append(Boundary("continued", part))
    elif before is not None and before.is_compacted and not turn.is_compacted and not turn.is_undone:
        found.append(Boundary("compacted"))
    if part is not None and (model := _model_from(before, turn, part)):
        found.append(Boundary("model", None, pieces.line(model)))
    return found


def _model_from(before: Turn | None, turn: Turn, part: PartFacts) -> str:
    """The model that a part was switched to between two turns, by when each was first used."""
    if before is None or before.part != turn.part or before.at is None or turn.at is None:
        return ""
    switched = [use for use in part.models[1:] if use.since is not None and before.at < use.since <= turn.at]
    return switched[-1].model if switched else ""
