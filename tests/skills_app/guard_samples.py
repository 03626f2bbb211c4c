"""The examples of a rule as files of a skill: in every place in which they could stand."""

from __future__ import annotations

from collections.abc import Iterator

from skills_app.guard.model import Kind, Rule
from skills_app.guard.scanner import scan_texts

HEADER = "---\nname: sample\ndescription: A sample\n---\n# Sample\n\n"


def skills_with(text: str) -> Iterator[dict[str, bytes]]:
    """Skills that hold a text as they stand, as prose, in code, in a script, a configuration or a reference."""
    skill = HEADER.encode()
    yield {"SKILL.md": (HEADER + text + "\n").encode()}
    if text.startswith("---\n"):
        yield {"SKILL.md": text.encode()}
    for language in ("bash", "python", "javascript", "powershell", ""):
        yield {"SKILL.md": f"{HEADER}```{language}\n{text}\n```\n".encode()}
    for name in ("run.sh", "run.py", "run.js", "run.ps1", "package.json"):
        yield {"SKILL.md": skill, name: f"{text}\n".encode()}
    yield {"SKILL.md": skill, "references/more.md": f"{text}\n".encode()}


def rules_found(text: str, rule: Rule) -> bool:
    """Whether a rule finds a text in any place."""
    return any(
        finding.rule == rule.id for files in skills_with(text) for finding in scan_texts(files, rules=(rule,)).findings
    )


def can_hold(rule: Rule) -> bool:
    """Whether a rule looks at texts at all: others are about files, archives and links."""
    return bool(rule.pattern) and (not rule.kinds or bool(rule.kinds & {Kind.SKILL, Kind.SCRIPT, Kind.CONFIG}))
