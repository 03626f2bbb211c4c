"""What Hermes' config.yaml says about memory, skills and their gates, read with Hermes' defaults.

A missing file means the defaults; a broken one means the defaults and a sentence. Nothing here writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import yaml

from memoryhub.hermes import files
from memoryhub.hermes.values import whole

MEMORY_LIMIT: Final = 2200
USER_LIMIT: Final = 1375
LARGEST: Final = 10**15
_MOST_BYTES: Final = 1024 * 1024
_GATE_TRUE: Final = {"1", "true", "on", "yes", "approve", "enabled"}
# What PyYAML raises beside its own errors: for example KeyError for "!!bool maybe", AttributeError for a bad timestamp.
UNREADABLE: Final = (
    yaml.YAMLError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True)
class SkillsConfig:
    """Where skills lie and which are switched off. Folders are texts as written: ``~`` and variables unresolved.

    ``create_dir``, ``project_discovery`` and ``trusted_project_dirs`` are of versions newer than 0.19.0.
    """

    external_dirs: tuple[str, ...] = ()
    create_dir: str = ""
    disabled: frozenset[str] = frozenset()
    platform_disabled: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))
    inline_shell: bool = False
    project_discovery: bool = True
    trusted_project_dirs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Config:
    """Limits in characters, switches and gates of one home; ``problem`` is a sentence when the file is unusable."""

    memory_limit: int = MEMORY_LIMIT
    user_limit: int = USER_LIMIT
    memory_enabled: bool = True
    user_enabled: bool = True
    provider: str = ""
    memory_write_approval: bool = False
    skills_write_approval: bool = False
    guard_agent_created: bool = False
    skills: SkillsConfig = field(default_factory=lambda: SkillsConfig())
    problem: str | None = None

    def limit(self, target: str) -> int:
        """The character limit of ``target``'s file."""
        return self.memory_limit if target == "memory" else self.user_limit

    def enabled(self, target: str) -> bool:
        """Whether Hermes gives ``target``'s file to the model."""
        return self.memory_enabled if target == "memory" else self.user_enabled


def read_config(path: Path) -> Config:
    """Read ``config.yaml``; never raises, since a page must open on a home with a broken one."""
    try:
        data = files.read_regular(path, _MOST_BYTES)
    except files.FileProblem as problem:
        return Config(problem=f"{problem} The defaults are used.")
    return Config() if data is None else _parse(data)


@lru_cache(maxsize=32)
def _parse(data: bytes) -> Config:
    """Read the bytes of a config; remembered, since every page asks and PyYAML takes its time."""
    try:
        tree = yaml.safe_load(data.decode("utf-8-sig"))
    except UNREADABLE as error:
        return Config(problem=f"config.yaml cannot be read{_place(error)}. The defaults are used.")
    if tree is None:
        return Config()
    if not isinstance(tree, dict):
        return Config(problem="config.yaml is not a mapping of settings. The defaults are used.")
    return _from_tree(tree)


def _from_tree(tree: dict[Any, Any]) -> Config:
    memory, skills = _section(tree, "memory"), _section(tree, "skills")
    memory_limit, user_limit = _limits(memory)
    return Config(
        memory_limit=memory_limit,
        user_limit=user_limit,
        memory_enabled=bool(memory.get("memory_enabled", True)),  # as Hermes: any text, "off" too, is on
        user_enabled=bool(memory.get("user_profile_enabled", True)),
        provider=whole(provider) if isinstance(provider := memory.get("provider"), str) else "",
        memory_write_approval=gate_is_on(memory.get("write_approval")),
        skills_write_approval=gate_is_on(skills.get("write_approval")),
        guard_agent_created=gate_is_on(skills.get("guard_agent_created")),
        skills=_skills(skills),
    )


def _skills(skills: dict[Any, Any]) -> SkillsConfig:
    by_platform = _section(skills, "platform_disabled")
    return SkillsConfig(
        external_dirs=_folders(skills.get("external_dirs")),
        create_dir=next(iter(texts_of(skills.get("create_dir"))), ""),
        disabled=frozenset(texts_of(skills.get("disabled"))),
        platform_disabled=MappingProxyType({whole(str(k)): frozenset(texts_of(v)) for k, v in by_platform.items()}),
        inline_shell=bool(skills.get("inline_shell", False)),  # as Hermes: any text, "off" too, is on
        project_discovery=bool(skills.get("project_discovery", True)),
        trusted_project_dirs=_folders(skills.get("trusted_project_dirs")),
    )


def _folders(value: object) -> tuple[str, ...]:
    """Read a list of folders; Hermes takes one text too, and nothing else."""
    return texts_of(value) if isinstance(value, list | str) else ()


def texts_of(value: object) -> tuple[str, ...]:
    """Read a list of names or folders as Hermes does: one plain value counts as a list of one, empty ones vanish."""
    items = value if isinstance(value, list | tuple | set | dict) else [value]
    texts = (whole(str(item)).strip() for item in items if isinstance(item, str | int | float))
    return tuple(text for text in texts if text)


def _place(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return f" (line {mark.line + 1})" if mark is not None else ""


def _section(tree: dict[Any, Any], name: str) -> dict[Any, Any]:
    section = tree.get(name)
    return section if isinstance(section, dict) else {}


def _limits(memory: dict[Any, Any]) -> tuple[int, int]:
    """Read the limits as Hermes does: whatever Python's int() takes; one that it does not take spoils both."""
    try:
        return (
            _bounded(int(memory.get("memory_char_limit", MEMORY_LIMIT))),
            _bounded(int(memory.get("user_char_limit", USER_LIMIT))),
        )
    except (TypeError, ValueError, OverflowError):
        return MEMORY_LIMIT, USER_LIMIT


def _bounded(limit: int) -> int:
    """A limit that a database can hold; nobody's memory comes near it."""
    return max(-LARGEST, min(LARGEST, limit))


def gate_is_on(value: object) -> bool:
    """Whether Hermes takes the value of a gate for yes."""
    if not isinstance(value, str | int | float):  # a list that holds itself many times over is endless as text
        return False
    return value is True or str(value).strip().lower() in _GATE_TRUE
