"""Entries that the real Hermes' memory tool wrote, traced back to the message that wrote them."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from memoryhub.curation.provenance import Replay, words_before
from memoryhub.curation.sightings import Sightings, read_looks
from memoryhub.hermes import state_db
from tests.interop.hermes import environment

pytestmark = pytest.mark.interop

# Writes as an agent would: each call as an assistant message, its answer as a tool message, the session continued
# through compression every forty calls. Prints which message each text of the files appeared with.
SCRIPT = """
import json, os, sys
from pathlib import Path
from hermes_state import SessionDB
from tools.memory_tool import MemoryStore, memory_tool
home = Path(os.environ["HERMES_HOME"])
store = MemoryStore(memory_char_limit=6000, user_char_limit=4000)
store.load_from_disk()
db = SessionDB(home / "state.db")
born, session = {}, None
for number, arguments in enumerate(json.loads(sys.stdin.read())):
    if number % 40 == 0:
        parent, session = session, f"20260101_{number:06d}_abcdef"
        blocks = [store.format_for_system_prompt(t) or "" for t in ("memory", "user")]
        store.load_from_disk()
        blocks = [store.format_for_system_prompt(t) or "" for t in ("memory", "user")]
        db.create_session(session, "cli", model="m", system_prompt="\\n\\n".join(["You are Hermes.", *blocks]),
                          parent_session_id=parent)
        if parent:
            db.end_session(parent, "compression")
    if number % 3 == 0:
        db.append_message(session, "user", f"wish {number}")
    call = {"id": f"call_{number % 7}", "type": "function",
            "function": {"name": "memory", "arguments": json.dumps(arguments)}}
    message = db.append_message(session, "assistant", "", tool_calls=[call])
    before = {"memory": set(store.memory_entries), "user": set(store.user_entries)}
    answer = memory_tool(store=store, **arguments)
    db.append_message(session, "tool", answer, tool_name="memory", tool_call_id=f"call_{number % 7}")
    for target, entries in (("memory", store.memory_entries), ("user", store.user_entries)):
        for text in set(entries) - before[target]:
            born[f"{target} {text}"] = [session, message]
print(json.dumps({"born": born, "memory": store.memory_entries, "user": store.user_entries}))
"""
THINGS = ["kiln", "harbour", "茶", "ledger", "sauna", "咖啡", "router", "orchard", "piano", "kayak", "attic", "lathe"]


def steps(seed: int, count: int) -> list[dict[str, Any]]:
    """Calls as agents make them: adds, rewordings, removals and batches, some of which must fail."""
    chance = random.Random(seed)

    def one(number: int) -> dict[str, Any]:
        thing = f"{chance.choice(THINGS)}-{chance.randrange(40)}"
        return chance.choice(
            [
                {"action": "add", "content": f" The {thing} is in room {number} "},
                {"action": "add", "content": f"The {thing} is in room {number}"},
                {"action": "replace", "old_text": thing, "content": f"The {thing} moved to room {number}"},
                {"action": "remove", "old_text": thing},
            ]
        )

    calls = []
    for number in range(count):
        target = chance.choice(["memory", "user"])
        if chance.random() < 0.15:
            calls.append({"target": target, "operations": [one(number * 10 + at) for at in range(3)]})
        else:
            calls.append({"target": target, **one(number)})
    return calls


@pytest.fixture(scope="module")
def written(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("home")
    done = subprocess.run(
        [str(hermes_python), "-c", SCRIPT],
        input=json.dumps(steps(seed=11, count=400)),
        env=environment(folder),
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return folder, json.loads(done.stdout.splitlines()[-1])


def test_entries_are_traced_to_the_message_that_wrote_them(written: tuple[Path, dict[str, Any]]) -> None:
    home, said = written
    replay = Replay()
    replay.feed(state_db.read(home / "state.db", 5_000, lambda conn: state_db.memory_calls(conn, after_id=0)))
    entries = [(target, text) for target in ("memory", "user") for text in said[target]]
    right = 0
    for target, text in entries:
        story = replay.trace(target, text)
        source = story.wordings[-1].source if story else None
        right += source is not None and [source.session_id, source.message_id] == said["born"][f"{target} {text}"]
    assert len(entries) >= 40
    assert right >= 0.98 * len(entries)


def test_the_wish_before_a_call_is_found_across_a_continuation(written: tuple[Path, dict[str, Any]]) -> None:
    home, said = written

    def ask(conn: state_db.Connection) -> list[tuple[int, str] | None]:
        return [words_before(conn, *source) for source in said["born"].values()]

    wishes = state_db.read(home / "state.db", 2_000, ask)
    assert all(wish is not None and wish[1].startswith("wish ") for wish in wishes)
    assert all(wish[0] < source[1] for wish, source in zip(wishes, said["born"].values(), strict=True) if wish)


def test_prompts_of_past_sessions_tell_when_entries_came_and_went(written: tuple[Path, dict[str, Any]]) -> None:
    home, said = written
    looks, end = state_db.read(home / "state.db", 2_000, lambda conn: read_looks(conn, after=0))
    sightings = Sightings()
    sightings.feed(looks)
    assert end is None
    assert len(looks) >= 8
    seen = [row for target in ("memory", "user") for row in sightings.all(target)]
    assert len([row for row in seen if row.gone_by]) > 5
    for row in seen:
        assert row.first.at <= row.last.at
        assert f"{row.target} {row.text}" in said["born"]
