"""Hermes' records beside the skills, in every state: install records, what was shipped, the curator's files."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from skills_app.guard.model import Tier
from skills_app.library import read_records
from skills_app.library.json_file import Unusable, read_json
from skills_app.library.usage import USAGE_FILE
from tests.skills_app.builders import codes, hub_record, listed, make_skill, only, write_json, write_lock

BROKEN: dict[str, bytes] = {
    "not UTF-8": b'{"version": 1, "installed": {"a": {"source": "caf\xe9"}}}',
    "a list for the table": b'{"version": 1, "installed": []}',
    "a list": b"[]",
    "null": b"null",
    "no table": b'{"version": 1}',
    "a text for the table": b'{"installed": "a"}',
    "cut": b'{"version": 1, "installed": {',
    "empty": b"",
    "blanks": b" \n",
    "a mark": b'\xef\xbb\xbf{"version": 1, "installed": {}}',
    "a number": b"7",
    "very deep": b"[" * 100_000,
}


@pytest.mark.parametrize("kind", BROKEN)
def test_unreadable_install_records_make_tiers_unknown(tmp_path: Path, kind: str) -> None:
    make_skill(tmp_path, "a")
    write_json(tmp_path, USAGE_FILE, {"a": {"created_by": "agent"}})
    lock = write_lock(tmp_path)
    lock.write_bytes(BROKEN[kind])
    listing = listed(tmp_path)
    (skill,) = listing.skills
    assert skill.tier is Tier.UNKNOWN
    assert "install records" in skill.evidence[0]
    assert [each.code for each in listing.problems] == ["records"]
    assert lock.read_bytes() == BROKEN[kind]


def test_install_records_that_are_a_folder_or_a_pipe_do_not_stop_the_listing(tmp_path: Path) -> None:
    make_skill(tmp_path, "a")
    (tmp_path / "skills" / ".hub").mkdir()
    os.mkfifo(tmp_path / "skills" / ".hub" / "lock.json")
    (tmp_path / "skills" / ".bundled_manifest").mkdir()
    (tmp_path / "skills" / USAGE_FILE).mkdir()
    listing = listed(tmp_path)
    assert listing.skills[0].tier is Tier.UNKNOWN
    assert len(listing.problems) == 3


def test_no_install_records_are_no_problem(tmp_path: Path) -> None:
    make_skill(tmp_path, "a")
    assert (only(tmp_path).tier, listed(tmp_path).problems) == (Tier.LOCAL, ())


# The folder that a record names, and why it cannot be relied on.
ELSEWHERE = {
    "": "the whole skills folder",
    ".": "the whole skills folder",
    "./": "the whole skills folder",
    "..": "out of the skills folder",
    "../other": "out of the skills folder",
    "a/../../b": "out of the skills folder",
    "/etc": "an absolute path",
    "C:\\Users": "an absolute path",
    "~/x": "an absolute path",
    "keepme": "another skill's",
    "group/keepme": "another skill's",
}


@pytest.mark.parametrize("path", ELSEWHERE)
def test_a_record_that_leads_elsewhere_is_listed_as_damaged(tmp_path: Path, path: str) -> None:
    make_skill(tmp_path, "keepme")
    write_lock(tmp_path, bad=hub_record(path))
    listing = listed(tmp_path)
    (record,) = listing.damaged_records
    assert (record.name, ELSEWHERE[path] in record.damage) == ("bad", True)
    (skill,) = listing.skills
    is_named = path == "keepme"
    assert (skill.tier, codes(skill)) == ((Tier.UNKNOWN, ["damaged_record"]) if is_named else (Tier.LOCAL, []))


@pytest.mark.parametrize("value", [None, [], "x", {}, {"install_path": 7}, {"install_path": "bad"}, {"source": "x"}])
def test_a_record_without_its_fields_makes_its_skill_unknown_and_no_other(tmp_path: Path, value: Any) -> None:
    make_skill(tmp_path, "bad")
    make_skill(tmp_path, "good")
    write_lock(tmp_path, bad=value, good=hub_record("good"))
    bad, good = listed(tmp_path).skills
    assert (bad.tier, good.tier) == (Tier.UNKNOWN, Tier.COMMUNITY)


def test_a_good_record_says_what_it_says(tmp_path: Path) -> None:
    make_skill(tmp_path, "devops/deploy")
    write_lock(tmp_path, deploy=hub_record("devops/deploy", scan_provenance={"scanner_version": "v1"}, files=["a", 7]))
    record = only(tmp_path).hub
    assert record is not None
    assert (record.scan_verdict, record.scanner, record.files) == ("safe", "v1", ("a",))
    assert record.installed_at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_the_list_of_shipped_skills_in_both_forms(tmp_path: Path) -> None:
    make_skill(tmp_path, "a")
    path = tmp_path / "skills" / ".bundled_manifest"
    path.write_text("a:0123\n\nold-form\n b : 45 \n:\n")
    assert read_records(path.parent).shipped == {"a": "0123", "old-form": "", "b": "45"}
    path.write_bytes(b"caf\xe9:1\n")
    assert "not UTF-8" in read_records(path.parent).manifest_problem
    assert only(tmp_path).tier is Tier.UNKNOWN


def test_what_the_curator_keeps(tmp_path: Path) -> None:
    make_skill(tmp_path, "a")
    (tmp_path / "skills" / ".curator_suppressed").write_text("# pruned\nold\n\n")
    write_json(
        tmp_path,
        ".curator_state",
        {"last_run_at": "2026-01-02T00:00:00+00:00", "run_count": 3, "paused": True, "last_run_summary": "2 archived"},
    )
    records = read_records(tmp_path / "skills")
    assert records.suppressed == {"old"}
    assert (records.curator.run_count, records.curator.is_paused) == (3, True)
    assert records.curator.last_summary == "2 archived"
    for odd in ([], {"run_count": True, "last_run_summary": 7, "paused": "yes"}):
        write_json(tmp_path, ".curator_state", odd)
        assert not read_records(tmp_path / "skills").curator.is_paused
    (tmp_path / "skills" / ".curator_state").write_text("{")
    assert read_records(tmp_path / "skills").curator.run_count == 0


def test_a_file_caught_while_it_was_written_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lock.json"
    path.write_text('{"a":')
    with monkeypatch.context() as patch:
        patch.setattr("time.sleep", lambda _: path.write_text('{"a": 1}'))  # the rest is written during the pause
        assert read_json(path) == {"a": 1}
    path.write_text("{")
    with pytest.raises(Unusable, match="not complete JSON"):
        read_json(path)
