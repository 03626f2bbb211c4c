"""The words and signs for verdicts, tiers, policies, severities, categories, roles and states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from skills_app.guard.model import Category, Coverage, Kind, Policy, Read, Role, Severity, Tier, Verdict
from skills_app.judging import WAITING, Choice, Scope


@dataclass(frozen=True)
class Badge:
    """A word with a tone and a sign, so that colour never speaks alone."""

    word: str
    tone: str = ""
    sign: str = ""
    title: str = ""


def verdict_badge(verdict: Verdict | None, unread: str = "") -> Badge:
    """The verdict as a badge; what was not scanned is grey."""
    if verdict is None:
        return Badge(_("not scanned"), "", "–", unread) if unread else Badge(_("checking"), "", "…")
    return {
        Verdict.DANGEROUS: Badge(_("dangerous"), "red", "✕"),
        Verdict.CAUTION: Badge(_("caution"), "amber", "◐"),
        Verdict.SAFE: Badge(_("safe"), "green", "●"),
    }[verdict]


def verdict_word(value: str) -> str:
    """A verdict of an address or a facet, in words."""
    if value == WAITING:
        return _("not scanned yet")
    return verdict_badge(Verdict(value)).word if value in set(Verdict) else value


def tier_word(tier: str) -> str:
    """A trust tier, in words."""
    words = {
        Tier.BUILTIN: _("builtin"),
        Tier.TRUSTED: _("trusted"),
        Tier.COMMUNITY: _("community"),
        Tier.AGENT_CREATED: _("agent-created"),
        Tier.LOCAL: _("local"),
        Tier.UNKNOWN: _("unknown"),
    }
    return words[Tier(tier)] if tier in set(Tier) else tier


def tier_words(tier: Tier) -> str:
    """What a tier means."""
    return {
        Tier.BUILTIN: _("shipped with Hermes, or from its official collection"),
        Tier.TRUSTED: _("installed from a source that Hermes trusts"),
        Tier.COMMUNITY: _("installed from any other source"),
        Tier.AGENT_CREATED: _("written by the agent itself"),
        Tier.LOCAL: _("no record says who wrote it; treated as if the agent had"),
        Tier.UNKNOWN: _("the record that would say cannot be read; treated as community"),
    }[tier]


def policy_word(policy: Policy | None) -> str:
    """What follows from tier and verdict, in a word."""
    if policy is None:
        return "–"
    return {Policy.ALLOW: _("allow"), Policy.ASK: _("ask"), Policy.BLOCK: _("block")}[policy]


def severity_word(severity: Severity) -> str:
    """A severity, in words."""
    return {
        Severity.CRITICAL: _("critical"),
        Severity.HIGH: _("high"),
        Severity.MEDIUM: _("medium"),
        Severity.LOW: _("low"),
    }[severity]


def severity_badge(severity: Severity) -> Badge:
    """A severity as a badge."""
    tone, sign = {
        Severity.CRITICAL: ("red", "✕"),
        Severity.HIGH: ("amber", "◐"),
        Severity.MEDIUM: ("", "○"),
        Severity.LOW: ("", "·"),
    }[severity]
    return Badge(severity_word(severity), tone, sign)


def counts_words(counts: Mapping[Severity, int]) -> str:
    """Findings by severity: 1 critical · 2 high."""
    return " · ".join(f"{count} {severity_word(severity)}" for severity, count in counts.items() if count)


def category_word(category: Category) -> str:
    """What a finding is about."""
    return {
        Category.EXFILTRATION: _("taking data out"),
        Category.INJECTION: _("steering the agent"),
        Category.DESTRUCTIVE: _("destroying"),
        Category.PERSISTENCE: _("staying for good"),
        Category.NETWORK: _("network"),
        Category.OBFUSCATION: _("hiding"),
        Category.EXECUTION: _("running programs"),
        Category.TRAVERSAL: _("reaching outside"),
        Category.MINING: _("mining"),
        Category.SUPPLY_CHAIN: _("code from elsewhere"),
        Category.PRIVILEGE_ESCALATION: _("more rights"),
        Category.CREDENTIAL_EXPOSURE: _("secrets in the text"),
        Category.STRUCTURAL: _("build of the folder"),
    }[category]


def role_word(role: Role) -> str:
    """Where a piece of text stands."""
    return {
        Role.HEADER: _("in the header"),
        Role.PROSE: _("in prose"),
        Role.CODE: _("in code"),
        Role.INLINE_CODE: _("in inline code"),
        Role.COMMENT: _("in a comment"),
        Role.QUOTE: _("in a quotation"),
        Role.DENY_LIST: _("in a deny list"),
        Role.PROHIBITION: _("in a prohibition"),
    }[role]


def kind_word(kind: Kind) -> str:
    """What a file of a skill is for."""
    return {
        Kind.SKILL: _("instructions"),
        Kind.SCRIPT: _("script"),
        Kind.REFERENCE: _("reference"),
        Kind.CONFIG: _("configuration"),
        Kind.TEST: _("test"),
        Kind.ASSET: _("asset"),
    }[kind]


def read_word(read: Read) -> str:
    """What became of a file in a scan."""
    return {
        Read.SCANNED: _("scanned"),
        Read.NOT_SCANNABLE: _("not scannable"),
        Read.TOO_LARGE: _("too large"),
        Read.LINK: _("link, not followed"),
        Read.TIMEOUT: _("time ran out"),
    }[read]


def coverage_word(coverage: Coverage) -> str:
    """How much of a skill was read."""
    return {
        Coverage.FULL: _("read in full"),
        Coverage.PARTIAL: _("read in part"),
        Coverage.NONE: _("nothing was read"),
    }[coverage]


def state_word(state: str) -> str:
    """What is particular about a skill."""
    words = {
        "disagree": _("Hermes disagrees"),
        "unread": _("not fully read"),
        "broken": _("something is wrong"),
        "disabled": _("disabled"),
        "modified": _("modified"),
        "pinned": _("pinned"),
        "stale": _("stale"),
    }
    return words.get(state, state)


def scope_words(scope: str) -> str:
    """How far a dismissal reaches."""
    return {
        Scope.DIGEST: _("this finding, while the skill stays exactly as it is"),
        Scope.SKILL: _("this rule, anywhere in this skill"),
        Scope.PATH: _("this rule, in this file of the skill"),
    }[Scope(scope)]


def choice_words(choice: Choice) -> str:
    """Whose verdict decides."""
    return {
        Choice.OURS: _("MemoryHub's verdict decides"),
        Choice.HERMES: _("Hermes' own verdict decides"),
        Choice.STRICTER: _("the stricter of the two decides"),
    }[choice]


def findings_words(count: int) -> str:
    """3 findings."""
    return ngettext("%s finding", "%s findings", count) % count


def order_word(order: str) -> str:
    """What the list is ordered by."""
    return {
        "verdict": _("Verdict"),
        "trust": _("Trust"),
        "category": _("Category"),
        "use": _("Use"),
        "change": _("Last change"),
        "name": _("Name"),
    }[order]
