"""What shows only when entries are seen together: overlaps in and across the files, log lines, headings of "
"a migration."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from memoryhub import likeness
from memoryhub.curation.health.model import ALARM, QUESTION, Finding, Rule, Span

SAME_SHAPE: Final = 4  # entries that differ in numbers and one free part only
_HEADING: Final = re.compile(r"(?:[^\n:>]{1,60} > )+[^\n:>]{1,60}:")
_NUMBER: Final = re.compile(r"\d+")
_LABEL: Final = re.compile(
    r"^[^\n:：|]{0,60}?(?:session|turns?|prompt|request|files? changed|changed files|log|会话|请求|轮)"
    r"[^\n:：|]{0,40}[:：|]",
    re.IGNORECASE,
)

RULES: Final = (
    Rule(
        code="copy",
        level=ALARM,
        title="A copy",
        why="The agent reads an entry once, however often it stands there.",
        leave="There is no reason to keep it.",
        remedies=("remove",),
    ),
    Rule(
        code="twin",
        level=ALARM,
        title="The same in other dress",
        why="It says the same as another entry but for case, blanks or a leading “the user”.",
        leave="Leave it when the difference is meant.",
        remedies=("merge", "remove"),
    ),
    Rule(
        code="overlap",
        level=QUESTION,
        title="Overlaps with another entry",
        why="The two share words that are rare in this file; one entry may say both.",
        leave="Leave it when they are two facts about the same thing.",
        remedies=("merge",),
    ),
    Rule(
        code="both_files",
        level=QUESTION,
        title="Said in both files",
        why="The agent gets both files, so a fact said in one of them is enough.",
        leave="Leave it when the two serve different ends.",
        remedies=("remove", "merge"),
    ),
    Rule(
        code="log_line",
        level=ALARM,
        title="A log line",
        why="Many entries have this very shape with other numbers: a program writes them, one per request.",
        leave="Leave them when you read them; past conversations keep the same.",
        remedies=("remove",),
    ),
    Rule(
        code="migrated",
        level=ALARM,
        title="A heading repeated in front",
        why="A migration put the path of headings before each entry; it says nothing and takes room every time.",
        leave="Leave it when the heading is part of the fact.",
        remedies=("shorten",),
    ),
)


def find(files: Mapping[str, Sequence[str]]) -> list[Finding]:
    """Findings that need more than one entry; ``files`` maps targets to the texts of their entries, in file order."""
    found: list[Finding] = []
    for target, texts in files.items():
        found += _log_lines(target, texts)
        logged = {finding.place for finding in found if finding.target == target}
        found += _migrated(target, texts)
        found += [pair for pair in _pairs(target, texts) if pair.place not in logged or pair.code == "copy"]
    return found + _across(files)


def _pairs(target: str, texts: Sequence[str]) -> list[Finding]:
    codes = {"exact": ("copy", ALARM), "folded": ("twin", ALARM), "overlap": ("overlap", QUESTION)}
    found = []
    for pair in likeness.near_duplicates(texts):
        code, level = codes[pair.reason]
        found.append(Finding(code, level, target, pair.second, others=((target, pair.first),)))
    return found


def _across(files: Mapping[str, Sequence[str]]) -> list[Finding]:
    if len(files) < 2:
        return []
    (first, ours), (second, theirs) = tuple(files.items())[:2]
    together = [*ours, *theirs]
    found = []
    for pair in likeness.near_duplicates(together):
        if pair.first < len(ours) <= pair.second:
            place = pair.second - len(ours)
            found.append(Finding("both_files", QUESTION, second, place, others=((first, pair.first),)))
    return found


def _log_lines(target: str, texts: Sequence[str]) -> list[Finding]:
    """Entries that open with the same label around other numbers, four of them or more."""
    shapes: defaultdict[str, list[tuple[int, Span]]] = defaultdict(list)
    for place, text in enumerate(texts):
        match = _LABEL.match(text)
        if match and _NUMBER.search(match[0]):
            shapes[_NUMBER.sub("0", match[0])].append((place, match.span()))
    return [
        Finding("log_line", ALARM, target, place, (span,), data={"count": len(places)})
        for places in shapes.values()
        if len(places) >= SAME_SHAPE
        for place, span in places
    ]


def _migrated(target: str, texts: Sequence[str]) -> list[Finding]:
    headings = [match[0] if (match := _HEADING.match(text)) else "" for text in texts]
    count = Counter(heading for heading in headings if heading)
    return [
        Finding("migrated", ALARM, target, place, ((0, len(heading)),), data={"count": count[heading]})
        for place, heading in enumerate(headings)
        if heading and count[heading] > 1
    ]
