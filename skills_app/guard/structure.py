"""What the build of a skill says before a word of it is read: links, programs, archives, sizes, ignore files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import PurePosixPath
from typing import Final

from skills_app.guard.findings import file_finding
from skills_app.guard.kinds import is_code_name, kind_of
from skills_app.guard.magic import Content, Nature
from skills_app.guard.model import Finding, Kind, Read, Rule
from skills_app.guard.reading import Entry, Reading
from skills_app.library.model import FileKind

Row = Callable[[str], Rule]  # a rule by its id

LARGE_FILE: Final = 256 * 1024
LARGE_SKILL: Final = 5 * 1024 * 1024
MANY_FILES: Final = 50
_IGNORE_FILES: Final = frozenset([".skillignore", ".clawhubignore", ".scanignore", ".guardignore"])
_RUN_BY_NAME: Final = frozenset(
    [".sh", ".bash", ".py", ".rb", ".pl", ".js", ".mjs", ".cjs", ".ts", ".zsh", ".ps1", ".php"]
)
_LINKS: Final = {
    FileKind.LINK_OUT: ("symlink_escape", "A link that leads out of the skill, to {}"),
    FileKind.BROKEN_LINK: ("broken_symlink", "A link that leads nowhere, to {}"),
    FileKind.LOOP: ("symlink_loop", "A link that leads back to itself, to {}"),
}
_HARMLESS_NAME: Final = re.compile(
    r"\.(?:png|jpe?g|gif|webp|svg|ico|pdf|txt|md|csv|json|ya?ml|html?|css|ttf|woff2?|mp[34]|docx?|xlsx?|pptx?|log|xml)$",
    re.IGNORECASE,
)
_MOST_NAMED: Final = 8


def structure_findings(reading: Reading, row: Row) -> Iterator[Finding]:
    """Everything that is told by names, kinds, sizes and modes."""
    for entry in reading.entries:
        yield from _entry(entry, row)
        yield from _archive(entry, row)
    yield from _ignored(reading, row)
    yield from _whole(reading, row)


def _entry(entry: Entry, row: Row) -> Iterator[Finding]:
    file, path, name = entry.file, entry.path, PurePosixPath(entry.path).name
    if file.kind in _LINKS:
        rule, words = _LINKS[file.kind]
        target = file.target.encode("utf-8", "replace").decode()[:200] or "nowhere"
        yield file_finding(row(rule), path, words.format(target) + ".", excerpt=target)
        return
    if name == ".git":
        yield file_finding(row("git_file"), path, "A file .git, which sends Git to another folder.")
    if name.lower() == "skill.md" and path != "SKILL.md":
        yield file_finding(row("nested_skill"), path, f"Another skill inside this one, at {path}.")
    if file.size > LARGE_FILE:
        yield file_finding(
            row("oversized_file"), path, f"{file.size // 1024} KiB, where {LARGE_FILE // 1024} are usual."
        )
    if file.executable and not _is_script(entry):
        yield file_finding(row("unexpected_executable"), path, "Marked as executable, but not named as a script.")
    if entry.note:
        yield file_finding(row("not_utf8"), path, f"The file is {entry.note}. It was read and scanned.")
    if entry.content is not None:
        yield from _binary(path, entry.content, row)
    if entry.goes_on_binary and entry.content is None:
        yield file_finding(row("unreadable_code"), path, "Begins as text and goes on as something that is no text.")
    elif _is_unread_code(entry):
        yield file_finding(row("unreadable_code"), path, entry.read.reason)


def _is_unread_code(entry: Entry) -> bool:
    """Whether code could not be read, and no other finding says so."""
    unread = entry.read.read is Read.NOT_SCANNABLE and entry.read.is_code and entry.archive is None
    return unread and (entry.content is None or entry.content.nature is Nature.UNKNOWN)


def _is_script(entry: Entry) -> bool:
    return PurePosixPath(entry.path).suffix.lower() in _RUN_BY_NAME or any(
        text.text.startswith("#!") for text in entry.texts
    )


def _binary(path: str, content: Content, row: Row) -> Iterator[Finding]:
    if content.nature is Nature.BYTECODE:
        yield file_finding(row("bytecode"), path, f"This is {content.name}, whose source may say something else.")
    if content.nature is Nature.PROGRAM:
        rule = "disguised_binary" if _HARMLESS_NAME.search(path) else "binary_file"
        yield file_finding(row(rule), path, f"This is {content.name}, whatever its name says.")


def _archive(entry: Entry, row: Row) -> Iterator[Finding]:
    looked = entry.archive
    if looked is None:
        return
    for name in looked.escaping[:_MOST_NAMED]:
        yield file_finding(row("archive_escape"), entry.path, f"Holds the name {name[:120]}.", excerpt=name)
    for name, content in entry.inner[:_MOST_NAMED]:
        yield from _binary(f"{entry.path}!/{name}", content, row)
    code = [name for name in looked.names if is_code_name(name) and kind_of(name)[0] is Kind.SCRIPT]
    code += [name for name in looked.names if PurePosixPath(name).name.lower() in ("vbaproject.bin", "skill.md")]
    if code:
        yield file_finding(row("archive_content"), entry.path, f"Holds {_named(code)}.", excerpt=code[0])
    if looked.encrypted:
        words = f"{_named(looked.encrypted)} can only be read with a password."
        yield file_finding(row("unreadable_code"), entry.path, words, excerpt=looked.encrypted[0])
    elif looked.problem:
        yield file_finding(row("archive_content"), entry.path, f"Was not looked into: {looked.problem}.")


def _ignored(reading: Reading, row: Row) -> Iterator[Finding]:
    """What the skill's own ignore files would have hidden; nothing is hidden by them."""
    paths = [entry.path for entry in reading.entries]
    for entry in reading.entries:
        if entry.path.lower() not in _IGNORE_FILES:
            continue
        lines = [line.strip() for text in entry.texts for line in text.text.split("\n")[:1_000]]
        patterns = [line for line in lines if line and not line.startswith("#")][:200]
        hidden = [path for path in paths if path != entry.path and any(_covers(one, path) for one in patterns)]
        words = f"would hide {_named(hidden)}" if hidden else "names no file that is there"
        yield file_finding(row("ignore_file"), entry.path, f"The skill asks scanners to look away: it {words}.")


def _covers(pattern: str, path: str) -> bool:
    """Whether a line of an ignore file is about a path, as Git reads it, roughly."""
    plain = pattern.lstrip("!").strip("/")
    parts = path.split("/")
    heads = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return any(fnmatch(head, plain) for head in heads) or (
        "/" not in plain and any(fnmatch(part, plain) for part in parts)
    )


def _whole(reading: Reading, row: Row) -> Iterator[Finding]:
    files = [entry for entry in reading.entries if entry.file.kind is FileKind.FILE]
    total = sum(entry.file.size for entry in files)
    if len(files) > MANY_FILES:
        yield file_finding(row("too_many_files"), ".", f"{len(files)} files, where {MANY_FILES} are usual.")
    if total > LARGE_SKILL:
        yield file_finding(row("oversized_skill"), ".", f"{total // 1024} KiB in all.")
    if not reading.is_complete:
        yield file_finding(row("unreadable_code"), ".", "So many files that the rest of them was not listed.")


def _named(names: list[str]) -> str:
    shown = ", ".join(name[:80] for name in names[:_MOST_NAMED])
    return shown + (f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else "")
