"""What Hermes asks of a skill write before it touches a file: names, paths, headers, sizes. In its order, our words.

Facts: docs/what-we-read-and-write.md; the interop tests compare every refusal with the real one.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

import yaml

from skills_app.writing.model import WriteRefused

SKILL_FILE: Final = "SKILL.md"
FOLDERS: Final = ("assets", "references", "scripts", "templates")
MOST_NAME: Final = 64
MOST_DESCRIPTION: Final = 1_024
MOST_CHARACTERS: Final = 100_000
MOST_BYTES: Final = 1 << 20
BYTE_ORDER_MARK: Final = "\ufeff"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]*")
_CLOSING: Final = re.compile(r"\n---\s*\n")
_UNREADABLE_YAML: Final = (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, RecursionError)


def require_name(name: str) -> None:
    """Refuse a name that no skill may have."""
    if not name:
        raise WriteRefused("bad_name", "It names no skill.")
    if len(name) > MOST_NAME:
        raise WriteRefused("bad_name", f"The name is longer than {MOST_NAME} characters.", name=name)
    if not _NAME.fullmatch(name):
        sentence = "is no name for a skill: it needs lower-case letters, digits, dots, hyphens and underscores"
        raise WriteRefused("bad_name", f"“{name}” {sentence}.", name=name)


def require_category(category: str | None) -> str:
    """The folder that a new skill is to stand in, "" for none."""
    stripped = (category or "").strip()
    if not stripped:
        return ""
    if len(stripped) > MOST_NAME or not _NAME.fullmatch(stripped) or stripped != category:
        raise WriteRefused("bad_category", f"“{category}” is no name for a category.", name=category)
    return stripped


def require_header(text: str) -> None:
    """Refuse a SKILL.md without a proper header; ``data["problem"]`` says which."""
    if not text.strip():
        raise _bad_header("empty", "SKILL.md would be empty.")
    text = text.lstrip(BYTE_ORDER_MARK)
    if not text.startswith("---"):
        raise _bad_header("no_start", "SKILL.md would not begin with a header (a line of three hyphens).")
    closing = _CLOSING.search(text, 3)
    if closing is None:
        raise _bad_header("not_closed", "The header of SKILL.md would not be closed by a line of three hyphens.")
    _require_fields(text[3 : closing.start()])
    if not text[closing.end() :].strip():
        raise _bad_header("no_body", "SKILL.md would have a header and nothing below it.")


def _require_fields(header: str) -> None:
    try:
        fields = yaml.safe_load(header)
    except _UNREADABLE_YAML as error:
        mark = getattr(error, "problem_mark", None)
        place = f" (line {mark.line + 1})" if mark is not None else ""
        raise _bad_header("yaml", f"The header of SKILL.md would not be YAML{place}.") from error
    if not isinstance(fields, dict):
        raise _bad_header("no_mapping", "The header of SKILL.md would hold no names and values.")
    for name in ("name", "description"):
        if name not in fields:
            raise _bad_header(f"no_{name}", f"The header of SKILL.md would have no {name}.")
    if len(str(fields["description"])) > MOST_DESCRIPTION:
        over = len(str(fields["description"])) - MOST_DESCRIPTION
        sentence = f"The description would be {over:,} characters over its limit of {MOST_DESCRIPTION:,}."
        raise _bad_header("description_too_long", sentence, over=over)


def _bad_header(problem: str, sentence: str, **data: object) -> WriteRefused:
    return WriteRefused("header", sentence, problem=problem, **data)


def require_length(text: str, label: str = SKILL_FILE) -> None:
    """Refuse a text of more characters than a file of a skill may have."""
    if len(text) > MOST_CHARACTERS:
        over = len(text) - MOST_CHARACTERS
        sentence = f"{label} would be {over:,} characters over the limit of {MOST_CHARACTERS:,}."
        raise WriteRefused("too_large", sentence, over=over, limit=MOST_CHARACTERS, unit="characters")


def require_size(text: str) -> None:
    """Refuse more bytes than a supporting file may have."""
    size = len(text.encode("utf-8"))
    if size > MOST_BYTES:
        sentence = f"The file would be {size - MOST_BYTES:,} bytes over the limit of {MOST_BYTES:,}."
        raise WriteRefused("too_large", sentence, over=size - MOST_BYTES, limit=MOST_BYTES, unit="bytes")


def require_path(path: str) -> str:
    """The path of a file in a skill, normalised. Refuses whatever leaves the skill or its four folders.

    Hermes lets ``SKILL.md`` and one folder before it pass, so that is let pass here too, and warned of.
    """
    pure = PurePosixPath(path)
    if ".." in pure.parts:
        raise WriteRefused("path_leaves", "The path leaves the skill, so Hermes refuses it.", path=path)
    if pure.is_absolute():
        raise WriteRefused("path_leaves", "The path begins at the root of the disk, not in the skill.", path=path)
    if "\0" in path:
        raise WriteRefused("bad_path", "The path holds a character that no path can hold.", path=path)
    if pure.name == SKILL_FILE and len(pure.parts) <= 2:
        return pure.as_posix()
    if not pure.parts or pure.parts[0] not in FOLDERS:
        sentence = "A file of a skill may only stand in " + ", ".join(FOLDERS) + "."
        raise WriteRefused("bad_path", sentence, path=path)
    if len(pure.parts) < 2:
        raise WriteRefused("bad_path", "The path names a folder, not a file.", path=path)
    return pure.as_posix()
