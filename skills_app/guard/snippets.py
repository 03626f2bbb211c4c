"""Lines without disguise: letters of other alphabets, invisible characters, shell quoting tricks, split words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from memoryhub.threats.folding import unmasked
from skills_app.guard.text import SourceText
from skills_app.guard.variants import Piece, Span

MOST: Final = 400_000  # characters of disguised lines that are looked at again
LONGEST: Final = 20_000  # characters of one line

# What a shell, a join of strings or a reader takes away from a word. Each begins with a rare character.
_TRICK: Final = re.compile(
    r"""["'`\\${*^](?:"""
    r"""(?<=\w["'`])["'`]\w"""
    r"""|(?<=[a-z]\\)[a-z]|(?<=[\n|;&] \\)[a-z]|(?<=[\n|;&]\\)[a-z]"""
    r"""|(?<=\$)(?:\{?IFS\b|@[a-z])|(?<=[a-z]\$)\{?[0-9*!]\}?[a-z]"""
    r"""|(?<=[a-z]{2}["'])[a-z]{1,12}["']|(?<=[a-z]["'])[a-z]{1,12}["'](?=[a-z])"""
    r"""|(?<=[|;&\n(]["'])[\w./-]{2,20}["'](?=[ \t])|(?<=[|;&\n] ["'])[\w./-]{2,20}["'](?=[ \t])"""
    r"""|(?<=["'])[ \t]?[+.]?[ \t]?["'](?=\w)"""
    r"""|(?<=\{)[a-z]{2,8},[^\s{}]{2,200}\}|(?<=[a-z]\*)\*[a-z]|(?<=[a-z][`^])[a-z])"""
)
_COMMANDS: Final = frozenset([
    "curl", "wget", "bash", "sh", "zsh", "rm", "dd", "eval", "exec", "python", "python3", "perl", "ruby", "node",
    "nc", "ncat", "base64", "sudo", "chmod", "chown", "cat", "ssh", "scp", "iex", "iwr", "invoke", "powershell",
    "crontab", "mkfs", "tee", "env", "printenv", "openssl", "xxd",
])  # fmt: skip
_WORD: Final = re.compile(r"[\w\\]+")
_AWAY: Final = re.compile(
    r"""(?P<blank>\$\{?IFS(?:%[^}\n]{0,4})?\}?(?:\$\d)?)|['"][ \t]*[+.]?[ \t]*['"]|['"]|``?(?=\w)|(?<=\w)``?|\*\*"""
    r"""|[\\^](?=[a-zA-Z])|\$@|\$\{?[0-9*@!]\}?(?=\w)|(?<=\w)\$\{[a-z]\w{0,3}:[^}\n]{0,9}\}"""
    r"""|[{}](?P<brace>)|(?<=[\w"']),(?=-|[\w"'])(?P<comma>)"""
)


def disguised(source: SourceText) -> Iterator[Piece]:
    """Every line that reads otherwise once its letters are folded and what nobody sees is left out."""
    odd = {char for char in source.unusual if _is_odd(char)}
    if not odd:
        return
    unseen = any(not unmasked(char, "").text for char in odd)
    for start, end in _lines_with(source, re.compile(f"[{re.escape(''.join(sorted(odd)))}]+")):
        line = source.text[start:end]
        for blank in ("", " ") if unseen else ("",):
            folded = unmasked(line, blank)
            if folded.text != line.lower():
                yield Piece(folded.text, (start, end), unfold=folded.original, how=_FOLDED)


def unquoted(source: SourceText) -> Iterator[Piece]:
    """Every line that a shell, or a join of strings, would read otherwise than it is written."""
    for start, end in _lines_with(source, _TRICK, _is_escape):
        piece = substituted(source.text[start:end], start, _AWAY, _replace, "without quoting")
        if piece is not None:
            yield piece


def substituted(
    text: str, base: int, pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str], how: str
) -> Piece | None:
    """A line with substitutions, and the way back; None when nothing changed."""
    parts: list[str] = []
    points: list[Span] = []
    at = length = 0
    for match in pattern.finditer(text):
        new = replace(match)
        if new == match[0]:
            continue
        for part, origin in ((text[at : match.start()], at), (new, match.start())):
            points.append((length, base + origin))
            parts.append(part)
            length += len(part)
        at = match.end()
    if not points:
        return None
    points.append((length, base + at))
    return Piece("".join([*parts, text[at:]]), (base, base + len(text)), _strictly(points), how=how)


def _strictly(points: list[Span]) -> tuple[Span, ...]:
    """Of several points at one offset the last."""
    return tuple(sorted(dict(points).items()))


def _replace(match: re.Match[str]) -> str:
    if match["blank"] is not None or match["comma"] is not None:
        return " "
    return ""


def _is_escape(text: str, match: re.Match[str]) -> bool:
    """Whether a backslash or a brace does its ordinary work: no command is spelt with it."""
    if match[0][0] == "{":
        return match[0][1:].partition(",")[0] not in _COMMANDS
    if match[0][0] != "\\":
        return False
    start = match.start()
    while start and start > match.start() - 12 and (text[start - 1].isalnum() or text[start - 1] == "\\"):
        start -= 1
    word = _WORD.match(text, start, match.end() + 12)
    return word is None or word[0].replace("\\", "").lower() not in _COMMANDS


def _never(text: str, match: re.Match[str]) -> bool:
    return False


def _lines_with(
    source: SourceText,
    pattern: re.Pattern[str],
    is_ordinary: Callable[[str, re.Match[str]], bool] = _never,
) -> Iterator[Span]:
    """The lines in which a pattern matches, each once, as far as the bounds allow."""
    at, left = 0, MOST
    while left > 0 and (match := pattern.search(source.text, at)):
        if is_ordinary(source.text, match):
            at = match.end()
            continue
        start, end = source.line_span(source.line_index(match.start()))
        if end - start > LONGEST:
            start, end = max(start, match.start() - 200, at), min(end, match.start() + LONGEST)
        yield start, end
        left -= end - start + 1
        at = max(end, match.end())


@lru_cache(maxsize=8192)
def _is_odd(char: str) -> bool:
    category = unicodedata.category(char)
    if category[0] not in "LNMC" and not 0x2460 <= ord(char) <= 0x24FF and not 0x1F100 <= ord(char) <= 0x1F1FF:
        return "\uff01" <= char <= "\uff5e" and not "\uff08" <= char <= "\uff0f"
    if "\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3":
        return False
    return unmasked(char, "").text != char.lower()


_FOLDED: Final = "with look-alike letters read as Latin ones and invisible characters left out"
