"""All skills of a home as one listing: every root walked, every record read, and judged what belongs together.

Nothing is written, and no link is followed out of the roots.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memoryhub.hermes.config import SkillsConfig
from skills_app.library import sentences
from skills_app.library.drafts import draft
from skills_app.library.header import runs_on
from skills_app.library.judging import judge
from skills_app.library.keys import longer_key
from skills_app.library.model import Listing, Problem, Root, RootKind, Skill
from skills_app.library.records import Records
from skills_app.library.roots import shown
from skills_app.library.sentences import UNREAD
from skills_app.library.tiers import Authorship
from skills_app.library.walk import MOST_FOLDERS, find_skills

NOBODY_KNOWN = Authorship()


def discover(
    roots: Sequence[Root],
    config: SkillsConfig,
    records: Records,
    authorship: Authorship = NOBODY_KNOWN,
    *,
    system: str = sys.platform,
) -> Listing:
    """List the skills below ``roots`` (from ``roots_of``) with what config and records say about them."""
    found, problems = _walk_all(roots)
    skills = [each for each in found if each.root.kind is not RootKind.ARCHIVE]
    archived = [each for each in found if each.root.kind is RootKind.ARCHIVE and not each.host]
    skills = [_switched(each, config) for each in _loaded(skills, system)]
    skills, archived = judge(skills, records, authorship), judge(archived, records, authorship)
    keyed = _with_unique_keys([*skills, *archived])
    problems += [sentences.records_problem(each) for each in records.problems]
    return Listing(
        skills=tuple(keyed[: len(skills)]),
        archived=tuple(replace(each, loaded=False) for each in keyed[len(skills) :]),
        roots=tuple(roots),
        problems=tuple(problems),
        damaged_records=records.hub.damaged,
    )


def _walk_all(roots: Sequence[Root]) -> tuple[list[Skill], list[Problem]]:
    reals = [root.real for root in roots]
    apart = frozenset(root.real for root in roots if root.kind is not RootKind.ARCHIVE and not root.problem)
    skills: list[Skill] = []
    problems: list[Problem] = []
    for root in roots:
        if root.problem:
            problems.append(sentences.root_problem(root.problem, root.configured))
            continue
        found = find_skills(root.path, reals, apart - {root.real})
        drafts = [draft(root, folder, reals) for folder in found.folders]
        skills += _with_loops(drafts, found.loops, problems)
        if not found.is_complete:
            problems.append(sentences.walk_cut_short(shown(root.path), MOST_FOLDERS))
    return skills, problems


def _with_loops(skills: list[Skill], loops: Sequence[str], problems: list[Problem]) -> list[Skill]:
    """Say of each link that leads back up which skill it lies in; one that lies in none is said of the library."""
    for loop in loops:
        around = [i for i, each in enumerate(skills) if loop.startswith(f"{each.relative}/")]
        problem = sentences.link_loop(loop)
        if not around:
            problems.append(problem)
            continue
        innermost = max(around, key=lambda i: len(skills[i].relative))
        skills[innermost] = replace(skills[innermost], problems=(*skills[innermost].problems, problem))
    return skills


def _loaded(skills: Sequence[Skill], system: str) -> Iterator[Skill]:
    """Decide which skills the agent lists: of one name the first that can be loaded, home before external folders.

    Skills of a project are listed in that project only, so they stand in nobody's way.
    """
    able = [_for_system(each, system) for each in skills]
    names = Counter(each.name for each in able if _takes_part(each))
    first: dict[str, Skill] = {}
    for skill in able:
        if not _takes_part(skill):
            yield skill
        elif (other := first.setdefault(skill.name, skill)) is not skill:
            yield _with(skill, sentences.duplicate(_where(other), skill.name))
        elif names[skill.name] > 1:
            yield _with(skill, sentences.same_name(names[skill.name] - 1, skill.name))
        else:
            yield skill


def _for_system(skill: Skill, system: str) -> Skill:
    if runs_on(skill.platforms, system):
        return replace(skill, loaded=not any(each.keeps_out for each in skill.problems))
    return _with(skill, sentences.other_platform(", ".join(skill.platforms)))


def _takes_part(skill: Skill) -> bool:
    """Whether the skill's name is known to be taken by it; what lies behind a link out has a name we do not read."""
    is_unread = any(each.code in UNREAD for each in skill.problems)
    return skill.loaded and not is_unread and skill.root.kind is not RootKind.PROJECT


def _with(skill: Skill, problem: Problem) -> Skill:
    return replace(skill, problems=(*skill.problems, problem), loaded=skill.loaded and not problem.keeps_out)


def _where(skill: Skill) -> str:
    return skill.relative if skill.root.kind is RootKind.HOME else f"{skill.relative} in {shown(skill.root.path)}"


def _switched(skill: Skill, config: SkillsConfig) -> Skill:
    platforms = (name for name, disabled in config.platform_disabled.items() if skill.name in disabled)
    is_disabled = skill.name in config.disabled
    return replace(
        skill,
        is_disabled=is_disabled,
        disabled_on=tuple(sorted(platforms)),
        loaded=skill.loaded and not is_disabled,
    )


def _with_unique_keys(skills: Sequence[Skill]) -> list[Skill]:
    seen: set[str] = set()
    keyed = []
    for skill in skills:
        key = skill.key if skill.key not in seen else longer_key(skill.root, skill.relative)
        seen.add(key)
        keyed.append(skill if key == skill.key else replace(skill, key=key))
    return keyed


def signature_of(listing: Listing) -> str:
    """A digest that changes when a skill, a file of one or anything said of one does; times and sizes, no bytes."""
    facts = [
        (each.key, each.signature, each.loaded, each.is_disabled, each.disabled_on, each.tier, repr(each.usage))
        for each in (*listing.skills, *listing.archived)
    ]
    return hashlib.sha256(os.fsencode(repr((facts, listing.problems)))).hexdigest()
