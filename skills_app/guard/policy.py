"""From findings to a verdict and its reason, and from tier and verdict to what follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from skills_app.guard.model import Coverage, FileRead, Finding, Policy, Read, Severity, Tier, Verdict

_BY_SEVERITY: Final = {Severity.CRITICAL: Verdict.DANGEROUS, Severity.HIGH: Verdict.CAUTION}
_A, _B, _K = Policy.ALLOW, Policy.BLOCK, Policy.ASK
_TABLE: Final[Mapping[Tier, tuple[Policy, Policy, Policy]]] = {  # for safe, caution, dangerous
    Tier.BUILTIN: (_A, _A, _A),
    Tier.TRUSTED: (_A, _A, _B),
    Tier.COMMUNITY: (_A, _B, _B),
    Tier.AGENT_CREATED: (_A, _A, _K),
    Tier.LOCAL: (_A, _A, _K),
    Tier.UNKNOWN: (_A, _B, _B),
}


def decide(tier: Tier, verdict: Verdict) -> Policy:
    """What follows for a skill of this tier with this verdict."""
    return _TABLE[tier][verdict.rank]


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """Any critical finding is dangerous, any high one caution, else safe."""
    verdicts = (_BY_SEVERITY.get(finding.severity, Verdict.SAFE) for finding in findings)
    return max(verdicts, key=lambda verdict: verdict.rank, default=Verdict.SAFE)


def coverage_of(files: Sequence[FileRead]) -> Coverage:
    """How much was read, counting code and everything that might be text; fonts, images and links do not matter."""
    missed = [file for file in files if is_missed(file)]
    if not missed:
        return Coverage.FULL
    return Coverage.PARTIAL if any(file.read is Read.SCANNED for file in files) else Coverage.NONE


def is_missed(file: FileRead) -> bool:
    """Whether something that could matter was not read."""
    return file.read in (Read.TIMEOUT, Read.TOO_LARGE) or (file.read is Read.NOT_SCANNABLE and file.is_code)


def judge(findings: Sequence[Finding], files: Sequence[FileRead], error: str = "") -> tuple[Verdict, str]:
    """The verdict and one sentence for it: what decided, and how much does not."""
    if error:
        return Verdict.DANGEROUS, f"Dangerous because the scan failed: {error}"
    verdict = verdict_of(findings)
    missed = [file for file in files if is_missed(file)]
    if verdict is Verdict.SAFE and missed:
        return Verdict.CAUTION, _missed_sentence(missed, len(findings))
    deciding = sum(1 for finding in findings if _BY_SEVERITY.get(finding.severity) is verdict)
    return verdict, _sentence(verdict, deciding, len(findings) - deciding)


def _sentence(verdict: Verdict, deciding: int, others: int) -> str:
    if verdict is Verdict.SAFE:
        return f"Safe: {_informational(others)}." if others else "Safe: nothing was found."
    tail = f"; {_others(others)}." if others else "."
    return f"{verdict.value.capitalize()} because of {_count(deciding, 'finding')}{tail}"


def _missed_sentence(missed: Sequence[FileRead], findings: int) -> str:
    first = missed[0]
    more = f" and {_count(len(missed) - 1, 'more file')}" if len(missed) > 1 else ""
    tail = f"; {_informational(findings)}" if findings else ""
    return f"Caution because {first.path}{more} could not be read ({first.reason.rstrip('.')}){tail}."


def _informational(count: int) -> str:
    return f"{_count(count, 'finding')} {'is' if count == 1 else 'are'} informational"


def _others(count: int) -> str:
    return (
        f"{count} other {'is' if count == 1 else 's are'} informational"
        if count == 1
        else f"{count} others are informational"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
