"""The history chart: used characters over time, as geometry and as rows of a table.

Horizontal positions are thousandths of the plot's width, vertical ones are pixels from its top, so that the chart
can be stretched to any width without stretching its text. Knows no words, no colours and no database.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from memoryhub import axes

WIDTH: Final = 1000
HEIGHT: Final = 200
MOST_POINTS: Final = 600  # above this, a series is thinned to what the pixels can show
BUCKETS: Final = 200
MARK_GAP: Final = 9  # thousandths of the width between two marks of one writer


@dataclass(frozen=True)
class Point:
    """One state of a file: from `at` on it had `used` characters under `limit`, written by `writer`."""

    at: datetime
    used: int
    limit: int
    writer: str
    id: str = ""


@dataclass(frozen=True)
class Series:
    """The states of one memory file, in any order."""

    target: str
    points: Sequence[Point]


@dataclass(frozen=True)
class Mark:
    """Where a writer left the file; drawn in the writer's shape."""

    x: float
    y: float
    point: Point

    @property
    def percent(self) -> float:
        """Horizontal position in percent of the plot's width."""
        return round(self.x / 10, 2)


@dataclass(frozen=True)
class Line:
    """One file's step line, its limit and its marks."""

    target: str
    path: str
    area: str
    limit_path: str
    marks: tuple[Mark, ...]
    last: Point


@dataclass(frozen=True)
class TimeTick:
    """A date below the plot; `unit` says how much of it is worth writing (minute, day, month or year)."""

    at: datetime
    percent: float
    unit: str
    anchor: str


@dataclass(frozen=True)
class ValueTick:
    """A number of characters at a height."""

    value: int
    y: float


@dataclass(frozen=True)
class Row:
    """One line of the table beside the chart."""

    target: str
    point: Point
    change: int | None  # characters since the row before of the same file; None for the first


@dataclass(frozen=True)
class Chart:
    """Everything a template needs to draw the chart, and the same data as rows, newest first."""

    width: int
    height: int
    lines: tuple[Line, ...]
    value_ticks: tuple[ValueTick, ...]
    time_ticks: tuple[TimeTick, ...]
    rows: tuple[Row, ...]
    total: int  # how many states there are; more than rows when thinned

    @property
    def is_thinned(self) -> bool:
        """Some states were left out because the pixels cannot show them."""
        return self.total > len(self.rows)


@dataclass(frozen=True)
class _Scale:
    start: datetime
    end: datetime
    top: int

    def x(self, at: datetime) -> float:
        return round((at - self.start) / (self.end - self.start) * WIDTH, 1)

    def y(self, value: int) -> float:
        return round(HEIGHT - value / self.top * HEIGHT, 1)


def draw(series: Iterable[Series], *, now: datetime | None = None, zone: tzinfo = UTC) -> Chart:
    """Lay out the series that have points; the last state of each lasts until `now` (else until the newest point).

    `zone` is where days begin, for the dates below the plot.
    """
    kept = [Series(one.target, sorted(one.points, key=lambda point: point.at)) for one in series if one.points]
    total = sum(len(one.points) for one in kept)
    if not kept:
        return Chart(WIDTH, HEIGHT, (), (), (), (), 0)
    scale, value_ticks = _scale(kept, now)
    kept = [Series(one.target, _thinned(one.points, scale)) for one in kept]
    return Chart(
        width=WIDTH,
        height=HEIGHT,
        lines=tuple(_line(one, scale) for one in kept),
        value_ticks=tuple(ValueTick(value, scale.y(value)) for value in value_ticks),
        time_ticks=_time_ticks(scale, zone),
        rows=_rows(kept),
        total=total,
    )


def _scale(series: Sequence[Series], now: datetime | None) -> tuple[_Scale, list[int]]:
    points = [point for one in series for point in one.points]
    start = min(point.at for point in points)
    end = max([point.at for point in points] + ([now] if now else []))
    if end - start < timedelta(minutes=5):
        start, end = start - timedelta(hours=12), end + timedelta(hours=1)
    values = axes.round_values(max(max(point.used, point.limit) for point in points))
    return _Scale(start, end, values[-1]), values


def _thinned(points: Sequence[Point], scale: _Scale) -> Sequence[Point]:
    """Of each narrow column the lowest, the highest and the last state: the same picture, fewer points."""
    if len(points) <= MOST_POINTS:
        return points
    columns: dict[int, list[Point]] = {}
    for point in points:
        columns.setdefault(int(scale.x(point.at) * BUCKETS / WIDTH), []).append(point)
    kept: list[Point] = []
    for column in columns.values():
        wanted = {
            id(min(column, key=lambda p: p.used)),
            id(max(column, key=lambda p: p.used)),
            id(column[-1]),
        }
        kept.extend(point for point in column if id(point) in wanted)
    return kept


def _line(series: Series, scale: _Scale) -> Line:
    points = series.points
    path = _steps([(scale.x(p.at), scale.y(p.used)) for p in points])
    first = scale.x(points[0].at)
    return Line(
        target=series.target,
        path=path,
        area=f"{path}V{HEIGHT}H{first}Z",
        limit_path=_steps([(scale.x(p.at), scale.y(p.limit)) for p in points]),
        marks=_marks(points, scale),
        last=points[-1],
    )


def _steps(corners: Sequence[tuple[float, float]]) -> str:
    """An SVG path that keeps each height until the next corner, and the last one to the right edge."""
    (x, y), *rest = corners
    path = f"M{x} {y}"
    for next_x, next_y in rest:
        if next_y != y:
            path += f"H{next_x}V{next_y}"
            y = next_y
    return f"{path}H{WIDTH}"


def _marks(points: Sequence[Point], scale: _Scale) -> tuple[Mark, ...]:
    """The newest states first, so that of two that would overlap the newer one stays."""
    marks: list[Mark] = []
    left_of: dict[str, float] = {}
    for point in reversed(points):
        x = scale.x(point.at)
        if x <= left_of.get(point.writer, WIDTH + MARK_GAP) - MARK_GAP:
            left_of[point.writer] = x
            marks.append(Mark(x, scale.y(point.used), point))
    return tuple(reversed(marks))


def _time_ticks(scale: _Scale, zone: tzinfo) -> tuple[TimeTick, ...]:
    dates = axes.dates(scale.start.astimezone(zone), scale.end.astimezone(zone))
    places = [(at, unit, round(scale.x(at) / 10, 2)) for at, unit in dates]
    return tuple(
        TimeTick(at, percent, unit, "start" if percent < 6 else "end" if percent > 94 else "middle")
        for at, unit, percent in places
    )


def _rows(series: Sequence[Series]) -> tuple[Row, ...]:
    rows = []
    for one in series:
        before: int | None = None
        for point in one.points:
            rows.append(Row(one.target, point, None if before is None else point.used - before))
            before = point.used
    return tuple(sorted(rows, key=lambda row: row.point.at, reverse=True))
