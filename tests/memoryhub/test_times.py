"""Times as found in state.db: every unit and text that importers wrote, and nothing invented for the rest."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.hermes.times import parse_time

NOON = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        NOON.timestamp(),
        int(NOON.timestamp()),
        int(NOON.timestamp() * 1_000),
        int(NOON.timestamp() * 1_000_000),
        int(NOON.timestamp()) * 1_000_000_000,
        str(int(NOON.timestamp())),
        f" {NOON.timestamp()} ",
        str(int(NOON.timestamp() * 1_000)).encode(),
        "2026-03-14T12:00:00Z",
        "2026-03-14 12:00:00",
        "2026-03-14T12:00:00+00:00",
        "2026-03-14T20:00:00+08:00",
        "20260314T120000Z",
    ],
)
def test_every_usual_form_of_a_time_is_read(value: object) -> None:
    assert parse_time(value) == NOON


def test_a_date_alone_is_its_midnight() -> None:
    midnight = datetime(2026, 3, 14, tzinfo=UTC)
    assert parse_time("2026-03-14") == midnight
    assert parse_time("20260314") == midnight


@pytest.mark.parametrize(
    "value",
    [
        *(None, "", " ", "yesterday", "0", "１２", "1e999", "9" * 400, "2026-13-40", b"\xff\xfe", [], {}, True),
        *(0, 0.0, -1, -1e12, float("nan"), float("inf"), 10**400),
        *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"),
    ],
)
def test_what_is_no_usable_time_is_not_known(value: object) -> None:
    assert parse_time(value) is None


@given(st.one_of(st.integers(), st.floats(), st.text(), st.binary()))
def test_no_value_can_break_the_reading(value: object) -> None:
    found = parse_time(value)
    assert found is None or found.tzinfo is UTC
