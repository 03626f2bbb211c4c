"""Tricks to get past the rules, made from the rules' own examples: nine of ten are seen through."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Callable, Iterator

from skills_app.guard.model import Category, Rule, Severity
from skills_app.guard.rules import RULES
from skills_app.guard.scanner import scan_texts
from tests.skills_app.guard_samples import HEADER, can_hold, rules_found, skills_with

_GRAVE = (Severity.CRITICAL, Severity.HIGH)
_LOOK_ALIKES = str.maketrans("aeopcx", "аеорсх")  # Cyrillic
_PROSE = frozenset([Category.INJECTION])


def _each_case(text: str) -> str:
    return "".join(char.upper() if number % 2 else char.lower() for number, char in enumerate(text))


def _wider(text: str) -> str:
    return re.sub(r"(?<=\S) (?=\S)", "   ", text)


def _continued(text: str) -> str:
    return re.sub(r"(?<=\w) (?=[-|&\w])", " \\\\\n  ", text, count=2)


def _wrapped(text: str) -> str:
    words = text.split(" ")
    return " ".join(words[: len(words) // 2]) + "\n" + " ".join(words[len(words) // 2 :])


def _quoted(text: str) -> str:
    return re.sub(r"^([a-z])([a-z]+)(?=[ ])", r"\1''\2", text, count=1)


def _backslashed(text: str) -> str:
    return re.sub(r"^([a-z])([a-z]+)(?=[ ])", r"\1\\\2", text, count=1)


def _base64(text: str) -> str:
    return f"data: {base64.b64encode(text.encode()).decode()}"


def _hex(text: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in text.encode())


def _percent(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode())


def _disguised(text: str) -> str:
    return text.translate(_LOOK_ALIKES)


def _invisible(text: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[a-z]{2})", "​", text, count=3)


EVERYWHERE: tuple[Callable[[str], str], ...] = (_each_case, _wider, _base64, _hex, _percent, _disguised, _invisible)
IN_COMMANDS = (_continued, _quoted, _backslashed)
IN_PROSE = (_wrapped,)


def variants(rule: Rule, text: str) -> Iterator[tuple[str, str]]:
    """The tricks that make sense for an example: name of the trick and what it makes of the example."""
    tricks = [*EVERYWHERE, *(IN_PROSE if rule.category in _PROSE else IN_COMMANDS)]
    for trick in tricks:
        if rule.case_matters and trick is _each_case:
            continue
        changed = trick(text)
        if changed != text:
            yield trick.__name__, changed


def is_seen(rule: Rule, text: str) -> bool:
    """Whether the scanner finds this or something as grave in any place where the text could stand."""
    if rules_found(text, rule):
        return True
    plain = scan_texts({"SKILL.md": HEADER.encode()}).findings
    return any(
        len([one for one in scan_texts(files).findings if one.severity in _GRAVE]) > len(plain)
        for files in list(skills_with(text))[:2]
    )


def test_nine_of_ten_tricks_are_seen_through() -> None:
    tried, seen = Counter[str](), Counter[str]()
    grave = [rule for rule in RULES if can_hold(rule) and rule.severity in _GRAVE]
    for rule in grave:
        if rule.category is Category.CREDENTIAL_EXPOSURE:
            continue  # a key in another form is no key
        for name, text in variants(rule, rule.matches[0]):
            tried[name] += 1
            seen[name] += is_seen(rule, text)
    table = {name: f"{seen[name]} of {tried[name]}" for name in tried}
    assert seen.total() >= 0.9 * tried.total(), table
