"""The words of the library: roots, skills, their files, records, usage and what is wrong. Data only; reads nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from skills_app.guard.model import Tier


class RootKind(StrEnum):
    """Where a skill lies."""

    HOME = "home"  # <home>/skills
    EXTERNAL = (
        "external"  # a folder of skills.external_dirs (or skills.create_dir): the agent reads, MemoryHub never writes
    )
    PROJECT = "project"  # <trusted project>/.hermes/skills or .agents/skills, for sessions inside that project
    ARCHIVE = "archive"  # <home>/skills/.archive: not loaded, can be restored


@dataclass(frozen=True, slots=True)
class Root:
    """One folder of skills. ``path`` is as configured (made absolute), ``real`` with all links resolved.

    ``label`` is a short name for pages and keys, unique among the roots of one home; ``problem`` is a sentence when the
    folder is missing or cannot be listed.
    """

    kind: RootKind
    path: Path
    real: Path
    label: str
    configured: str = ""  # the text in config.yaml that named it
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about one skill that a person should know: a code for programs, two sentences for people.

    ``keeps_out`` says that the agent does not load the skill because of it.
    """

    code: str
    sentence: str
    advice: str = ""
    keeps_out: bool = False


class FileKind(StrEnum):
    """What stands at one path inside a skill."""

    FILE = "file"
    LINK = "link"  # leads to a file or folder inside the skills folders
    LINK_OUT = "link out"  # leads out of the skills folders: never followed
    BROKEN_LINK = "broken link"
    LOOP = "loop"  # a link that leads to itself, or to a folder it lies in
    UNREADABLE = "unreadable"  # a folder that cannot be listed
    OTHER = "other"  # a pipe, socket or device


@dataclass(frozen=True, slots=True)
class SkillFile:
    """One file (or link, or oddity) of a skill, seen without opening it.

    ``path`` is relative to the skill's folder, posix; bytes that are no UTF-8 stand in it as lone surrogates, so use
    ``shown`` for pages. ``size`` in bytes; ``mtime_ns`` and ``ctime_ns`` as the file system tells.
    """

    path: str
    kind: FileKind
    size: int = 0
    executable: bool = False
    target: str = ""  # where a link says it leads
    mtime_ns: int = 0
    ctime_ns: int = 0

    @property
    def shown(self) -> str:
        """The path as encodable text."""
        return self.path.encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True)
class HubRecord:
    """What ``.hub/lock.json`` says about one installed skill; texts are bounded and encodable.

    ``damage`` is a sentence when the record cannot be relied on (its path leads elsewhere, fields are missing).
    """

    name: str
    source: str = ""
    identifier: str = ""
    trust_level: str = ""
    scan_verdict: str = ""  # at install
    content_hash: str = ""
    install_path: str = ""
    files: tuple[str, ...] = ()
    installed_at: datetime | None = None
    updated_at: datetime | None = None
    scanner: str = ""  # the scanner's version at install, where recorded
    damage: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What ``.usage.json`` says about one skill; counts are never negative, times aware UTC or None."""

    name: str  # the key it was found under
    created_by: str = ""  # "agent" when the background review made it, "" when nothing is recorded
    use_count: int = 0
    view_count: int = 0
    patch_count: int = 0
    last_used_at: datetime | None = None
    last_viewed_at: datetime | None = None
    last_patched_at: datetime | None = None
    created_at: datetime | None = None
    archived_at: datetime | None = None
    state: str = "active"  # active, stale, archived
    pinned: bool = False

    @property
    def last_activity(self) -> datetime | None:
        """The latest of use, view and patch."""
        times = [each for each in (self.last_used_at, self.last_viewed_at, self.last_patched_at) if each]
        return max(times, default=None)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A skill's tier and the sentences it rests on, the deciding one first."""

    tier: Tier
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill on disk, as the agent would take it and as it is.

    ``key`` is unique in its home, stable while the folder stays, and safe in an address. ``name`` is what the agent
    calls it (``folder_name`` when the header gives none); ``loaded`` says whether a new session of the agent lists it,
    with the reasons in ``problems`` when not. Never join ``name`` to a path: the folder is ``path``.
    """

    key: str
    name: str
    folder_name: str
    root: Root
    relative: str  # folder below the root, posix; "." when SKILL.md lies in the root itself
    path: Path
    skill_file: str  # "SKILL.md", or as it is really written; "" when there is none
    header_name: str = ""
    description: str = ""
    category: str = ""
    version: str = ""
    license: str = ""
    author: str = ""
    platforms: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    related_skills: tuple[str, ...] = ()
    header: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))  # every field as bounded text
    header_text: str = ""  # the YAML between the ``---`` lines, as written
    files: tuple[SkillFile, ...] = ()
    files_complete: bool = True
    problems: tuple[Problem, ...] = ()
    loaded: bool = True
    is_disabled: bool = False  # in skills.disabled
    disabled_on: tuple[str, ...] = ()  # platforms of skills.platform_disabled
    usage: Usage | None = None
    hub: HubRecord | None = None
    tier: Tier = Tier.LOCAL
    evidence: tuple[str, ...] = ()
    is_modified: bool | None = None  # builtin only: differs from what was shipped; None: not builtin or not known
    host: str = ""  # ``relative`` of the skill it lies in
    aliases: tuple[str, ...] = ()  # links by which the agent reaches the same folder
    signature: str = ""  # changes when any file's time, size, mode or name changes; reads nothing
    last_changed: datetime | None = None

    @property
    def pinned(self) -> bool:
        """Whether Hermes' curator must leave it alone."""
        return self.usage is not None and self.usage.pinned

    @property
    def state(self) -> str:
        """``active``, ``stale`` or ``archived``."""
        if self.root.kind is RootKind.ARCHIVE:
            return "archived"
        return self.usage.state if self.usage else "active"

    @property
    def size(self) -> int:
        """Bytes of all regular files."""
        return sum(each.size for each in self.files if each.kind is FileKind.FILE)

    @property
    def is_read_only(self) -> bool:
        """Whether the skill lies in a folder that MemoryHub never writes."""
        return self.root.kind in (RootKind.EXTERNAL, RootKind.PROJECT)

    def file(self, path: str) -> SkillFile | None:
        """Look a path up among the skill's files; a path of an address is never joined to a folder."""
        return next((each for each in self.files if each.path == path), None)


@dataclass(frozen=True, slots=True)
class Listing:
    """All skills of one home. ``problems`` are sentences about roots and records, not about one skill."""

    skills: tuple[Skill, ...]  # by root, then by path; broken ones among them
    archived: tuple[Skill, ...]
    roots: tuple[Root, ...]
    problems: tuple[Problem, ...] = ()
    damaged_records: tuple[HubRecord, ...] = ()  # install records that lead nowhere good

    def find(self, key: str) -> Skill | None:
        """Look a key up, archived skills too."""
        return next((each for each in (*self.skills, *self.archived) if each.key == key), None)

    def named(self, name: str) -> tuple[Skill, ...]:
        """The skills that a tool call may mean by ``name``: those so named, then those in a folder of that name."""
        exact = [each for each in self.skills if each.name == name]
        return (*exact, *(each for each in self.skills if each.folder_name == name and each.name != name))
