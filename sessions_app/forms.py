"""What an address asks of the session pages, turned into types. Nothing typed is an error: what is none is left out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.http import HttpRequest, QueryDict
from django.utils import timezone

from sessions_app.list_filters import Filters
from sessions_app.query_dates import parse_date

SORTS: Final = ("best", "newest", "oldest")
_LONGEST: Final = 1_000
_LARGEST_ID: Final = 2**63 - 1


@dataclass(frozen=True)
class ListRequest:
    """The list or a search: the text of the box, filters of the list, and where in it one is."""

    q: str
    filters: Filters
    since: str
    until: str
    after: str
    before: str
    sort: str
    offset: int
    key: int | None
    reasoning: bool
    rewound: bool


def list_request(request: HttpRequest) -> ListRequest:
    """Read the address of the list."""
    given = request.GET
    since, until = _text(given, "since"), _text(given, "until")
    sort = given.get("sort", "")
    return ListRequest(
        q=" ".join(given.get("q", "").replace("\0", " ").split())[:_LONGEST],
        filters=Filters(
            source=_text(given, "source"),
            model=_text(given, "model"),
            folder=_text(given, "folder"),
            since=_stamp(since),
            until=_stamp(until, is_end=True),
            tools="tools" in given,
            tool=_text(given, "tool"),
            archived="archived" in given,
            running="running" in given,
            everything="all" in given,
        ),
        since=since,
        until=until,
        after=_text(given, "after"),
        before=_text(given, "before"),
        sort=sort if sort in SORTS else "best",
        offset=min(whole_number(given.get("offset", "")) or 0, 10_000),
        key=whole_number(given.get("key", "")),
        reasoning="reasoning" in given,
        rewound="undone" in given,
    )


def whole_number(text: str) -> int | None:
    """A message id or an offset in an address; None for what is none."""
    if not (text.isascii() and text.isdigit()) or len(text) > 19:
        return None
    number = int(text)
    return number if number <= _LARGEST_ID else None


def _text(given: QueryDict, name: str) -> str:
    return given.get(name, "")[:_LONGEST]


def _stamp(text: str, *, is_end: bool = False) -> float | None:
    """Unix seconds at which a typed date begins (for an end: at which the day after it begins)."""
    zone = timezone.get_current_timezone()
    now = timezone.now()
    moment = parse_date(text, now=now, zone=zone) if text else None
    if moment is None:
        return None
    return _after(moment, text).timestamp() if is_end else moment.timestamp()


def _after(moment: datetime, text: str) -> datetime:
    """The end of the day that a date names."""
    is_day = text.count("-") == 2 or text.strip().lower() in ("today", "yesterday")
    return moment + timedelta(days=1) if is_day else moment
