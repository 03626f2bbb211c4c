"""Judging one value: could it be a secret, or is it a name, a path, a mask, a version, a word?"""

from __future__ import annotations

import re

from memoryhub.secrets.words import ALGORITHMS, COMMON_PASSWORDS, KEEPERS, PLACEHOLDERS

# Names of things that hold the value: variables, paths, addresses, calls, fields of a template.
_REFERENCE = re.compile(
    r"""
    \$\w | \$[({] | %\w+%$ | \{\{ | \{\w+\}$ | <[^>]*>?$ | \[[^\]]*\]?$      # a variable or a field of a template
    | [~.]{0,2}/ | [a-z]:\\ | \w+:// | www\.                                 # a path or an address
    | (?:\w+\.)+\w+[(\[] | \w+\(                                             # a call
    | (?:os\.|process\.|env[.:\[]|secrets?\.|vault[.:]|vars?\.|config\.|settings\.|op://)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_FILE = re.compile(
    r"[\w.~/\\-]*\.(?:env|json|ya?ml|toml|ini|conf|cfg|txt|md|pem|key|crt|py|sh|js|ts|html?|php|rb|go|log)$", re.I
)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[A-Z]{2,}$")
_SNAKE = re.compile(r"[a-z]+(?:_[a-z]+)+$")
_MAIL_OR_HOST = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+$|(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?$|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,12}(?::\d+)?(?:/\S*)?$"
)
_DATE = re.compile(
    r"(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])(?:[-/.]\d{1,2})?(?:T.*)?$|\d{1,2}[:h]\d\d$|\d{1,2}[./]\d{1,2}[./]\d{2,4}$"
)
_VERSION = re.compile(r"v?\d+(?:\.\d+)+(?:[-+.]?(?:rc|beta|alpha|b|a|lts)?\d*)?$|v\d+$", re.I)
_RATIO = re.compile(r"[\d.,]+(?:/[\d.,]+|%|[kKmMgG][bB]?|[a-z]{1,4})?$|\d+\+$")
# Each choice begins with a character of its own, which lets the search pass over everything else at once.
_MASK = re.compile(r"\*\*|••|···|…|\.\.\.|●●|x[xX]{3}|X[xX]{3}|###|___|----")
_ONE_CHARACTER = re.compile(r"(.)\1*$")
_ADDRESS_OF_A_CHAIN = re.compile(r"0x[0-9a-f]{40}$", re.I)
_PUBLIC_KEY = re.compile(r"ssh-(?:rsa|ed25519|dss)|ecdsa-|AAAA[BC]3Nza|SHA256:|MD5:|pk_(?:live|test)_", re.I)
_DIGIT = re.compile(r"\d")
_SIGN = re.compile(r"[\W_]")
_SEGMENTS = re.compile(r"[-_.+/=:~%]+")
_CAMEL = re.compile(r"[A-Z]?[a-z]+(?:[A-Z][a-z]+)+\d{0,2}$|[A-Z]?[a-z]+\d{0,4}$|[A-Z]+\d{0,3}$|\d{1,8}$")


def is_no_value(value: str) -> bool:
    """Return whether a value is plainly something else: a reference, a mask, a date, a version, an address."""
    return bool(
        len(value) < 4
        or _REFERENCE.match(value)
        or _FILE.match(value)
        or _VARIABLE.match(value)
        or _MAIL_OR_HOST.match(value)
        or _DATE.match(value)
        or _VERSION.match(value)
        or _MASK.search(value)
        or _ONE_CHARACTER.match(value)
        or _ADDRESS_OF_A_CHAIN.match(value)
        or _PUBLIC_KEY.match(value)
        or is_placeholder(value)
    )


def is_placeholder(value: str) -> bool:
    """Return whether a value only stands where one belongs, as in documentation."""
    words = {word for word in re.split(r"[\W_\d]+", value.casefold()) if word}
    return bool(words & PLACEHOLDERS)


def is_default(value: str) -> bool:
    """Return whether a password is one that everybody knows."""
    return value.casefold() in COMMON_PASSWORDS


def looks_like_password(value: str) -> bool:
    """Return whether a value that stands where a password is expected is no ordinary word."""
    if is_no_value(value) or value.casefold() in ALGORITHMS or value.casefold() in KEEPERS:
        return False
    if value.isdigit():
        return len(value) >= 4
    if _RATIO.match(value):
        return False
    if _SNAKE.match(value):
        return False
    return classes(value) >= 2 and not _is_wordy(value)


def looks_chosen(value: str) -> bool:
    """Return whether a value alone, without a label that asks for it, looks like a password: three kinds of letters."""
    if is_no_value(value) or value.casefold() in ALGORITHMS or _is_wordy(value):
        return False
    return classes(value) >= 3 and _DIGIT.search(value) is not None


def looks_like_key(value: str, least: int = 12) -> bool:
    """Return whether a value is a row of letters and digits that nobody would read aloud."""
    if len(value) < least or is_no_value(value) or not re.fullmatch(r"[\w\-+/=.:~%]+", value, re.ASCII):
        return False
    segments = [part for part in _SEGMENTS.split(value) if part]
    return sum(len(part) for part in segments if not readable(part)) >= min(least, 8)


def is_named(value: str) -> bool:
    """Return whether a value is a name made of words and numbers, such as `hub-db-2026`."""
    return all(readable(part) or part[1:].isdigit() for part in _SEGMENTS.split(value) if part)


def classes(value: str) -> int:
    """Return how many of the four kinds a value mixes: capitals, small letters, digits, signs."""
    capitals, small = value != value.lower(), value != value.upper()
    if not (capitals or small) and any(map(str.isalpha, value)):
        small = True  # letters of a script without capitals
    return capitals + small + bool(_DIGIT.search(value)) + bool(_SIGN.search(value))


def readable(part: str) -> bool:
    """Return whether a part is a word, a number or a few of them: nothing random."""
    if len(part) < 4:
        return not (any(char.isdigit() for char in part) and any(char.isalpha() for char in part))
    if not _CAMEL.match(part):
        return False
    if not part.isalpha() or len(part) < 12:
        return True
    capitals = sum(char.isupper() for char in part)
    jumpy = min(capitals, len(part) - capitals) >= 0.3 * len(part)
    return not jumpy and _vowels(part) >= 0.2


def _vowels(part: str) -> float:
    return sum(char in "aeiouyAEIOUY" for char in part) / len(part)


def _is_wordy(value: str) -> bool:
    """Return whether a value is words joined by hyphens or slashes (`read-only`, `yes/no`) or begins a sentence."""
    if _DIGIT.search(value):
        return False
    parts = [part for part in re.split(r"[-/'’]", value.strip('.,;:!?()"')) if part]
    return all(part.isalpha() and (part.islower() or part.istitle() or part.isupper()) for part in parts)
