"""Where a text stands in files that belong to Hermes: named to the person, never changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memoryhub import entries
from memoryhub.backups import ARCHIVE
from memoryhub.hermes import files
from memoryhub.hermes.home import FILE_NAMES, Home, profiles
from memoryhub.spellings import Spelling


@dataclass(frozen=True)
class Live:
    """A memory file in use that holds the text. ``entry_id`` names the first entry that does, ``is_whole`` if it is
    nothing but the text; ``profile`` is empty for a home that is not one of these profiles."""

    path: Path
    profile: str
    target: str
    entry_id: str = ""
    number: int = 0
    is_whole: bool = False


@dataclass(frozen=True)
class Copies:
    """Memory files in use, and files that Hermes or another program left (`.bak`, archive, staged writes)."""

    live: tuple[Live, ...]
    left: tuple[Path, ...]


def copies_of(home: Home, spelling: Spelling, known: Iterable[str]) -> Copies:
    """Look through all profiles of ``home`` and the other homes that are ``known`` by their paths."""
    folders = {Path(each.key): each.name for each in profiles(home)}
    folders |= {Path(key): "" for key in known if Path(key) not in folders}
    live = [each for folder, name in folders.items() for each in _live(folder, name, spelling)]
    return Copies(tuple(live), tuple(path for folder in folders for path in _left(folder, spelling)))


def _live(folder: Path, profile: str, spelling: Spelling) -> Iterator[Live]:
    for target, name in FILE_NAMES.items():
        path = folder / "memories" / name
        data = _read(path)
        if not spelling.is_in(data):
            continue
        memory = entries.parse(data, target, 0)
        entry = next((one for one in memory.entries if spelling.is_in_text(one.text)), None)
        if entry is None:
            yield Live(path, profile, target)
        else:
            whole = entry.text == spelling.text
            yield Live(path, profile, target, entry.id, entry.index + 1, whole)


def _left(folder: Path, spelling: Spelling) -> Iterator[Path]:
    for path in _names(folder / "memories"):
        is_copy = path.name.startswith(tuple(f"{name}.bak" for name in FILE_NAMES.values()))
        if is_copy and spelling.is_in(_read(path)):
            yield path
    others = [folder / "memories" / ARCHIVE, *_names(folder / "pending" / "memory")]
    yield from (path for path in others if spelling.is_in_json(_read(path)))


def _names(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _read(path: Path) -> bytes:
    try:
        return files.read_regular(path) or b""
    except files.FileProblem:
        return b""
