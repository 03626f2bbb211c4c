"""What the installed Hermes' own guard says: asked in the background, kept by content and by Hermes' version."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.utils import timezone

from memoryhub.hermes import agent
from memoryhub.hermes.agent_process import AgentProblem, AgentTookTooLong
from memoryhub.hermes.home import Home
from memoryhub.services.agents import hermes_python
from skills_app.guard.hermes_guard import HermesFinding, HermesVerdict, scan_several, source_of
from skills_app.guard.model import Policy, Verdict
from skills_app.library.model import Listing, Skill
from skills_app.models import Scan
from skills_app.services.known import known_digests

AT_ONCE: Final = 8  # skills a child: a crafted one may take that guard minutes
SECONDS: Final = 30.0
_REST: Final = 300.0  # seconds until a Hermes that could not be asked is asked again


@dataclass(frozen=True)
class Theirs:
    """The verdict of Hermes' guard on a content, and when it was asked."""

    said: HermesVerdict
    at: datetime


@dataclass
class _Agent:
    """What is known of one installed Hermes."""

    version: str = ""
    problem: str = ""
    rests_until: float = 0.0


_agents: dict[Path, _Agent] = {}


def known_version() -> str:
    """The version of Hermes whose verdicts are shown: that of the one that was asked last; empty when none was."""
    newest = Scan.objects.filter(scanner=Scan.HERMES).order_by("-created_at", "-id")
    return newest.values_list("version", flat=True).first() or ""


def problem() -> str:
    """Why the installed Hermes could not be asked, as a sentence; empty when it could, or when there is none."""
    python = hermes_python()
    return _agents[python].problem if python in _agents else ""


def verdicts() -> dict[tuple[str, str], Verdict]:
    """Their verdicts by digest and source."""
    rows = Scan.objects.filter(scanner=Scan.HERMES, version=known_version()).exclude(verdict="")
    return {
        (digest, source): Verdict(verdict)
        for digest, source, verdict in rows.values_list("digest", "source", "verdict")
    }


def find_theirs(skill: Skill, digest: str) -> Theirs | None:
    """What Hermes' guard says of a skill with this content, if it was asked."""
    mine = Scan.objects.filter(scanner=Scan.HERMES, version=known_version(), digest=digest)
    row = mine.filter(source=source_of(skill.tier)).first() if digest else None
    return Theirs(_from_plain(row.report), row.created_at) if row else None


def ask_some(home: Home, listing: Listing, is_over: Callable[[], bool] = lambda: False) -> int:
    """Ask about some skills that Hermes was not asked about yet, in one child. How many answers were kept."""
    python = hermes_python()
    if python is None:
        return 0
    known = _agents.setdefault(python, _Agent())
    if time.monotonic() < known.rests_until or is_over():
        return 0
    try:
        known.version = known.version or agent.version(python)
        skills = _unasked(home, listing, known.version)
        return _ask(python, known, skills[:AT_ONCE]) if skills else 0
    except AgentProblem as refusal:
        known.problem, known.rests_until = str(refusal), time.monotonic() + _REST
        return 0


def _unasked(home: Home, listing: Listing, version: str) -> list[tuple[Skill, str]]:
    """The skills of known content without an answer of this version, each with its digest; one of each content."""
    skills = (*listing.skills, *listing.archived)
    digests = known_digests(home, skills)
    rows = Scan.objects.filter(scanner=Scan.HERMES, version=version)
    done = set(rows.values_list("digest", "source"))
    found = {}
    for skill in skills:
        key = digests.get(skill.key, ""), source_of(skill.tier)
        if key[0] and key not in done:
            found[key] = (skill, key[0])
    return list(found.values())


def _ask(python: Path, known: _Agent, skills: Sequence[tuple[Skill, str]]) -> int:
    asked = [(skill.path, source_of(skill.tier)) for skill, _ in skills]
    try:
        answers: Sequence[HermesVerdict] = scan_several(python, asked, seconds=SECONDS)
    except AgentTookTooLong:
        answers = [_ask_one(python, known, each) for each in asked]
    known.problem = ""
    for (skill, digest), said in zip(skills, answers, strict=True):
        _keep(skill, digest, known, said)
    return len(skills)


def _ask_one(python: Path, known: _Agent, asked: tuple[Path, str]) -> HermesVerdict:
    try:
        return scan_several(python, [asked], seconds=SECONDS)[0]
    except AgentTookTooLong as late:
        return HermesVerdict(known.version, "", None, problem=str(late))


def _keep(skill: Skill, digest: str, known: _Agent, said: HermesVerdict) -> None:
    known.version = said.hermes or known.version
    Scan.objects.update_or_create(
        scanner=Scan.HERMES,
        version=known.version,
        source=source_of(skill.tier),
        digest=digest,
        defaults={
            "verdict": said.verdict.value if said.verdict else "",
            "reason": said.problem or said.reason,
            "report": _encodable(asdict(said)),
            "created_at": timezone.now(),
        },
    )


def _encodable(plain: Any) -> Any:
    if isinstance(plain, dict):
        return {name: _encodable(value) for name, value in plain.items()}
    if isinstance(plain, list | tuple):
        return [_encodable(value) for value in plain]
    return plain.encode("utf-8", "replace").decode() if isinstance(plain, str) else plain


def _from_plain(plain: dict[str, Any]) -> HermesVerdict:
    """The answer as it was kept; what is missing in an older form is left out."""
    return HermesVerdict(
        hermes=plain.get("hermes", ""),
        scanner=plain.get("scanner", ""),
        verdict=Verdict(plain["verdict"]) if plain.get("verdict") else None,
        trust=plain.get("trust", ""),
        policy=Policy(plain["policy"]) if plain.get("policy") else None,
        reason=plain.get("reason", ""),
        findings=tuple(HermesFinding(**one) for one in plain.get("findings", ())),
        problem=plain.get("problem", ""),
    )


def forget_agents() -> None:
    """Ask every installed Hermes anew for its version, and those that could not be asked again."""
    _agents.clear()
