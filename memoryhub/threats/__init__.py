"""Threats in memory texts: orders that were planted, secrets that leave, characters that hide.

`rules_*.py` are tables to be read; `scanning.py` searches. What is Hermes' own is searched for exactly as Hermes
0.19.0 does (tests/interop holds us to it); the kind "ours" is what it misses.
"""

from memoryhub.threats.model import Threat, ThreatRule
from memoryhub.threats.scanning import READ, RULES, UNCHECKED, agent_ids, blocked_ids, get_rule, scan

__all__ = ["READ", "RULES", "UNCHECKED", "Threat", "ThreatRule", "agent_ids", "blocked_ids", "get_rule", "scan"]
