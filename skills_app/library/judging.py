"""Which records belong to which skill, and the tier that follows.

Hermes' records go by name, and names are anybody's: where several skills bear one, only bytes or paths decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from skills_app.guard.model import Tier
from skills_app.library.digests import shipped_md5
from skills_app.library.model import Evidence, HubRecord, RootKind, Skill, Usage
from skills_app.library.records import MANIFEST_FILE, Records
from skills_app.library.sentences import damaged_record, quoted
from skills_app.library.tiers import Authorship, Origin, tier_of

_OURS = (RootKind.HOME, RootKind.ARCHIVE)


@dataclass(frozen=True, slots=True)
class _Shipped:
    """What the manifest says of a skill whose name it holds: whether its bytes differ, and whether it is meant."""

    is_modified: bool | None
    is_ambiguous: bool = False


def judge(skills: Sequence[Skill], records: Records, authorship: Authorship) -> list[Skill]:
    """Give each skill its usage, its install record, its tier and the evidence for that."""
    shipped = _shipped(skills, records.shipped)
    by_place = {(each.root.label, each.relative): each for each in skills}
    return [_judged(each, by_place.get((each.root.label, each.host)), shipped, records, authorship) for each in skills]


def _judged(
    skill: Skill, host: Skill | None, shipped: Mapping[str, _Shipped], records: Records, authorship: Authorship
) -> Skill:
    names = tuple(dict.fromkeys(each for each in (skill.name, skill.header_name, skill.folder_name) if each))
    found = shipped.get(skill.key) or _shipped_with(host, shipped)
    record = _record(skill, host, records)
    usage = _usage(names, records.usage) if skill.root.kind in _OURS else None
    is_shipped = found is not None and not found.is_ambiguous and record is None
    modified = found.is_modified if found is not None and is_shipped else None
    origin = Origin(skill.root.kind, names, record, usage, is_shipped, modified)
    evidence = tier_of(origin, records, authorship)
    if found is not None and found.is_ambiguous and record is None:
        evidence = _ambiguous(names[0], evidence)
    problems = skill.problems
    if record is not None and record.damage:
        problems = (*problems, damaged_record(record.name))
    return replace(
        skill,
        usage=usage,
        hub=record,
        tier=evidence.tier,
        evidence=evidence.sentences,
        is_modified=modified,
        problems=problems,
    )


def _shipped(skills: Sequence[Skill], manifest: Mapping[str, str]) -> dict[str, _Shipped]:
    """Find the shipped skills, by key. Of several that bear one shipped name, those whose bytes are as shipped."""
    by_name: dict[str, list[Skill]] = {}
    for skill in skills:
        name = skill.header_name or skill.folder_name
        if name in manifest and skill.root.kind in _OURS and skill.skill_file:
            by_name.setdefault(name, []).append(skill)
    found: dict[str, _Shipped] = {}
    for name, bearers in by_name.items():
        found.update(_bearers(bearers, manifest[name]))
    return found


def _bearers(bearers: Sequence[Skill], md5: str) -> dict[str, _Shipped]:
    actual = {each.key: shipped_md5(each) for each in bearers} if md5 else {}
    alike = [key for key, value in actual.items() if value == md5]
    if alike:
        return {key: _Shipped(is_modified=False) for key in alike}
    is_ambiguous = len(bearers) > 1
    return {each.key: _Shipped(True if actual.get(each.key) else None, is_ambiguous) for each in bearers}


def _shipped_with(host: Skill | None, shipped: Mapping[str, _Shipped]) -> _Shipped | None:
    """A skill inside a shipped one is shipped with it, as long as nothing there was changed."""
    found = shipped.get(host.key) if host is not None else None
    return found if found is not None and found.is_modified is False else None


def _record(skill: Skill, host: Skill | None, records: Records) -> HubRecord | None:
    if skill.root.kind is not RootKind.HOME:
        return None
    own = records.hub.record_of(skill.relative, skill.folder_name)
    if own is not None or host is None:
        return own
    of_host = records.hub.record_of(host.relative, host.folder_name)
    inside = f"{skill.relative[len(host.relative) :].lstrip('/')}/{skill.skill_file}"
    return of_host if of_host is not None and inside in of_host.files else None


def _usage(names: Sequence[str], usage: Mapping[str, Usage]) -> Usage | None:
    """The record under the agent's name for it, else under its folder's; the author counts wherever it stands."""
    found = [usage[name] for name in names if name in usage]
    if not found:
        return None
    author = next((each for each in found if each.created_by), None)
    return replace(found[0], created_by=author.created_by) if author is not None else found[0]


def _ambiguous(name: str, evidence: Evidence) -> Evidence:
    said = f"{MANIFEST_FILE} names {quoted(name)}, but several skills bear the name and none is as it was shipped."
    return Evidence(Tier.UNKNOWN, (said, *evidence.sentences))
