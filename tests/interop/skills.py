"""The real Hermes asked about skills, on a home that is emptied for each test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.interop.hermes import Hermes, running

DRIVER = Path(__file__).with_name("skills_driver.py")
Asked = tuple[Hermes, Path]  # the real Hermes, and its home


@contextmanager
def asked(python: Path, home: Path) -> Iterator[Asked]:
    """Start Hermes on a home and ask it about skills."""
    with running(python, home, DRIVER) as hermes:
        assert hermes.ask("home") == {"home": str(home)}
        yield hermes, home


def clear(home: Path) -> None:
    """Leave an empty home."""
    for each in home.iterdir():
        shutil.rmtree(each) if each.is_dir() and not each.is_symlink() else each.unlink()
    (home / "skills").mkdir()
