"""The small files beside the skills: what was shipped, what the curator did, what it was told to leave out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final

from memoryhub.hermes import files
from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import whole
from skills_app.library.hub_lock import HubLock, read_hub_lock
from skills_app.library.json_file import Unusable, read_json
from skills_app.library.model import Usage
from skills_app.library.usage import read_usage

MANIFEST_FILE: Final = ".bundled_manifest"
SUPPRESSED_FILE: Final = ".curator_suppressed"
CURATOR_FILE: Final = ".curator_state"


@dataclass(frozen=True, slots=True)
class CuratorState:
    """When Hermes' curator last looked after the skills, and whether it is paused."""

    last_run_at: datetime | None = None
    last_summary: str = ""
    run_count: int = 0
    is_paused: bool = False


@dataclass(frozen=True, slots=True)
class Records:
    """Everything that Hermes has written down about the skills of one home.

    ``shipped`` maps a name to its MD5 at shipping ("" where an old manifest gives none). ``problems`` are sentences.
    """

    shipped: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    hub: HubLock = field(default_factory=HubLock)
    usage: Mapping[str, Usage] = field(default_factory=lambda: MappingProxyType({}))
    suppressed: frozenset[str] = frozenset()
    curator: CuratorState = field(default_factory=CuratorState)
    manifest_problem: str = ""
    usage_problem: str = ""

    @property
    def problems(self) -> tuple[str, ...]:
        """What cannot be read, as sentences."""
        return tuple(each for each in (self.manifest_problem, self.hub.problem, self.usage_problem) if each)


def read_records(skills: Path) -> Records:
    """Read every record of a home's skills folder; never raises, what is missing or broken is empty with a sentence."""
    shipped, manifest_problem = read_manifest(skills)
    usage, usage_problem = read_usage(skills)
    return Records(
        shipped=shipped,
        hub=read_hub_lock(skills),
        usage=usage,
        suppressed=frozenset(_lines(skills / SUPPRESSED_FILE)[0]),
        curator=_curator(skills),
        manifest_problem=manifest_problem,
        usage_problem=usage_problem,
    )


def read_manifest(skills: Path) -> tuple[Mapping[str, str], str]:
    """Read ``name:md5`` a line, or names alone as older versions wrote them, and a sentence when that fails."""
    lines, problem = _lines(skills / MANIFEST_FILE)
    pairs = (line.partition(":") for line in lines)
    return MappingProxyType({name.strip(): md5.strip() for name, _, md5 in pairs if name.strip()}), problem


def _lines(path: Path) -> tuple[list[str], str]:
    try:
        text = (files.read_regular(path) or b"").decode("utf-8-sig")
    except files.FileProblem as problem:
        return [], f"{problem} What was shipped with Hermes is not known."
    except UnicodeDecodeError:
        return [], f"{path.name} is not UTF-8. What was shipped with Hermes is not known."
    stripped = (line.strip() for line in text.splitlines())
    return [line for line in stripped if line and not line.startswith("#")], ""


def _curator(skills: Path) -> CuratorState:
    try:
        tree = read_json(skills / CURATOR_FILE)
    except Unusable:
        return CuratorState()
    if not isinstance(tree, dict):
        return CuratorState()
    summary, count = tree.get("last_run_summary"), tree.get("run_count")
    return CuratorState(
        last_run_at=parse_time(tree.get("last_run_at")),
        last_summary=whole(summary)[:2_000] if isinstance(summary, str) else "",
        run_count=count if isinstance(count, int) and not isinstance(count, bool) else 0,
        is_paused=tree.get("paused") is True,
    )
