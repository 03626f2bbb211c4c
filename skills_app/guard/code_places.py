"""Comments and deny lists in code, told line by line; asked only where something was found.

Only whole lines count as comments, and block comments only where they begin a line: a text that merely looks like a
comment to us must not hide code that runs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from skills_app.guard.text import SourceText, lines_with

_HASH: Final = ("#",)
_SLASHES: Final = ("//",)
_LINE_COMMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(
        [
            "bash",
            "python",
            "ruby",
            "perl",
            "r",
            "julia",
            "powershell",
            "yaml",
            "toml",
            "dockerfile",
            "makefile",
            "awk",
            "nix",
            "elixir",
            "tcl",
        ],
        _HASH,
    ),
    **dict.fromkeys(
        ["javascript", "go", "rust", "java", "c", "swift", "dart", "php", "terraform", "jsonc", "scss", "less"],
        _SLASHES,
    ),
    "php": ("//", "#"),
    "terraform": ("//", "#"),
    "ini": ("#", ";"),
    "sql": ("--",),
    "lua": ("--",),
    "haskell": ("--",),
    "applescript": ("--", "#"),
    "latex": ("%",),
    "batch": ("rem ", "REM ", "::", "@rem "),
    "vbscript": ("'",),
}
_BLOCK_COMMENTS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    **dict.fromkeys(
        ["javascript", "go", "rust", "java", "c", "swift", "dart", "php", "css", "scss", "less"], (("/*", "*/"),)
    ),
    "html": (("<!--", "-->"),),
    "xml": (("<!--", "-->"),),
    "powershell": (("<#", "#>"),),
    "python": (('"""', '"""'), ("'''", "'''")),
}
# A file that reads itself may run its own comments.
_ITSELF: Final = ("__doc__", "$0", "bash_source", "__file__", "pscommandpath", "$myinvocation", "%~f0", "__filename")
_READS: Final = re.compile(
    r"__doc__|\b(?:sed|awk|grep|tail|head|cut|tr|cat|base64|open|read_text|source|readfile\w*|get-content)\b",
    re.IGNORECASE,
)
_DENY_NAME: Final = re.compile(
    r"(?:deny|denied|block|forbid|ban|black|reject|disallow|danger|suspicious|malicious|threat|attack|inject|evil|unsafe"
    r"|risk|destructive|sensitive|protect|exclude|pattern|rule|signature|indicator|detect|redact|regex|check|flag|exploit"
    r"|payload|jailbreak|phrases|keywords|marker|critical|severity|examples|positive|negative|test_?case|sample)",
    re.IGNORECASE,
)
_ASSIGNED: Final = re.compile(
    r"\s*(?:- )?(?:(?:export|const|let|var|final|static|readonly|private|public|local|declare|set|my|our)\s+)*"
    r"[\"'$@]?([A-Za-z_][\w.-]{0,80})[\"']?\s*(?::[^=\n]{0,80})?(?:=|:)(?!=)\s*(.*)$"
)
_ELEMENT: Final = re.compile(
    r"""\s*(?:[-*]\s+)?(?:[\[({]\s*)*(?:(?:re\.compile|new RegExp|RegExp|Pattern|regex|[A-Z]\w{2,40})\(\s*)?"""
    r"""(?:\w{0,20}["']?\s*[:=]\s*)?(?:[rRbBfFuU]{0,2}["'`/]|\\|\^|\(\?|["'`]?[\w.*~/$-]+["'`]?,?$)"""
)
_ACTS: Final = re.compile(
    r"(?:system|exec\w*|eval|popen|\brun|call|spawn\w*|check_output|shell\w*|subprocess\.\w+|iex|invoke-\w+)\s*\(",
    re.IGNORECASE,
)
_MOST_LINES: Final = 300  # of one list


@dataclass
class CodePlaces:
    """Comments and deny lists of one text, or of one fenced block of it."""

    source: SourceText
    language: str
    first: int = 0  # lines that belong to it
    last: int = 1 << 40
    _lists: dict[int, bool] = field(default_factory=dict)

    def is_comment(self, offset: int) -> bool:
        """Whether an offset stands in a comment, and the text never reads itself."""
        if self._reads_itself:
            return False
        line = self.source.text[slice(*self.source.around(offset))].lstrip()
        marks = _LINE_COMMENTS.get(self.language, ())
        if marks and line.startswith(marks) and not line.startswith("#!"):
            return True
        starts, ends = self._blocks
        at = bisect_right(starts, offset) - 1
        return at >= 0 and offset < ends[at]

    def is_listed(self, span: tuple[int, int]) -> bool:
        """Whether a match is a mere element of a list whose name says that it is refused or looked for."""
        index = self.source.line_index(span[0])
        start, end = self.source.around(span[0])
        line = self.source.text[start:end]
        if span[1] > end or _ACTS.search(line[: span[0] - start]) or _ACTS.search(line[span[1] - start :]):
            return False
        if named := _ASSIGNED.match(line):
            value = named[2].lstrip()
            if span[0] - start >= named.start(2) and _ELEMENT.match(value) and _DENY_NAME.search(named[1]):
                return True
        return bool(_ELEMENT.match(line)) and self._list_above(index)

    def _list_above(self, index: int) -> bool:
        """Whether the list that a line belongs to has such a name."""
        passed: list[int] = []
        answer = False
        for number in range(index - 1, max(self.first - 1, index - _MOST_LINES), -1):
            if number in self._lists:
                answer = self._lists[number]
                break
            passed.append(number)
            line = self.source.line(number)
            named = _ASSIGNED.match(line)
            opens = line.rstrip().endswith(("[", "{", "(", ":", "=", "|", '"""', "'''", "(r", ">"))
            if named and opens and _DENY_NAME.search(named[1]):
                answer = True
                break
            if (
                line.strip()
                and not _ELEMENT.match(line)
                and not line.lstrip().startswith(("#", "//", "]", "}", ")", "{", "[", "("))
            ):
                break
        self._lists.update(dict.fromkeys(passed, answer))
        return answer

    @cached_property
    def _reads_itself(self) -> bool:
        lines = lines_with(self.source, _ITSELF)
        return any(_READS.search(self.source.text, start, end) for start, end in lines)

    @cached_property
    def _blocks(self) -> tuple[list[int], list[int]]:
        spans = sorted(_block_comments(self.source.text, self.language))
        return [start for start, _ in spans], [end for _, end in spans]


def _block_comments(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Block comments that begin a line; docstrings where a statement begins."""
    for opening, closing in _BLOCK_COMMENTS.get(language, ()):
        at = text.find(opening)
        while at >= 0:
            end = text.find(closing, at + len(opening))
            end = len(text) if end < 0 else end + len(closing)
            if _begins_comment(text, at, language):
                yield at, end
            at = text.find(opening, end)


def _begins_comment(text: str, at: int, language: str) -> bool:
    line_start = text.rfind("\n", 0, at) + 1
    before = text[line_start:at].strip()
    if language != "python":
        return not before
    above = text[max(0, line_start - 400) : line_start].rstrip()
    return before in ("", "r") and (
        not above or above.endswith((":", '"""', "'''")) or above.rpartition("\n")[2].startswith("#")
    )
