"""The blocks of a Markdown text: header, fences, indented code, quotations, comments, and what headings say of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from skills_app.guard.model import Role
from skills_app.guard.polarity import lead_in_polarity, title_polarity

_FENCE: Final = re.compile(r"[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})\s*\{?\.?([\w+#.-]*)([^`]*)$")
_HEADING: Final = re.compile(r"\s{0,3}(#{1,6})\s+(.*)")
_BOLD: Final = re.compile(r"\s*(?:\*\*|__)([^*\n]{1,120})(?:\*\*|__)[:.]?\s*$")
_LIST: Final = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
_CLOSED: Final = frozenset(["---", "..."])
_SHELLS: Final = {
    "sh": "bash",
    "shell": "bash",
    "zsh": "bash",
    "console": "bash",
    "terminal": "bash",
    "shell-session": "bash",
}
_SAME: Final = {"py": "python", "python3": "python", "js": "javascript", "ts": "javascript", "typescript": "javascript"}
_ALIASES: Final = {**_SHELLS, **_SAME, "ps1": "powershell", "pwsh": "powershell", "yml": "yaml", "bat": "batch"}


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of lines of one role. ``polarity`` is what headings and lead-ins above say: "dont", "deny" or ""."""

    start: int
    role: Role
    language: str = ""
    polarity: str = ""
    flows: bool = False  # lines of one paragraph: a line end in it means no more than a blank


@dataclass
class _State:
    """Where a walk over the lines stands."""

    blocks: list[Block] = field(default_factory=list)
    fence: str = ""
    language: str = ""
    headings: list[tuple[int, str]] = field(default_factory=list)
    lead_in: str = ""
    in_comment: bool = False
    in_list: bool = False
    after_blank: bool = True
    in_indented: bool = False
    polarity: str = ""  # what the nearest lead-in or heading says
    last: tuple[Role, str, str, bool] | None = None

    @property
    def goes_on(self) -> bool:
        """Whether a line that begins with a letter and introduces nothing only goes on with a paragraph."""
        return not (self.fence or self.lead_in or self.in_list or self.after_blank) and self.blocks[-1].flows

    def judge(self) -> None:
        """Take note of what the nearest lead-in or heading with a polarity says."""
        self.polarity = self.lead_in or next((said for _, said in reversed(self.headings) if said), "")

    def put(self, start: int, role: Role, language: str = "", *, flows: bool = False) -> None:
        """Note that the line at ``start`` has this role."""
        polarity = "" if role is Role.HEADER else self.polarity
        if (role, language, polarity, flows) != self.last:
            self.last = role, language, polarity, flows
            self.blocks.append(Block(start, role, language, polarity, flows))


def find_blocks(text: str) -> list[Block]:
    """The blocks of a whole text, in order; the first begins at 0."""
    state = _State()
    offset = 0
    header_end = _header_end(text)
    has_comments = "<!--" in text
    for line in text.split("\n"):
        if offset < header_end:
            state.put(offset, Role.HEADER, "yaml")
        elif not line:
            _blank(state, offset)
        elif state.fence and state.fence not in line:
            pass
        elif not state.goes_on or has_comments or not line[0].isalpha() or line[-1] in ":*_":
            _line(state, line, offset)
        offset += len(line) + 1
    if not state.blocks or state.blocks[0].start:
        state.blocks.insert(0, Block(0, Role.PROSE))
    return state.blocks


def _header_end(text: str) -> int:
    """Where the header ends; 0 when there is none. An unclosed one is no header but prose."""
    if not text.startswith("---"):
        return 0
    at = text.find("\n")
    if at < 0 or text[3:at].strip():
        return 0
    while at >= 0:
        end = text.find("\n", at + 1)
        line = text[at + 1 : end if end >= 0 else len(text)]
        if line.rstrip() in _CLOSED:
            return len(text) if end < 0 else end + 1
        at = end
    return 0


def _blank(state: _State, offset: int) -> None:
    if not state.fence and not state.in_comment:
        if state.blocks and state.blocks[-1].flows:
            state.put(offset, Role.PROSE)
        state.after_blank = True


def _line(state: _State, line: str, offset: int) -> None:
    if state.fence:
        _in_fence(state, line, offset)
        return
    if state.in_comment:
        state.put(offset, Role.COMMENT, "html")
        state.in_comment = "-->" not in line
        return
    opened = _FENCE.match(line) if "```" in line or "~~~" in line else None
    if opened:
        state.fence, language = opened[1], opened[2].lower()
        state.language = _ALIASES.get(language, language)
        state.put(offset, Role.CODE, state.language)
        return
    _outside(state, line, offset)
    state.after_blank = False


def _in_fence(state: _State, line: str, offset: int) -> None:
    state.put(offset, Role.CODE, state.language)
    stripped = line.strip(" \t>")
    if stripped.startswith(state.fence) and not stripped.strip(state.fence[0]):
        state.fence = ""
        state.after_blank = True


def _outside(state: _State, line: str, offset: int) -> None:
    """A line of the text itself: heading, comment, quotation, list, indented code or paragraph."""
    if "<!--" in line and "-->" not in line.rpartition("<!--")[2]:
        state.in_comment = True
        state.put(offset, Role.COMMENT, "html")
        return
    if heading := _HEADING.match(line):
        _heading(state, len(heading[1]), heading[2])
        state.put(offset, Role.PROSE)
        return
    is_list = bool(_LIST.match(line))
    if _is_indented_code(state, line, is_list):
        state.put(offset, Role.CODE)
        state.in_indented = True
        return
    state.in_indented = False
    if is_list or line[0] not in " \t":
        state.in_list = is_list
    _prose(state, line, offset, is_list)


def _is_indented_code(state: _State, line: str, is_list: bool) -> bool:
    indented = line.startswith(("    ", "\t")) and bool(line.strip())
    return indented and not state.in_list and not is_list and (state.after_blank or state.in_indented)


def _prose(state: _State, line: str, offset: int, is_list: bool) -> None:
    belongs = is_list or line[0] in " \t>|"
    if state.lead_in and not belongs and not _BOLD.match(line):
        state.lead_in = ""
        state.judge()
    bold = _BOLD.match(line)
    said = title_polarity(bold[1]) if bold else lead_in_polarity(line)
    stripped = line.lstrip()
    if stripped.startswith(">"):
        state.put(offset, Role.QUOTE)
    elif stripped.startswith("|"):
        state.put(offset, Role.PROSE)
    else:
        if is_list and state.blocks and state.blocks[-1].flows:
            state.put(offset, Role.PROSE)
        state.put(offset, Role.PROSE, flows=True)
    if bold or said:
        state.lead_in = said
        state.judge()


def _heading(state: _State, level: int, title: str) -> None:
    state.headings = [each for each in state.headings if each[0] < level]
    state.headings.append((level, title_polarity(title)))
    state.lead_in = ""
    state.in_list = state.in_indented = False
    state.judge()
