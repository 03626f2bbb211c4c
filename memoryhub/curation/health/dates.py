"""Dates that have passed, and states that were "current" long ago. Age alone is no fault, so only both "
"together count."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from memoryhub.curation.health.model import QUESTION, Asked, Rule, Span
from memoryhub.curation.health.wording import Words, signs, words

STALE_DAYS: Final = 60

_MONTH_NAMES: Final = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTHS: Final = {name: number for number, name in enumerate(_MONTH_NAMES.split("|"), 1)}
_MONTH: Final = rf"({_MONTH_NAMES})[a-z]{{0,6}}\.?"
# Never in a path, a file or tag name, or a longer number.
_BEFORE: Final = r"(?<![\w/.\-])(?<!since )(?<!v)"
_AFTER: Final = r"(?![\w/]|[-.]\w)"
_ISO: Final = re.compile(r"(?<![\dA-Za-z/._\-])(20\d\d)-(\d\d?)-(\d\d?)(?![\d/A-Za-z_]|[-.][\w])")
_WORDY: Final = re.compile(rf"{_BEFORE}(\d\d?)(?:st|nd|rd|th)? {_MONTH} (20\d\d){_AFTER}", re.IGNORECASE)
_AMERICAN: Final = re.compile(rf"{_BEFORE}{_MONTH} (\d\d?)(?:st|nd|rd|th)?,? (20\d\d){_AFTER}", re.IGNORECASE)
_CHINESE: Final = re.compile(r"(20\d\d) ?年 ?(\d\d?) ?月 ?(\d\d?) ?[日号]")
_ENDS: Final = Words(
    words(
        r"until",
        r"till",
        r"through",
        r"expires?(?: on)?",
        r"due(?: on| by)?",
        r"deadline",
        r"ends?(?: on)?",
        r"by",
        r"valid (?:to|until)",
        r"trip",
        r"on holiday",
        r"on vacation",
        r"away",
        r"travell?ing",
        r"visit(?:s|ing)?",
        r"meeting",
        r"appointment",
        r"flight",
        r"exam",
        r"conference",
        r"moves? (?:out|in)",
        r"starts?(?: on)?",
        r"launch(?:es)?",
        r"bis",
        r"hasta",
        r"jusqu['’]au",
        r"até",
        r"до",
        r"reminder",
        r"scheduled for",
        r"renew(?:al|s)?",
        r"back on",
    ),
    signs(
        "截止", "到期", "为止", "之前", "出差", "旅行", "会议", "考试", "休假", "至(?=20)", "到(?=20)", "放假", "提醒"
    ),
)
_PERISHABLE: Final = Words(
    words(
        r"currently",
        r"right now",
        r"at the moment",
        r"as of",
        r"in progress",
        r"for now",
        r"at present",
        r"latest",
        r"today",
        r"this (?:week|month)",
        r"balance",
        r"so far",
        r"status",
        r"now",
        r"stand(?= 20)",
        r"actualmente",
        r"сейчас",
    ),
    signs("目前", "截至", "当前", "暂时", "现在", "进行中", "余额", "最新"),
)
_LASTING: Final = Words(
    words(
        r"born",
        r"birthday",
        r"anniversary",
        r"decided",
        r"since",
        r"verified",
        r"measured",
        r"confirmed",
        r"tested",
        r"founded",
        r"version",
        r"released",
        r"from (?=20)",
        r"works as of",
        r"model cutoff",
        r"cut-?off",
        r"every year",
        r"annual(?:ly)?",
        r"published",
    ),
    signs("生日", "出生", "决定", "自(?=20)", "验证", "实测", "确认", "每年", "周年"),
)


def find_passed(asked: Asked) -> tuple[Span, ...]:
    """The dates of the entry, when it speaks of an end or an event and the last of them lies before today."""
    dated = list(_dates(asked.text))
    if not dated or max(day for _, day in dated) >= asked.today or _LASTING.within(asked.text):
        return ()
    word = next((span for span, _ in dated if _ENDS.within(asked.text[max(0, span[0] - 40) : span[1] + 12])), None)
    return tuple(span for span, _ in dated) if word else ()


def find_stale(asked: Asked) -> tuple[Span, ...]:
    """A word such as "currently" and the date beside it, when that date is more than two months old."""
    dated = list(_dates(asked.text))
    if not dated or (asked.today - max(day for _, day in dated)).days <= STALE_DAYS or _LASTING.within(asked.text):
        return ()
    perishable = _PERISHABLE.first(asked.text)
    return tuple(sorted((perishable, dated[-1][0]))) if perishable else ()


def _dates(text: str) -> Iterator[tuple[Span, date]]:
    found = []
    for pattern, order in ((_ISO, "ymd"), (_CHINESE, "ymd"), (_WORDY, "dmy"), (_AMERICAN, "mdy")):
        for match in pattern.finditer(text):
            parts = dict(zip(order, match.groups(), strict=True))
            day = _day(parts["y"], parts["m"], parts["d"])
            if day is not None:
                found.append((match.span(), day))
    return iter(sorted(found))


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), _MONTHS.get(month[:3].lower()) or int(month), int(day))
    except ValueError:
        return None


RULES: Final = (
    Rule(
        code="date_passed",
        level=QUESTION,
        title="The date has passed",
        why="It speaks of an end, a trip or a meeting that is over.",
        leave="Leave it when it still matters what was then.",
        remedies=("remove", "shorten"),
        find=find_passed,
        matches=(
            ("user", "On holiday until 2026-01-09, no calls"),
            ("user", "Trip to Lisbon 2026-02-03 to 2026-02-10"),
            ("memory", "Trial licence expires on 2026-03-01"),
            ("user", "Exam on 12 March 2026, keep evenings free before"),
            ("user", "出差到2026年3月5日"),
            ("memory", "Conference talk due by March 4, 2026"),
        ),
        look_alikes=(
            ("user", "Birthday 1990-05-03, likes a reminder"),
            ("memory", "Log of the move: ~/notes/2026-01-09-trip.md"),
            ("memory", "Backups since 2026-01-09 lie on the new disk until it is full"),
            ("memory", "Certificate valid until 2031-01-01"),
            ("memory", "Decided on 2026-01-02: invoices are due by the 14th"),
            ("memory", "Python 3.12 is supported until October 2028"),
        ),
    ),
    Rule(
        code="stale",
        level=QUESTION,
        title="Current when it was written",
        why="It says how things stood at a date that lies more than two months back.",
        leave="Leave it when it is still so; a newer date would say it.",
        remedies=("remove", "shorten"),
        find=find_stale,
        matches=(
            ("memory", "Disk usage as of 2026-01-09: 81 %"),
            ("memory", "Currently on the beta channel (2026-02-01)"),
            ("memory", "余额 320 元（截至2026年1月9日）"),
            ("memory", "Migration in progress, 2026-03-02"),
        ),
        look_alikes=(
            ("memory", "Verified 2026-01-09: the current driver is 3.1"),
            ("memory", "Release notes are in docs/2026-01-09-current.md"),
            ("memory", "Currently uses node 20"),
            ("memory", "Prices since 2026-01-09: 12 now, 15 with support"),
        ),
    ),
)
