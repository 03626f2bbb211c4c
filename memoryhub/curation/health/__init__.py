"""Health of memory files: a table of rules, each with the reason, the words it rests on, and the remedies it leads to.

Facts about real files: 840 entries that owners published; the shares are in docs/decisions/curation.md.
"""

from memoryhub.curation.health.check import check
from memoryhub.curation.health.model import ALARM, QUESTION, Finding, Rule, Span
from memoryhub.curation.health.rules import RULES, get_rule

__all__ = ["ALARM", "QUESTION", "RULES", "Finding", "Rule", "Span", "check", "get_rule"]
