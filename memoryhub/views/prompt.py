"""What the agent sees: the exact block of a file that the next session gets, and running sessions on an older one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from memoryhub import diffs, flags
from memoryhub.diffs import Piece
from memoryhub.entries import MemoryFile
from memoryhub.hermes import prompt as block_of
from memoryhub.hermes.config import read_config
from memoryhub.hermes.home import FILE_NAMES, Home
from memoryhub.hermes.prompt import PromptBlock
from memoryhub.services import agents, snapshots
from memoryhub.services.sentences import Words, flag_words
from memoryhub.services.snapshots import Stale
from memoryhub.views.access import file_of, home_of
from memoryhub.views.changes import shown
from memoryhub.web.htmx import respond


@dataclass(frozen=True)
class BlockedEntry:
    """An entry that the agent does not get, and why. ``number`` counts as on the memory page."""

    number: int
    text: str
    reasons: tuple[Words, ...]
    ids: str


@dataclass(frozen=True)
class Difference:
    """A running session and how its snapshot differs from today's block."""

    stale: Stale
    pieces: tuple[Piece, ...]


@require_safe
def prompt(request: HttpRequest, target: str) -> HttpResponse:
    """The block to the character, with the reasons beside what is left out of it."""
    home = home_of(request)
    memory = file_of(request, target)
    config = read_config(home.config_file)
    answer = agents.prompt_block(home, memory, config)
    text = answer.block.text if answer.block else ""
    is_masked = request.GET.get("show") != "secret" and bool(flags.secrets_in(text))
    return respond(
        request,
        "memoryhub/prompt.html",
        memory=memory,
        target=target,
        file_name=FILE_NAMES[target],
        other="user" if target == "memory" else "memory",
        is_enabled=config.enabled(target),
        made=answer.block,  # not "block": that is Django's own inside {% block %}
        judge=answer,
        blocked=_blocked(memory, answer.block),
        is_masked=is_masked,
        tokens=block_of.estimate_tokens(text),
        stale=[_difference(each) for each in _stale(home, target)],
    )


def _stale(home: Home, target: str) -> list[Stale]:
    return [each for each in snapshots.stale_sessions(home) if each.target == target]


def _difference(stale: Stale) -> Difference:
    return Difference(stale, diffs.words(shown(stale.then), shown(stale.now)))


def _blocked(memory: MemoryFile, block: PromptBlock | None) -> list[BlockedEntry]:
    if block is None:
        return []
    return [
        BlockedEntry(
            _number(memory, index), memory.agent_entries[index], _reasons(memory.agent_entries[index]), ", ".join(ids)
        )
        for index, ids in block.blocked
    ]


def _number(memory: MemoryFile, index: int) -> int:
    """The place on the page of an entry that the agent counts: further copies are not counted by it."""
    firsts = [entry.index + 1 for entry in memory.entries if entry.copy == 1]
    return firsts[index] if index < len(firsts) else index + 1


def _reasons(text: str) -> tuple[Words, ...]:
    found: Sequence[flags.Flag] = [flags.threat_flag(each) for each in flags.threats_in(text) if each.agent_blocks]
    return tuple(flag_words(flag) for flag in found)
