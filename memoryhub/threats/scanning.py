"""Searching a memory text for threats: what Hermes 0.19.0 would name, and what it would miss.

Hermes looks at the first 65,536 characters only, for invisible characters in the raw text and for the rest in its
NFKC form; so do we. The time is bounded whatever the text is.
"""

from __future__ import annotations

from memoryhub.threats.folding import Folded, as_the_agent_reads, is_disguise, unmasked
from memoryhub.threats.hidden import hidden_sentences
from memoryhub.threats.matching import Span
from memoryhub.threats.model import Threat, ThreatRule
from memoryhub.threats.rules_control import CONTROL
from memoryhub.threats.rules_instructions import INSTRUCTIONS
from memoryhub.threats.rules_ours import INVISIBLE, INVISIBLE_RULE, OURS
from memoryhub.threats.rules_secrets import SECRETS

AGENT_WORDS: tuple[ThreatRule, ...] = (*INSTRUCTIONS, *CONTROL, *SECRETS)  # Hermes' order
RULES: tuple[ThreatRule, ...] = (INVISIBLE_RULE, *AGENT_WORDS, *OURS)
READ = 65_536
UNCHECKED = "[BLOCKED:"  # how Hermes' own notice begins; such an entry is not checked on load

_MOST_SPANS = 50


def scan(text: str) -> tuple[Threat, ...]:
    """Return every threat in one entry's text: first those that the agent names, in its order, then ours.

    Spans are in code points of `text`. Texts longer than 65,536 characters are read that far, hidden sentences
    whole.
    """
    agent = _agent_threats(text)
    ours = _hidden(text) + _disguised(text[:READ], {threat.id for threat in agent})
    if not text.startswith(UNCHECKED) or not agent:
        return (*agent, *ours)
    spans = tuple(sorted(span for threat in agent for span in threat.spans))[:_MOST_SPANS]
    unread = [Threat(t.id, t.kind, t.spans, t.hidden, agent_blocks=False) for t in agent]
    meant = tuple(threat.id for threat in agent)
    return (*unread, *ours, Threat("unchecked_entry", "ours", spans, agent_blocks=False, meant=meant))


def agent_ids(text: str) -> tuple[str, ...]:
    """Return the ids that Hermes 0.19.0 names for a text that is to be written, in its order.

    Invisible characters come first, by code point (Hermes' own order of these changes from run to run).
    """
    folded = as_the_agent_reads(text[:READ])
    found = [rule.id for rule in AGENT_WORDS if _spans(rule, folded)]
    return (*(_invisible_id(char) for char in sorted(INVISIBLE) if char in text[:READ]), *found)


def blocked_ids(text: str) -> tuple[str, ...]:
    """Return the ids for which Hermes leaves an entry of a file out of its prompt; () when it stays in."""
    return () if text.startswith(UNCHECKED) else agent_ids(text)


def get_rule(threat_id: str) -> ThreatRule:
    """Return the rule behind a threat's id. KeyError for an id that no rule has."""
    return _BY_ID["invisible_unicode" if threat_id.startswith("invisible_unicode_") else threat_id]


def _agent_threats(text: str) -> list[Threat]:
    read = text[:READ]
    folded = as_the_agent_reads(read)
    threats = [Threat(_invisible_id(char), "agent", _places(read, char)) for char in sorted(INVISIBLE) if char in read]
    for rule in AGENT_WORDS:
        if spans := _spans(rule, folded):
            threats.append(Threat(rule.id, "agent", tuple(map(folded.original, spans))))
    return threats


def _spans(rule: ThreatRule, folded: Folded) -> list[Span]:
    if rule.pattern is None or not any(key in folded.ascii for key in rule.pattern.keys):
        return []
    return rule.pattern.spans(folded.text)


def _hidden(text: str) -> list[Threat]:
    sentences = hidden_sentences(text)
    if not sentences:
        return []
    spans = tuple(span for span, _ in sentences[:_MOST_SPANS])
    words = " ".join(said for _, said in sentences if said)
    return [Threat("hidden_sentence", "ours", spans, words, agent_blocks=False)]


def _disguised(text: str, known: set[str]) -> list[Threat]:
    """Return the phrases that appear only when unseen characters and foreign letters are taken for what they seem."""
    if text.isascii() or not is_disguise(text):
        return []
    spans: dict[Span, str] = {}
    meant: dict[str, None] = {}
    for form in _forms(text):
        for rule in AGENT_WORDS:
            if rule.id in known:
                continue
            for span in _spans(rule, form):
                spans.setdefault(form.original(span), " ".join(form.text[slice(*span)].split()))
                meant.setdefault(rule.id)
    if not spans:
        return []
    places = tuple(sorted(spans))[:_MOST_SPANS]
    words = " … ".join(dict.fromkeys(spans[place] for place in places))
    return [Threat("disguised_phrase", "ours", places, words[:500], agent_blocks=False, meant=tuple(meant))]


def _forms(text: str) -> list[Folded]:
    """Return the text with unseen characters taken out, and with blanks in their place where that differs."""
    joined, apart = unmasked(text, ""), unmasked(text, " ")
    return [joined] if joined.text == apart.text else [joined, apart]


def _places(text: str, char: str) -> tuple[Span, ...]:
    places: list[Span] = []
    at = text.find(char)
    while at >= 0 and len(places) < _MOST_SPANS:
        places.append((at, at + 1))
        at = text.find(char, at + 1)
    return tuple(places)


def _invisible_id(char: str) -> str:
    return f"invisible_unicode_U+{ord(char):04X}"


_BY_ID = {rule.id: rule for rule in RULES}
