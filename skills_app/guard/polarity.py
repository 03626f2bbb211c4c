"""Words that tell an instruction from talk about it: prohibitions, deny lists, quotations.

Each is read as an attacker would try to use it: a prohibition with an exception, one that ends at "but" or "instead",
and "do not hesitate to" are none.
"""

from __future__ import annotations

import re
from typing import Final

_OF: Final = re.IGNORECASE

# Headings and lead-ins under which stands what must not be done.
DONT_TITLE: Final = re.compile(
    r"\b(?:don'?t'?s?|do nots?|never|avoid|anti-?patterns?|pitfalls?|mistakes?|forbidden|prohibited|not allowed"
    r"|banned|bad (?:examples?|practices?)|wrong|unsafe|insecure|what not to|do not use|dangerous|refuse|must not"
    r"|off[- ]limits|vulnerable|red lines?|stop conditions?|hard limits)\b|[❌🚫⛔✗✘]",
    _OF,
)
# Headings and lead-ins under which stands what is looked for, or explained as an attack.
DENY_TITLE: Final = re.compile(
    r"\b(?:blocked|denied|deny[- ]?list\w*|block[- ]?list\w*|black[- ]?list\w*|malicious|suspicious|red flags?"
    r"|detect\w*|indicators?|iocs?|signatures?|attacks?|attackers?|threats?|exploit\w*|payloads?|injections?|vulnerabilit\w+"
    r"|jailbreaks?|adversarial|evasion|patterns? to (?:flag|watch|look)|what (?:it|this|we|the \w+) (?:catch|flag|check"
    r"|scan|block|look)\w*|warning signs|social engineering|phishing|malware|security (?:checks?|scan\w*|review|audit)"
    r"|high[- ]risk|risk (?:patterns?|categories)|scan for|look for|watch for|flag (?:any|if|when|these))\b",
    _OF,
)
_BREAK: Final = re.compile(
    r"[;.!?]\s|[;\n]\s*[-*+]\s|\b(?:but|instead|rather|however|otherwise|just|simply|then|so that"
    r"|and (?:always|then|run|do))\b",
    _OF,
)
_FORBIDS: Final = re.compile(
    r"\b(?:never|do not|don'?t|must not|mustn'?t|should not|shouldn'?t|may not|cannot|can'?t|won'?t|will not|avoid\w*"
    r"|refus\w+|reject\w*|block(?:s|ed|ing)?|forbid\w*|prohibit\w*|disallow\w*|prevents?|without (?:using|running)"
    r"|not allowed to|instead of|rather than|no longer|ban(?:s|ned)?)\b|[❌🚫⛔✗✘]",
    _OF,
)
_NOT_REALLY: Final = re.compile(
    r"\b(?:never|not|n'?t|cannot|avoid)\W+(?:\w+\W+){0,2}?(?:hesitat\w*|forget\w*|fail\w*|skip\w*|worry|mind|only|just|stop"
    r"|omit\w*|neglect\w*|miss\w*|wait\w*|ask\w*|question\w*|refus\w*|delay\w*|be afraid|need)\b",
    _OF,
)
_EXCEPTION: Final = re.compile(r"\b(?:unless|without|until|except|before|only (?:if|when|after)|but|instead)\b", _OF)
_TALK: Final = re.compile(
    r"\b(?:such as|phrases?|e\.g\.?|for example|examples?|text like|strings? like|says?|said|saying|wording"
    r"|claims?|claiming|detect\w*|flags?|flagged|scan(?:s|ning)? for|look(?:s|ing)? for|watch(?:es|ing)? for"
    r"|search(?:es)? for|grep for"
    r"|refus\w+|reject\w*|attack\w*|malicious|inject\w*|attempts?|tries|trying|tricks?|suspicious|jailbreak\w*"
    r"|patterns?|payloads?|phishing|red flags?|block(?:s|ed|ing)?|ignore (?:text|content|any)|treat (?:as|it|them))\b",
    _OF,
)
_WARNS: Final = re.compile(
    r"\b(?:detect\w*|flagged|scan(?:s|ning)? for|look(?:s|ing)? for|watch(?:es|ing)? for|search(?:es)? for|grep for"
    r"|refus\w+|reject\w*|attack\w*|malicious|injection|jailbreak\w*|suspicious|phishing|red flags?)\b",
    _OF,
)
_AFTERWARDS: Final = re.compile(
    r"[`\"'”’)\s]{0,4}(?:[—–:,(→|-]|is|are|was)?\s{0,3}(?:is |are |— |- )?(?:never\b|forbidden\b|blocked\b|prohibited\b"
    r"|not allowed\b|banned\b|refused\b|rejected\b|dangerous\b|malicious\b|do not\b|don't\b|❌|🚫|⛔)",
    _OF,
)
_LEAD_IN: Final = re.compile(r"(?:^|[*_`])[^\n]{0,200}:[*_\s]*$")
_PAIRS: Final = {'"': '"', "“": "”", "«": "»", "「": "」", "„": "“", "‘": "’"}
_ADDRESS: Final = re.compile(r"\S*/\S*")  # its words say nothing
_SENTENCE: Final = 240  # characters before a match that may belong to its sentence


def forbids(before: str, after: str) -> bool:
    """Whether a sentence forbids what stands between ``before`` and ``after`` in its paragraph."""
    clause = _last_clause(before)
    match = _FORBIDS.search(clause)
    if match is not None:
        return not (_NOT_REALLY.search(clause) or _EXCEPTION.search(_first_sentence(after)))
    return bool(_AFTERWARDS.match(after) and not _EXCEPTION.search(_first_sentence(after)))


def talks_about(before: str) -> bool:
    """Whether the sentence before a match speaks of texts or attacks rather than giving an order."""
    return bool(_TALK.search(_last_clause(before)))


def warns(before: str) -> bool:
    """Whether the sentence before a match speaks of attacks or of looking for them."""
    return bool(_WARNS.search(_last_clause(before)))


def is_quoted(before: str, after: str) -> bool:
    """Whether a match stands between quotation marks in its line."""
    line = before.rpartition("\n")[2]
    rest = after.partition("\n")[0]
    if line.count('"') % 2 and '"' in rest:
        return True
    return any(
        line.rfind(opening) > line.rfind(closing) and closing in rest
        for opening, closing in _PAIRS.items()
        if opening != closing
    )


def is_in_backticks(before: str, after: str) -> bool:
    """Whether a match stands in inline code in its line."""
    line = before.rpartition("\n")[2]
    return line.count("`") % 2 == 1 and "`" in after.partition("\n")[0]


def title_polarity(title: str) -> str:
    """ "dont", "deny" or "" for a heading, a bold line or a lead-in."""
    if _NOT_REALLY.search(title):
        return ""
    if DONT_TITLE.search(title):
        return "dont"
    return "deny" if DENY_TITLE.search(title) else ""


def lead_in_polarity(line: str) -> str:
    """The polarity of a line that introduces what follows it ("Never run:"); "" for any other line."""
    return title_polarity(line) if line.rstrip().endswith((":", ":**", ":*", ":__")) and _LEAD_IN.search(line) else ""


def _last_clause(before: str) -> str:
    text = before[-_SENTENCE:]
    end = 0
    for match in _BREAK.finditer(text):
        end = match.end()
    return _ADDRESS.sub(" ", text[end:])


def _first_sentence(after: str) -> str:
    return re.split(r"[.!?\n](?:\s|$)", after[:_SENTENCE], maxsplit=1)[0]
