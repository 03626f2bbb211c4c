"""Large, repeatable homes for benchmarks: as many sessions, messages and entries as asked for.

Text is cut from the standard library's own sources, so word frequencies are those of technical prose and code;
Chinese, Japanese and Korean sentences and planted words ("needles") at known counts are mixed in.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sysconfig
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from memoryhub.demo import tables
from memoryhub.demo.corpus_words import ASKS, CJK, MODELS, NEEDLES, SOURCES, THINGS, TOOLS
from memoryhub.demo.folders import write_text
from memoryhub.demo.story import DELIMITER, LIMITS

END: Final = 1_780_000_000.0  # unix seconds; the sessions lie in the 400 days before
_SPAN: Final = 400 * 86_400.0
_PARAGRAPHS: Final = 40_000
_SESSION_COLUMNS: Final = (
    "id, source, model, started_at, ended_at, end_reason, title, message_count, tool_call_count, input_tokens,"
    " output_tokens, cache_read_tokens, estimated_cost_usd"
)
_MESSAGE_COLUMNS: Final = "session_id, role, content, tool_calls, tool_call_id, tool_name, timestamp"


@dataclass(frozen=True)
class Needle:
    """A planted word and the ids of the messages that hold it."""

    word: str
    message_ids: list[int]


def make_corpus(home: Path, sessions: int, messages: int, seed: int = 7, entries: int = 15) -> tuple[Needle, ...]:
    """Make a home with a state.db of that size and memory files of `entries` entries; return what was planted.

    `home` must not hold a state.db yet (FileExistsError). The needles are also written to `corpus.json`.
    A million messages take some minutes, nearly all of it for the search indexes.
    """
    database = home / "state.db"
    if database.exists():
        raise FileExistsError(f"There is already a database at {database}.")
    rng = random.Random(seed)  # noqa: S311 - made-up data, not a secret
    texts = paragraphs(rng)
    write_memory_files(home, entries, rng, texts)
    with closing(sqlite3.connect(database, isolation_level=None)) as conn:
        for setting in (
            "journal_mode = OFF",
            "synchronous = OFF",
            "cache_size = -262144",
        ):  # a new file: only speed counts
            conn.execute(f"PRAGMA {setting}")
        conn.execute("BEGIN")
        tables.create_tables(conn)
        _fill(conn, sessions, messages, rng, texts)
        needles = tuple(_plant(conn, rng, word, count) for word, count in NEEDLES)
        for index in (tables.WORD_INDEX, tables.TRIGRAM_INDEX):
            tables.create_search_index(conn, index)
        conn.execute("COMMIT")
        conn.execute("PRAGMA journal_mode = WAL")
    facts = {"sessions": sessions, "messages": messages, "seed": seed, "needles": [asdict(one) for one in needles]}
    write_text(home / "corpus.json", json.dumps(facts, ensure_ascii=False, indent=1))
    return needles


def write_memory_files(home: Path, entries: int, rng: random.Random, texts: list[str]) -> None:
    """Write both memory files with so many entries each, and a config whose limits they nearly fill."""
    limits = {}
    for target, name, length in (("memory", "MEMORY.md", 172), ("user", "USER.md", 122)):
        made = [_entry(rng, texts, number, length) for number in range(entries)]
        text = DELIMITER.join(made)
        limits[target] = max(LIMITS[target], int(len(text) / 0.93))
        write_text(home / "memories" / name, text)
    lines = "".join(f"  {target}_char_limit: {limit}\n" for target, limit in limits.items())
    write_text(home / "config.yaml", f"memory:\n{lines}")


def paragraphs(rng: random.Random) -> list[str]:
    """Return paragraphs of 80 to 1,600 characters from the standard library's sources, in random order."""
    root = Path(sysconfig.get_paths()["stdlib"])
    files = sorted(path for path in root.rglob("*.py") if "site-packages" not in path.parts)
    rng.shuffle(files)
    found: list[str] = []
    for path in files:
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        found.extend(piece.strip() for piece in text.split("\n\n") if 80 <= len(piece) <= 1_600)
        if len(found) >= _PARAGRAPHS:
            break
    rng.shuffle(found)
    return found


def _entry(rng: random.Random, texts: list[str], number: int, length: int) -> str:
    if number % 5 == 4:
        return f"{rng.choice(CJK)}（{rng.choice(THINGS)} {number}）。{rng.choice(CJK)}"
    words = " ".join(rng.choice(texts).replace("\u00a7", "").split())
    return f"{rng.choice(THINGS)} {number}: {words}"[: rng.randint(length // 2, length * 3 // 2)].strip()


def _fill(conn: sqlite3.Connection, sessions: int, messages: int, rng: random.Random, texts: list[str]) -> None:
    done = 0
    session_sql = f"INSERT INTO sessions ({_SESSION_COLUMNS}) VALUES ({_marks(_SESSION_COLUMNS)})"  # noqa: S608 - ours
    message_sql = f"INSERT INTO messages ({_MESSAGE_COLUMNS}) VALUES ({_marks(_MESSAGE_COLUMNS)})"  # noqa: S608 - ours
    for number in range(sessions):
        left, to_come = messages - done, sessions - number
        count = left if to_come == 1 else min(left, max(2, int(rng.expovariate(to_come / max(1, left)))))
        start = END - _SPAN + _SPAN * number / sessions
        identity = f"2026{number:06d}_{rng.getrandbits(24):06x}"
        conn.execute(session_sql, _session_row(rng, identity, number, start, count))
        conn.executemany(message_sql, _message_rows(rng, texts, identity, start, count, done))
        done += count


def _marks(columns: str) -> str:
    return ", ".join("?" * len(columns.split(",")))


def _session_row(rng: random.Random, identity: str, number: int, start: float, count: int) -> tuple[object, ...]:
    title = f"{rng.choice(THINGS)} {rng.choice(('setup', 'bug', 'review', 'notes'))} {number}"
    return (
        identity,
        rng.choice(SOURCES),
        rng.choice(MODELS),
        start,
        start + count * 20,
        rng.choice(("cli_close", "compression", None)),
        title if rng.random() < 0.6 else None,
        count,
        count // 4,
        count * 900,
        count * 120,
        count * 700,
        round(count * 0.0012, 4),
    )


def _message_rows(
    rng: random.Random, texts: list[str], session_id: str, start: float, count: int, done: int
) -> Iterator[tuple[object, ...]]:
    """Turns of four: a question, a tool call, its result, an answer."""
    tool = TOOLS[0]
    for number in range(count):
        calls = call_id = name = None
        kind = number % 4
        if kind == 0:
            role, text = "user", rng.choice(ASKS).format(a=rng.choice(THINGS), b=rng.choice(THINGS))
            text = f"{rng.choice(CJK)}，{text}" if rng.random() < 0.06 else text
        elif kind == 1:
            role, text, tool = "assistant", rng.choice(texts)[:400], rng.choice(TOOLS)
            arguments = json.dumps({"path": f"src/{rng.choice(THINGS)}.py", "query": rng.choice(THINGS)})
            function = {"name": tool, "arguments": arguments}
            calls = json.dumps([{"id": f"call_{done + number}", "type": "function", "function": function}])
        elif kind == 2:
            role, text, name, call_id = "tool", rng.choice(texts), tool, f"call_{done + number - 1}"
        else:
            role, text = "assistant", rng.choice(texts)[:700]
            text = f"{text}\n{rng.choice(CJK)}" if rng.random() < 0.04 else text
        yield session_id, role, text, calls, call_id, name, start + number * 20


def _plant(conn: sqlite3.Connection, rng: random.Random, word: str, count: int) -> Needle:
    last = conn.execute("SELECT max(id) FROM messages").fetchone()[0]
    picked = sorted(rng.sample(range(1, last + 1), min(count, last)))
    for message_id in picked:
        conn.execute("UPDATE messages SET content = content || ? WHERE id = ?", (f"\nRef {word} here.", message_id))
    return Needle(word, picked)
