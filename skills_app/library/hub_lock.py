"""The install records of Hermes' skills hub, ``skills/.hub/lock.json``: read in every state, never written.

Hermes writes it plainly, so a cut file is normal for a moment: it is read once more. What cannot be read makes tiers
unknown, never milder.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

from memoryhub.hermes.times import parse_time
from memoryhub.hermes.values import whole
from skills_app.library.json_file import Unusable, read_json
from skills_app.library.model import HubRecord

LOCK_FILE: Final = ".hub/lock.json"
_LONGEST: Final = 500
_MOST_FILES: Final = 2_000


@dataclass(frozen=True, slots=True)
class HubLock:
    """All install records; ``problem`` is a sentence when they cannot be read, and then no tier can rest on them."""

    records: tuple[HubRecord, ...] = ()
    problem: str = ""
    by_path: Mapping[str, HubRecord] = field(default_factory=dict)

    @property
    def damaged(self) -> tuple[HubRecord, ...]:
        """Records that cannot be relied on."""
        return tuple(each for each in self.records if each.damage)

    def record_of(self, relative: str, folder_name: str, places: Container[str] = ()) -> HubRecord | None:
        """The record about the skill in folder ``relative``, or a damaged one that may be about it.

        By its path; else by its name, where the folder that the record names is gone (not in ``places``): the skill was
        moved. Hermes goes by the name alone.
        """
        if (found := self.by_path.get(relative)) is not None:
            return found
        for record in self.records:
            is_moved = record.name == folder_name and _clean(record.install_path) not in places
            if is_moved or (record.damage and _tail(record.install_path) == relative):
                return record
        return None


def read_hub_lock(skills: Path) -> HubLock:
    """Read the lock file of a home's skills folder; no file means no records. Never raises."""
    try:
        tree = read_json(skills / LOCK_FILE)
    except Unusable as unusable:
        return HubLock(problem=_unreadable(str(unusable)))
    if tree is None:
        return HubLock()
    installed = tree.get("installed") if isinstance(tree, dict) else None
    if not isinstance(installed, dict):
        return HubLock(problem=_unreadable("it does not hold a table of installed skills"))
    records = tuple(_record(whole(str(name)), value) for name, value in installed.items())
    return HubLock(records, by_path={_clean(r.install_path): r for r in records if not r.damage})


def _unreadable(why: str) -> str:
    return (
        f"The install records ({LOCK_FILE}) cannot be read: {why}. Trust tiers are unknown until they can; nothing was "
        "changed."
    )


def _record(name: str, value: object) -> HubRecord:
    if not isinstance(value, dict):
        return HubRecord(name[:_LONGEST], damage="The record is no table of fields.")
    provenance = value.get("scan_provenance")
    listed = value.get("files")
    path = _text(value, "install_path")
    return HubRecord(
        name=name[:_LONGEST],
        source=_text(value, "source"),
        identifier=_text(value, "identifier"),
        trust_level=_text(value, "trust_level"),
        scan_verdict=_text(value, "scan_verdict"),
        content_hash=_text(value, "content_hash"),
        install_path=path,
        files=tuple(whole(each)[:_LONGEST] for each in listed[:_MOST_FILES] if isinstance(each, str))
        if isinstance(listed, list)
        else (),
        installed_at=parse_time(value.get("installed_at")),
        updated_at=parse_time(value.get("updated_at")),
        scanner=_text(provenance, "scanner_version") if isinstance(provenance, dict) else "",
        damage=_damage(name, value, path),
    )


def _damage(name: str, value: Mapping[Any, Any], path: str) -> str:
    """Why a record cannot be relied on; Hermes deletes the folder it names on uninstall, so any doubt counts."""
    if not isinstance(value.get("install_path"), str):
        return "It names no folder."
    if leads := _leads_elsewhere(name, value["install_path"]):
        return leads
    if not isinstance(value.get("source"), str) or not value["source"].strip():
        return "It does not say where the skill came from."
    return ""


def _leads_elsewhere(name: str, path: str) -> str:
    parts = path.replace("\\", "/").split("/")
    if not path.strip() or all(part in ("", ".") for part in parts):
        return "Its folder is the whole skills folder."
    if path.startswith(("/", "\\", "~")) or (len(parts[0]) == 2 and parts[0][1] == ":"):
        return "Its folder is an absolute path."
    if ".." in parts:
        return "Its folder leads out of the skills folder."
    if _tail(path).rpartition("/")[2] != name:
        return "Its folder is another skill's."
    return ""


def _clean(path: str) -> str:
    return PurePosixPath(path).as_posix()


def _tail(path: str) -> str:
    return "/".join(part for part in path.replace("\\", "/").split("/") if part not in ("", "."))


def _text(value: Mapping[Any, Any], name: str) -> str:
    found = value.get(name)
    return whole(found)[:_LONGEST] if isinstance(found, str) else ""
