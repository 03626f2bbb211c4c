"""Fixtures of the memory tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memoryhub.hermes.home import Home
from tests.samples.memory.kinds import KINDS


@pytest.fixture
def put(home: Home) -> Callable[..., Path]:
    """Put bytes, or one of KINDS by its name, in place of a memory file."""

    def place(content: bytes | str, target: str = "memory") -> Path:
        path = home.memory_path(target)
        path.write_bytes(KINDS[content] if isinstance(content, str) else content)
        return path

    return place
