"""Homes to measure on: the demo home, and one whose profiles have 15, 50 and 500 entries of usual length."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memoryhub.demo import build_demo_home
from memoryhub.entries import serialize

SIZES: Final = (15, 50, 500)
_WORDS: Final = (
    *("uses", "prefers", "deploys", "with", "after", "before", "pnpm", "compose", "staging", "branch", "NAS", "router"),
    *("release", "notes", "in", "English", "short", "answers", "tests", "first", "部署", "时区", "café", "Thursday"),
)


def build_demo(folder: Path) -> Path:
    """The demo home, the same every time: a person's usual memory, sessions, skills and staged writes."""
    build_demo_home(folder, datetime(2026, 11, 1, 12, tzinfo=UTC), 1)
    return folder


def build_profiles(folder: Path) -> Path:
    """A home with one profile for each size: so many entries on its page, a third of them in USER.md."""
    for size in SIZES:
        profile = folder / "profiles" / name_of(size)
        (profile / "memories").mkdir(parents=True)
        for file_name, count in (("MEMORY.md", size - size // 3), ("USER.md", size // 3)):
            (profile / "memories" / file_name).write_bytes(serialize(entries(count, size + count)))
        limit = size * 200
        (profile / "config.yaml").write_text(f"memory:\n  memory_char_limit: {limit}\n  user_char_limit: {limit}\n")
    (folder / "memories").mkdir()
    return folder


def name_of(size: int) -> str:
    """The profile that holds ``size`` entries."""
    return f"entries-{size}"


def entries(count: int, seed: int) -> list[str]:
    """Made-up entries of about 170 characters, as real ones are in the median."""
    rng = random.Random(seed)
    return [f"Fact {n}: " + " ".join(rng.choice(_WORDS) for _ in range(rng.randrange(20, 32))) for n in range(count)]
