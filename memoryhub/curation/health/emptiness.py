"""Entries that say next to nothing: vague praise, orphan headings, rulers, test words, and pointers to a skill."""

from __future__ import annotations

import re
from typing import Final

from memoryhub.curation.health.model import ALARM, QUESTION, Asked, Rule, Span
from memoryhub.curation.health.wording import Words, signs, words

_VAGUE_CHARS: Final = 90
_CONCRETE: Final = re.compile(r"[\d`\"“'’/:@#()$=<>]|\b[A-Z]{2,}|(?<=[a-z] )[A-Z]")
_VAGUE: Final = Words(
    words(
        r"^(?:the )?(?:user )?(?:values|appreciates|cares about|likes|prefers|wants|expects|loves|"
        r"enjoys)(?: (?:very|really|high|good|great|clean|clear|professional|excellent|overall|general))*"
        r" (?:quality|good (?:work|code|results?|communication)|efficiency|efficient (?:work|solutions?)|"
        r"clarity|things (?:to be )?(?:done )?(?:well|right|properly|nicely)|excellence|professionalism|"
        r"accuracy|precision|thoroughness|helpfulness|productivity|results?|improvements?|best practices|"
        r"communication|work)(?: (?:and|over|in) [a-z]+(?: [a-z]+)?)?\.?$",
        r"^(?:be|stay|keep being) (?:helpful|professional|efficient|good|careful|nice|accurate)(?: and [a-z]+)?\.?$",
        r"^(?:the )?user is (?:smart|nice|busy|technical|friendly|helpful|curious|a power user)\.?$",
    ),
    signs(
        r"^用户?(?:注重|重视|喜欢|追求|看重)(?:高)?(?:质量|效率|细节|品质|专业|体验)(?:和(?:质量|效率|细节|品质|专业|体验))?。?$"
    ),
)
_HOLLOW: Final = re.compile(
    r"(?:[-=*_~–—#\s]{1,80}|#{1,6} [^\n]{1,80}|\*\*[^*\n]{1,60}\*\*:?|test(?:ing)?[.!]?|测试|tbd|todo|n/a|none|empty|"
    r"(?:my |personal |agent )?(?:memory|memories|notes|user profile|profile)(?: (?:file|notes|\.md))?[:.]?)",
    re.IGNORECASE,
)
_PROMOTED: Final = re.compile(
    r"<!--.{0,200}?(?:score|promoted|confidence|source)\b.{0,200}?-->|\[(?:score|confidence)[:=] ?0?\.\d+\]",
    re.IGNORECASE | re.DOTALL,
)
_SKILL: Final = Words(
    words(
        r"(?:the )?skill [`\"'“]?[\w.-]+[`\"'”]? (?:is |was |has been |now )*(?:installed|available|exists|"
        r"created|added|set up|ready|saved)",
        r"(?:installed|created|added|saved|set up|have|has) (?:a |the |new )*skills? [`\"'“(:]?[\w.-]+",
        r"skills? (?:installed|available)[:：]",
        r"there is (?:now )?a skill",
    ),
    signs(r"(?:已)?(?:安装|创建|新建|有)了?[^。；\n]{0,20}技能", r"技能[^。；\n]{0,20}(?:已安装|已创建|可用)"),
)
_RULE_FOR_SKILL: Final = Words(
    words(
        r"use",
        r"uses",
        r"using",
        r"not",
        r"instead",
        r"before",
        r"when(?:ever)?",
        r"always",
        r"never",
        r"must",
        r"prefer\w*",
        r"for (?:all|every|each)",
        r"only",
        r"if",
        r"after",
        r"run",
        r"because",
    ),
    signs("使用", "用它", "用于", "不要", "必须", "优先", "先", "时"),
)


def find_vague(asked: Asked) -> tuple[Span, ...]:
    """The whole text, when it praises something general and names nothing."""
    text = asked.text
    if len(text) > _VAGUE_CHARS or _CONCRETE.search(text):
        return ()
    found = _VAGUE.first(text)
    return (found,) if found else ()


def find_hollow(asked: Asked) -> tuple[Span, ...]:
    """The whole text, when it is a ruler, a heading, a title or a test word."""
    return ((0, len(asked.text)),) if _HOLLOW.fullmatch(asked.text) else ()


def find_promoted(asked: Asked) -> tuple[Span, ...]:
    """The marks that a program left when it copied fragments into the file by itself."""
    return tuple(match.span() for match in _PROMOTED.finditer(asked.text))[:3]


def find_skill_pointer(asked: Asked) -> tuple[Span, ...]:
    """The words that say that a skill is there, when nothing says when to use it."""
    found = _SKILL.first(asked.text)
    if not found or len(asked.text) > 2 * _VAGUE_CHARS:
        return ()
    rest = asked.text[: found[0]] + asked.text[found[1] :]
    return () if _RULE_FOR_SKILL.within(rest) else (found,)


RULES: Final = (
    Rule(
        code="vague",
        level=QUESTION,
        title="Says little",
        why="There is nothing in it that the agent could do differently.",
        leave="Leave it when you mean something by it; a concrete wish would work better.",
        remedies=("remove", "shorten"),
        find=find_vague,
        matches=(
            ("user", "User values quality"),
            ("user", "Likes things done well"),
            ("user", "The user appreciates good communication."),
            ("user", "Be helpful and professional"),
            ("user", "用户注重质量和效率"),
        ),
        look_alikes=(
            ("user", "Name: Ola"),
            ("user", "No emojis"),
            ("user", "Deploys: Tuesdays"),
            ("user", "Prefers clarity: one claim per sentence"),
            ("user", "Likes results as a table"),
            ("user", "Values privacy; never send names to web search"),
        ),
    ),
    Rule(
        code="hollow",
        level=ALARM,
        title="Nothing but a heading or a ruler",
        why="It is left over from another format and takes a delimiter's room as well.",
        leave="There is no reason to keep it.",
        remedies=("remove",),
        find=find_hollow,
        matches=(
            ("memory", "---"),
            ("memory", "## Environment"),
            ("memory", "test"),
            ("user", "User profile"),
            ("memory", "**Notes**"),
        ),
        look_alikes=(
            ("memory", "Test: always with make test"),
            ("user", "Ola"),
            ("memory", "#general is the channel for releases"),
            ("memory", "Notes live in ~/notes"),
        ),
    ),
    Rule(
        code="promoted",
        level=ALARM,
        title="Copied in by a program",
        why="Marks and scores show that another program promoted this fragment by itself; often it is half a sentence.",
        leave="Leave it when you read it and it is worth its room; then take the mark off.",
        remedies=("remove", "shorten"),
        find=find_promoted,
        matches=(
            ("memory", "prefers the second one <!-- promoted score=0.71 msg 8812 -->"),
            ("memory", "[score: 0.64] asked about the van again"),
        ),
        look_alikes=(
            ("memory", "Lighthouse score must stay above 90"),
            ("memory", "HTML comments <!-- like this --> are stripped by the build"),
        ),
    ),
    Rule(
        code="skill_pointer",
        level=QUESTION,
        title="Skills are listed anyway",
        why="The agent gets the list of its skills at the start of each conversation; this says nothing more.",
        leave="Leave it when it says when the skill must be used.",
        remedies=("remove",),
        find=find_skill_pointer,
        matches=(
            ("memory", "Skill `pdf-tools` installed"),
            ("memory", "Created a new skill `weekly-report` in skills/office"),
            ("memory", "已创建 weekly-report 技能"),
        ),
        look_alikes=(
            ("memory", "Use `pdf-tools`, not the browser"),
            ("memory", "Skill `pdf-tools` exists: always use it for forms"),
            ("memory", "Skills it wants from a candidate: SQL, Go"),
            ("memory", "填表必须使用 pdf-tools 技能"),
        ),
    ),
)
