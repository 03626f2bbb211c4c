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
    court = _Court(skills, records, authorship)
    return [court.judged(each) for each in skills]


class _Court:
    """All that is known when one skill of many is judged."""

    def __init__(self, skills: Sequence[Skill], records: Records, authorship: Authorship) -> None:
        self.records, self.authorship = records, authorship
        self.shipped = _shipped(skills, records.shipped)
        self.by_place = {(each.root.label, each.relative): each for each in skills}
        self.places = frozenset(each.relative for each in skills if each.root.kind is RootKind.HOME)

    def judged(self, skill: Skill) -> Skill:
        host = self.by_place.get((skill.root.label, skill.host)) if skill.host else None
        names = tuple(dict.fromkeys(each for each in (skill.name, skill.header_name, skill.folder_name) if each))
        found = self.shipped.get(skill.key) or _shipped_with(host, self.shipped)
        record = self.record(skill, host)
        usage = _usage(names, self.records.usage) if skill.root.kind in _OURS else None
        is_shipped = found is not None and not found.is_ambiguous and record is None
        modified = found.is_modified if found is not None and is_shipped else None
        origin = Origin(skill.root.kind, names, record, usage, is_shipped, modified)
        evidence = tier_of(origin, self.records, self.authorship)
        if found is not None and found.is_ambiguous and record is None:
            evidence = _ambiguous(names[0], evidence)
        damage = (damaged_record(record.name),) if record is not None and record.damage else ()
        return replace(
            skill,
            usage=usage,
            hub=record,
            tier=evidence.tier,
            evidence=evidence.sentences,
            is_modified=modified if evidence.tier is Tier.BUILTIN else None,
            problems=(*skill.problems, *damage),
        )

    def record(self, skill: Skill, host: Skill | None) -> HubRecord | None:
        """The install record of a skill, or of the one around it when that lists its files."""
        if skill.root.kind is not RootKind.HOME:
            return None
        own = self.records.hub.record_of(skill.relative, skill.folder_name, self.places)
        if own is not None or host is None:
            return own
        of_host = self.records.hub.record_of(host.relative, host.folder_name, self.places)
        inside = f"{skill.relative[len(host.relative) :].lstrip('/')}/{skill.skill_file}"
        return of_host if of_host is not None and inside in of_host.files else None


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
