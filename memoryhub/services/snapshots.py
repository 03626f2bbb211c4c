"""Running conversations, and which of them have an older memory: their frozen prompt blocks beside today's."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone

from memoryhub import store
from memoryhub.hermes import prompt, state_db
from memoryhub.hermes.config import read_config
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import FILE_NAMES, TARGETS, Home
from memoryhub.hermes.state_db import RunningSession
from memoryhub.services.watch import signature

LIMIT_MS: Final = 200
KEPT_FOR: Final = 5.0


@dataclass(frozen=True)
class Stale:
    """A running session whose snapshot of ``target`` differs from today's block (either may be empty)."""

    session: RunningSession
    target: str
    then: str
    now: str


@dataclass(frozen=True)
class Running:
    """The sessions that run now, and those of them on an older snapshot; most recently active first."""

    sessions: tuple[RunningSession, ...] = ()
    stale: tuple[Stale, ...] = ()


_cache: dict[str, tuple[object, datetime, Running]] = {}


def today(home: Home, target: str) -> str:
    """The block that the next session gets; empty when the file is empty, unreadable or switched off."""
    config = read_config(home.config_file)
    if not config.enabled(target):
        return ""
    try:
        memory = store.load(home, target, config)
    except FileProblem:
        return ""
    if not memory.decodable:
        return ""
    return prompt.block(memory.agent_entries, target, memory.limit, file_name=FILE_NAMES[target]).text


def running(home: Home) -> Running:
    """What runs now; nothing when state.db cannot be asked."""
    now = timezone.now()
    paths = (home.state_db, home.state_db.with_name("state.db-wal"), home.config_file)
    key = tuple(map(signature, (*paths, *(home.memory_path(target) for target in TARGETS))))
    known = _cache.get(home.key)
    if known is not None and known[0] == key and (now - known[1]).total_seconds() < KEPT_FOR:
        return known[2]
    found = _find(home, now)
    _cache[home.key] = (key, now, found)
    return found


def stale_sessions(home: Home) -> tuple[Stale, ...]:
    """Running sessions on an older snapshot than the next session gets."""
    return running(home).stale


def _find(home: Home, now: datetime) -> Running:
    try:
        sessions = state_db.read(home.state_db, LIMIT_MS, lambda conn: state_db.running_sessions(conn, now))
    except state_db.StateDbProblem:
        return Running()
    stale = []
    for target in TARGETS:
        block = today(home, target)
        for session in sessions:
            then = prompt.find_block(session.system_prompt, target) or ""
            if session.system_prompt and not prompt.same_block(then, block):
                stale.append(Stale(session, target, then, block))
    return Running(sessions, tuple(stale))
