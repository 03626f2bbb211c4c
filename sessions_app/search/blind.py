"""What the indexes do not hold: messages newer than they know, gaps, tool output, reasoning. It is read instead."""

from __future__ import annotations

from collections.abc import Iterator

from sessions_app.search.context import Search
from sessions_app.search.documents import REASONING
from sessions_app.search.extras import Extras
from sessions_app.search.index_state import Index, IndexState
from sessions_app.search.results import Gap
from sessions_app.search.walk import Stretch, Walked, walk


def gaps_of(indexes: IndexState) -> Iterator[Gap]:
    """Yield what is wrong with the indexes."""
    for index in (indexes.word, indexes.trigram):
        if index.problem:
            yield Gap(f"index_{index.problem}", index.name)
    behind = _behind(indexes)
    if behind:
        yield Gap("index_behind", count=behind)
    if any(index.is_usable and not index.covers_all for index in _both(indexes)):
        yield Gap("no_tool_output_in_index")


def read_unindexed(search: Search, extras: Extras) -> bool:
    """Add the messages that hold the query but are in no index; say whether all of them were read."""
    indexes = search.known.indexes
    usable = [index for index in _both(indexes) if index.is_usable]
    is_all = True
    for walked in _walks(search, usable):
        extras.add.update(walked.found)
        is_all &= walked.is_all
        if not walked.is_all:
            search.say(Gap("scanned", count=walked.count, since=walked.since))
    missing = sorted({one for index in usable for one in index.gaps})
    extras.add.update(search.matching(search.fetch(missing)))
    return is_all


def _walks(search: Search, usable: list[Index]) -> Iterator[Walked]:
    last, schema = search.known.indexes.last_id, search.known.schema
    known_to = min((index.newest for index in usable), default=last)
    if known_to < last:
        yield walk(search, Stretch(known_to + 1, last), budget_ms=search.options.scan_ms)
    kinds = []
    if any(not index.covers_tools for index in usable):
        kinds.append("m.role = 'tool'")
    if any(not index.covers_calls for index in usable) and schema.has("messages", "tool_calls"):
        kinds.append("m.tool_calls IS NOT NULL")
    if kinds:
        yield walk(search, Stretch(1, known_to, " OR ".join(kinds)), budget_ms=search.options.scan_ms)
    thoughts = [f"m.{name} IS NOT NULL" for name in REASONING if schema.has("messages", name)]
    if search.options.reasoning and thoughts:
        stretch = Stretch(1, last, f"({' OR '.join(thoughts)})", reasoning=True)
        yield walk(search, stretch, budget_ms=search.options.scan_ms)


def _both(indexes: IndexState) -> tuple[Index, Index]:
    return indexes.word, indexes.trigram


def _behind(indexes: IndexState) -> int:
    usable = [index for index in _both(indexes) if index.is_usable]
    return max((indexes.last_id - index.newest + len(index.gaps) for index in usable), default=0)
