"""Staged by the real Hermes, approved by itself and by us, by both of our ways: the same result, refusals included."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from memoryhub import store
from memoryhub.hermes.config import Config
from memoryhub.hermes.home import Home
from skills_app.pending import memory_effect, skill_effect
from skills_app.pending.records import PendingMemory, PendingSkill, find_record
from skills_app.writing import agent, commit, usage
from skills_app.writing.shelf import Shelf, read_usage
from tests.interop.hermes import Hermes, environment
from tests.interop.staged_writes import DIFFERENT, MEMORIES, SKILLS, Case

pytestmark = pytest.mark.interop

APPROVER = Path(__file__).with_name("hermes_approver.py")
GATES = "memory:\n  write_approval: true\nskills:\n  write_approval: true\n"


@pytest.fixture(scope="module")
def approver(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    home = tmp_path_factory.mktemp("theirs")
    (home / "config.yaml").write_text(GATES, encoding="utf-8")
    process = subprocess.Popen(
        [str(hermes_python), "-I", str(APPROVER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env=environment(home),
    )
    with process:
        yield Hermes(process)
        process.kill()


def in_bytes(files: Mapping[str, str | bytes]) -> dict[str, bytes]:
    return {name: data.encode() if isinstance(data, str) else data for name, data in files.items()}


def staged(approver: Hermes, case: Case) -> dict[str, Any]:
    """The record that Hermes stages for a case: by its tool where that takes the call, else put beside them."""
    files = {name: base64.b64encode(data).decode() for name, data in in_bytes(case.files).items()}
    approver.ask("lay", files=files)
    if case.subsystem == "memory":
        call = dict(case.payload)
        if call["action"] == "batch":
            del call["action"]
        answer = approver.ask("stage", tool="memory", call=call, background=case.background)
    else:
        answer = approver.ask("stage", tool="skills", call=dict(case.payload), background=case.background)
    if not answer.get("staged"):  # refused before it is staged
        origin = "background_review" if case.background else "foreground"
        answer = approver.ask("put", subsystem=case.subsystem, record={"payload": dict(case.payload), "origin": origin})
    return answer


def theirs(approver: Hermes, case: Case, record_id: str) -> tuple[bool, dict[str, bytes], dict[str, Any]]:
    answer = approver.ask("approve", subsystem=case.subsystem, record_id=record_id)
    found = {name: base64.b64decode(data) for name, data in approver.ask("look")["files"].items()}
    known = json.loads(found.pop("skills/.usage.json", b"{}"))
    return bool(answer.get("ok")), content(found), known


def content(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """What matters of a home's files: no staged records, no copies that Hermes keeps of odd memory files."""
    return {n: data for n, data in files.items() if not n.startswith("pending/") and ".bak." not in n and data}


def make_ours(folder: Path, case: Case, answer: Mapping[str, Any]) -> Home:
    """A home of ours with the same files and the very record that Hermes staged."""
    home = Home("default", folder, folder)
    for name, data in {
        **in_bytes(case.files),
        f"pending/{case.subsystem}/{answer['id']}.json": answer["record"].encode(),
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    home.skills.mkdir(exist_ok=True)
    home.memories.mkdir(exist_ok=True)
    return home


def found_in(home: Home) -> dict[str, bytes]:
    every = {p.relative_to(home.path).as_posix(): p for p in home.path.rglob("*") if p.is_file()}
    kept = {n: p.read_bytes() for n, p in every.items() if n.startswith(("memories/", "skills/"))}
    return content({n: d for n, d in kept.items() if not n.endswith(".lock") and n != "skills/.usage.json"})


def approve_memory(home: Home, record: PendingMemory) -> str:
    """Preview and apply with our code; "applied" or the code of the refusal."""
    effect = memory_effect.preview(store.load(home, record.target, Config()), record.steps)
    if effect.refusal is not None:
        return effect.refusal.code
    assert effect.after is not None
    home.memory_path(record.target).write_bytes("\n§\n".join(effect.after).encode())
    return "applied"


def approve_skill(home: Home, record: PendingSkill) -> str:
    effect = skill_effect.preview(Shelf.of([home.skills]), record.steps)
    if effect.refusal is not None:
        return effect.refusal.code
    commit.commit(effect.changes)
    for write in record.steps:
        usage.record_write(home.skills, write, by_agent=record.is_background)
    return "applied"


@pytest.mark.parametrize("case", [*SKILLS, *MEMORIES], ids=lambda case: case.name)
def test_approved_by_us_is_as_approved_by_hermes(approver: Hermes, case: Case, tmp_path: Path) -> None:
    answer = staged(approver, case)
    ok, expected, known = theirs(approver, case, answer["id"])
    home = make_ours(tmp_path / "ours", case, answer)
    record = find_record(home.pending, f"{'memory' if case.subsystem == 'memory' else 'skill'}:{answer['id']}")
    if isinstance(record, PendingMemory):
        assert approve_memory(home, record) == case.outcome
    else:
        assert isinstance(record, PendingSkill), record
        assert record.is_background == case.background
        assert approve_skill(home, record) == case.outcome
    assert ok is (case.outcome == "applied" or case.fuzzy)
    if not case.fuzzy:
        assert found_in(home) == expected
        mine = read_usage(home.skills)
        for name in {*mine, *known} if not case.background else ():  # Hermes forgets who made what it approves
            assert mine.get(name, {}).get("created_by") == known.get(name, {}).get("created_by")
            assert mine.get(name, {}).get("patch_count") == known.get(name, {}).get("patch_count")


@pytest.mark.parametrize("case", DIFFERENT, ids=lambda case: case.name)
def test_where_we_do_otherwise_than_hermes_it_is_on_purpose(approver: Hermes, case: Case, tmp_path: Path) -> None:
    answer = staged(approver, case)
    ok, expected, _ = theirs(approver, case, answer["id"])
    home = make_ours(tmp_path / "ours", case, answer)
    record = find_record(home.pending, f"memory:{answer['id']}")
    assert isinstance(record, PendingMemory)
    assert approve_memory(home, record) == case.ours
    assert (ok, expected) != (case.ours == "applied", found_in(home))


@pytest.mark.parametrize("case", SKILLS, ids=lambda case: case.name)
def test_written_by_the_installed_hermes_for_us_is_the_same_too(
    approver: Hermes, hermes_python: Path, case: Case, tmp_path: Path
) -> None:
    answer = staged(approver, case)
    ok, expected, _ = theirs(approver, case, answer["id"])
    home = make_ours(tmp_path / "ours", case, answer)
    record = find_record(home.pending, f"skill:{answer['id']}")
    assert isinstance(record, PendingSkill)
    before = found_in(home)
    (rehearsed,) = agent.rehearse(hermes_python, Shelf.of([home.skills]), [record.steps])
    assert found_in(home) == before, "a rehearsal wrote to the home"

    applied = agent.apply(hermes_python, home.path, record.steps, by_agent=record.is_background)
    assert applied.ok is ok
    assert found_in(home) == expected
    if not any(name.endswith("/.usage.json") for name in case.files):
        assert (rehearsed.refused == "") is ok, rehearsed.refused
        assert all(commit.is_made(change) for change in rehearsed.changes)
    if ok and case.payload["action"] == "create":
        made = read_usage(home.skills).get(str(case.payload["name"]), {})
        assert made.get("created_by") == ("agent" if case.background else None)


def test_the_table_is_large_enough() -> None:
    assert len(SKILLS) + len(MEMORIES) >= 60
    assert len({case.name for case in (*SKILLS, *MEMORIES, *DIFFERENT)}) == len(SKILLS) + len(MEMORIES) + len(DIFFERENT)
