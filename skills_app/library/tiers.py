"""How far a skill is trusted, and what that rests on: install record, then shipped, then made by the agent.

An install record comes first, as in Hermes' own account of where a skill came from: a name alone must not make an
installed skill a shipped one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from memoryhub.hermes.skill_calls import SkillCall
from skills_app.guard.model import Tier
from skills_app.library.hub_lock import LOCK_FILE
from skills_app.library.model import Evidence, HubRecord, RootKind, Usage
from skills_app.library.records import MANIFEST_FILE, Records
from skills_app.library.sentences import quoted

TRUSTED_SOURCES: Final = ("openai/skills", "anthropics/skills", "huggingface/skills", "NVIDIA/skills")
_PREFIXES: Final = ("skills-sh/", "skills.sh/", "skils-sh/", "skils.sh/")


@dataclass(frozen=True, slots=True)
class Authorship:
    """What is known of who wrote skills, by name: a sentence each.

    ``calls``: a skill_manage call in state.db created or changed it. ``staged``: a background write of it was staged
    for approval.
    """

    calls: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    staged: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def authorship_of(calls: Iterable[SkillCall], staged: Mapping[str, str] = MappingProxyType({})) -> Authorship:
    """What skill tool calls (newest first) and staged background writes say of who wrote skills."""
    said: dict[str, str] = {}
    for call in calls:
        name = call.name.rpartition("/")[2]
        if call.writes and name not in said:
            when = f" on {call.timestamp:%Y-%m-%d}" if call.timestamp else ""
            verb = "made" if call.action == "create" else "changed"
            said[name] = (
                f"The agent {verb} it{when}, in session {quoted(call.session_id)} (skill_manage {call.action})."
            )
    return Authorship(MappingProxyType(said), staged)


@dataclass(frozen=True, slots=True)
class Origin:
    """What the tier of one skill is judged by. ``names``: the agent's name for it, then its folder's."""

    kind: RootKind
    names: tuple[str, ...]
    record: HubRecord | None
    usage: Usage | None
    is_shipped: bool
    is_modified: bool | None


def trust_of(source: str) -> Tier:
    """The tier of a source as Hermes 0.19.0 resolves it (checked against it)."""
    plain = next((source[len(prefix) :] for prefix in _PREFIXES if source.startswith(prefix)), source)
    if plain == "agent-created":
        return Tier.AGENT_CREATED
    if plain == "official":
        return Tier.BUILTIN
    is_trusted = any(plain == each or plain.startswith(f"{each}/") for each in TRUSTED_SOURCES)
    return Tier.TRUSTED if is_trusted else Tier.COMMUNITY


def tier_of(origin: Origin, records: Records, authorship: Authorship) -> Evidence:
    """Judge one skill. Records of the home say nothing about external and project folders but who wrote there."""
    if origin.kind in (RootKind.HOME, RootKind.ARCHIVE):
        if origin.record is not None:
            return _by_record(origin.record)
        if origin.is_shipped and not (records.hub.problem and origin.is_modified is not False):
            return _shipped(origin)
        if records.hub.problem:
            return Evidence(Tier.UNKNOWN, (records.hub.problem,))
        if records.manifest_problem:
            return Evidence(Tier.UNKNOWN, (records.manifest_problem,))
    return _by_author(origin, authorship)


def _by_record(record: HubRecord) -> Evidence:
    name = quoted(record.name)
    if record.damage:
        return Evidence(Tier.UNKNOWN, (f"The install record {name} in {LOCK_FILE} is damaged: {record.damage}",))
    tiers = [trust_of(record.source), trust_of(record.identifier)]
    tier = next((each for each in (Tier.BUILTIN, Tier.TRUSTED) if each in tiers), Tier.COMMUNITY)
    if tier is Tier.BUILTIN and tiers[0] is not Tier.BUILTIN:
        tier = Tier.COMMUNITY  # only the source says "official"; an identifier may be anybody's
    where = record.identifier or record.source
    said = f"Installed from {quoted(where)} (source {quoted(record.source)}), says its record in {LOCK_FILE}."
    differs = record.trust_level and record.trust_level != tier
    more = f"The record calls it {quoted(record.trust_level)}, which its source does not bear out."
    return Evidence(tier, (said, more) if differs else (said,))


def _shipped(origin: Origin) -> Evidence:
    said = f"Shipped with Hermes: {MANIFEST_FILE} names {quoted(origin.names[0])}."
    if origin.is_modified:
        return Evidence(Tier.BUILTIN, (said, "Its files differ from what was shipped."))
    if origin.is_modified is None:
        return Evidence(Tier.BUILTIN, (said, "Whether its files are as shipped cannot be told."))
    return Evidence(Tier.BUILTIN, (said, "Its files are as shipped."))


def _by_author(origin: Origin, authorship: Authorship) -> Evidence:
    found = [*_usage_says(origin.usage)]
    for known in (authorship.staged, authorship.calls):
        found += [known[name] for name in dict.fromkeys(origin.names) if name in known]
    if found:
        return Evidence(Tier.AGENT_CREATED, tuple(dict.fromkeys(found)))
    return Evidence(
        Tier.LOCAL,
        ("Nothing says who wrote it: no install record, not shipped with Hermes, no trace of the agent writing it.",),
    )


def _usage_says(usage: Usage | None) -> list[str]:
    if usage is None or usage.created_by != "agent":
        return []
    return [f"Its usage record says that the agent made it by itself (created_by of {quoted(usage.name)})."]
