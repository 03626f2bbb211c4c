"""Sentences for people, made from the codes and facts of the pure modules. Every one can be translated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext_lazy

from memoryhub import threats
from memoryhub.flags import Flag
from memoryhub.shapes import Notice


@dataclass(frozen=True)
class Words:
    """A short label and the sentence behind it."""

    label: str
    sentence: str


def flag_words(flag: Flag) -> Words:
    """What a flag on an entry is called and means."""
    kind, _colon, rule = flag.code.partition(":")
    if kind == "threat":
        return _threat_words(flag, rule)
    facts = flag.data
    match flag.code:
        case "secret":
            return Words(
                _("looks like a secret"),
                _("Everything in this file is sent to the model. Keep keys and passwords in .env or a password store."),
            )
        case "duplicate":
            return Words(
                _("copy of entry %(place)s") % facts,
                _("The agent reads it once and drops the copy when it next writes."),
            )
        case "near_duplicate":
            places = _numbers(facts["places"])
            return Words(
                _("like entry %s") % places, _("Much the same is said in entry %s; merging them makes room.") % places
            )
        case "too_long":
            return Words(
                _("long"),
                _("%(chars)s characters; nine of ten entries have fewer than %(usual)s. It may be several facts.")
                % facts,
            )
    raise LookupError(flag.code)


def _threat_words(flag: Flag, rule_id: str) -> Words:
    rule = threats.get_rule(rule_id)
    parts = [_(rule.title) + ".", _(rule.why), _("Harmless when: %s") % _(rule.harmless)]
    if flag.data["hidden"]:
        parts.insert(1, _("It says: “%s”.") % flag.data["hidden"])
    if flag.data["agent_blocks"]:
        label = _("the agent does not see this entry")
        parts.insert(0, _("Hermes leaves it out of the prompt (pattern %s); reword it if it is meant.") % rule_id)
    else:
        label = _("hides something from you")
        parts.insert(0, _("Hermes does not notice this; the agent would read it."))
    return Words(label, " ".join(parts))


NOTICES: Final[dict[str, Any]] = {
    "bom": _lazy(
        "%(file)s begins with a byte-order mark, as some Windows editors write it. The agent takes the mark for part "
        "of the first entry and therefore hides that entry from the model."
    ),
    "line_ends": _lazy(
        "%(file)s has Windows line ends, or mixes kinds of them. The agent reads it all the same and writes plain ones "
        "next time."
    ),
    "delimiter_with_blanks": _lazy(
        "Line %(lines)s looks like a separator, but has blanks around its §. To the agent the texts above and below "
        "are one entry, and replacing a word of it replaces both."
    ),
    "glued_delimiter": _lazy(
        "Entry %(places)s holds a line with only §, left over from a separator. The agent reads it as text."
    ),
    "blank_entries": ngettext_lazy(
        "%(file)s has %(count)s empty entry. The agent refuses to edit or delete until the file is tidied.",
        "%(file)s has %(count)s empty entries. The agent refuses to edit or delete until the file is tidied.",
        "count",
    ),
    "blank_lines": _lazy(
        "%(file)s has blanks around its separators. The agent refuses to edit or delete until the file is tidied."
    ),
    "exact_duplicates": ngettext_lazy(
        "%(file)s holds %(copies)s exact copy. The agent reads each text once and drops it at its next write.",
        "%(file)s holds %(copies)s exact copies. The agent reads each text once and drops them when it writes.",
        "copies",
    ),
    "document": _lazy(
        "%(file)s has no separators: the agent treats it as one entry and can overwrite it as a whole when it replaces "
        "a word."
    ),
    "oversize_entry": _lazy(
        "Entry %(place)s alone has %(chars)s characters, more than the limit of %(limit)s. The agent refuses to edit, "
        "delete or add until it is shorter. Here you can shorten, split or delete it."
    ),
    "utf16": _lazy(
        "%(file)s is saved as %(encoding)s. The agent cannot read it and starts without it. It is shown here decoded "
        "and cannot be edited until it is converted to UTF-8."
    ),
    "not_utf8": ngettext_lazy(
        "%(file)s holds %(count)s byte that is not UTF-8 (%(byte)s at byte %(offset)s). The agent cannot read the file "
        "and starts without it. It cannot be edited until it is converted.",
        "%(file)s holds %(count)s bytes that are not UTF-8 (the first is %(byte)s at byte %(offset)s). The agent "
        "cannot read the file and starts without it. It cannot be edited until it is converted.",
        "count",
    ),
}


def notice_sentence(notice: Notice, file_name: str) -> str:
    """What is odd about a file, what the agent makes of it, and what to do."""
    facts = {name: _numbers(value) if isinstance(value, list) else value for name, value in notice.data.items()}
    return str(NOTICES[notice.code] % {**facts, "file": file_name})


def repair_words(code: str) -> Words:
    """What a repair is called, as a button, and what it does."""
    return {
        "tidy": Words(_("Tidy the file"), _("Writes the same texts in the normal form: one § line between entries.")),
        "convert": Words(_("Convert to UTF-8"), _("Writes the same characters in the encoding that the agent reads.")),
        "split": Words(_("Split into entries"), _("Makes each bullet or paragraph an entry of its own.")),
        "dedupe": Words(_("Remove the copies"), _("Keeps the first of each text.")),
    }[code]


def change_words(kind: str) -> str:
    """What a revision did, as the past tense of its kind."""
    return {
        "first": _("first seen"),
        "found": _("changed"),
        "add": _("added"),
        "replace": _("edited"),
        "remove": _("deleted"),
        "move": _("moved"),
        "reorder": _("reordered"),
        "merge": _("merged"),
        "raw": _("edited as text"),
        "tidy": _("tidied"),
        "convert": _("converted"),
        "split": _("split into entries"),
        "dedupe": _("copies removed"),
        "restore": _("restored"),
        "undo": _("undone"),
        "redo": _("brought back"),
        "approve": _("approved"),
    }.get(kind, kind)


def writer_words(writer: str, via: str = "") -> str:
    """Who wrote something, as the subject of a sentence."""
    if writer == "you":
        return _("you, from a shell") if via == "shell" else _("you")
    return {"agent": _("the agent"), "outside": _("outside")}.get(writer, _("unknown"))


def _numbers(values: Sequence[int]) -> str:
    return get_text_list([str(value) for value in values], _("and"))
