"""Where the real Hermes is: an environment of its own, since its pins clash with ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def hermes_python() -> Path:
    """The Python that has hermes-agent 0.19.0; skips with a sentence where there is none, fails in CI."""
    named = os.environ.get("MEMORYHUB_TEST_HERMES_PYTHON")
    python = Path(named) if named else ROOT / ".venv-hermes" / "bin" / "python"
    if python.exists():
        return python
    sentence = f"No Hermes to compare with: {python} is missing (make test installs it; see docs/configuration.md)."
    if os.environ.get("CI") == "true":
        pytest.fail(sentence)
    pytest.skip(sentence)
