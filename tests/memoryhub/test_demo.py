"""The demo home: made in one step, the same for the same seed, and full of everything that the pages can show."""

import json
import re
import sqlite3
import struct
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from memoryhub import likeness, secrets, threats
from memoryhub.demo import build_demo_home, folders, story, story_home, story_work
from memoryhub.demo.scripts import parse
from memoryhub.hermes import state_db
from memoryhub.hermes.pending_count import PendingCount, count_pending
from memoryhub.hermes.values import plain_text
from tests.builders import make_state_db
from tests.growth import assert_at_most

NOW = datetime(2026, 6, 15, 14, 30, tzinfo=UTC)
CHINESE = re.compile(r"[一-鿿]")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "home"
    build_demo_home(folder, NOW, 1)
    return folder


@pytest.fixture
def conn(home: Path) -> Iterator[state_db.Connection]:
    with state_db.connect(home / "state.db", limit_ms=2_000) as conn:
        yield conn


def rows(conn: sqlite3.Connection, sql: str) -> list[Any]:
    return [row[0] for row in conn.execute(sql).fetchall()]


def entries(home: Path, name: str) -> list[str]:
    return (home / "memories" / name).read_bytes().decode().split("\n§\n")


def contents(home: Path) -> dict[str, object]:
    """Everything a home holds, databases as their rows."""
    found: dict[str, object] = {}
    for path in sorted(home.rglob("*")):
        name = str(path.relative_to(home))
        if path.suffix == ".db":
            with closing(sqlite3.connect(path)) as conn:
                found[name] = list(conn.iterdump())
        elif path.is_file() and ".db-" not in name:  # helper files of SQLite come and go
            found[name] = path.read_bytes()
    return found


def test_the_same_seed_and_time_make_the_same_home(home: Path, tmp_path: Path) -> None:
    build_demo_home(tmp_path / "again", NOW, 1)
    assert contents(tmp_path / "again") == contents(home)
    build_demo_home(tmp_path / "other", NOW, 2)
    assert contents(tmp_path / "other") != contents(home)


def test_making_it_is_quick_beside_making_an_empty_database(tmp_path: Path) -> None:
    def folder() -> Path:
        return Path(mkdtemp(dir=tmp_path))

    def make_demo() -> None:
        build_demo_home(folder() / "demo", NOW)

    assert_at_most(600, make_demo, lambda: make_state_db(folder() / "state.db"))  # usually 60


def test_it_leaves_nothing_else(tmp_path: Path) -> None:
    build_demo_home(tmp_path / "data" / "demo", NOW)
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["demo"]


def test_what_is_there_already_is_never_touched(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "MEMORY.md").write_text("precious")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for name in ("mine", "dangling"):
        with pytest.raises(FileExistsError):
            build_demo_home(tmp_path / name, NOW)
    assert (tmp_path / "mine" / "MEMORY.md").read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling", "mine"]


def test_a_build_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(OverflowError):
        build_demo_home(tmp_path / "demo", datetime(1, 1, 2, tzinfo=UTC))
    assert list(tmp_path.iterdir()) == []


def test_the_memory_file_is_nearly_full_and_the_user_file_about_half(home: Path) -> None:
    memory, user = entries(home, "MEMORY.md"), entries(home, "USER.md")
    assert 9 <= len(memory) <= 11
    assert 0.9 * 2200 <= len("\n§\n".join(memory)) <= 2200
    assert 0.4 * 1375 <= len("\n§\n".join(user)) <= 0.6 * 1375
    for texts in (memory, user):
        assert any(CHINESE.search(text) for text in texts)
        assert any(not CHINESE.search(text) for text in texts)


def test_the_memory_file_has_something_to_curate(home: Path) -> None:
    memory = entries(home, "MEMORY.md")
    assert len(likeness.near_duplicates(memory)) == 1
    flagged = [text for text in memory if any(threat.agent_blocks for threat in threats.scan(text))]
    assert len(flagged) == 1
    assert not any(threats.scan(text) for text in entries(home, "USER.md"))
    assert [text.partition(" on ")[0] for text in memory if secrets.find_secrets(text)] == ["Grafana"]
    assert any("rate limited" in text for text in memory)
    assert any("1)" in text and "4)" in text for text in memory)


@pytest.mark.parametrize(("writes", "folder"), [(story_home.HOME, "."), (story_work.WORK, "profiles/work")])
def test_every_entry_the_agent_wrote_is_explained_by_a_call_with_its_time(
    home: Path, writes: tuple[story.Write, ...], folder: str
) -> None:
    with state_db.connect(home / folder / "state.db", limit_ms=2_000) as conn:
        calls = state_db.memory_calls(conn, after_id=0)
        sessions = rows(conn, "SELECT id FROM sessions")
    by_hand = {write.content for write in writes if not write.is_tool_call}
    for target, name in (("memory", "MEMORY.md"), ("user", "USER.md")):
        for text in entries(home / folder, name):
            call = state_db.explain(calls, target, text)
            assert (call is None) == (text in by_hand)
            if call is not None:
                assert call.succeeded
                assert call.session_id in sessions
                assert call.timestamp is not None
                assert call.timestamp < NOW


def test_the_sessions_that_wrote_an_entry_talk_about_it(conn: state_db.Connection) -> None:
    for call in state_db.memory_calls(conn, after_id=0):
        talk = " ".join(
            plain_text(row[0])
            for row in conn.execute(
                "SELECT content FROM messages WHERE session_id = ? AND id < ?", (call.session_id, call.message_id)
            ).fetchall()
        )
        assert len(talk) > 40


def test_the_file_is_never_over_its_limit_on_any_day() -> None:
    for writes in (story_home.HOME, story_work.WORK):
        for target, limit in story.LIMITS.items():
            for days in range(401):
                left = story.replay(writes, target, timedelta(days=days))
                assert len("\n§\n".join(left)) <= limit


def test_a_session_is_running_on_an_older_snapshot(home: Path, conn: state_db.Connection) -> None:
    (running,) = state_db.running_sessions(conn, NOW)
    today = (home / "memories" / "MEMORY.md").read_bytes().decode()
    assert entries(home, "USER.md")[0] in running.system_prompt
    newest = [text for text in today.split("\n§\n") if text not in running.system_prompt and "~/.ssh" not in text]
    assert len(newest) == 1
    assert "pre-push" in newest[0]


@pytest.mark.parametrize("hour", [0, 5, 11, 23])
def test_at_any_hour_one_session_runs_and_nothing_lies_in_the_future(tmp_path: Path, hour: int) -> None:
    now = NOW.replace(hour=hour, minute=4)
    build_demo_home(tmp_path / "home", now)
    for folder, expected in ((".", 1), ("profiles/work", 0)):
        with state_db.connect(tmp_path / "home" / folder / "state.db", limit_ms=2_000) as conn:
            assert len(state_db.running_sessions(conn, now)) == expected
            times = "SELECT max(started_at), max(ended_at), (SELECT max(timestamp) FROM messages) FROM sessions"
            assert max(conn.execute(times).fetchone()) <= now.timestamp()


def test_there_are_hundreds_of_sessions_over_a_year_in_two_languages(conn: state_db.Connection) -> None:
    counts = state_db.counts(conn)
    assert counts.sessions >= 300
    assert counts.messages >= 3_000
    oldest, newest = conn.execute("SELECT min(started_at), max(started_at) FROM sessions").fetchone()
    assert newest - oldest > timedelta(days=380).total_seconds()
    assert conn.execute("SELECT max(timestamp) FROM messages").fetchone()[0] <= NOW.timestamp()
    assert set(rows(conn, "SELECT source FROM sessions")) == {"cli", "telegram", "discord", "cron", "api_server"}
    assert len(set(rows(conn, "SELECT model FROM sessions"))) >= 4
    texts = rows(conn, "SELECT content FROM messages WHERE role = 'user'")
    assert 0.2 < sum(bool(CHINESE.search(text)) for text in texts) / len(texts) < 0.6


def test_conversations_are_whole(conn: state_db.Connection) -> None:
    spoken = rows(conn, "SELECT content || ifnull(tool_calls, '') || ifnull(reasoning, '') FROM messages")
    assert not any(re.search(r"(?<![{\"])\{[a-z_]+\}", text) for text in spoken), "a slot was left empty"
    unanswered = conn.execute(
        "SELECT count(*) FROM messages AS call, json_each(call.tool_calls) AS item WHERE NOT EXISTS (SELECT 1 FROM"
        " messages AS answer WHERE answer.tool_call_id = item.value ->> 'id' AND answer.session_id = call.session_id)"
    ).fetchone()[0]
    assert unanswered == 0
    for session_id, claimed in conn.execute("SELECT id, message_count FROM sessions").fetchall():
        stored = conn.execute("SELECT count(*) FROM messages WHERE session_id = ?", (session_id,)).fetchone()[0]
        assert stored == claimed


@pytest.mark.parametrize(
    "condition",
    [
        "EXISTS (SELECT 1 FROM sessions AS s JOIN sessions AS p ON p.id = s.parent_session_id JOIN sessions AS g"
        " ON g.id = p.parent_session_id WHERE p.end_reason = 'compression' AND g.end_reason = 'compression')",
        "EXISTS (SELECT 1 FROM sessions WHERE model_config ->> '_branched_from' = parent_session_id)",
        "EXISTS (SELECT 1 FROM sessions WHERE model_config ->> '_delegate_from' = parent_session_id)",
        "EXISTS (SELECT 1 FROM sessions WHERE archived)",
        "EXISTS (SELECT 1 FROM sessions WHERE message_count = 0)",
        "EXISTS (SELECT 1 FROM sessions WHERE message_count > 300)",
        "EXISTS (SELECT 1 FROM sessions WHERE ended_at IS NULL)",
        "EXISTS (SELECT 1 FROM sessions WHERE title IS NULL)",
        "EXISTS (SELECT 1 FROM sessions WHERE actual_cost_usd > 0)",
        "EXISTS (SELECT 1 FROM messages WHERE active = 0 AND compacted = 0)",
        "EXISTS (SELECT 1 FROM messages WHERE active = 0 AND compacted = 1)",
        "EXISTS (SELECT 1 FROM messages WHERE reasoning <> '')",
        "EXISTS (SELECT 1 FROM messages WHERE content LIKE '%\"exit_code\": 1%')",
        "EXISTS (SELECT 1 FROM messages WHERE role = 'tool' AND length(content) > 4000)",
    ],
)
def test_every_kind_of_session_and_message_is_there(conn: state_db.Connection, condition: str) -> None:
    assert conn.execute(f"SELECT {condition}").fetchone()[0] == 1


def test_the_usual_tools_were_used(conn: state_db.Connection) -> None:
    used = set(rows(conn, "SELECT DISTINCT tool_name FROM messages"))
    assert {"terminal", "read_file", "memory", "skill_view", "skill_manage", "web_search", "patch"} <= used


def test_a_message_holds_a_real_image(conn: state_db.Connection) -> None:
    stored = rows(conn, "SELECT content FROM messages WHERE instr(content, 'json:') = 2")[0]
    text, image = json.loads(stored.removeprefix("\0json:"))
    assert CHINESE.search(text["text"])
    data = b64decode(image["image_url"]["url"].removeprefix("data:image/png;base64,"))
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (48, 30)


def test_both_search_indexes_find_what_was_said(conn: state_db.Connection) -> None:
    for table, word in (("messages_fts", "skiprows"), ("messages_fts_trigram", "夏令时")):
        found = rows(conn, f"SELECT count(*) FROM {table} WHERE {table} MATCH '\"{word}\"'")
        assert found[0] > 0
        assert rows(conn, f"SELECT count(*) FROM {table}") == rows(conn, "SELECT count(*) FROM messages")


def test_writes_wait_for_approval_and_one_record_is_cut_off(home: Path) -> None:
    assert count_pending(home / "pending") == PendingCount(memory=7, skills=6)
    readable = []
    for path in sorted((home / "pending").rglob("*.json")):
        try:
            record = json.loads(path.read_bytes())
        except ValueError:
            continue
        assert record["id"] == path.stem
        assert record["created_at"] < NOW.timestamp()
        readable.append(record)
    assert len(readable) == 12
    payloads = [json.dumps(record["payload"], sort_keys=True) for record in readable]
    assert len(set(payloads)) == 10  # two were proposed twice
    assert {record["origin"] for record in readable} == {"foreground", "background_review"}
    assert "batch" in {record["action"] for record in readable}


def test_staged_writes_of_a_conversation_name_their_record(home: Path, conn: state_db.Connection) -> None:
    staged = [call.staged for call in state_db.memory_calls(conn, after_id=0) if call.staged]
    assert len(staged) == 2
    assert all((home / "pending" / "memory" / f"{name}.json").is_file() for name in staged)


def test_the_skills_are_of_every_kind(home: Path) -> None:
    root = home / "skills"
    found = [path for path in root.rglob("SKILL.md") if ".archive" not in path.parts]
    assert len(found) == 15
    usage = json.loads((root / ".usage.json").read_bytes())
    assert {record["created_by"] for record in usage.values()} == {None, "agent"}
    assert usage["printer-setup"]["state"] == "archived"
    assert (root / ".archive" / "printer-setup" / "SKILL.md").is_file()
    installed = json.loads((root / ".hub" / "lock.json").read_bytes())["installed"]
    assert {record["trust_level"] for record in installed.values()} == {"trusted", "community"}
    shipped = dict(line.split(":") for line in (root / ".bundled_manifest").read_text().splitlines())
    is_changed = {name: folders.folder_md5(next(root.rglob(f"*/{name}"))) != digest for name, digest in shipped.items()}
    assert is_changed == {"minutes": True, "quick-compare": False}


def test_nothing_in_the_demo_names_a_host_that_could_exist(home: Path) -> None:
    for path in home.rglob("*"):
        if path.is_file() and ".db" not in path.name:
            hosts = re.findall(r"https?://([^/\s:\"')]+)", path.read_bytes().decode())
            assert all(host.endswith((".invalid", ".lan")) for host in hosts), path


def test_the_backup_and_the_archive_hold_what_left_the_file(home: Path) -> None:
    today = (home / "memories" / "MEMORY.md").read_bytes().decode()
    (evicted,) = [json.loads(line) for line in (home / "memories" / "ARCHIVE.jsonl").read_text().splitlines()]
    assert evicted["content"].startswith("tidewatch exports")
    assert evicted["content"] not in today
    (backup,) = (home / "memories").glob("MEMORY.md.bak.*")
    assert int(backup.name.rsplit(".", 1)[1]) < NOW.timestamp()
    assert evicted["content"] in backup.read_text()


def test_the_work_profile_has_a_life_of_its_own(home: Path) -> None:
    work = home / "profiles" / "work"
    with state_db.connect(work / "state.db") as conn:
        assert state_db.counts(conn).sessions >= 60
        texts = rows(conn, "SELECT content FROM messages WHERE role = 'user'")
        assert all(CHINESE.search(text) or text.isascii() for text in texts)
        assert sum(bool(CHINESE.search(text)) for text in texts) > 0.8 * len(texts)
    assert sum(bool(CHINESE.search(text)) for text in entries(work, "MEMORY.md")) >= 5


def test_a_script_line_that_has_no_place_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="what is"):
        parse("# topic\ntitles: a\n> hello\nhello yourself\n")
