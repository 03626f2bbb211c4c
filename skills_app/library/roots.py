"""Which folders hold skills of a home: its own, those that config.yaml names, trusted projects', the archive."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from memoryhub.hermes.config import SkillsConfig
from memoryhub.hermes.home import Home
from skills_app.library.model import Root, RootKind

PROJECT_FOLDERS: Final = (".hermes/skills", ".agents/skills")
ARCHIVE: Final = ".archive"
_VARIABLE: Final = re.compile(r"\$(?:\{([^}]*)\}|(\w+))", re.ASCII)


def roots_of(home: Home, config: SkillsConfig, environ: Mapping[str, str]) -> tuple[Root, ...]:
    """List the folders the agent looks into, in its order, and the archive last; missing ones carry a problem.

    Only what config.yaml names is listed beside the home. ``environ`` stands for the agent's environment: its HOME is
    ``~``, and HERMES_HOME is always ``home``.
    """
    known = {**environ, "HERMES_HOME": str(home.path)}
    own = home.skills
    found = [
        *_project_roots(config, known),
        Root(RootKind.HOME, own, _real(own), "home", problem=_problem(own) if own.exists() else ""),
        *_external_roots(home, config, known),
        Root(RootKind.ARCHIVE, own / ARCHIVE, _real(own / ARCHIVE), "archive"),
    ]
    return tuple(_first_of_each(found))


def _external_roots(home: Home, config: SkillsConfig, environ: Mapping[str, str]) -> Iterator[Root]:
    named = [config.create_dir, *config.external_dirs] if config.create_dir else [*config.external_dirs]
    for text in named:
        path = home.path / _expand(text, environ)
        yield Root(RootKind.EXTERNAL, path, _real(path), _label(path), text, _problem(path))


def _project_roots(config: SkillsConfig, environ: Mapping[str, str]) -> Iterator[Root]:
    for text in config.trusted_project_dirs if config.project_discovery else ():
        project = Path(_expand(text, environ))
        if not project.is_absolute():  # it would mean another folder wherever the agent is started
            continue
        for inner in PROJECT_FOLDERS:
            path = project / inner
            if not _problem(path):
                yield Root(RootKind.PROJECT, path, _real(path), _label(path, project.name), text)


def _first_of_each(roots: Iterable[Root]) -> Iterator[Root]:
    seen: set[Path] = set()
    for root in roots:
        if root.real not in seen:
            seen.add(root.real)
            yield root


def _expand(text: str, environ: Mapping[str, str]) -> str:
    """Resolve variables, then ``~``, as a shell would; unknown variables stay as they are."""
    plain = _VARIABLE.sub(lambda found: environ.get(found[1] or found[2] or "", found[0]), text.replace("\0", ""))
    if plain == "~" or plain.startswith("~/"):
        return environ.get("HOME", str(Path.home())) + plain[1:]
    return plain


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # never raises


def _label(path: Path, name: str = "") -> str:
    """A short name that stays the same whatever else is configured: the folder's, and a piece of its path's digest."""
    short = re.sub(r"[^A-Za-z0-9._-]+", "-", name or path.name)[:40].strip("-.") or "folder"
    return f"{short}.{hashlib.sha256(os.fsencode(_real(path))).hexdigest()[:6]}"


def _problem(path: Path) -> str:
    try:
        if not path.exists():
            return f"The folder {shown(path)} does not exist."
        if not path.is_dir():
            return f"{shown(path)} is not a folder."
        with os.scandir(path):
            return ""
    except (OSError, ValueError) as error:
        return f"The folder {shown(path)} cannot be opened ({getattr(error, 'strerror', None) or 'odd path'})."


def shown(path: Path) -> str:
    """A path as encodable text, for sentences."""
    return os.fsencode(path).decode("utf-8", "replace")
