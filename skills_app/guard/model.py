"""The words of the guard: rules, places, findings, coverage, verdict, tier and policy. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

EXCERPT: Final = 240  # characters of a line that a finding shows around its match


class Severity(StrEnum):
    """How much one finding weighs, worst first."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Severity).index(self)


class Category(StrEnum):
    """What a finding is about; the names are Hermes'."""

    EXFILTRATION = "exfiltration"
    INJECTION = "injection"
    DESTRUCTIVE = "destructive"
    PERSISTENCE = "persistence"
    NETWORK = "network"
    OBFUSCATION = "obfuscation"
    EXECUTION = "execution"
    TRAVERSAL = "traversal"
    MINING = "mining"
    SUPPLY_CHAIN = "supply_chain"
    PRIVILEGE_ESCALATION = "privilege_escalation"
    CREDENTIAL_EXPOSURE = "credential_exposure"
    STRUCTURAL = "structural"


class Verdict(StrEnum):
    """What the findings of a skill together say: any critical is dangerous, any high caution, else safe."""

    SAFE = "safe"
    CAUTION = "caution"
    DANGEROUS = "dangerous"

    @property
    def rank(self) -> int:
        """0 for safe, 2 for dangerous."""
        return list(Verdict).index(self)


class Tier(StrEnum):
    """How far a skill is trusted, by where it came from."""

    BUILTIN = "builtin"
    TRUSTED = "trusted"
    COMMUNITY = "community"
    AGENT_CREATED = "agent-created"
    LOCAL = "local"  # nothing says who wrote it; policy as agent-created
    UNKNOWN = "unknown"  # the record that would say cannot be read; policy as community


class Policy(StrEnum):
    """What the tier and the verdict together lead to."""

    ALLOW = "allow"
    ASK = "ask"
    BLOCK = "block"


class Kind(StrEnum):
    """What a file of a skill is for, told by its path and its first bytes."""

    SKILL = "skill"  # SKILL.md: the agent reads it as instructions
    SCRIPT = "script"  # code that can be run
    REFERENCE = "reference"  # other prose: references, README, change logs
    CONFIG = "config"  # YAML, JSON, TOML, INI and the like
    TEST = "test"  # tests, fixtures and their data
    ASSET = "asset"  # everything else


class Role(StrEnum):
    """What a piece of text is where it stands."""

    HEADER = "header"  # YAML between the first two ``---`` lines
    PROSE = "prose"
    CODE = "code"  # a fenced or indented block, or a line of a script
    INLINE_CODE = "inline code"
    COMMENT = "comment"
    QUOTE = "quote"  # a block quote, or an example in quotation marks that is talked about
    DENY_LIST = "deny list"  # a list of what is refused, blocked, matched or detected
    PROHIBITION = "prohibition"  # under or in a "never do this"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match stands: the kind of its file, its role there, and the language of the code around it."""

    kind: Kind
    role: Role
    language: str = ""  # lower case as in a fence ("bash", "python"); "" when none is known


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that is looked for.

    ``pattern`` is a Python regular expression, case ignored unless ``case_matters``, run over whole texts with
    MULTILINE; it must be linear on any text (bounded repeats, no nested ones). ``hints`` are lower-case literals: every
    match holds at least one of them, so texts without any are not searched; empty means always. ``unless`` takes a
    match away when it is found in the same line. ``kinds`` and ``roles`` are where the rule applies, empty for
    everywhere. ``at`` overrides the severity by role or kind; where several apply the mildest wins.
    """

    id: str
    severity: Severity
    category: Category
    title: str
    why: str
    harmless: str
    check: str
    pattern: str = ""  # "" for what code looks for (structure, archives, invisible characters, flows)
    hints: tuple[str, ...] = ()
    unless: str = ""
    case_matters: bool = False
    kinds: frozenset[Kind] = frozenset()
    roles: frozenset[Role] = frozenset()
    at: Mapping[Any, Severity] = field(default_factory=dict)  # by Role or Kind
    matches: tuple[str, ...] = ()  # at least two texts that must match, of our own writing
    look_alikes: tuple[str, ...] = ()  # at least two that must not


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule hit in one line of one file; equal rules in one line count once."""

    rule: str
    severity: Severity
    category: Category
    file: str  # relative, posix; ``a.zip!/b.sh`` inside an archive
    line: int  # from 1; 0 for the whole file
    excerpt: str  # the line, cut to EXCERPT characters around the match
    description: str
    start: int = 0  # the match in ``excerpt``, characters
    end: int = 0
    column: int = 0  # of the match in its line, from 1; 0 for the whole file
    before: tuple[str, ...] = ()  # up to three lines above, each cut to EXCERPT
    after: tuple[str, ...] = ()
    decoded: str = ""  # what the text says once decoded, normalised or joined, when that is where it was found
    place: Place | None = None
    weakened: str = ""  # why the severity is milder than the rule's own, in words
    fingerprint: str = ""  # 16 hex digits of rule, path and normalised text: the same after lines have moved


class Read(StrEnum):
    """What became of one file in a scan."""

    SCANNED = "scanned"
    NOT_SCANNABLE = "not scannable"
    TOO_LARGE = "too large"
    LINK = "link"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class FileRead:
    """One file of the skill and what became of it."""

    path: str
    size: int  # bytes
    read: Read
    reason: str = ""  # a sentence unless scanned
    is_code: bool = False  # unreadable code makes at least caution, a font or an image does not


class Coverage(StrEnum):
    """How much of a skill was read; shown beside the verdict."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a skill could do, in one glance; sorted, each at most fifty."""

    commands: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()  # files outside the skill
    writes: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()  # environment variables
    packages: tuple[str, ...] = ()
    agent_config: tuple[str, ...] = ()  # files that steer an agent and are written
    inline_shell: tuple[str, ...] = ()  # commands that run when the skill is viewed
    executables: tuple[str, ...] = ()  # files with the executable bit or a binary program


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one scan of one skill says."""

    rules_version: str
    digest: str  # sha256 hex over sorted paths and bytes
    verdict: Verdict
    reason: str  # one sentence: what decided the verdict
    findings: tuple[Finding, ...]  # worst first, deciding ones first among equals
    files: tuple[FileRead, ...]
    coverage: Coverage
    capabilities: Capabilities = field(default_factory=Capabilities)
