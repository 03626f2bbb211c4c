"""The version of the guard: a digest of its own source files, so that no change is forgotten."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent


def _digest() -> str:
    whole = hashlib.sha256()
    for path in sorted(_FOLDER.rglob("*.py")):
        whole.update(path.relative_to(_FOLDER).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()[:12]


RULES_VERSION: Final = f"guard-1-{_digest()}"
