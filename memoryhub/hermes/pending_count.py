"""How many writes Hermes has staged for approval. Counts file names only; what is in them is not read here."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SUBSYSTEMS: Final = ("memory", "skills")
# Hermes names a record by eight hexadecimal digits; anything else in the folder is not a record.
RECORD_NAME: Final = re.compile(r"[0-9a-f]{8}\.json")


@dataclass(frozen=True)
class PendingCount:
    """Staged records by kind; `None` where the folder cannot be read."""

    memory: int | None
    skills: int | None


def count_pending(folder: Path) -> PendingCount:
    """Count the records below a home's `pending` folder. A missing folder holds none."""
    return PendingCount(*(_count(folder / subsystem) for subsystem in SUBSYSTEMS))


def _count(folder: Path) -> int | None:
    try:
        with os.scandir(folder) as found:
            return sum(1 for item in found if RECORD_NAME.fullmatch(item.name) and not item.is_dir())
    except (FileNotFoundError, NotADirectoryError):
        return 0
    except OSError:
        return None
