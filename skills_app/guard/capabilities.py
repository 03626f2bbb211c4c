"""What a skill could do, in one glance: commands, hosts, files, variables, packages. To be read, not a judgement."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from skills_app.guard.magic import Nature
from skills_app.guard.model import Capabilities, Kind, Role
from skills_app.guard.places import Places
from skills_app.guard.reading import Entry
from skills_app.guard.text import SourceText, lines_with

MOST: Final = 50  # of each
_READ: Final = 200_000  # characters of one text
_SHELLS: Final = frozenset(["bash", "", "powershell", "batch", "makefile", "dockerfile"])
_HOST: Final = re.compile(r"""://(?:[^\s/@"'<>]{1,80}@)?([A-Za-z0-9.-]{1,120}|\[[0-9a-f:]{2,45}\])""")
_VARIABLE: Final = re.compile(r"\$(?:\{?([A-Z][A-Z0-9_]{2,60})\b|env:([A-Za-z_]\w{2,60}))")
_NAMED_VARIABLE: Final = re.compile(
    r"""(?:environ(?:\.get)?|getenv|ENV|process\.env|env)(?:\(|\[|\.)\s{0,2}["']?([A-Z][A-Z0-9_]{2,60})\b"""
)
_ENVIRONMENTS: Final = ("environ", "getenv", "env[", "env(", "process.env")
_INSTALLERS: Final = ("install", " add ", "npx ", "uvx ", "bunx ", "dlx ", " i ")
_PACKAGE: Final = re.compile(
    r"\b(?:pip3?|pipx|uv pip|uv tool|poetry|npm|pnpm|yarn|bun|brew|apt|apt-get|dnf|yum|apk|gem|cargo|go|conda)\s{1,3}"
    r"(?:install|add|i)\s{1,3}((?:-{1,2}[\w=-]{1,30}\s{1,3}){0,4})([@\w][\w@./\[\]=<>~:-]{1,80})"
    r"|\b(?:npx|uvx|bunx|pnpm dlx)\s{1,3}(?:-\w\s)?([@\w][\w@./-]{1,80})"
)
_PATH: Final = re.compile(
    r"""(?:~/|\$HOME/|/(?:etc|var|usr|opt|home|root|tmp|proc|sys|dev|Users|Library)/)[\w./-]{2,120}"""
)
_GOES_ON: Final = re.compile(r"[\w/.:~-]")
_WRITE: Final = re.compile(
    r"""(?:>{1,2}\s{0,3}|\btee\s{1,3}(?:-a\s{1,3})?|\bopen\(\s{0,2}|\b(?:cp|mv|ln|install)\s[^\n;|]{1,120}?\s)["']?$"""
)
_AGENT: Final = re.compile(
    r"(?:^|/)(?:AGENTS|CLAUDE|SOUL|GEMINI)\.md$|\.cursorrules$|\.clinerules$|\.hermes/|\.claude/|\.cursor/|copilot-instructions"
)
_AGENT_WRITE: Final = re.compile(
    r"""(?:>{1,2}\s{0,3}|\btee\s{1,3}(?:-a\s{1,3})?)["']?((?:~/|\$HOME/|\./)?[\w./-]{0,80}(?:(?:AGENTS|CLAUDE|SOUL|GEMINI)\.md|\.cursorrules|\.clinerules|\.hermes/[\w./-]{1,60}|\.claude/[\w./-]{1,60}))"""
)
_INLINE: Final = re.compile(r"!`([^`\n]{1,200})`")
_COMMAND: Final = re.compile(
    r"^\s{0,20}(?:\$\s{1,2}|>\s{1,2}|sudo\s{1,2}|[A-Z_]{2,40}=\S{0,80}\s{1,2}){0,3}([a-z][\w.-]{1,40})(?=\s|$)",
    re.MULTILINE,
)
_PIPED: Final = re.compile(r"(?:\||&&|;|\$\()\s{0,3}(?:sudo\s{1,2})?([a-z][\w.-]{1,40})(?=\s|$|\))")
_NO_COMMANDS: Final = frozenset([
    "if", "then", "else", "elif", "fi", "for", "while", "do", "done", "case", "esac", "function", "return", "local",
    "export", "echo", "in", "the", "set", "unset", "true", "false", "exit", "cd", "test", "read", "shift", "break",
    "continue", "select", "until", "declare", "readonly", "trap", "wait", "printf", "and", "or", "not", "end",
    "begin",
])  # fmt: skip


class Collector:
    """What was seen so far; ask for ``capabilities`` at the end."""

    def __init__(self) -> None:
        self.seen: dict[str, set[str]] = defaultdict(set)

    def look(self, source: SourceText, places: Places) -> None:
        """Take note of what one text could do. Tests and change logs count like everything else."""
        text = source.text[:_READ]
        self._add("hosts", (match[1].lower().strip(".") for match in _HOST.finditer(text)))
        self._add("variables", (match[1] or match[2] for match in _VARIABLE.finditer(text)))
        lines = lines_with(source, _ENVIRONMENTS)
        self._add("variables", (match[1] for line in lines for match in _NAMED_VARIABLE.finditer(text, *line)))
        lines = lines_with(source, _INSTALLERS)
        self._add("packages", (match[2] or match[3] for line in lines for match in _PACKAGE.finditer(text, *line)))
        self._paths(text)
        if ">" in text or "tee " in text:
            self._add("agent_config", (match[1] for match in _AGENT_WRITE.finditer(text)))
        if source.kind is Kind.SKILL:
            self._add("inline_shell", (match[1] for match in _INLINE.finditer(text)))
        for block in _shell_blocks(source, places, text):
            self._add("commands", (match[1] for match in _COMMAND.finditer(block)))
            self._add("commands", (match[1] for match in _PIPED.finditer(block)))

    def note_file(self, entry: Entry) -> None:
        """Take note of a file that can be started."""
        is_program = entry.content is not None and entry.content.nature is Nature.PROGRAM
        if entry.file.executable or is_program:
            self._add("executables", [entry.path])

    def capabilities(self) -> Capabilities:
        """Everything seen, sorted, each at most MOST."""
        self.seen["commands"] -= _NO_COMMANDS
        return Capabilities(**{name: tuple(sorted(values)[:MOST]) for name, values in self.seen.items()})

    def _paths(self, text: str) -> None:
        for match in _PATH.finditer(text):
            if match.start() and _GOES_ON.match(text[match.start() - 1]):
                continue  # the end of a longer path, or of an address
            path = match[0].rstrip("./-")
            written = bool(_WRITE.search(text[max(0, match.start() - 160) : match.start()].rpartition("\n")[2]))
            self._add("writes" if written else "reads", [path])
            if written and _AGENT.search(path):
                self._add("agent_config", [path])

    def _add(self, name: str, values: Iterable[str]) -> None:
        known = self.seen[name]
        for value in values:
            if len(known) >= 20 * MOST:
                return
            if value:
                known.add(value.encode("utf-8", "replace").decode()[:200])


def _shell_blocks(source: SourceText, places: Places, text: str) -> Iterator[str]:
    if source.language == "bash":
        yield text
        return
    ends = [*(block.start for block in places.blocks[1:]), len(source.text)]
    for block, end in zip(places.blocks, ends, strict=True):
        is_shell = block.role in (Role.CODE, Role.PROHIBITION) and block.language in _SHELLS
        if is_shell and block.start < len(text) and source.kind in (Kind.SKILL, Kind.REFERENCE):
            yield text[block.start : end]
