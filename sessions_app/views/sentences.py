"""What a search has to say about itself, as sentences: how it understood the query, and what it did not cover."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.formats import date_format, number_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from sessions_app import pieces, query_words
from sessions_app.query_parts import Note, SearchQuery
from sessions_app.query_words import Part
from sessions_app.search import Gap

_OF_SEVERAL: Final = {
    "index_missing": _lazy("The search indexes %s are missing, so texts were read instead, which is slow."),
    "index_damaged": _lazy(
        "The search indexes %s are damaged; what they say cannot be trusted, so texts were read instead. Nothing "
        "was changed. Stop Hermes and let it rebuild them, or see store health."
    ),
    "index_empty": _lazy("The search indexes %s are empty although there are messages, so texts were read instead."),
}


def understood(query: SearchQuery) -> str:
    """How a query was understood: Messages with the words docker and compose, from telegram."""
    said = query_words.parts(query)
    terms = [one for one in said if one.code in ("word", "prefix", "phrase", "literal")]
    wanted = _joined([one for one in terms if one.role != "without"], _(" and "))
    sentence = _("Messages with %s") % wanted if wanted else _("All messages")
    if without := [_term(one) for one in terms if one.role == "without"]:
        sentence += _(", without %s") % _(" or ").join(without)
    filters = [one for one in said if one not in terms]
    if kept := _joined([one for one in filters if one.role != "without"], ", "):
        sentence += f", {kept}"
    return sentence + "".join(_(", not %s") % _filter(one) for one in filters if one.role == "without")


def _joined(said: list[Part], joint: str) -> str:
    clauses: list[str] = []
    for one in said:
        words = _term(one) if one.code in ("word", "prefix", "phrase", "literal") else _filter(one)
        if one.role == "or" and clauses:
            clauses[-1] += _(" or ") + words
        else:
            clauses.append(words)
    return joint.join(clauses)


def _term(part: Part) -> str:
    words = {
        "word": _("the word “%s”"),
        "prefix": _("words beginning with “%s”"),
        "phrase": _("“%s” in a row"),
        "literal": _("the characters “%s”"),
    }[part.code]
    return words % pieces.line(part.text)


def _filter(part: Part) -> str:
    words = {
        "source": _("from %s"),
        "model": _("with a model like “%s”"),
        "role": _("said by %s"),
        "tool": _("of the tool %s"),
        "title": _("in conversations titled like “%s”"),
        "session": _("in the session %s"),
        "folder": _("in a folder like “%s”"),
        "profile": _("in the profile %s"),
        "before": _("before %s"),
        "after": _("since %s"),
    }.get(part.code)
    if words is not None:
        return words % pieces.line(part.text)
    return {
        "is:archived": _("in archived conversations"),
        "is:running": _("in running conversations"),
        "has:error": _("with an error"),
    }.get(part.code, pieces.line(part.text))


def note_sentence(note: Note) -> str:
    """Something about the typed text."""
    text = pieces.line(note.text)
    words = {
        "unknown_filter": _("“%s” is no filter, so it is looked for as text."),
        "unknown_value": _("“%s” is not known, so it is looked for as text."),
        "not_a_date": _("“%s” is no date, so it is looked for as text. Dates look like 2026-05, 2026-05-03 or 7d."),
        "unbalanced_quote": _("A quotation mark has no partner and was left out."),
        "unbalanced_bracket": _("A bracket has no partner in “%s” and was left out."),
        "star_alone": _("A star alone finds nothing; put it behind the beginning of a word."),
        "stray_operator": _("“%s” has nothing to join here and was left out."),
        "only_exclusions": _("There is only something to leave out. Type at least one word to look for."),
        "too_long": _("The query is very long; its end was left out."),
        "nothing_to_find": _("Type at least one word."),
    }.get(note.code, text)
    return words % text if "%s" in words else words


def gap_sentences(gaps: Sequence[Gap]) -> list[str]:
    """Everything that a search did not cover; what holds for both indexes is said once."""
    names: dict[str, list[str]] = {}
    for gap in gaps:
        names.setdefault(gap.code, []).append(pieces.line(gap.text))
    said = [
        _OF_SEVERAL[gap.code] % _(" and ").join(names[gap.code])
        if gap.code in _OF_SEVERAL and len(names[gap.code]) > 1
        else gap_sentence(gap)
        for gap in gaps
    ]
    return list(dict.fromkeys(said))


def gap_sentence(gap: Gap) -> str:
    """Something that the search did not cover, or did in another way."""
    text = pieces.line(gap.text)
    number = number_format(gap.count, force_grouping=True)
    simple = {
        "index_missing": _("The search index %s is missing, so texts were read instead, which is slow."),
        "index_damaged": _(
            "The search index %s is damaged; what it says cannot be trusted, so texts were read instead. Nothing was "
            "changed. Stop Hermes and let it rebuild the index, or see store health."
        ),
        "index_empty": _("The search index %s is empty although there are messages, so texts were read instead."),
        "index_slow": _("The search index %s did not answer in time, so texts were read instead."),
        "no_tool_output_in_index": _("The search index of this file leaves tool output out; it was read separately."),
        "glued_words": _("“%s” may also stand inside Chinese, Japanese or Korean text that was not looked through."),
    }.get(gap.code)
    if simple is not None:
        return simple % text if "%s" in simple else simple
    if gap.code == "index_behind":
        said = ngettext(
            "The search index is behind; %s newer message was read instead.",
            "The search index is behind; %s newer messages were read instead.",
            gap.count,
        )
        return said % number
    if gap.code == "scanned":
        return _scanned(gap, number)
    if gap.code == "best_of_newest":
        return _("The best of the newest %s hits; sort by newest to see all.") % number
    if gap.code == "filters_cut":
        return _("Filters were checked for the newest %s hits only.") % number
    return text or gap.code


def _scanned(gap: Gap, number: str) -> str:
    if gap.is_all:
        return _("All %s messages were read, since no index could answer.") % number
    if gap.since is None:
        return _("The newest %s messages were read; there was no time for older ones.") % number
    when = date_format(localtime(gap.since), "j M Y")
    return _("%(number)s messages were read, back to %(when)s; there was no time for the rest.") % {
        "number": number,
        "when": when,
    }
