"""A report as plain data for our own database, and back: nothing is lost on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from skills_app.guard.model import (
    Capabilities,
    Category,
    Coverage,
    FileRead,
    Finding,
    Kind,
    Place,
    Read,
    Report,
    Role,
    Severity,
    Verdict,
)


class NotAReport(Exception):
    """What was kept is no report, or one of another shape: scan again."""


def to_plain(report: Report) -> dict[str, Any]:
    """A report as dicts, lists, texts and numbers that JSON can hold; lone surrogates are replaced."""
    plain: dict[str, Any] = _encodable(asdict(report))
    return plain


def from_plain(plain: Mapping[str, Any]) -> Report:
    """The report that ``to_plain`` was given. Raises NotAReport."""
    try:
        return Report(
            rules_version=plain["rules_version"],
            digest=plain["digest"],
            verdict=Verdict(plain["verdict"]),
            reason=plain["reason"],
            findings=tuple(map(_finding, plain["findings"])),
            files=tuple(map(_file, plain["files"])),
            coverage=Coverage(plain["coverage"]),
            capabilities=Capabilities(**{name: tuple(values) for name, values in plain["capabilities"].items()}),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotAReport(str(error)) from error


def _finding(plain: Mapping[str, Any]) -> Finding:
    place = plain["place"]
    return Finding(
        **{
            **plain,
            "severity": Severity(plain["severity"]),
            "category": Category(plain["category"]),
            "before": tuple(plain["before"]),
            "after": tuple(plain["after"]),
            "place": place and Place(Kind(place["kind"]), Role(place["role"]), place["language"]),
        }
    )


def _file(plain: Mapping[str, Any]) -> FileRead:
    return FileRead(**{**plain, "read": Read(plain["read"])})


def _encodable(value: Any) -> Any:
    """The same without lone surrogates, which no database takes."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {_encodable(key): _encodable(one) for key, one in value.items()}
    if isinstance(value, Sequence):
        return [_encodable(one) for one in value]
    return value
