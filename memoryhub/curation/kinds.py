"""What kind of thing an entry says, as far as words tell: a wish, a lesson, a fact about a machine, a diary line."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Final

from memoryhub.curation.health import diary, emptiness, machine, person, transient
from memoryhub.curation.health.model import Asked
from memoryhub.curation.health.wording import Words, signs, words

_ANY_DAY: Final = date(2000, 1, 1)  # none of the rules asked here looks at the day
_RULE: Final = Words(
    words(
        *(r"always", r"never", r"must(?: not)?", r"do not", r"don['’]t", r"prefers?", r"wants?", r"hates?", r"likes?"),
        *(r"expects?", r"insists?", r"only after", r"without (?:asking|approval)", r"ask (?:first|before)", r"avoid"),
        *(r"siempre", r"nunca", r"immer", r"nie", r"всегда", r"никогда"),
    ),
    signs("必须", "不要", "总是", "偏好", "喜欢", "要求", "先.{1,12}再", "禁止"),
)
_LESSON: Final = Words(
    words(
        r"gotcha",
        r"root cause",
        r"instead",
        r"workaround",
        r"fix(?:ed)? by",
        r"not [`\"]",
        r"fails? with",
        r"lesson",
        r"needs? [^.;\n]{1,40} (?:to|or|otherwise)",
    ),
    signs("坑", "改用", "修复", "否则", "教训", "原因"),
)


class EntryKind(StrEnum):
    """Kinds of entries, those that outlive others first."""

    WISH = "wish"  # a preference or standing rule
    PROFILE = "profile"
    LESSON = "lesson"
    MACHINE = "machine"
    FACT = "fact"
    POINTER = "pointer"  # says that a skill is there
    PASSING = "passing"  # a failure that passes
    DIARY = "diary"
    HOLLOW = "hollow"


def kind_of(text: str) -> EntryKind:
    """Name the kind of one entry."""
    asked = Asked(text, "memory", _ANY_DAY)
    if emptiness.find_hollow(asked) or emptiness.find_vague(asked) or emptiness.find_promoted(asked):
        return EntryKind.HOLLOW
    if transient.find(asked):
        return EntryKind.PASSING
    if emptiness.find_skill_pointer(asked):
        return EntryKind.POINTER
    if diary.find(asked):
        return EntryKind.DIARY
    if person.speaks_of_wish(text) or _RULE.within(text):
        return EntryKind.WISH
    if person.speaks_of_profile(text):
        return EntryKind.PROFILE
    if _LESSON.within(text):
        return EntryKind.LESSON
    return EntryKind.MACHINE if machine.speaks_of_machine(text) else EntryKind.FACT
