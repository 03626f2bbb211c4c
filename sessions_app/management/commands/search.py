"""``memoryhub search``: find messages in the sessions of a home, in the language of the search box."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import UTC, datetime, tzinfo
from typing import Any, get_args

from django.core.management.base import CommandError

from memoryhub.management.commands._common import HubCommand, with_profile
from sessions_app.query_language import SearchQuery, parse
from sessions_app.query_words import in_words
from sessions_app.search import Gap, Hit, Options, Results, Sort, search

MOST = 10_000
COUNT_MS = 200  # nobody types on while a command runs
_NOTES = {
    "unknown_filter": "There is no filter “{0}”; it was looked for as text.",
    "unknown_value": "“{0}” is not a filter that is known; it was looked for as text.",
    "not_a_date": "“{0}” is not a date; it was looked for as text.",
    "unbalanced_quote": "A quotation mark has no partner and was left out.",
    "unbalanced_bracket": "A bracket in “{0}” has no partner and was left out.",
    "star_alone": "A star needs the beginning of a word before it.",
    "stray_operator": "“{0}” stands where it joins nothing and was left out.",
    "only_exclusions": "Say at least one word to look for besides what to leave out.",
    "too_long": "The query is very long; only its beginning was used.",
}
_GAPS = {
    "index_missing": "The search index {0} is missing.",
    "index_damaged": "The search index {0} is damaged. Stop Hermes and let it rebuild its index.",
    "index_empty": "The search index {0} is empty. Stop Hermes and let it rebuild its index.",
    "index_slow": "The search index took too long to answer.",
    "index_behind": "{1:,} messages are not in the search index; they were read instead.",
    "no_tool_output_in_index": "The search index leaves tool output out; it was read instead.",
    "best_of_newest": "Best of the newest {1:,} compared; sort by newest to see all in order.",
    "filters_cut": "The filters were checked on {1:,} hits; there are more.",
    "glued_words": "“{0}” may also stand inside Chinese, Japanese or Korean text that was not looked at.",
}
_RELAXED = {
    "prefix": "No message has exactly these words; shown are words that begin so.",
    "part": "No message has these words; shown are words that contain them.",
}


class Command(HubCommand):
    help = "finds messages in the sessions"
    needs_database = False

    def options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "query", nargs="+", metavar="QUERY", help="words, “phrases”, OR, NOT, prefix*, source:cli …"
        )
        parser.add_argument("--sort", choices=get_args(Sort), default="best", help="the order of the hits")
        parser.add_argument("--limit", type=int, default=20, help="how many hits (20)")
        parser.add_argument("--offset", type=int, default=0, help="how many hits to leave out first")
        parser.add_argument("--reasoning", action="store_true", help="look through the model's reasoning as well")
        parser.add_argument("--rewound", action="store_true", help="show undone messages as well")

    def run(self, **options: Any) -> None:
        """Search one profile: the one that the query names, else the one that the options name."""
        for name in ("limit", "offset"):
            if not 0 <= options[name] <= MOST:
                raise CommandError(f"--{name} must be between 0 and {MOST:,}.")
        zone = local_zone()
        query = parse(" ".join(options["query"]), zone=zone)
        home = self.chosen_home(home=options["home"], profile=options["profile"])
        home = with_profile(home, query.profile)
        wanted = Options(
            options["sort"], options["limit"], options["offset"],
            reasoning=options["reasoning"], rewound=options["rewound"], count_ms=COUNT_MS,
        )  # fmt: skip
        results = search(home.state_db, query, wanted)
        self.answer(document(query, results), "\n".join(_lines(query, results, zone)))


def local_zone() -> tzinfo:
    """The time zone of this machine, in which dates are read and shown."""
    return datetime.now().astimezone().tzinfo or UTC


def document(query: SearchQuery, results: Results) -> dict[str, Any]:
    """The JSON answer of the contract; ``notes``, ``place``, ``before`` and ``after`` come on top of it."""
    return {
        "query": query.text,
        "interpreted": in_words(results.query),
        "total": results.total,
        "total_is_exact": results.total_is_exact,
        "ms": round(results.ms, 1),
        "notes": notes(query, results),
        "hits": [_hit(hit) for hit in results.hits],
    }


def notes(query: SearchQuery, results: Results) -> list[str]:
    """What is worth knowing about the query and about what was not covered, as sentences."""
    found = [_NOTES[one.code].format(one.text) for one in query.notes if one.code in _NOTES]
    if results.relaxed:
        found.append(_RELAXED[results.relaxed])
    return found + [_gap(one) for one in results.gaps]


def _gap(gap: Gap) -> str:
    if gap.code != "scanned":
        return _GAPS[gap.code].format(gap.text, gap.count)
    if gap.is_all:
        return f"All {gap.count:,} messages were read, without the index."
    since = f", back to {gap.since:%Y-%m-%d}" if gap.since else ""
    return f"{gap.count:,} messages were read, the newest first{since}; older ones were not."


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "message_id": hit.message_id,
        "session_id": hit.session_id,
        "lineage_id": hit.lineage_id,
        "title": hit.title or None,
        "role": hit.role or None,
        "source": hit.source or None,
        "model": hit.model or None,
        "timestamp": hit.timestamp.isoformat() if hit.timestamp else None,
        "snippet": hit.snippet,
        "before": hit.before,
        "after": hit.after,
        "place": hit.place,
    }


def _lines(query: SearchQuery, results: Results, zone: tzinfo) -> list[str]:
    total = f"{results.total:,}" if results.total_is_exact else f"at least {results.total:,}"
    lines = [in_words(results.query)]
    if not results.hint:
        lines.append(f"{total} found, {len(results.hits)} shown, {results.ms:.0f} ms")
    lines += notes(query, results)
    for hit in results.hits:
        when = f"{hit.timestamp.astimezone(zone):%Y-%m-%d %H:%M}" if hit.timestamp else "date unknown"
        who = " · ".join(filter(None, (when, hit.source, hit.role or hit.place, hit.title, hit.session_id)))
        number = f" #{hit.message_id}" if hit.message_id is not None else ""
        lines += ["", _printable(who + number), _printable(_shown(hit.snippet))]
    return lines


def _shown(snippet: str) -> str:
    return snippet.replace("\ue000", "[").replace("\ue001", "]")


def _printable(text: str) -> str:
    """The text without characters that could steer a terminal."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)
