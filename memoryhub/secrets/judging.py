"""Whether what stands behind a label is a secret: strict for keys, milder for passwords."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memoryhub.secrets import words
from memoryhub.secrets.model import Secret
from memoryhub.secrets.values import classes, is_default, is_named, looks_chosen, looks_like_key, looks_like_password

_BEFORE = re.compile("(?:([\u3400-\u9fff]{1,4})|([^\\W_\u3400-\u9fff]+))[ _\\-'’]{0,2}$")
_AFTER_A_NAME = re.compile(
    r"(?:user(?:name)?|login|account|账号|帐号|用户名?|usuario|usuário|логин|benutzer|utilisateur)\s*[:：=]?\s*[^\s,，/]{2,40}"
    r"[\s,，/;；]+(?:and |y |e |и |und |et )?$"
)
_NETWORK = re.compile(r"\b(?:wi-?fi|wlan|ssid|wpa\d?)\b")  # its key is a password
_SECRETIVE = ("secret", "密钥", "秘钥", "секрет", "segredo", "secreto")


@dataclass(frozen=True)
class Found:
    """What stands where a label's value would stand, and how."""

    text: str
    start: int
    explicit: bool  # a colon or an "is" stands before it
    quoted: bool
    alone: bool  # nothing more of the sentence follows
    shaped: bool  # four groups of four letters, twelve words, a list of codes

    def secret(self, kind: str) -> Secret:
        return Secret(kind, self.start, self.start + len(self.text))


def judge(kind: str, label: str, found: Found, written: str, before: str) -> Secret | None:
    """Return the secret that was found behind a label, or None.

    `kind` is the label's ("password", "number" or "key"), `label` the label in small letters and `written` as it
    stands, `before` what stands before it, in small letters.
    """
    if found.text.casefold() in words.ABOUT:
        return None
    if kind == "number":
        return _number(label, found, written)
    if kind == "password" or (label in words.LOOSE_KEYS and _NETWORK.search(before)):
        return _password(label, found, before)
    return _key(label, found, before)


def _number(label: str, found: Found, written: str) -> Secret | None:
    certain = found.explicit or written.isupper() or "code" in label or written > "\u3000"
    return found.secret("password") if certain and re.fullmatch(r"\d{4,10}[#*]?", found.text) else None


def _password(label: str, found: Found, before: str) -> Secret | None:
    text = found.text
    if found.shaped:
        return found.secret("password")
    if is_default(text):
        known = found.explicit or found.quoted or text.casefold() in words.TELLING_PASSWORDS
        return found.secret("default_login") if known and label != "pass" else None
    if found.alone and not found.explicit and len(text) >= 6 and text.isalpha() and _AFTER_A_NAME.search(before):
        return found.secret("password")
    if not looks_like_password(text) or (label == "pass" and text.isdigit()):
        return None
    if found.explicit or found.quoted:
        return found.secret("password")
    mixed = len(text) >= 6 and not text.isdigit() and any(char.isdigit() for char in text)
    return found.secret("password") if mixed or classes(text) >= 3 else None


def _key(label: str, found: Found, before: str) -> Secret | None:
    if found.shaped:
        return found.secret("key")
    if label in words.LOOSE_KEYS and _means_no_secret(before):
        return None
    if looks_like_key(found.text, 12 if found.explicit or found.quoted else 16):
        return found.secret("key")
    if not (found.explicit and any(word in label or word in before[-12:] for word in _SECRETIVE)):
        return None
    chosen = len(found.text) >= 8 and looks_chosen(found.text) and not is_named(found.text)
    return found.secret("key") if chosen else None


def _means_no_secret(before: str) -> bool:
    """Return whether the word before "key" or "token" says that it is one of a document, a model or a table."""
    match = _BEFORE.search(before)
    if match is None:
        return False
    if match[1]:
        return any(match[1].endswith(word) for word in words.NOT_SECRET_BEFORE)
    return match[2] in words.NOT_SECRET_BEFORE
