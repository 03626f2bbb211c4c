"""Round numbers and round dates for the axes of a chart: three to seven of them, whatever the span."""

from datetime import datetime, timedelta
from typing import Final

MOST_DATES: Final = 6
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
STEPS: Final = (
    (timedelta(minutes=1), "minute"),
    (timedelta(minutes=5), "minute"),
    (timedelta(minutes=15), "minute"),
    (HOUR, "minute"),
    (3 * HOUR, "minute"),
    (6 * HOUR, "minute"),
    (12 * HOUR, "minute"),
    (DAY, "day"),
    (2 * DAY, "day"),
    (7 * DAY, "day"),
    (14 * DAY, "day"),
)
MONTH_STEPS: Final = (1, 3, 6, 12, 24, 60, 120, 300, 600, 1200, 3000, 12000)


def round_values(highest: int) -> list[int]:
    """Round numbers from 0 to at least the highest value (and at least 10)."""
    highest = max(highest, 10)
    step = 1
    while True:
        for factor in (1, 2, 5):
            if highest <= step * factor * 5:
                return list(range(0, highest + step * factor, step * factor))
        step *= 10


def dates(start: datetime, end: datetime) -> list[tuple[datetime, str]]:
    """Round times inside [start, end] on start's wall clock, with the unit worth writing.

    The unit is minute, day, month or year. Both ends carry the same time zone.
    """
    span = end - start
    for step, unit in STEPS:
        if span / step <= MOST_DATES:
            return [(at, unit) for at in _every(step, start, end)]
    months = next((m for m in MONTH_STEPS if span / (m * 30 * DAY) <= MOST_DATES), MONTH_STEPS[-1])
    return [(at, "year" if months >= 12 else "month") for at in _every_month(months, start, end)]


def _every(step: timedelta, start: datetime, end: datetime) -> list[datetime]:
    """Times a whole number of steps after the midnight before `start`."""
    wall = start.replace(tzinfo=None)
    at = datetime.combine(wall.date(), datetime.min.time())
    at += -(-(wall - at) // step) * step
    last = end.replace(tzinfo=None)
    times = []
    while at <= last:
        times.append(at.replace(tzinfo=start.tzinfo))
        at += step
    return [time for time in times if start <= time <= end]


def _every_month(months: int, start: datetime, end: datetime) -> list[datetime]:
    """First days of every `months`-th month, counted from January of the year 0."""
    month = -(-(start.year * 12 + start.month - 1) // months) * months
    times = []
    while month // 12 <= min(end.year, 9998):
        at = datetime(month // 12, month % 12 + 1, 1, tzinfo=start.tzinfo)
        if start <= at <= end:
            times.append(at)
        month += months
    return times
