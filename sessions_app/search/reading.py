"""Searching without an index that answers exactly: texts are read within a time budget, and what was read is said."""

from __future__ import annotations

from sessions_app.search.context import Search
from sessions_app.search.counted import Count
from sessions_app.search.documents import REASONING, Document
from sessions_app.search.indexed import Page
from sessions_app.search.plan import Plan
from sessions_app.search.ranking import ranked
from sessions_app.search.results import Gap
from sessions_app.search.walk import Stretch, walk

_ENOUGH_FOR_BEST = 400


def read_page(search: Search, made: Plan | None) -> tuple[Page, list[Document]]:
    """Return a page of messages, and all found, by reading those that a plan finds (it may find too many), or all."""
    options = search.options
    is_up = options.sort == "oldest"
    low = options.key + 1 if options.key is not None and is_up else 1
    high = options.key - 1 if options.key is not None and not is_up else search.known.indexes.last_id
    reasoning = options.reasoning and any(search.known.schema.has("messages", name) for name in REASONING)
    want = _ENOUGH_FOR_BEST if options.sort == "best" else options.offset + options.limit + 1
    stretch = Stretch(low, high, plan=made if made and not reasoning else None, reasoning=reasoning)
    walked = walk(search, stretch, budget_ms=options.scan_ms, want=want)
    if search.query.groups and (stretch.plan is None or not walked.is_all):
        search.say(Gap("scanned", count=walked.count, since=walked.since, is_all=walked.is_all))
    ordered = _ordered(search, list(walked.found.values()))
    chosen = ordered[options.offset : options.offset + options.limit]
    key = chosen[-1].id if chosen and options.sort != "best" else None
    has_more = len(ordered) > options.offset + len(chosen) or (not walked.is_all and bool(chosen))
    return Page(chosen, Count(len(ordered), walked.is_all and options.key is None), has_more, key), ordered


def _ordered(search: Search, found: list[Document]) -> list[Document]:
    if search.options.sort == "best" and search.query.groups:
        return ranked(found, search.query.terms)
    return sorted(found, key=lambda one: one.id, reverse=search.options.sort != "oldest")
