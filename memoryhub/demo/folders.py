"""The files of a made-up home beside its database: memory, config, skills with their records, staged writes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from memoryhub.demo.pending_texts import Staged
from memoryhub.demo.prompts import CHARACTER
from memoryhub.demo.skill_texts import SkillText
from memoryhub.demo.story import DELIMITER, Write, removed, replay

CONFIG: Final = """\
# The demo home of MemoryHub: everything in it is made up.
model:
  default: hermes-4-405b

memory:
  memory_char_limit: 2200   # characters, delimiters included
  user_char_limit: 1375
  memory_enabled: true
  user_profile_enabled: true
  write_approval: on        # what the agent wants to remember waits in pending/

skills:
  write_approval: on
  guard_agent_created: false
  disabled: []
"""
_SOURCES: Final = {"trusted": "anthropics/skills", "community": "someone/agent-skills"}


def write_text(path: Path, text: str) -> None:
    """Write a file, with its folders, as UTF-8 with plain newlines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


def write_memories(home: Path, writes: Sequence[Write], now: datetime) -> None:
    """Write MEMORY.md and USER.md as the story leaves them, and the archive of evicted entries if there are any."""
    for target, name in (("memory", "MEMORY.md"), ("user", "USER.md")):
        write_text(home / "memories" / name, DELIMITER.join(replay(writes, target)))
    gone = [(write, text) for target in ("memory", "user") for write, text in removed(writes, target)]
    lines = [
        json.dumps(
            {
                "target": write.target,
                "content": text,
                "evicted_at": (now - write.ago).isoformat(),
                "reason": "capacity",
            },
            ensure_ascii=False,
        )
        for write, text in gone
    ]
    if lines:
        write_text(home / "memories" / "ARCHIVE.jsonl", "\n".join(lines) + "\n")
    write_text(home / "config.yaml", CONFIG)
    write_text(home / "SOUL.md", CHARACTER + "\n")


def write_backup(home: Path, writes: Sequence[Write], now: datetime, days: float) -> None:
    """Write the copy that Hermes leaves when a hand-edited file does not survive its reading: blanks at a delimiter."""
    entries = replay(writes, "memory", timedelta(days=days))
    text = DELIMITER.join(entries[:3]) + "\n\n§\n\n" + DELIMITER.join(entries[3:]) + "\n"
    stamp = int((now - timedelta(days=days)).timestamp())
    write_text(home / "memories" / f"MEMORY.md.bak.{stamp}", text)


def write_skills(home: Path, skills: Iterable[SkillText], now: datetime) -> None:
    """Write the skill folders and the records from which their trust tier follows."""
    root = home / "skills"
    usage, installed, manifest = {}, {}, []
    for skill in skills:
        folder = root / ".archive" / skill.name if skill.archived else root / skill.path
        for name, text in {"SKILL.md": as_shipped(skill).text, **skill.files}.items():
            write_text(folder / name, text)
        usage[skill.name] = _usage(skill, now)
        if skill.origin == "bundled":
            manifest.append(f"{skill.name}:{folder_md5(folder)}\n")
        elif skill.origin in _SOURCES:
            installed[skill.name] = _hub_record(skill, now)
        write_text(folder / "SKILL.md", skill.text)
        _date(folder, now - timedelta(days=skill.days / (skill.used // 8 + 1)))
    write_text(root / ".usage.json", json.dumps(usage, indent=2, sort_keys=True, ensure_ascii=False))
    if manifest:
        write_text(root / ".bundled_manifest", "".join(sorted(manifest)))
    if installed:
        write_text(root / ".hub" / "lock.json", json.dumps({"version": 1, "installed": installed}, indent=2))


def write_pending(home: Path, subsystem: str, records: Iterable[Staged], now: datetime) -> None:
    """Stage writes for approval as Hermes does, one file each."""
    for staged in records:
        record = {
            "id": staged.id,
            "subsystem": subsystem,
            "action": staged.payload["action"],
            "summary": staged.summary,
            "origin": staged.origin,
            "created_at": round((now - timedelta(hours=staged.hours)).timestamp(), 3),
            "payload": staged.payload if subsystem == "memory" else {**staged.payload, "replace_all": False},
        }
        text = json.dumps(record, indent=2, ensure_ascii=False)
        write_text(home / "pending" / subsystem / f"{staged.id}.json", text)


def as_shipped(skill: SkillText) -> SkillText:
    """The skill as it came, before anybody changed it."""
    return skill if skill.shipped is None else replace(skill, body=skill.shipped)


def _date(folder: Path, at: datetime) -> None:
    """Have the files of a skill look as if they were written then."""
    for path in folder.rglob("*"):
        os.utime(path, (at.timestamp(), at.timestamp()))


def folder_md5(folder: Path) -> str:
    """The digest by which Hermes knows a bundled skill: MD5 over sorted relative paths and contents."""
    found = hashlib.md5(usedforsecurity=False)
    for path in sorted(item for item in folder.rglob("*") if item.is_file()):
        found.update(str(path.relative_to(folder)).encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def _usage(skill: SkillText, now: datetime) -> dict[str, Any]:
    made = now - timedelta(days=skill.days)
    last = (now - timedelta(days=skill.days / (skill.used + 2))).astimezone(UTC).isoformat() if skill.used else None
    return {
        "created_by": "agent" if skill.origin == "background" else None,
        "use_count": skill.used,
        "view_count": skill.used * 2,
        "patch_count": skill.used // 8,
        "last_used_at": last,
        "last_viewed_at": last,
        "last_patched_at": None,
        "created_at": made.isoformat(),
        "state": "archived" if skill.archived else "stale" if skill.stale else "active",
        "pinned": skill.pinned,
        "archived_at": (now - timedelta(days=70)).isoformat() if skill.archived else None,
    }


def _hub_record(skill: SkillText, now: datetime) -> dict[str, Any]:
    made = (now - timedelta(days=skill.days)).isoformat()
    content = hashlib.sha256(skill.text.encode()).hexdigest()[:16]
    return {
        "source": _SOURCES[skill.origin],
        "identifier": f"{_SOURCES[skill.origin]}/{skill.name}",
        "trust_level": skill.origin,
        "scan_verdict": "safe",
        "content_hash": content,
        "install_path": skill.path,
        "files": ["SKILL.md", *skill.files],
        "metadata": {},
        "scan_provenance": {},
        "installed_at": made,
        "updated_at": made,
    }
