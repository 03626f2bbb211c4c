"""The history of the demo home: its story, recorded as if MemoryHub had looked after every write.

What the agent wrote is recorded as found and explained by its tool call in state.db, as in life.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final

from django.db import transaction

from memoryhub.demo import build, story
from memoryhub.demo.story import State
from memoryhub.entries import parse, serialize
from memoryhub.hermes import state_db
from memoryhub.hermes.config import read_config
from memoryhub.hermes.home import Home, profiles
from memoryhub.models import Revision, Writer
from memoryhub.services import attribution, revisions
from memoryhub.services.revisions import Cause

_LIMIT_MS: Final = 2_000


@transaction.atomic  # two first starts at once: the second waits here and finds it done
def demo_history_record(home: Home) -> None:
    """Record the past of the demo home and its profiles, where nothing is recorded yet; not of any other home."""
    now = build.built_at(home.root)
    if now is None:
        return
    for profile in profiles(home):
        if not Revision.objects.filter(home=profile.key).exists():
            _record(profile, now)


def _record(home: Home, now: datetime) -> None:
    limits, calls = read_config(home.config_file), _calls(home)
    for state in story.states(story.dated(build.STORIES.get(home.name, ()), now), now):
        target = state.write.target
        memory = parse(serialize(state.texts), target, limits.limit(target))
        attribution.explain(revisions.record(home, memory, _cause(state)), calls)


def _calls(home: Home) -> Sequence[state_db.MemoryCall]:
    with suppress(state_db.StateDbProblem), state_db.connect(home.state_db, limit_ms=_LIMIT_MS) as conn:
        return state_db.memory_calls(conn, after_id=0)
    return ()


def _cause(state: State) -> Cause:
    write = state.write
    if write.action == "by hand":
        kind = "replace" if write.old else "add"
        return Cause(Writer.YOU, revisions.DEMO, kind, write.reason, at=state.at)
    return Cause(at=state.at)
