"""Secrets that follow their label: `password: …`, `密码是…`, `API key …`, in many languages.

Finds the place where the value of a label would stand; `judging.py` decides whether a secret stands there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.secrets import words
from memoryhub.secrets.judging import Found, judge
from memoryhub.secrets.model import Secret
from memoryhub.secrets.pairs import by_login
from memoryhub.secrets.values import looks_chosen, looks_like_key

CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_WINDOW = 160  # a value stands near its label
_FILLERS = 7  # words between a label and its colon: "password for the box in the hall:"


def _group(kind: str, labels: tuple[str, ...]) -> str:
    """Return the labels of a kind: whole words, or any place in scripts that have no blanks between words."""
    solid = sorted((label for label in labels if label[0] > "\u3000"), key=len, reverse=True)
    spaced = sorted((label for label in labels if label[0] < "\u3000"), key=len, reverse=True)
    ending = rf"(?=s?(?![^\W_{CJK}]))"
    return f"(?P<{kind}>(?:{'|'.join(spaced)}){ending}" + (f"|{'|'.join(solid)})" if solid else ")")


_LABEL = re.compile(
    "|".join(
        _group(kind, labels)
        for kind, labels in (
            ("key", words.KEY),
            ("password", words.PASSWORD),
            ("number", words.NUMBER),
            ("login", words.LOGIN),
        )
    )
)
_IDENTIFIER = re.compile(r"_[a-z0-9]+(?:_[a-z0-9]+)*(?=\s*[:=])")
_CLOSING = re.compile(r"[s]?[\"'`*”」』]{0,3}(?:\s*[(（][^()（）\n]{0,40}[)）])?")
_SEPARATOR = re.compile(
    r"\s*(?:[:：=＝]{1,2}>?|->|→|⇒)\s*|\s+[—–-]\s+"
    r"|\s+(?:is|was|are|es|é|est|ist|lautet|equals|adalah|là|это|jest|är|er|set to)\s+"
    r"|\s*(?:仍是|还是|改为|改成|设为|就是|是|为|為)\s*"
)
_FILLER = re.compile(rf"[ \t]+[^\s:：=,;，；。{CJK}\"'`]+")
_ADVERB = re.compile(
    r"(?:still|now|currently|just|again|always|value|noch|jetzt|ahora|ainda|теперь|сейчас|aktuell)[ \t:]+",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_OPENING = re.compile(r"[\"'`“‘「『«*]{0,3}")
_VALUE = re.compile(rf"[^\s\"'`“”‘’「」『』«»,;，；。、！？（）()\[\]<>|{CJK}]+|<[^>\n]{{0,40}}>|\[[^\]\n]{{0,40}}\]")
_APP_PASSWORD = re.compile(r"[a-z]{4}(?: [a-z]{4}){3}(?![a-z])")
_SEED_PHRASE = re.compile(r"[a-z]{3,10}(?:[ ,]+[a-z]{3,10}){11,23}(?![a-z])")
_PASS_PHRASE = re.compile(r"[a-z]{3,12}(?: (?!for |and |with |from )(?:[a-z]{3,12}|\d{2,6})){2,6}(?!\w)")
_CODES = re.compile(r"\w{3,10}(?:-\w{3,10}){0,4}(?:[ ,]+\w{3,10}(?:-\w{3,10}){1,4}){1,11}")


def by_label(text: str) -> Iterator[Secret]:
    """Yield secrets that stand behind a word that announces them."""
    lower = text.replace("İ", "i").lower()
    if len(lower) != len(text):
        return
    for match in _LABEL.finditer(lower):
        start, end = match.span()
        if not _begins_a_word(lower, start):
            continue
        if match.lastgroup == "login":
            yield from by_login(text, end, _end_of_line(text, end))
            continue
        found = _value_after(text, lower, end, match[0])
        before = lower[max(0, start - 60) : start]
        if found and (secret := judge(match.lastgroup or "", match[0], found, text[start:end], before)):
            yield secret


def _begins_a_word(lower: str, start: int) -> bool:
    """Return whether a label is not the end of a longer word (`compass`); PGPASSWORD is one of its own."""
    if not start or lower[start] > "\u3000":
        return True
    before = lower[start - 1]
    return not before.isalnum() or before > "\u3000" or lower.endswith(("pg", "mysql"), 0, start)


def _value_after(text: str, lower: str, end: int, label: str) -> Found | None:
    """Return the value that a label's sentence gives, or None when it speaks about something else."""
    last = _end_of_line(text, end)
    if identifier := _IDENTIFIER.match(lower, end, last):  # password_file=, API_KEY_PROD=
        if any(word in words.ABOUT for word in identifier[0].split("_")):
            return None
        end = identifier.end()
    closing = _CLOSING.match(text, end, last)
    at = after_label = closing.end() if closing else end
    separator = _SEPARATOR.match(lower, at, last)
    for step in range(_FILLERS):
        if separator or not (filler := _FILLER.match(lower, at, last)):
            break
        word = filler[0].strip(" \t.()[]*_-")
        if (not step and word in words.ABOUT) or (word.endswith(".") and len(word) > 3):
            return None
        if _DIGIT.search(word) and (here := _taken(text, at, last, label, explicit=False)) and _convinces(here.text):
            return here
        at = filler.end()
        separator = _SEPARATOR.match(lower, at, last)
    if separator:
        return _taken(text, separator.end(), last, label, explicit=True)
    glued = label.isascii() and after_label == end and text[end : end + 1] not in " \t_"
    return None if glued else _taken(text, after_label, last, label, explicit=False)


def _end_of_line(text: str, start: int) -> int:
    line = text.find("\n", start, start + _WINDOW)
    return line if line >= 0 else min(len(text), start + _WINDOW)


def _convinces(value: str) -> bool:
    """Return whether a value needs no separator before it to be believed."""
    return looks_like_key(value, 16) or looks_chosen(value)


def _taken(text: str, at: int, last: int, label: str, *, explicit: bool) -> Found | None:
    while at < last and text[at] in " \t_":
        at += 1
    while adverb := _ADVERB.match(text, at, last):
        at = adverb.end()
    opening = _OPENING.match(text, at, last)
    at = opening.end() if opening else at
    shapes = [_APP_PASSWORD, _SEED_PHRASE, _VALUE]
    shapes[:0] = [_CODES] if "code" in label else [_PASS_PHRASE] if "phrase" in label and explicit else []
    for shape in shapes:
        match = shape.match(text, at, last)
        if match is None or (shape is _PASS_PHRASE and not _DIGIT.search(match[0])):
            continue
        value = match[0].rstrip(".:?*_") if shape is _VALUE else match[0]
        alone = not text[at + len(value) : last].lstrip("\"'`*.)） \t")[:1].strip(",;，；。)") or explicit
        return Found(value, at, explicit, bool(opening and opening[0]), alone, shape is not _VALUE) if value else None
    return None
