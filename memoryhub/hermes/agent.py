"""The installed Hermes as a child process: what it would put into the prompt, said by itself.

The child has a home of its own that is deleted afterwards (how it is started and bounded: agent_process.py).
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from memoryhub.hermes.agent_process import (
    SECONDS,
    AgentFailed,
    AgentMissing,
    AgentProblem,
    AgentTookTooLong,
    Place,
    ask,
)
from memoryhub.hermes.agent_python import find_python
from memoryhub.hermes.prompt import PromptBlock, read_block

__all__ = [
    "AgentFailed",
    "AgentMissing",
    "AgentProblem",
    "AgentTookTooLong",
    "find_python",
    "prompt_block",
    "version",
]

FILE_NAMES: Final[Mapping[str, str]] = {"memory": "MEMORY.md", "user": "USER.md"}
_CHILD = Path(__file__).with_name("agent_child.py")


def version(python: Path, *, seconds: float = SECONDS) -> str:
    """Return the version of the Hermes in this Python, "" when it does not say. Raises AgentProblem."""
    return str(_run(python, {}, {}, seconds).get("version", ""))


def prompt_block(python: Path, data: bytes | None, target: str, limit: int, *, seconds: float = SECONDS) -> PromptBlock:
    """Return the prompt block that this Hermes makes of the bytes of one memory file, without text when it has none.

    `limit` is in characters. The answer stays the same as long as the arguments and that Hermes do: keep it.
    Raises AgentMissing, AgentTookTooLong or AgentFailed.
    """
    answer = _run(python, {target: data}, {"memory": limit, "user": limit}, seconds)
    try:
        said = answer["files"][target]
        return read_block(said["block"], said["entries"])
    except (KeyError, TypeError, AttributeError) as error:
        raise AgentFailed("The installed Hermes answered with something else than a memory block.") from error


def _run(python: Path, files: Mapping[str, bytes | None], limits: Mapping[str, int], seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="memoryhub-agent-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        memories = home / "memories"
        memories.mkdir(mode=0o700)
        for target, data in files.items():
            if data is not None:
                (memories / FILE_NAMES[target]).write_bytes(data)
        return ask(python, _CHILD, {"limits": dict(limits)}, Place(home, home), seconds=seconds)
