"""Hits counted by source, role, model and month, over all of them or the newest; and over time."""

from __future__ import annotations

import json
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from typing import Final

from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import as_text
from sessions_app.search.context import Search
from sessions_app.search.locating import Located
from sessions_app.search.looking_up import newest_ids
from sessions_app.search.snippets import neutral
from sessions_app.search.statements import OutOfTime, ask_index, ask_raw

FIELDS: Final = ("source", "role", "model", "month")
_WINDOW: Final = 1_000  # newest hits that are counted
_ENOUGH: Final = 500  # newest hits that are known already and need not be asked for again
_VALUES: Final = 12  # values kept of each field
_ROWS_MS: Final = 120
_MONTHS_MS: Final = 20.0  # of work for all months
_BETWEEN_MS: Final = 60
_SAMPLED: Final = 4  # one part in so many of each month is counted when hits are very many
_MOST_MONTHS: Final = 120


@dataclass(frozen=True)
class Facet:
    """How often a field has each value among the counted hits, the most frequent first. Months are like 2026-05."""

    field: str
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Counts:
    """Counts over the newest `number` hits (`is_window`), or over all of them.

    `months` runs without holes; it covers all hits, by estimate when `months_are_estimated` (messages are taken to
    be stored in the order of their times).
    """

    facets: tuple[Facet, ...] = ()
    months: tuple[tuple[date, int], ...] = ()
    months_are_estimated: bool = False
    number: int = 0
    is_window: bool = False


@dataclass
class _Tally:
    fields: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in FIELDS})

    def facets(self) -> tuple[Facet, ...]:
        return tuple(Facet(name, tuple(counter.most_common(_VALUES))) for name, counter in self.fields.items())


def count(search: Search, located: Located, zone: tzinfo) -> Counts:
    """Count the hits; without facets when there was no time for it. Months begin at midnight in `zone`."""
    try:
        ids, is_window = _ids(search, located)
        tally = _tally(search, ids, zone)
    except OutOfTime:
        return Counts()
    months = tuple(sorted((_first_of(name), number) for name, number in tally.fields["month"].items()))
    estimate = _estimated(search, located, zone) if is_window and search.known.samples else ()
    return Counts(tally.facets(), _without_holes(estimate or months), bool(estimate), len(ids), is_window)


def _ids(search: Search, located: Located) -> tuple[list[int], bool]:
    """Return the ids to count, newest first, and whether there are more."""
    if located.base is None:
        found = sorted((one.id for one in located.read), reverse=True)
        return found[:_WINDOW], len(found) > _WINDOW or not located.page.total.is_exact
    known = located.checked
    if known is None:
        hidden = located.extras.remove | search.known.rewound
        newest: Sequence[int] = located.base.ids
        if len(newest) < _ENOUGH:
            newest = newest_ids(search, located.base.plan, _WINDOW + 1)
        known = [one for one in newest if one not in hidden]
    found = sorted({*known, *located.extras.add}, reverse=True)
    return found[:_WINDOW], len(found) > _WINDOW or not located.page.total.is_exact


def _tally(search: Search, ids: list[int], zone: tzinfo) -> _Tally:
    columns = search.known.schema.select("messages", "role", "session_id", "timestamp").replace("messages.", "m.")
    sql = f"SELECT {columns} FROM json_each(?) AS wanted CROSS JOIN messages AS m ON m.id = wanted.value"  # noqa: S608
    rows = ask_raw(search.conn, _ROWS_MS, sql, (json.dumps(ids),))
    tally = _Tally()
    _add(tally, "role", Counter(row[0] for row in rows))
    tally.fields["month"] = _months((row[2] for row in rows), zone)
    _tally_sessions(search, Counter(row[1] for row in rows), tally)
    return tally


def _add(tally: _Tally, name: str, numbers: Counter[object]) -> None:
    for value, number in numbers.items():
        tally.fields[name][_said(value)] += number


def _months(stamps: Iterable[object], zone: tzinfo) -> Counter[str]:
    """Count times by month; a month is worked out once, not for each time."""
    seconds = sorted(filter(None, map(_seconds, stamps)))
    counter: Counter[str] = Counter()
    place = 0
    while place < len(seconds):
        month = _month_of(seconds[place], zone)
        end = max(place + 1, bisect_left(seconds, _stamp(_next(month), zone), place))
        counter[f"{month:%Y-%m}"] += end - place
        place = end
    return counter


def _seconds(stamp: object) -> float | None:
    if isinstance(stamp, float) and 0 < stamp < 1e11:
        return stamp
    moment = parse_time(stamp)
    return moment.timestamp() if moment else None


def _tally_sessions(search: Search, sessions: Counter[bytes], tally: _Tally) -> None:
    columns = search.known.schema.select("sessions", "id", "source", "model")
    sql = f"SELECT {columns} FROM sessions WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608 - fixed names
    wanted = json.dumps([as_text(one) for one in sessions])
    numbers: dict[str, Counter[object]] = {"source": Counter(), "model": Counter()}
    for session_id, source, model in ask_raw(search.conn, _ROWS_MS, sql, (wanted,)):
        for name, value in (("source", source), ("model", model)):
            if value:
                numbers[name][value] += sessions[session_id]
    for name, found in numbers.items():
        _add(tally, name, found)


def _said(value: object) -> str:
    return neutral(as_text(value))


def _estimated(search: Search, located: Located, zone: tzinfo) -> tuple[tuple[date, int], ...]:
    """Count all hits by month without their rows, by the samples that tell about when which id was written."""
    if located.checked is not None:
        return _by_samples(search, located.checked, zone) if located.page.total.is_exact else ()
    if located.base is None or not search.conditions.is_empty:
        return ()
    moments = [moment for _, moment in search.known.samples]
    month, last = _month_of(min(moments), zone), _month_of(max(moments), zone)
    number_of_months = min(_MOST_MONTHS, (last.year - month.year) * 12 + last.month - month.month + 1)
    found: list[tuple[date, int]] = []
    began = time.thread_time()
    while len(found) < number_of_months:
        low, high = _first_id(search, month, zone), _first_id(search, _next(month), zone)
        number = 0 if low is None else _between(search, located, low if found else None, high and high - 1)
        found.append((month, number))
        spent = (time.thread_time() - began) * 1000
        if spent * number_of_months > _MONTHS_MS * len(found):
            return ()
        month = _next(month)
    return tuple(found)


def _by_samples(search: Search, ids: list[int], zone: tzinfo) -> tuple[tuple[date, int], ...]:
    starts = [one for one, _ in search.known.samples]
    months = [_month_of(moment, zone) for _, moment in search.known.samples]
    counter = Counter(months[max(0, bisect_right(starts, one) - 1)] for one in ids)
    return tuple(sorted(counter.items()))


def _first_id(search: Search, month: date, zone: tzinfo) -> int | None:
    """Return about the first id of a month; `None` when it is in the future of all samples."""
    start = _stamp(month, zone)
    return next((one for one, moment in search.known.samples if moment >= start), None)


def _between(search: Search, located: Located, low: int | None, high: int | None) -> int:
    assert located.base is not None
    share = 1
    if located.base.is_very_common:
        first, last = low or 1, high or search.known.indexes.last_id
        share, part = _SAMPLED, max(1, (last - first + 1) // _SAMPLED)
        low = first + (last - first + 1 - part) // 2
        high = low + part - 1
    sql, values = located.base.plan.statement("count(*)", low=low, high=high)
    try:
        return int(ask_index(search.conn, _BETWEEN_MS, sql, values)[0][0]) * share
    except OutOfTime:
        return 0


def _without_holes(months: tuple[tuple[date, int], ...]) -> tuple[tuple[date, int], ...]:
    numbers = dict(months)
    found: list[tuple[date, int]] = []
    month = min(numbers, default=None)
    while month is not None and month <= max(numbers) and len(found) < _MOST_MONTHS * 10:
        found.append((month, numbers.get(month, 0)))
        month = _next(month)
    return tuple(found)


def _first_of(name: str) -> date:
    return date(int(name[:4]), int(name[5:7]), 1)


def _next(month: date) -> date:
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def _month_of(stamp: float, zone: tzinfo) -> date:
    moment = datetime.fromtimestamp(stamp, zone)
    return date(moment.year, moment.month, 1)


def _stamp(month: date, zone: tzinfo) -> float:
    return datetime(month.year, month.month, 1, tzinfo=zone).timestamp()
