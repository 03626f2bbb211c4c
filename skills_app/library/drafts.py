"""One skill by itself: its SKILL.md, its files and what is wrong with them, without records and neighbours.

A SKILL.md that stays as it is, by size and times, is read once only.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from memoryhub.hermes.values import whole
from skills_app.library import header_sentences, sentences
from skills_app.library.header import MOST_CHARACTERS, Header, read_header
from skills_app.library.keys import key_of
from skills_app.library.model import FileKind, Problem, Root, Skill, SkillFile
from skills_app.library.skill_files import MOST_FILES, Content, FileGone, list_files, read_inside
from skills_app.library.skill_text import decode
from skills_app.library.walk import SKILL_FILE, Folder

MOST_BYTES: Final = 1024 * 1024  # of a SKILL.md that are read for the listing
_SETTLED_NS: Final = 2_000_000_000  # a file changed later than this ago may change again within one tick of its clock
_ODD_KINDS: Final = {
    FileKind.BROKEN_LINK: "a link to nothing",
    FileKind.LOOP: "a link that leads to itself",
    FileKind.OTHER: "a pipe or a device",
}
_Read = tuple[Header, tuple[Problem, ...]]


def draft(root: Root, folder: Folder, roots: Sequence[Path]) -> Skill:
    """Make the Skill of one found folder; ``roots`` are the real skills folders. Never raises."""
    if folder.target or folder.reason:
        return _skill(root, folder, Header(), (), [_not_entered(folder)])
    files, is_complete = list_files(folder.path, roots, is_root=folder.relative == ".")
    header, problems = _read(root, folder, files)
    problems = [*problems, *header.problems, *_about_the_folder(folder, header)]
    if not is_complete:
        problems.append(sentences.many_files(MOST_FILES))
    return _skill(root, folder, header, files, problems)


def _not_entered(folder: Folder) -> Problem:
    if folder.reason and folder.target:
        return sentences.broken_link(folder.target)
    return sentences.link_out(folder.target) if folder.target else sentences.unreadable_folder(folder.reason)


def _read(root: Root, folder: Folder, files: Sequence[SkillFile]) -> tuple[Header, list[Problem]]:
    if not folder.skill_file:
        return Header(), [sentences.no_skill_file()]
    found = [] if folder.skill_file == SKILL_FILE else [sentences.skill_file_case(folder.skill_file)]
    file = next((each for each in files if each.path == folder.skill_file), None)
    if file is None:
        return Header(), [*found, sentences.not_a_file("a folder")]
    if file.kind is FileKind.LINK_OUT:
        return Header(), [*found, sentences.skill_file_link_out(file.target)]
    if file.kind in _ODD_KINDS:
        return Header(), [*found, sentences.not_a_file(_ODD_KINDS[file.kind])]
    header, problems = _read_remembered(root, folder, file)
    return header, [*found, *problems]


def _read_remembered(root: Root, folder: Folder, file: SkillFile) -> _Read:
    arguments = (root.real, folder.path, file.path, file.kind, (file.size, file.mtime_ns, file.ctime_ns))
    is_settled = file.kind is FileKind.FILE and time.time_ns() - file.ctime_ns > _SETTLED_NS
    return (_read_skill_file if is_settled else _read_skill_file.__wrapped__)(*arguments)


@lru_cache(maxsize=8192)
def _read_skill_file(root: Path, folder: Path, name: str, kind: FileKind, stamp: tuple[int, ...]) -> _Read:
    """Read and understand one SKILL.md; ``stamp`` changes when the file does."""
    try:
        content = _content(root, folder, name, kind)
    except FileGone as gone:
        return Header(), (sentences.unreadable(str(gone).rstrip(".")),)
    text = decode(content.data, is_complete=content.is_complete)
    problems = list(text.problems)
    if not content.is_complete:
        problems.append(header_sentences.too_large(MOST_BYTES // 1024))
    elif len(text.text) > MOST_CHARACTERS:
        problems.append(header_sentences.too_long(len(text.text), MOST_CHARACTERS))
    return read_header(text.text), tuple(problems)


def _content(root: Path, folder: Path, name: str, kind: FileKind) -> Content:
    if kind is FileKind.FILE:
        return read_inside(folder, name, MOST_BYTES)
    try:
        inside = Path(os.path.realpath(folder / name)).relative_to(root).as_posix()
    except ValueError as error:
        raise FileGone("it is a link into another skills folder") from error
    return read_inside(root, inside, MOST_BYTES)


def _about_the_folder(folder: Folder, header: Header) -> Iterator[Problem]:
    name, parts = folder.path.name, folder.relative.split("/")
    if folder.relative == ".":
        yield sentences.in_the_root()
    elif header.agent_name is not None and header.agent_name != name:
        yield sentences.name_differs(header.agent_name, name)
    if hidden := next((part for part in parts if part.startswith(".") and part != "."), None):
        yield sentences.hidden_folder(hidden)
    if name.endswith(".bak"):
        yield sentences.left_over()
    if folder.host:
        yield sentences.nested(folder.host)
    if folder.aliases:
        yield sentences.also_linked(len(folder.aliases), min(folder.aliases))


def _skill(
    root: Root, folder: Folder, header: Header, files: tuple[SkillFile, ...], problems: Sequence[Problem]
) -> Skill:
    parts = folder.relative.split("/")
    folder_name = whole(os.fsencode(folder.path.name).decode("utf-8", "replace"))
    skill = Skill(
        key=key_of(root, folder.relative),
        name=header.agent_name or folder_name,
        folder_name=folder_name,
        root=root,
        relative=folder.relative,
        path=folder.path,
        skill_file=folder.skill_file,
        category=whole(parts[0]) if len(parts) > 1 else "",
        files=files,
        files_complete=not any(each.code == "many_files" for each in problems),
        problems=tuple(problems),
        host=folder.host,
        aliases=tuple(sorted(folder.aliases)),
        signature=_signature(files),
        last_changed=_last_changed(files),
    )
    return _with_header(skill, header) if header.text else skill


def _with_header(skill: Skill, header: Header) -> Skill:
    return replace(
        skill,
        header_name=header.name,
        description=header.description,
        version=header.fields.get("version", "")[:80],
        license=header.fields.get("license", "")[:200],
        author=header.fields.get("author", "")[:200],
        platforms=header.platforms,
        tags=header.tags,
        related_skills=header.related_skills,
        header=MappingProxyType(dict(header.fields)),
        header_text=header.text,
    )


def _signature(files: Sequence[SkillFile]) -> str:
    lines = (
        f"{each.path}\0{each.kind}\0{each.size}\0{each.executable}\0{each.target}\0{each.mtime_ns}\0{each.ctime_ns}"
        for each in files
    )
    return hashlib.sha256(os.fsencode("\n".join(lines))).hexdigest()


def _last_changed(files: Sequence[SkillFile]) -> datetime | None:
    latest = max((each.mtime_ns for each in files), default=0)
    try:
        return datetime.fromtimestamp(latest / 1e9, UTC) if latest > 0 else None
    except (OverflowError, OSError, ValueError):
        return None
