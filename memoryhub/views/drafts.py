"""A text that is being written: what its form shows beside it, and how a refusal is said in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryhub import entries, flags
from memoryhub.entries import Entry, EntryRefused, MemoryFile
from memoryhub.forms import EntryForm
from memoryhub.hermes.home import FILE_NAMES
from memoryhub.services.sentences import flag_words
from memoryhub.threats import Threat
from memoryhub.visible import Run, runs


@dataclass(frozen=True)
class Count:
    """What the live count below a text box starts from, in characters."""

    field: str
    base: int
    cost: int
    limit: int
    before: int


def draft_context(
    memory: MemoryFile, form: EntryForm, *, entry: Entry | None = None, merged: Sequence[Entry] = ()
) -> dict[str, Any]:
    """What the add, edit and merge forms need."""
    gone = {one.index for one in ([entry] if entry else merged)}
    rest = [one.text for one in memory.entries if one.index not in gone]
    base = entries.used(tuple(dict.fromkeys(rest)))
    count = Count(form["text"].id_for_label, base, len(entries.DELIMITER) if rest else 0, memory.limit, memory.used)
    return {
        "form": form,
        "memory": memory,
        "target": memory.target,
        "file_name": FILE_NAMES[memory.target],
        "entry": entry,
        "merged": merged,
        "count": count,
        "tidies": memory.decodable and not memory.is_normal,
    }


def refusal_status(problem: Exception) -> int:
    """422 for the text itself, 503 for a file that cannot be written now."""
    return 422 if isinstance(problem, EntryRefused) else 503


def show_refusal(form: EntryForm, problem: Exception) -> dict[str, Any]:
    """Put the refusal into the form; for a threat also the marked words and the tick that overrides it."""
    if isinstance(problem, EntryRefused):
        form.add_error("text", refusal_words(problem))
        if problem.code == "threat":
            return {"threats": threat_views(form.cleaned_data.get("text") or form.data.get("text", ""))}
        return {}
    return {"errors": [str(problem)]}


def refusal_words(refused: EntryRefused) -> str:
    """The sentence for a refused text."""
    facts = refused.data
    match refused.code:
        case "empty":
            return _("An entry needs some text.")
        case "delimiter_line":
            return _(
                "A line that holds only § separates entries, so it cannot stand inside one. Take it out, or add two."
            )
        case "control_character":
            return _("Character %(place)s is the control character %(character)s, which an entry cannot hold.") % facts
        case "too_long_by":
            return ngettext(
                "This would be %(over)s character over the limit of %(limit)s.",
                "This would be %(over)s characters over the limit of %(limit)s.",
                facts["over"],
            ) % {"over": f"{facts['over']:,}", "limit": f"{facts['limit']:,}"}
        case "duplicate" if facts.get("place"):
            return _("Entry %(place)s already says exactly this.") % facts
        case "threat":
            blocks = any(threat.agent_blocks for threat in facts["threats"])
            return (
                _("The agent would not see this entry: it matches a pattern that Hermes takes for an attack.")
                if blocks
                else _("This text hides something that a reader does not see and the agent would read.")
            )
        case _:
            return str(refused)


@dataclass(frozen=True)
class ThreatView:
    """A threat named, explained, and the text with its words marked."""

    id: str
    sentence: str
    runs: tuple[Run, ...]


def threat_views(text: str) -> list[ThreatView]:
    """Every threat of a draft with the words that matched."""
    return [_view(text, threat) for threat in flags.threats_in(text)]


def _view(text: str, threat: Threat) -> ThreatView:
    said = flag_words(flags.threat_flag(threat)).sentence
    return ThreatView(threat.id, said, runs(text, [(start, end, "threat") for start, end in threat.spans]))
