"""Secrets that follow their label: `password: …`, `密码是…`, `API key …`, `login: name / …`, in many languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memoryhub.secrets import words
from memoryhub.secrets.model import Secret
from memoryhub.secrets.values import (
    classes,
    is_default,
    is_no_value,
    looks_chosen,
    looks_like_key,
    looks_like_password,
    readable,
)

_LABEL = re.compile(
    "|".join(
        f"(?P<{kind}>{'|'.join(sorted(labels, key=lambda label: (-len(label), label)))})"
        for kind, labels in (
            ("key", words.KEY),
            ("password", words.PASSWORD),
            ("number", words.NUMBER),
            ("login", words.LOGIN),
        )
    )
)
_WINDOW = 160
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"

_CLOSING = re.compile(r"[s]?[\"'`*”」』]{0,3}(?:\s*[(（][^()（）\n]{0,40}[)）])?")
_SEPARATOR = re.compile(
    r"\s*(?:[:：=＝]{1,2}>?|->|→|⇒)\s*|\s+[—–-]\s+"
    r"|\s+(?:is|was|are|es|é|est|ist|lautet|equals|adalah|là|это|jest|är|er|set to)\s+"
    r"|\s*(?:仍是|还是|改为|改成|设为|就是|是|为|為)\s*"
)
_FILLER = re.compile(rf"[ \t]+[^\s:：=,;，；。{_CJK}\"'`]+")
_ADVERB = re.compile(
    r"(?:still|now|currently|just|again|always|value|noch|jetzt|ahora|ainda|теперь|сейчас|aktuell)[ \t:]+", re.I
)
_OPENING = re.compile(r"[\"'`“‘「『«*]{0,3}")
_VALUE = re.compile(rf"[^\s\"'`“”‘’「」『』«»,;，；。、！？（）()\[\]<>|{_CJK}]+|<[^>\n]{{0,40}}>|\[[^\]\n]{{0,40}}\]")
_APP_PASSWORD = re.compile(r"[a-z]{4}(?: [a-z]{4}){3}(?![a-z])")
_PHRASE = re.compile(r"[a-z]{3,10}(?:[ ,]+[a-z]{3,10}){11,23}(?![a-z])")
_BEFORE = re.compile(rf"(?:([{_CJK}]{{1,4}})|([^\W\d_]+))[ _\-'’]{{0,2}}$")
_USER = re.compile(r"(?:[^\s/|:，,;=]{1,20}=)?([\w.+-]{2,40}(?:@[\w.-]{1,60})?)(\s*[/|]\s*|:|：| {1,2})")
_DIGIT = re.compile(r"\d")
_AFTER_LOGIN = re.compile(r"[^\n:：]{0,40}?[:：]\s+|[:：]\s*|\s+")
_WEAK_DEFAULTS = frozenset({"changeme", "letmein", "toor", "minioadmin", "qwerty", "raspberry", "passw0rd"})


@dataclass(frozen=True)
class _Value:
    text: str
    start: int
    explicit: bool  # a colon or an "is" stands before it
    quoted: bool

    def secret(self, kind: str) -> Secret:
        return Secret(kind, self.start, self.start + len(self.text))


def by_label(text: str) -> Iterator[Secret]:
    """Yield secrets that stand behind a word that announces them."""
    lower = text.replace("İ", "i").lower()
    if len(lower) != len(text):
        return
    for match in _LABEL.finditer(lower):
        if not _is_word(lower, *match.span()):
            continue
        kind = match.lastgroup or ""
        if kind == "login":
            yield from _login(text, match.end())
            continue
        label = match[0]
        before = lower[max(0, match.start() - 24) : match.start()]
        value = _value_after(text, lower, match.end())
        if value and (found := _judged(kind, label, value, text[match.start() : match.end()], before)):
            yield found


def _is_word(lower: str, start: int, end: int) -> bool:
    """Return whether a label is not merely part of a longer word; Chinese has no blanks between words."""
    if lower[start] > "\u3000":
        return True
    before, after = lower[start - 1 : start], lower[end : end + 1]
    glued = before.isalnum() and before < "\u3000" and not lower.endswith(("pg", "mysql"), 0, start)
    plural = after == "s" and not lower[end + 1 : end + 2].isalnum()
    return not glued and (not after.isalnum() or after > "\u3000" or plural)


def _value_after(text: str, lower: str, end: int) -> _Value | None:
    """Return the value that a label's sentence gives, or None when it speaks about something else."""
    last = _end_of_line(text, end)
    closing = _CLOSING.match(text, end, last)
    at = closing.end() if closing else end
    separator = _SEPARATOR.match(lower, at, last)
    for step in range(7):
        if separator or not (filler := _FILLER.match(lower, at, last)):
            break
        word = filler[0].strip(" \t.()[]*_-")
        if (not step and word in words.ABOUT) or (word.endswith(".") and len(word) > 3):
            return None
        if _DIGIT.search(word) and (here := _taken(text, at, last, explicit=False)) and _convinces(here):
            return here
        at = filler.end()
        separator = _SEPARATOR.match(lower, at, last)
    if separator:
        return _taken(text, separator.end(), last, explicit=True)
    return _taken(text, closing.end() if closing else end, last, explicit=False)


def _end_of_line(text: str, start: int) -> int:
    line = text.find("\n", start, start + _WINDOW)
    return line if line >= 0 else min(len(text), start + _WINDOW)


def _convinces(value: _Value) -> bool:
    """Return whether a value right after a label needs no separator to be believed."""
    return looks_like_key(value.text, 16) or looks_chosen(value.text)


def _taken(text: str, at: int, last: int, *, explicit: bool) -> _Value | None:
    while at < last and text[at] in " \t_":
        at += 1
    while adverb := _ADVERB.match(text, at, last):
        at = adverb.end()
    opening = _OPENING.match(text, at, last)
    at = opening.end() if opening else at
    quoted = bool(opening and opening[0])
    for shape in (_APP_PASSWORD, _PHRASE, _VALUE):
        if match := shape.match(text, at, last):
            value = match[0] if shape is not _VALUE else match[0].rstrip(".:?*_").removesuffix("\\n")
            return _Value(value, at, explicit, quoted) if value else None
    return None


def _judged(kind: str, label: str, value: _Value, written: str, before: str) -> Secret | None:
    if value.text.casefold() in words.ABOUT:
        return None
    if kind == "number":
        certain = value.explicit or written.isupper() or "code" in label or written > "\u3000"
        return value.secret("password") if certain and re.fullmatch(r"\d{4,10}", value.text) else None
    if kind == "password":
        return _password(label, value)
    if label in _LOOSE_KEYS and _means_no_secret(before):
        return None
    least = 12 if value.explicit or value.quoted else 16
    if looks_like_key(value.text, least) or _APP_PASSWORD.fullmatch(value.text):
        return value.secret("key")
    secretive = (
        "secret" in label or "secret" in before[-12:] or label in {"密钥", "秘钥", "секрет", "segredo", "secreto"}
    )
    if value.explicit and secretive and looks_chosen(value.text) and len(value.text) >= 8:
        return value.secret("key")
    return None


_LOOSE_KEYS = frozenset(
    {
        "key",
        "token",
        "secret",
        "密钥",
        "密鑰",
        "秘钥",
        "令牌",
        "凭证",
        "llave",
        "chave",
        "ключ",
        "ключа",
        "токен",
        "токена",
    }
    | {"clé", "cle", "clés", "jeton", "schlüssel", "schluessel", "キー", "키", "cookie"}
)


def _means_no_secret(before: str) -> bool:
    """Return whether the word before "key" or "token" says that it is one of a document, a model or a table."""
    match = _BEFORE.search(before)
    if match is None:
        return False
    if match[1]:
        return any(match[1].endswith(word) for word in words.NOT_SECRET_BEFORE)
    return match[2] in words.NOT_SECRET_BEFORE


def _password(label: str, value: _Value) -> Secret | None:
    text = value.text
    if _APP_PASSWORD.fullmatch(text) or _PHRASE.fullmatch(text):
        return value.secret("password")
    if is_default(text):
        known = value.explicit or value.quoted or text.casefold() in _WEAK_DEFAULTS
        return value.secret("default_login") if known and label != "pass" else None
    if not looks_like_password(text) or (label == "pass" and text.isdigit()):
        return None
    if value.explicit or value.quoted:
        return value.secret("password")
    sure = len(text) >= 6 and not text.isdigit() and any(char.isdigit() for char in text)
    return value.secret("password") if sure or classes(text) >= 3 else None


def _login(text: str, end: int) -> Iterator[Secret]:
    """Yield the password of a pair such as `name@host/password`, `name / password`, `name:password`."""
    last = _end_of_line(text, end)
    separator = _AFTER_LOGIN.match(text, end, last)
    for at in dict.fromkeys((separator.end() if separator else end, end + 1)):
        pair = _USER.match(text, at, last)
        value = _VALUE.match(text, pair.end(), last) if pair else None
        if pair and value and _is_pair(pair[1], pair[2], word := value[0].rstrip(".:?*_")):
            known = word == pair[1] or is_default(word)
            yield Secret("default_login" if known else "login", value.start(), value.start() + len(word))
            return


def _is_pair(name: str, between: str, value: str) -> bool:
    if name.startswith("http") or "/" in value or value.startswith("//"):
        return False
    if value == name.split("@")[0] or is_default(value):
        return between.strip() in {"/", ":", "|"} and not is_no_value(name + "x") and not value.isdigit()
    if between.isspace():
        return looks_chosen(value) and not readable(value)
    if between == "/" or between in ":：":
        return looks_chosen(value) and not readable(value)
    return looks_like_password(value) and any(char.isdigit() for char in value) and not value.isdigit()
