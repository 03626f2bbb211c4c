"""The figures of every profile: what ``memoryhub status`` prints and the overview shows."""

from __future__ import annotations

from typing import Any, Final

from memoryhub.entries import MemoryFile
from memoryhub.hermes import state_db
from memoryhub.hermes.files import FileProblem
from memoryhub.hermes.home import TARGETS, Home, profiles
from memoryhub.hermes.pending_count import count_pending
from memoryhub.services import hooks, writes

COUNT_LIMIT_MS: Final = 2_000


def status(home: Home) -> dict[str, Any]:
    """The status document of product.md: one row a profile, null for what is not there or not built yet."""
    return {"home": str(home.root), "profiles": [_profile(each) for each in profiles(home)]}


def _profile(home: Home) -> dict[str, Any]:
    pending = count_pending(home.pending)
    counted = state_counts(home)
    return {
        "name": home.name,
        "path": str(home.path),
        **{target: _file(home, target) for target in TARGETS},
        "pending": {"memory": pending.memory, "skills": pending.skills, "held": None},
        "sessions": counted.sessions if counted else None,
        "messages": counted.messages if counted else None,
        "skills": None,
        **hooks.figures(home),
    }


def _file(home: Home, target: str) -> dict[str, int] | None:
    try:
        file: MemoryFile = writes.read(home, target)
    except FileProblem:
        return None
    return {"used": file.used, "limit": file.limit, "percent": file.percent, "entries": len(file.entries)}


def state_counts(home: Home) -> state_db.Counts | None:
    """How many sessions and messages state.db holds; None when it cannot be asked."""
    try:
        return state_db.read(home.state_db, COUNT_LIMIT_MS, state_db.counts)
    except state_db.StateDbProblem:
        return None
