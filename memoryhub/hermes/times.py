"""Times as Hermes and its importers store them: seconds, milliseconds, numbers as text, ISO text, nonsense.

Knows nothing of tables. What cannot be read is `None`, never a wrong date.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?")
_COMPACT_DATE = re.compile(r"(19|20)[0-9]{6}")
# A value this large cannot be seconds (the year 5138), so it was written in a smaller unit.
_UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))


def parse_time(value: object) -> datetime | None:
    """Read a stored time as an aware UTC datetime; `None` when it is no usable time.

    Accepts unix seconds (Hermes' own form), milli-, micro- and nanoseconds, the same as text, and ISO 8601
    text (without a zone it is taken as UTC). Zero and negative numbers mean "not known".
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _from_number(value)
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return _from_text(value.strip()) if isinstance(value, str) else None


def _from_number(number: float) -> datetime | None:
    if isinstance(number, float) and not math.isfinite(number):
        return None
    unit = next((unit for least, unit in _UNITS if number >= least), 1)
    try:
        return datetime.fromtimestamp(number / unit, UTC) if number > 0 else None
    except (OverflowError, OSError, ValueError):
        return None


def _from_text(text: str) -> datetime | None:
    if len(text) > 64:
        return None
    if _NUMBER.fullmatch(text) and not _COMPACT_DATE.fullmatch(text):
        return _from_number(float(text))
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
