"""Searching what the real Hermes writes, while it writes: all its texts are found, and nothing of its file changes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from sessions_app.query_language import parse
from sessions_app.search import Options, explore, search
from tests.interop.hermes import environment

pytestmark = pytest.mark.interop

WRITER = """
import json, os, sys
from pathlib import Path
from hermes_state import SessionDB
db = SessionDB(Path(os.environ["HERMES_HOME"]) / "state.db")
for line in sys.stdin:
    name, arguments = json.loads(line)
    answer = getattr(db, name)(**arguments)
    print(json.dumps(answer, default=str), flush=True)
"""


class Writer:
    """The real Hermes, told what to write."""

    def __init__(self, python: Path, home: Path) -> None:
        self._process = subprocess.Popen(
            [str(python), "-c", WRITER], env=environment(home), text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=20)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def __call__(self, name: str, **arguments: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([name, arguments]) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


def found(path: Path, typed: str, **options: Any) -> list[int | None]:
    return [hit.message_id for hit in search(path, parse(typed), Options(sort="oldest", limit=50, **options)).hits]


def test_every_text_that_hermes_writes_is_found_at_once(hermes_python: Path, tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with Writer(hermes_python, tmp_path) as hermes:
        hermes("create_session", session_id="one", source="telegram", model="m-1")
        text = hermes("append_message", session_id="one", role="user", content="a sanderling on the beach 沙滩")
        parts = [
            {"type": "text", "text": "照片 of a turnstone"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
        ]
        picture = hermes("append_message", session_id="one", role="user", content=parts)
        arguments = json.dumps({"command": "ls /srv/Ångström\ncat 笔记.txt"})
        calls = [{"id": "c1", "type": "function", "function": {"name": "terminal", "arguments": arguments}}]
        call = hermes("append_message", session_id="one", role="assistant", content="", tool_calls=calls)
        answer = hermes(
            "append_message", session_id="one", role="tool", content='{"output": "no such file", "exit_code": 2}',
            tool_name="terminal", tool_call_id="c1",
        )  # fmt: skip
        for typed, one in (
            ("sanderling", text), ("沙滩", text), ("turnstone", picture), ("照片", picture),
            ("照", picture), ("Ångström", call),
            ("angstrom", call), ("笔记.txt", call), ("笔记", call), ("cat", call),
            ("/srv/", call), ("no such file", answer),
            ("tool:terminal has:error", answer), ("source:telegram role:user sanderling", text),
        ):  # fmt: skip
            assert found(path, typed) == [one], typed
        assert found(path, "iVBORw0KGgo") == []
        assert search(path, parse("sanderling")).gaps == ()


def test_what_hermes_undoes_is_hidden_at_once(hermes_python: Path, tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with Writer(hermes_python, tmp_path) as hermes:
        hermes("create_session", session_id="one", source="cli")
        first = hermes("append_message", session_id="one", role="user", content="plover one")
        hermes("append_message", session_id="one", role="assistant", content="answer")
        second = hermes("append_message", session_id="one", role="user", content="plover two")
        assert found(path, "plover") == [first, second]
        hermes("rewind_to_message", session_id="one", target_message_id=second)
        assert found(path, "plover") == [first]
        assert found(path, "plover", rewound=True) == [first, second]


def test_a_compressed_conversation_of_hermes_is_one_group(hermes_python: Path, tmp_path: Path) -> None:
    with Writer(hermes_python, tmp_path) as hermes:
        hermes("create_session", session_id="one", source="cli")
        hermes("append_message", session_id="one", role="user", content="avocet part one")
        hermes("end_session", session_id="one", end_reason="compression")
        hermes("create_session", session_id="two", source="cli", parent_session_id="one")
        hermes("append_message", session_id="two", role="user", content="avocet part two")
        (group,) = explore(tmp_path / "state.db", parse("avocet")).groups
        assert (group.lineage_id, group.count) == ("one", 2)
