r"""Topics of made-up conversations, written as scripts, and how a script is read.

A script is plain text. `# key` opens a topic; `name: a | b | c` lines give it titles, sources, a folder and slots
(`35..90` is a number in that range). Then scenes, separated by `--`: the first opens a conversation, the others
follow as many as fit. Lines: `>` the person (`|` says the line above in other words), `~` reasoning, `<` the
assistant, `! tool name=value` a call with `+ name=value` for more arguments, `:` its result, `:x` a result that is
an error. Two blanks continue the line above on a new line; a backslash at the end joins the next line without one.
`{slot}` is filled in when told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

_KINDS: Final = {">": "user", "~": "reasoning", "<": "assistant", "!": "call", "+": "argument", ":": "result"}
_SETTING: Final = re.compile(r"([a-z_]+): (.+)")


@dataclass
class Line:
    """One utterance, call or result. `failed` marks a result that is an error; `others` are other ways to say it."""

    kind: str
    text: str
    failed: bool = False
    others: list[str] = field(default_factory=list)


@dataclass
class Topic:
    """What a conversation can be about: `settings` holds titles, sources, cwd and slots as lists of choices."""

    key: str
    settings: dict[str, list[str]] = field(default_factory=dict)
    scenes: list[list[Line]] = field(default_factory=list)


def parse(text: str) -> tuple[Topic, ...]:
    """Read the topics of one script text. A line it cannot place is a mistake in our own text: ValueError."""
    topics: list[Topic] = []
    for line in text.replace("\\\n", "").splitlines():
        if line.startswith("# "):
            topics.append(Topic(line[2:].strip()))
        elif line.strip():
            _take(topics[-1], line)
    return tuple(topics)


def _take(topic: Topic, line: str) -> None:
    setting = _SETTING.fullmatch(line)
    if line.strip() == "--":
        topic.scenes.append([])
    elif not topic.scenes and setting:
        topic.settings[setting[1]] = [choice.strip() for choice in setting[2].split(" | ")]
    elif line.startswith("| ") and topic.scenes and topic.scenes[-1]:
        topic.scenes[-1][-1].others.append(line[2:])
    elif line.startswith("  ") and topic.scenes and topic.scenes[-1]:
        topic.scenes[-1][-1].text += "\n" + line[2:]
    else:
        _add_line(topic, line)


def _add_line(topic: Topic, line: str) -> None:
    kind = _KINDS.get(line[0])
    if kind is None:
        raise ValueError(f"{topic.key}: what is {line!r}?")
    if not topic.scenes:
        topic.scenes.append([])
    failed = line.startswith(":x")
    text = line[2:] if failed else line[1:]
    scene = topic.scenes[-1]
    if kind == "result" and not failed and scene and scene[-1].kind == "result":
        scene[-1].text += "\n" + text.removeprefix(" ")
    else:
        scene.append(Line(kind, text.strip() if kind != "result" else text.removeprefix(" "), failed))
