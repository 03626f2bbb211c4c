"""Dates as people type them into `after:` and `before:`, in a time zone that is passed in."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

_DATE: Final = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?")
_AGO: Final = re.compile(r"(\d{1,5})([hdwmy])")
_DAYS_OF: Final = {"d": 1, "w": 7, "m": 30, "y": 365}


def parse_date(text: str, *, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the moment a date begins, as an aware UTC time; `None` when the text is no date.

    Reads 2026, 2026-05, 2026-05-03 (a year, month or day begins at its first midnight in `zone`), today, yesterday,
    and spans counted back from `now`: 12h, 7d, 2w, 3m (30 days each), 1y (365 days). So `before:2026-05` leaves out
    all of May, `after:2026-05` begins with it, and `after:2026-05 before:2026-06` is the whole of May.
    """
    word = text.strip().lower()
    try:
        if word in ("today", "yesterday"):
            return _midnight(now.astimezone(zone) - timedelta(days=word == "yesterday"), zone)
        if found := _AGO.fullmatch(word):
            return _ago(int(found[1]), found[2], now)
        if found := _DATE.fullmatch(word):
            year, month, day = (int(part) if part else 1 for part in found.groups())
            return datetime(year, month, day, tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return None


def say_moment(moment: datetime, zone: tzinfo) -> str:
    """Return a moment as people in `zone` write it: the day alone when it is the beginning of the day."""
    try:
        local = moment.astimezone(zone)
    except (ValueError, OverflowError):  # at the ends of the calendar
        local, zone = moment, UTC
    return f"{local:%Y-%m-%d}" if moment == _midnight(local, zone) else f"{local:%Y-%m-%d %H:%M}"


def _midnight(moment: datetime, zone: tzinfo) -> datetime:
    return datetime(moment.year, moment.month, moment.day, tzinfo=zone).astimezone(UTC)


def _ago(count: int, unit: str, now: datetime) -> datetime:
    span = timedelta(hours=count) if unit == "h" else timedelta(days=count * _DAYS_OF[unit])
    return (now - span).astimezone(UTC)
