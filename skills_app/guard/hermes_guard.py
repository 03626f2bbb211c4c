"""What the installed Hermes' own guard says of a skill: its verdict, its findings, and in which version.

It runs in a child process of the agent's own Python, isolated, with a clean environment and a time limit
(``memoryhub.hermes.agent_process``). Its verdicts are never compared across versions.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memoryhub.hermes.agent_process import AgentFailed, AgentProblem, Place, ask
from skills_app.guard.model import Policy, Tier, Verdict

__all__ = ["AgentProblem", "HermesFinding", "HermesVerdict", "scan", "scan_several", "source_of"]

SECONDS: Final = 60.0  # some crafted skills take that guard minutes
_CHILD: Final = Path(__file__).with_name("hermes_child.py")
_POLICIES: Final = {True: Policy.ALLOW, False: Policy.BLOCK, None: Policy.ASK}
_SOURCES: Final = {  # what that guard resolves to each tier
    Tier.BUILTIN: "official",
    Tier.TRUSTED: "anthropics/skills",
    Tier.COMMUNITY: "community",
    Tier.AGENT_CREATED: "agent-created",
    Tier.LOCAL: "agent-created",
    Tier.UNKNOWN: "community",
}


@dataclass(frozen=True, slots=True)
class HermesFinding:
    """One finding as that guard tells it; its words, not ours."""

    rule: str
    severity: str
    category: str
    file: str
    line: int
    match: str
    description: str


@dataclass(frozen=True, slots=True)
class HermesVerdict:
    """What that guard says. ``problem`` is a sentence when it stumbled; then there is no verdict."""

    hermes: str  # version of the package
    scanner: str  # version of its rules
    verdict: Verdict | None
    trust: str = ""
    policy: Policy | None = None
    reason: str = ""
    findings: tuple[HermesFinding, ...] = ()
    problem: str = ""


def source_of(tier: Tier) -> str:
    """A source that the guard takes for this tier, for skills without a recorded one."""
    return _SOURCES[tier]


def scan(python: Path, folder: Path, source: str, *, seconds: float = SECONDS) -> HermesVerdict:
    """Ask the Hermes of this Python about one skill. Raises AgentProblem when it cannot be asked or takes too long."""
    return scan_several(python, [(folder, source)], seconds=seconds)[0]


def scan_several(
    python: Path, skills: Sequence[tuple[Path, str]], *, seconds: float = SECONDS
) -> tuple[HermesVerdict, ...]:
    """Ask about several skills in one child; ``skills`` pairs folders with sources. Raises AgentProblem."""
    asked = [[os.fsencode(folder.absolute()).hex(), source] for folder, source in skills]
    with tempfile.TemporaryDirectory(prefix="memoryhub-guard-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        answer = ask(python, _CHILD, {"skills": asked}, Place(home, home), seconds=seconds)
    said = answer.get("skills")
    if not isinstance(said, list) or len(said) != len(skills):
        raise AgentFailed("The installed Hermes answered with something else than verdicts.")
    return tuple(_verdict(answer, one) for one in said)


def _verdict(answer: Mapping[str, Any], said: Mapping[str, Any]) -> HermesVerdict:
    versions = str(answer.get("version", "")), str(answer.get("scanner", ""))
    if "error" in said:
        return HermesVerdict(*versions, None, problem=f"Hermes' guard stumbled over this skill: {said['error']}")
    try:
        return HermesVerdict(
            *versions,
            verdict=Verdict(said["verdict"]),
            trust=said["trust"],
            policy=_POLICIES[said["allowed"]],
            reason=said["reason"],
            findings=tuple(HermesFinding(**one) for one in said["findings"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise AgentFailed("The installed Hermes answered with something else than a verdict.") from error
