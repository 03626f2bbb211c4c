"""Store health: how state.db is doing, and what is worth doing about it. Only looked at, never changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memoryhub.hermes.state_db import KNOWN_VERSION, StateDbProblem
from memoryhub.web.htmx import HubRequest, respond
from sessions_app.search.index_state import Index
from sessions_app.store_health import Drift, Health, examine
from sessions_app.store_sizes import Size
from sessions_app.views.common import ask, database, problem_page
from sessions_app.views.store_words import ADVICE

PAGE = "sessions_app/store.html"
_MOST_SIZES = 10


@dataclass(frozen=True)
class SizeView:
    """One line of the table of sizes; `percent` of the whole file."""

    label: str
    what: str
    bytes: int
    percent: int
    is_estimate: bool


@dataclass(frozen=True)
class Line:
    """A fact with how it looks: green, amber, red or nothing."""

    label: str
    sentence: str
    tone: str = ""


@require_safe
def store_show(request: HubRequest) -> HttpResponse:
    """The page; with a sentence instead when the file cannot be read."""
    path = database(request)
    try:
        health = ask(request, lambda conn: examine(conn, path))
    except StateDbProblem as problem:
        return problem_page(request, PAGE, problem, path=path)
    return respond(request, PAGE, path=path, health=health, **_context(health))


def _context(health: Health) -> dict[str, Any]:
    total = max(1, health.file_bytes)
    shown, rest = health.sizes[:_MOST_SIZES], health.sizes[_MOST_SIZES:]
    sizes = [_size(one, total) for one in shown]
    if rest:
        left = sum(one.bytes for one in rest)
        sizes.append(SizeView(_("smaller ones"), "", left, round(100 * left / total), False))
    return {
        "sizes": sizes,
        "trigram_percent": round(100 * health.trigram_share),
        "indexes": [_index(one, health.messages) for one in (health.indexes.word, health.indexes.trigram)],
        "drifts": [_drift(one) for one in health.drifts],
        "advice": [Line(*map(str, ADVICE[code])) for code in health.advice],
        "schema": _schema(health),
    }


def _size(one: Size, total: int) -> SizeView:
    what = {
        "table": _("table"),
        "index": _("index"),
        "words": _("search index of words"),
        "trigram": _("search index of three-letter pieces"),
        "free": _("free pages, used again by later writes"),
        "rest": _("other tables and indexes"),
    }[one.kind]
    return SizeView(one.name, what, one.bytes, round(100 * one.bytes / total), one.is_estimate)


def _index(one: Index, messages: int | None) -> Line:
    label = one.name
    if one.problem == "missing":
        return Line(label, _("missing; search reads texts instead"), "amber")
    if one.problem == "empty":
        return Line(label, _("empty although there are messages"), "red")
    if one.problem:
        return Line(label, _("damaged: a word of the newest messages is not found through it"), "red")
    if one.gaps:
        return Line(label, _("some messages are missing from it; they are read separately"), "amber")
    if not one.covers_all:
        return Line(label, _("sound, but tool output or tool calls are not in it"), "amber")
    return Line(label, _("sound: words of the newest messages are found through it"), "green")


def _drift(one: Drift) -> Line:
    facts = {"expected": f"{one.expected:,}", "found": f"{one.found:,}"}
    tone = "green" if one.expected == one.found else "amber"
    words = {
        "messages_word": (_("Messages in the word index"), _("%(found)s of %(expected)s")),
        "messages_trigram": (_("Messages in the trigram index"), _("%(found)s of %(expected)s")),
        "session_counts": (_("Counts kept beside sessions"), _("add up to %(found)s; there are %(expected)s messages")),
        "orphans": (_("Sessions named by messages but not stored"), _("%(found)s")),
    }
    label, sentence = words[one.code]
    return Line(label, sentence % facts, tone)


def _schema(health: Health) -> Line:
    label = _("Schema")
    if health.version is None:
        return Line(label, _("no version is recorded"), "amber")
    if health.is_older:
        return Line(label, _("version %s, made by an older agent; what it lacks is left out here") % health.version)
    if health.is_newer:
        facts = {"version": health.version, "known": KNOWN_VERSION}
        return Line(label, _("version %(version)s; MemoryHub knows %(known)s, so something may be missing") % facts)
    return Line(label, _("version %s, as MemoryHub knows it") % health.version, "green")
