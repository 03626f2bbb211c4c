"""Skills folders for tests: a skill, a record, a whole listing in one line each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memoryhub.hermes.config import SkillsConfig, read_config
from memoryhub.hermes.home import resolve_home
from skills_app.library import Authorship, Listing, Skill, discover, load_library, read_records, roots_of

LINUX = "linux"


def make_skill(
    home: Path,
    where: str,
    *,
    name: str | None = None,
    description: str = "Helps with a task",
    header: str = "",
    body: str = "# Title\n\nDo it.\n",
    raw: bytes | None = None,
    files: Mapping[str, str | bytes] | None = None,
) -> Path:
    """Make the skill ``skills/<where>`` of a home; ``name`` defaults to the folder's, ``raw`` is the whole SKILL.md.

    ``where`` may be absolute (an external folder); ``header`` is more YAML lines; ``files`` are others by path.
    """
    folder = home / "skills" / where
    folder.mkdir(parents=True, exist_ok=True)
    lines = f"name: {folder.name if name is None else name}\ndescription: {description}\n{header}"
    text = raw if raw is not None else f"---\n{lines}---\n\n{body}".encode()
    (folder / "SKILL.md").write_bytes(text)
    for path, content in (files or {}).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def write_json(home: Path, name: str, tree: object) -> Path:
    """Write a record file below ``skills/``: ``.usage.json``, ``.hub/lock.json`` …"""
    path = home / "skills" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(tree), encoding="utf-8")
    return path


def hub_record(install_path: str, source: str = "github", **fields: Any) -> dict[str, Any]:
    """One record of the hub's lock file, as Hermes 0.19.0 writes them."""
    return {
        "source": source,
        "identifier": f"someone/things/{install_path}",
        "trust_level": "community",
        "scan_verdict": "safe",
        "content_hash": "sha256:0123456789abcdef",
        "install_path": install_path,
        "files": ["SKILL.md"],
        "metadata": {},
        "scan_provenance": {},
        "installed_at": "2026-01-02T03:04:05+00:00",
        "updated_at": "2026-01-02T03:04:05+00:00",
        **fields,
    }


def write_lock(home: Path, **installed: object) -> Path:
    """Write the hub's lock file with these records by name."""
    return write_json(home, ".hub/lock.json", {"version": 1, "installed": installed})


def listed(
    home: Path, *, environ: Mapping[str, str] | None = None, authorship: Authorship | None = None, system: str = LINUX
) -> Listing:
    """The listing of a home with what its config.yaml says, on Linux unless told otherwise."""
    resolved = resolve_home(home, {})
    config = read_config(resolved.config_file).skills
    roots = roots_of(resolved, config, environ or {"HOME": str(home.parent)})
    return discover(roots, config, read_records(resolved.skills), authorship or Authorship(), system=system)


def only(home: Path, **options: Any) -> Skill:
    """The one skill of a home."""
    (skill,) = listed(home, **options).skills
    return skill


def codes(skill: Skill) -> list[str]:
    """What is wrong with a skill, by code."""
    return [each.code for each in skill.problems]


def library_of(home: Path) -> Listing:
    """The listing as the pages ask for it."""
    resolved = resolve_home(home, {})
    return load_library(resolved, SkillsConfig(), {})
