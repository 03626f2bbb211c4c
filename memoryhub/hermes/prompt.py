"""The memory block that Hermes puts into the system prompt of a new session, to the character.

Facts from running Hermes 0.19.0: the block of a file with entries is a line of 46 `═`, a header, the same line, and
the entries joined as in the file; entries that hit a threat pattern are replaced by a notice, and the figures are
counted after that. A file without entries has no block.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memoryhub.gauge import hermes_percent
from memoryhub.threats import blocked_ids

RULE: Final = "═" * 46
DELIMITER: Final = "\n§\n"
TITLES: Final[Mapping[str, str]] = {"memory": "MEMORY (your personal notes)", "user": "USER PROFILE (who the user is)"}

_HEADER = re.compile(
    rf"^{RULE}\n(?P<title>{'|'.join(map(re.escape, TITLES.values()))})"
    rf" \[(?P<percent>\d{{1,3}})% — (?P<used>\d[\d,]{{0,11}})/-?[\d,]{{1,12}} chars\]\n{RULE}\n",
    re.MULTILINE,
)
_NOTICE = re.compile(r"\[BLOCKED: .{1,60} entry contained threat pattern\(s\): (?P<ids>[\w+, -]+)\.")
_NAMED = re.compile(r"(?<=entry contained threat pattern\(s\): )[\w+]{1,60}(?:, [\w+]{1,60}){1,80}(?=\. Removed)")
_CJK = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_OTHER_SCRIPT = re.compile("[^\x00-\x7f]")


@dataclass(frozen=True)
class PromptBlock:
    """The block of one file. `text` is "" for a file without entries.

    `blocked` names the entries (by place among the agent's entries, from 0) that the notice stands in for, with the
    pattern ids; `used` and `percent` are the figures of the header.
    """

    text: str
    blocked: tuple[tuple[int, tuple[str, ...]], ...]
    used: int
    percent: int


def block(agent_entries: Sequence[str], target: str, limit: int, *, file_name: str) -> PromptBlock:
    """Return the block for the entries as the agent loads them (stripped, without exact copies).

    `limit` is in characters; `target` is "memory" or "user"; `file_name` is named in the notices.
    """
    shown: list[str] = []
    blocked: list[tuple[int, tuple[str, ...]]] = []
    for place, text in enumerate(agent_entries):
        ids = blocked_ids(text)
        shown.append(blocked_notice(file_name, ids) if ids else text)
        blocked += [(place, ids)] if ids else []
    if not shown:
        return PromptBlock("", (), 0, 0)
    content = DELIMITER.join(shown)
    share = hermes_percent(len(content), limit)
    header = f"{TITLES[target]} [{share}% — {len(content):,}/{limit:,} chars]"
    return PromptBlock(f"{RULE}\n{header}\n{RULE}\n{content}", tuple(blocked), len(content), share)


def blocked_notice(file_name: str, ids: Sequence[str]) -> str:
    """Return the line that stands in the prompt for an entry that hits these patterns."""
    return (
        f"[BLOCKED: {file_name} entry contained threat pattern(s): {', '.join(ids)}. "
        "Removed from system prompt; use memory(action=remove) to delete the original.]"
    )


def read_block(text: str, agent_entries: Sequence[str]) -> PromptBlock:
    """Return a block that Hermes itself wrote for these entries, with what it says in its header and notices."""
    header = _HEADER.match(text)
    content = text[header.end() :] if header else text
    shown = content.split(DELIMITER) if content else []
    blocked: list[tuple[int, tuple[str, ...]]] = []
    if len(shown) == len(agent_entries):
        for place, (seen, entry) in enumerate(zip(shown, agent_entries, strict=True)):
            if seen != entry:
                named = _NOTICE.match(seen)
                blocked.append((place, tuple(named["ids"].split(", ")) if named else ()))
    used = int(header["used"].replace(",", "")) if header else len(content)
    return PromptBlock(text, tuple(blocked), used, int(header["percent"]) if header else 0)


def same_block(first: str, second: str) -> bool:
    """Return whether two blocks say the same: Hermes names invisible characters in an order that changes by the run."""
    return first == second or _sorted_notices(first) == _sorted_notices(second)


def _sorted_notices(text: str) -> str:
    return _NAMED.sub(lambda match: ", ".join(sorted(match[0].split(", "))), text)


def find_block(system_prompt: str, target: str) -> str | None:
    """Return the memory block of a target from a stored system prompt, or None when it has none.

    A header says how many characters follow it. So entries may hold blank lines, and what looks like a header inside
    an entry is passed over.
    """
    at = 0
    while match := _HEADER.search(system_prompt, at):
        at = _end_of_content(system_prompt, match.end(), int(match["used"].replace(",", "")))
        if match["title"] == TITLES[target]:
            return system_prompt[match.start() : at]
    return None


def _end_of_content(system_prompt: str, start: int, used: int) -> int:
    end = start + used
    if end >= len(system_prompt) or system_prompt[end] == "\n":
        return min(end, len(system_prompt))
    blank = system_prompt.find("\n\n", start)  # figures of another version: the part ends with its paragraph
    return blank if blank >= 0 else len(system_prompt)


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text costs: a quarter of its ASCII letters, half of other alphabets' letters,
    and one for each Chinese, Japanese or Korean character.

    Models count differently; for memory entries this lies within about a fifth of what current models count.
    """
    solid = len(_CJK.findall(text))
    other = len(_OTHER_SCRIPT.findall(text)) - solid
    return round((len(text) - solid - other) / 4 + other / 2 + solid)
