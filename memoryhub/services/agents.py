"""The installed Hermes as the judge of what its prompt holds; our own rules where there is none, or it fails."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from memoryhub import env
from memoryhub.entries import MemoryFile
from memoryhub.hermes import agent, prompt
from memoryhub.hermes.config import Config
from memoryhub.hermes.home import FILE_NAMES, Home
from memoryhub.hermes.prompt import PromptBlock
from memoryhub.services import door


@dataclass(frozen=True)
class Judged:
    """A prompt block and who made it: ``version`` of the installed Hermes, or empty for our own rules.

    ``problem`` says why the installed one could not be asked.
    """

    block: PromptBlock | None
    version: str = ""
    problem: str = ""


def hermes_python() -> Path | None:
    """The Python of the installed Hermes: an option, HERMES_PYTHON, or the ``hermes`` command; never set on a page."""
    named = door.current_instance().hermes_python or env.hermes_python(os.environ)
    return agent.find_python(os.environ, named)


def prompt_block(home: Home, memory: MemoryFile, config: Config) -> Judged:
    """The block that the next session gets for this file."""
    if not memory.decodable:
        return Judged(None)
    python = hermes_python()
    if python is None:
        return Judged(_ours(memory))
    try:
        return _asked(str(python), memory.data or b"", memory.target, memory.limit)
    except agent.AgentProblem as problem:
        return Judged(_ours(memory), problem=str(problem))


def _ours(memory: MemoryFile) -> PromptBlock:
    return prompt.block(memory.agent_entries, memory.target, memory.limit, file_name=FILE_NAMES[memory.target])


@lru_cache(maxsize=64)
def _asked(python: str, data: bytes, target: str, limit: int) -> Judged:
    """Ask the installed Hermes once for the same bytes: it takes a second to start. Raises agent.AgentProblem."""
    block = agent.prompt_block(Path(python), data, target, limit)
    return Judged(block, version=agent.version(Path(python)))
