"""A record that is being decided on is nobody else's, and after a crash it is either done or waiting: never both."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memoryhub import entries
from memoryhub.hermes import files
from memoryhub.hermes.home import Home
from skills_app.pending import claim, journal, recovery
from skills_app.pending.journal import Entry
from skills_app.pending.records import find_record, list_records
from skills_app.pending.recovery import Outcome, Recovered
from skills_app.writing import commit, plan
from skills_app.writing.model import SkillChange, SkillWrite
from skills_app.writing.shelf import Shelf
from tests.skills_app.staged import document, make_skill, put, stage_memory, stage_skill

ID = "0a1b2c3d"
ITEM = f"skill:{ID}"


@pytest.fixture
def path(home: Home) -> Path:
    make_skill(home.path, "deploy", references__hosts_md="alpha\n")
    return stage_skill(home.path, ID, "delete", "deploy")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "claims"


def sha256(path: Path) -> str:
    return files.digest(path.read_bytes())


def dead_claim(path: Path) -> Path:
    """The record as a process that died left it."""
    held = path.with_name(f"{path.name}.claimed-{os.getpid()}")
    path.rename(held)
    return held


def planned(home: Home, *writes: SkillWrite) -> tuple[SkillChange, ...]:
    return plan.plan(Shelf.of([home.skills]), writes or (SkillWrite("delete", "deploy"),))


def recover(home: Home, folder: Path, done: list[Entry] | None = None) -> tuple[Recovered, ...]:
    def read(target: str) -> bytes | None:
        return files.read_regular(home.memory_path(target))

    return recovery.recover(home.pending, folder, home.key, read, [].append if done is None else done.append)


def test_a_claimed_record_is_seen_by_nobody_and_taken_once(home: Home, path: Path) -> None:
    with claim.taken(path, sha256(path)) as taken:
        assert taken.data == taken.held.read_bytes()
        assert taken.held.name == f"{path.name}.claimed-{os.getpid()}"
        assert list_records(home.pending) == ()
        with pytest.raises(claim.RecordGone):
            claim.take(path, taken.sha256)
    assert find_record(home.pending, ITEM) is not None, "not put back"


def test_a_finished_claim_is_gone(home: Home, path: Path) -> None:
    with claim.taken(path, sha256(path)) as taken:
        taken.finish()
    assert list((home.pending / "skills").iterdir()) == []


def test_a_record_is_put_back_when_deciding_fails(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(ZeroDivisionError), claim.taken(path, sha256(path)):
        _ = 1 / 0
    assert path.read_bytes() == before


def test_a_record_that_changed_is_not_taken(home: Home, path: Path) -> None:
    seen = sha256(path)
    stage_skill(home.path, ID, "delete", "other")
    with pytest.raises(claim.RecordChanged):
        claim.take(path, seen)
    assert find_record(home.pending, ITEM) is not None


def test_what_is_no_plain_file_is_not_taken(home: Home, tmp_path: Path) -> None:
    folder = put(home.path, "skills", "x.json", "{}").parent
    (tmp_path / "secret").write_text("{}")
    (folder / "0a1b2c3d.json").symlink_to(tmp_path / "secret")
    os.mkfifo(folder / "0a1b2c3e.json")
    for name in ("0a1b2c3d.json", "0a1b2c3e.json"):
        with pytest.raises(claim.RecordChanged):
            claim.take(folder / name, files.digest(b"{}"))


def test_two_claims_of_two_records_are_independent(home: Home, path: Path) -> None:
    other = stage_memory(home.path, ID, "add", content="x")
    with claim.taken(path, sha256(path)) as one, claim.taken(other, sha256(other)) as two:
        one.finish()
        assert two.held.exists()
    assert [record.id for record in list_records(home.pending)] == [f"memory:{ID}"]


def test_a_living_claim_is_left_alone_even_by_its_own_process(home: Home, path: Path, folder: Path) -> None:
    with claim.taken(path, sha256(path)) as taken:
        assert recover(home, folder) == ()
        assert taken.held.exists()


def test_a_claim_of_another_living_process_is_left_alone_and_a_dead_ones_put_back(
    home: Home, path: Path, folder: Path
) -> None:
    script = (
        "import sys, pathlib\nfrom skills_app.pending import claim\n"
        "claim.take(pathlib.Path(sys.argv[1]), sys.argv[2])\nprint('taken', flush=True)\nsys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, str(path), sha256(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"taken\n"
        assert recover(home, folder) == ()
        other.kill()
        other.wait()
    assert recover(home, folder) == (Recovered(ITEM, Outcome.PUT_BACK, None),)
    assert path.exists()


def test_nothing_was_begun_so_the_record_waits_again(home: Home, path: Path, folder: Path) -> None:
    held = dead_claim(path)
    assert recover(home, folder) == (Recovered(ITEM, Outcome.PUT_BACK, None),)
    assert path.exists()
    assert not held.exists()


def test_what_was_applied_is_finished_and_recorded(home: Home, path: Path, folder: Path) -> None:
    entry = Entry(home.key, ITEM, sha256(path), skills=planned(home), note={"reason": "old"})
    journal.write(folder, entry)
    commit.commit(entry.skills)
    dead_claim(path)
    done: list[Entry] = []
    (found,) = recover(home, folder, done)
    assert (found.outcome, done[0].note) == (Outcome.APPLIED, {"reason": "old"})
    assert list((home.pending / "skills").iterdir()) == []
    assert journal.read_all(folder, home.key) == []
    assert recover(home, folder) == ()


@pytest.mark.parametrize("gone", [("SKILL.md",), ("references/hosts.md",), ()])
def test_what_was_done_in_part_is_taken_back_and_waits_again(
    home: Home, path: Path, folder: Path, gone: tuple[str, ...]
) -> None:
    journal.write(folder, Entry(home.key, ITEM, sha256(path), skills=planned(home)))
    before = {p: p.read_bytes() for p in home.skills.rglob("*.md")}
    for name in gone:
        (home.skills / "deploy" / name).unlink()
    dead_claim(path)
    assert [found.outcome for found in recover(home, folder)] == [Outcome.PUT_BACK]
    assert {p: p.read_bytes() for p in home.skills.rglob("*.md")} == before
    assert path.exists()


def test_what_somebody_wrote_since_is_left_and_said(home: Home, path: Path, folder: Path) -> None:
    journal.write(folder, Entry(home.key, ITEM, sha256(path), skills=planned(home)))
    (home.skills / "deploy" / "SKILL.md").unlink()
    (home.skills / "deploy" / "references" / "hosts.md").write_text("theirs")
    dead_claim(path)
    (found,) = recover(home, folder)
    assert (found.outcome, found.foreign) == (Outcome.UNCLEAR, ("deploy/references/hosts.md",))
    assert (home.skills / "deploy" / "references" / "hosts.md").read_text() == "theirs"
    assert (home.skills / "deploy" / "SKILL.md").read_text() == document("deploy")
    assert path.exists()


def test_a_journal_of_an_older_claim_of_the_same_id_is_not_believed(home: Home, path: Path, folder: Path) -> None:
    changes = planned(home)
    journal.write(folder, Entry(home.key, ITEM, "0" * 64, skills=changes))
    commit.commit(changes)
    dead_claim(path)
    assert [found.outcome for found in recover(home, folder)] == [Outcome.PUT_BACK]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}"])
def test_a_journal_that_was_cut_short_means_that_nothing_was_begun(
    home: Home, path: Path, folder: Path, text: str
) -> None:
    journal.write(folder, Entry(home.key, ITEM, sha256(path), skills=planned(home)))
    (entry,) = folder.glob("*.json")
    entry.write_text(text)
    dead_claim(path)
    assert recover(home, folder) == (Recovered(ITEM, Outcome.PUT_BACK, None),)


def test_a_journal_gives_back_what_was_written(home: Home, path: Path, folder: Path) -> None:
    entry = Entry(
        "/h", "memory:x", "1" * 64, planned(home), {"user": (None, b"a"), "memory": (b"\xff", b"")}, {"n": [1]}
    )
    journal.write(folder, entry)
    assert journal.read(folder, "/h", "memory:x") == entry
    assert journal.read_all(folder, "/other") == []
    assert (next(folder.glob("*.json")).stat().st_mode & 0o777) == 0o600


OLD, NEW = ["Likes tea.", "Heron."], ["Likes tea.", "Egret.", "New."]


@pytest.mark.parametrize(
    ("now", "outcome"),
    [
        (NEW, Outcome.APPLIED),
        (OLD, Outcome.PUT_BACK),
        ([*NEW, "Another."], Outcome.APPLIED),
        (["Another.", *OLD], Outcome.PUT_BACK),
        (["Egret.", "New."], Outcome.APPLIED),
        (["Likes tea.", "Egret."], Outcome.UNCLEAR),
        ([], Outcome.UNCLEAR),
    ],
    ids=str,
)
def test_a_memory_write_is_found_again_whatever_else_was_written(
    home: Home, folder: Path, now: list[str], outcome: Outcome
) -> None:
    path = stage_memory(home.path, ID, "batch", operations=[{"action": "add", "content": "x"}])
    sides = (entries.serialize(OLD), entries.serialize(NEW))
    journal.write(folder, Entry(home.key, f"memory:{ID}", sha256(path), memory={"memory": sides}))
    home.memory_path("memory").write_bytes(entries.serialize(now))
    dead_claim(path)
    assert [found.outcome for found in recover(home, folder)] == [outcome]
    assert path.exists() is (outcome is not Outcome.APPLIED)


def test_a_record_is_never_put_back_over_another(home: Home, path: Path, folder: Path) -> None:
    held = dead_claim(path)
    stage_skill(home.path, ID, "delete", "other")
    with pytest.raises(files.FileProblem):
        recover(home, folder)
    assert held.exists()
    assert path.exists()
