"""Facts about the history chart's geometry."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub import chart
from memoryhub.chart import Point, Series

START = datetime(2026, 5, 12, 9, 30, tzinfo=UTC)


def points(*values: int, every: timedelta = timedelta(days=1), limit: int = 2200) -> list[Point]:
    return [Point(START + every * n, value, limit, "agent", str(n)) for n, value in enumerate(values)]


def test_no_states_draw_nothing():
    drawn = chart.draw([Series("memory", []), Series("user", [])])
    assert (drawn.lines, drawn.rows, drawn.time_ticks, drawn.total) == ((), (), (), 0)


def test_one_state_is_a_level_line_to_now():
    drawn = chart.draw([Series("memory", points(1100))], now=START + timedelta(days=10))
    assert drawn.lines[0].path == "M0.0 112.0H1000"
    assert drawn.rows == (chart.Row("memory", points(1100)[0], None),)


def test_one_state_without_a_now_still_has_room_around_it():
    (mark,) = chart.draw([Series("memory", points(1100))]).lines[0].marks
    assert 0 < mark.percent < 100


def test_the_line_keeps_a_height_until_the_next_state():
    drawn = chart.draw([Series("memory", points(0, 2500, 1250))], now=START + timedelta(days=4))
    assert drawn.lines[0].path == "M0.0 200.0H250.0V0.0H500.0V100.0H1000"


def test_the_limit_line_follows_a_changed_limit():
    raised = [Point(START, 100, 2000, "agent"), Point(START + timedelta(days=1), 100, 4000, "you")]
    drawn = chart.draw([Series("memory", raised)], now=START + timedelta(days=2))
    assert drawn.lines[0].limit_path == "M0.0 100.0H500.0V0.0H1000"


def test_rows_are_newest_first_and_say_what_changed():
    rows = chart.draw([Series("memory", points(100, 160, 140))]).rows
    assert [(row.point.used, row.change) for row in rows] == [(140, -20), (160, 60), (100, None)]


def test_two_files_share_one_scale():
    drawn = chart.draw([Series("memory", points(2200)), Series("user", points(1375, limit=1375))])
    memory, user = (line.marks[0].y for line in drawn.lines)
    assert memory == pytest.approx(200 - 2200 / 2500 * 200)
    assert user == pytest.approx(200 - 1375 / 2500 * 200)


def test_five_thousand_states_are_thinned_without_losing_the_peak_or_the_last():
    values = [1000 + (n * 37) % 500 for n in range(5000)]
    values[2345], values[-1] = 9999, 7
    drawn = chart.draw([Series("memory", points(*values, every=timedelta(minutes=7)))])
    assert drawn.total == 5000
    assert drawn.is_thinned
    assert len(drawn.rows) <= 3 * (chart.BUCKETS + 1)
    assert {9999, 7} <= {row.point.used for row in drawn.rows}
    assert len(drawn.lines[0].marks) <= chart.WIDTH / chart.MARK_GAP + 1
    assert len(drawn.lines[0].path) < 20_000


@pytest.mark.parametrize(
    ("span", "unit"),
    [
        (timedelta(minutes=20), "minute"),
        (timedelta(hours=30), "minute"),
        (timedelta(days=5), "day"),
        (timedelta(days=80), "day"),
        (timedelta(days=150), "month"),
        (timedelta(days=900), "month"),
        (timedelta(days=4000), "year"),
        (timedelta(days=60_000), "year"),
    ],
)
def test_a_few_dates_stand_below_any_span(span, unit):
    ticks = chart.draw([Series("memory", points(1, 2))], now=START + span).time_ticks
    if span > timedelta(days=1):
        assert 1 <= len(ticks) <= 7
    assert {tick.unit for tick in ticks} <= {unit} | ({"minute"} if span < timedelta(days=1) else set())


def test_days_begin_where_the_person_is():
    zone = ZoneInfo("Asia/Shanghai")
    drawn = chart.draw([Series("memory", points(1, 2, 3, 4))], zone=zone)
    assert {tick.at.astimezone(zone).hour for tick in drawn.time_ticks} <= {0, 12}


@given(
    st.lists(
        st.tuples(
            st.datetimes(datetime(1971, 1, 1), datetime(2200, 1, 1)),
            st.integers(0, 10**7),
            st.integers(0, 10**6),
        ),
        max_size=60,
    )
)
def test_everything_lies_inside_the_plot(raw):
    series = Series("memory", [Point(at.replace(tzinfo=UTC), used, limit, "you") for at, used, limit in raw])
    drawn = chart.draw([series])
    assert drawn.total == len(raw) == len(drawn.rows)
    for line in drawn.lines:
        xs = [float(x) for x in re.findall(r"[MH]([\d.]+)", line.path)]
        assert xs == sorted(xs)
        assert all(0 <= mark.percent <= 100 and 0 <= mark.y <= chart.HEIGHT for mark in line.marks)
    assert all(0 <= tick.percent <= 100 for tick in drawn.time_ticks)
    assert len(drawn.time_ticks) <= 7
    assert all(0 <= tick.y <= chart.HEIGHT for tick in drawn.value_ticks)
    assert not drawn.value_ticks or 2 <= len(drawn.value_ticks) <= 7
