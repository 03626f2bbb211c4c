"""A large home to measure sessions on: our own tables, texts cut from Python's own library, needles at known counts.

The same every time for the same size and the same Python. Hermes opens it like a file of its own.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sysconfig
from collections.abc import Iterator
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Final

from memoryhub.demo import tables

SESSIONS, MESSAGES = 20_000, 1_000_000
NEEDLES: Final = {
    "zyxquartz": 3,
    "heliotrope-lattice": 17,
    "qq7.4.2-rc1": 5,
    "蓝鲸计划": 4,
    "紫砂": 6,
    "Müllerstraße": 2,
}
_END: Final = 1_780_000_000.0
_DAYS: Final = 400
_THINGS: Final = (
    "docker", "postgres", "nginx", "pytest", "redis", "kubernetes", "terraform", "sqlite", "celery", "systemd",
    "chat-send", "P2.2", "my-app.config.ts", "C++", "node_modules", "deployment",
)  # fmt: skip
_ASKED: Final = (
    "why does {0} stop when {1} starts", "move {0} over to {1}", "the {0} build fails since {1} was changed",
    "how was {0} set up beside {1}", "remember that {0} comes before {1}",
)  # fmt: skip
_CHINESE: Final = (
    "数据库迁移之后服务启动失败，先回滚",
    "把日志级别改成调试再看一遍",
    "漓江的行程已经写进日历",
    "データベースの移行が終わりました",
    "배포 순서를 다시 확인해 주세요",
)
_TOOLS: Final = ("terminal", "read_file", "patch", "web_search", "memory", "session_search")
_SOURCES: Final = ("cli",) * 6 + ("telegram",) * 3 + ("discord", "cron", "api_server")
_MODELS: Final = ("gpt-5", "claude-sonnet-5", "hermes-4-405b", "qwen3-coder")
_PARAGRAPHS: Final = 40_000


def build_sessions(home: Path, sessions: int = SESSIONS, messages: int = MESSAGES, seed: int = 7) -> Path:
    """Make the home's state.db; returns the home. A million messages take some minutes, the indexes most of them."""
    rng = random.Random(seed)
    home.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(home / "state.db")) as conn:
        conn.execute("PRAGMA journal_mode = OFF")  # nothing to lose yet
        conn.execute("PRAGMA synchronous = OFF")
        tables.create_tables(conn)
        conn.executemany(
            "INSERT INTO sessions (id, source, model, started_at, ended_at, end_reason, title, message_count,"
            " tool_call_count, input_tokens, output_tokens, estimated_cost_usd) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            plan := list(_sessions(rng, sessions, messages)),
        )
        conn.executemany(
            "INSERT INTO messages (session_id, role, content, tool_calls, tool_name, timestamp) VALUES (?,?,?,?,?,?)",
            (row for session in plan for row in _messages(rng, session)),
        )
        _plant(conn, rng)
        for index in (tables.WORD_INDEX, tables.TRIGRAM_INDEX):
            tables.create_search_index(conn, index)
        conn.commit()
        conn.execute("PRAGMA journal_mode = WAL")
    return home


def _sessions(rng: random.Random, sessions: int, messages: int) -> Iterator[tuple[object, ...]]:
    """Rows of sessions, the oldest first; the last one takes all the messages that are left."""
    left, mean = messages, max(2, messages // sessions)
    for place in range(sessions):
        is_last = place == sessions - 1
        count = max(2, left if is_last else min(int(rng.expovariate(1 / mean)), left - 2 * (sessions - place)))
        left -= count
        started = _END - _DAYS * 86_400 * (1 - place / sessions)
        reason = rng.choice(("user_exit", "user_exit", "timeout", None))
        title = f"{rng.choice(_THINGS)} {rng.choice(('setup', 'bug', 'review', 'notes'))} {place}"
        yield (
            f"2026{place:06d}_{rng.getrandbits(24):06x}", rng.choice(_SOURCES), rng.choice(_MODELS), started,
            started + count * 20 if reason else None, reason, title if rng.random() < 0.6 else None, count, count // 4,
            count * 900, count * 120, round(count * 0.0012, 4),
        )  # fmt: skip


def _messages(rng: random.Random, session: tuple[object, ...]) -> Iterator[tuple[object, ...]]:
    """Rows of one session: asked, called, answered by the tool, said."""
    name, started, count = session[0], float(str(session[3])), int(str(session[7]))
    for place in range(count):
        at, tool = started + place * 20, rng.choice(_TOOLS)
        kind = place % 4
        if kind == 0:
            text = rng.choice(_ASKED).format(rng.choice(_THINGS), rng.choice(_THINGS))
            text = f"{rng.choice(_CHINESE)}，{text}" if rng.random() < 0.06 else text
            yield name, "user", text, None, None, at
        elif kind == 1:
            arguments = json.dumps({"path": f"src/{rng.choice(_THINGS)}.py", "query": rng.choice(_THINGS)})
            call = {"id": f"call_{place}", "type": "function", "function": {"name": tool, "arguments": arguments}}
            yield name, "assistant", rng.choice(_paragraphs())[:400], json.dumps([call]), None, at
        elif kind == 2:
            yield name, "tool", rng.choice(_paragraphs()), None, tool, at
        else:
            yield name, "assistant", rng.choice(_paragraphs())[:700], None, None, at


@lru_cache(maxsize=1)
def _paragraphs() -> list[str]:
    """Technical prose and code as people and tools write it, shuffled."""
    found: list[str] = []
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("[a-z]*/*.py")):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        found += [one.strip() for one in text.split("\n\n") if 80 <= len(one) <= 1_600]
        if len(found) > _PARAGRAPHS:
            break
    random.Random(len(found)).shuffle(found)
    return found


def _plant(conn: sqlite3.Connection, rng: random.Random) -> None:
    """Put each needle into so many messages of the agent."""
    ids = [row[0] for row in conn.execute("SELECT id FROM messages WHERE role = 'assistant'")]
    for needle, count in NEEDLES.items():
        for one in rng.sample(ids, count):
            conn.execute("UPDATE messages SET content = content || ? WHERE id = ?", (f"\nSee {needle} there.", one))
