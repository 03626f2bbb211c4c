"""The skills library: every skill that an agent can load, what its home says of it, and what is wrong with it. Pure.

    from skills_app import library

Listing
    load_library(home, config.skills, os.environ, authorship=…) -> Listing    everything of one home; never raises
    roots_of(home, config.skills, environ) -> tuple[Root, …]                  the folders that are looked into
    discover(roots, config.skills, records, authorship, system=…) -> Listing  the same from parts
    signature_of(listing) -> str                                              changes when anything listed does
    glance(roots, [home.config_file]) -> str                                  the same without reading: for watching
    Listing.find(key) · .named(name) · .skills · .archived · .roots · .problems · .damaged_records
    Skill: see model.py. ``key`` is for addresses, ``path`` the folder, ``name`` the agent's name for it.

Bytes
    read_file(skill, path, max_bytes) -> Content(data, size, is_complete, is_text)   FileGone; follows no link
    content_digest(skill) -> Digest(sha256, files, is_complete); .changes(other)     what decisions are bound to
    digest_entries([(path, mark)…]), file_mark(data), link_mark(target)              the same for bytes not on disk
    hermes_digests(skill).matches(record.content_hash)                               install record against disk
    shipped_md5(skill)                                                               as in .bundled_manifest

Records
    read_records(home.skills) -> Records(shipped, hub, usage, suppressed, curator, problems)
    trust_of(source) -> Tier; Authorship(calls={name: sentence}, staged={name: sentence})
    memoryhub.hermes.skill_calls: skill_calls(conn, names=(…), limit=…) -> SkillCalls(calls, next_before)
    authorship_of(calls, staged) -> Authorship                                from skill_calls(conn, tools=(MANAGE,))

Changes (each under Hermes' own lock; UsageRefused, RestoreRefused or FileProblem say why nothing was changed)
    set_pinned(home.skills, name, True) · set_state(home.skills, name, "stale") · mark_agent_created(home.skills, name)
    restore(home.skills, archived_skill, records) -> Path; restore_problem(…) -> str; restored_name(skill) -> str
    put_away(home.skills, skill, now) -> Path; put_away_problem(skill) -> str     into the archive
    memoryhub.hermes.config_edit: set_disabled(path, name, True) and set_gate(path, "skills.write_approval", True)
"""

from skills_app.library.archive import (
    RestoreRefused,
    put_away,
    put_away_problem,
    restore,
    restore_problem,
    restored_name,
)
from skills_app.library.digests import (
    Digest,
    HermesDigests,
    content_digest,
    digest_entries,
    file_mark,
    hermes_digests,
    link_mark,
    shipped_md5,
)
from skills_app.library.discovery import discover, signature_of
from skills_app.library.glance import glance
from skills_app.library.keys import RESERVED
from skills_app.library.loading import load_library
from skills_app.library.model import (
    Evidence,
    FileKind,
    HubRecord,
    Listing,
    Problem,
    Root,
    RootKind,
    Skill,
    SkillFile,
    Usage,
)
from skills_app.library.records import Records, read_records
from skills_app.library.roots import roots_of
from skills_app.library.skill_files import Content, FileGone, read_file
from skills_app.library.tiers import Authorship, authorship_of, trust_of
from skills_app.library.usage import UsageRefused, mark_agent_created, set_pinned, set_state

__all__ = [
    "RESERVED",
    "Authorship",
    "Content",
    "Digest",
    "Evidence",
    "FileGone",
    "FileKind",
    "HermesDigests",
    "HubRecord",
    "Listing",
    "Problem",
    "Records",
    "RestoreRefused",
    "Root",
    "RootKind",
    "Skill",
    "SkillFile",
    "Usage",
    "UsageRefused",
    "authorship_of",
    "content_digest",
    "digest_entries",
    "discover",
    "file_mark",
    "glance",
    "hermes_digests",
    "link_mark",
    "load_library",
    "mark_agent_created",
    "put_away",
    "put_away_problem",
    "read_file",
    "read_records",
    "restore",
    "restore_problem",
    "restored_name",
    "roots_of",
    "set_pinned",
    "set_state",
    "shipped_md5",
    "signature_of",
    "trust_of",
]
