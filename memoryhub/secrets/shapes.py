"""Secrets that are known by their own shape: providers' keys, private keys, addresses and commands with a password."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.secrets.model import Secret
from memoryhub.secrets.values import (
    classes,
    is_default,
    is_no_value,
    is_placeholder,
    looks_like_key,
    looks_like_password,
)

# Beginnings that providers publish for their own keys, so that leaks can be found.
_TOKENS = re.compile(
    r"""(?<![A-Za-z0-9_-])(?:
      sk-[A-Za-z0-9_-]{16,}                                  # OpenAI, Anthropic, OpenRouter, DeepSeek
    | (?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,} | whsec_[A-Za-z0-9]{16,}
    | gh[pousr]_[A-Za-z0-9]{20,} | github_pat_[A-Za-z0-9_]{20,} | gl(?:pat|dt|rt|ptt)-[A-Za-z0-9_-]{16,}
    | (?:AKIA|ASIA)[A-Z0-9]{16}
    | xox[abeprs]-[A-Za-z0-9-]{10,} | xapp-[A-Za-z0-9-]{16,}
    | AIza[A-Za-z0-9_-]{30,} | ya29\.[A-Za-z0-9_-]{20,} | GOCSPX-[A-Za-z0-9_-]{20,}
    | hf_[A-Za-z0-9]{20,} | gsk_[A-Za-z0-9]{20,} | r8_[A-Za-z0-9]{20,} | xai-[A-Za-z0-9]{20,} | nvapi-[A-Za-z0-9_-]{20,}
    | tvly-[A-Za-z0-9-]{16,} | pplx-[A-Za-z0-9]{20,} | fc-[a-f0-9]{24,} | sk_[a-f0-9]{32,} | lin_api_[A-Za-z0-9]{20,}
    | npm_[A-Za-z0-9]{30,} | pypi-[A-Za-z0-9_-]{30,} | dop_v1_[a-f0-9]{32,} | dckr_pat_[A-Za-z0-9_-]{20,}
    | shp(?:at|ca|pa|ss)_[a-fA-F0-9]{20,} | SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,} | key-[a-f0-9]{32}
    | ntn_[A-Za-z0-9]{30,} | secret_[A-Za-z0-9]{32,} | figd_[A-Za-z0-9_-]{20,} | PMAK-[a-f0-9-]{30,}
    | ATATT[A-Za-z0-9_=-]{30,}
    | tskey-[A-Za-z0-9-]{16,} | AGE-SECRET-KEY-1[A-Z0-9]{40,} | sntrys_[A-Za-z0-9_=+/-]{20,} | glsa_[A-Za-z0-9_]{20,}
    | \d{8,10}:AA[A-Za-z0-9_-]{30,}                          # Telegram bots
    | [MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}     # Discord bots
    | eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]{6,})?      # JSON web tokens
    )""",
    re.VERBOSE,
)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_PRIVATE_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_BASE64 = re.compile(r"[A-Za-z0-9+/=]{16}")
_LONGEST_KEY = 16_384

_IN_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,20}://([^\s:/@?#\"'<>]{0,80}):([^\s@/\"'<>]{1,200})@(?=[\w\[.-])")
_NAME_IN_ADDRESS = re.compile(r"https?://([A-Za-z0-9_-]{16,200})@(?=[\w.-])")
_IN_QUERY = re.compile(
    r"[?&](?:access[_-]?token|auth[_-]?token|token|api[_-]?key|apikey|key|secret|password|passwd|pwd|sig|signature|auth)"
    r"=([^&?\s\"'<>()\[\]，。；,;]{6,300})",
    re.IGNORECASE,
)
_HOOKS = re.compile(
    r"""hooks\.slack\.com/(?:services|workflows)/\w+/\w+/([A-Za-z0-9]{16,})
    | discord(?:app)?\.com/api/webhooks/\d+/([\w-]{30,})
    | open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/([0-9a-f-]{30,})
    | api\.telegram\.org/bot(\d{8,10}:[\w-]{30,})""",
    re.VERBOSE,
)
_COMMANDS = re.compile(
    r"""\bsshpass\s+-p\s*["']?([^\s"']{4,64})
    | \bmysql(?:dump|admin)?\s[^\n]{0,80}?\s-p["']?([^\s"'-][^\s"']{3,63})
    | \bredis-cli\s[^\n]{0,80}?\s-a\s+["']?([^\s"']{4,64})
    | \s-u\s+["']?[\w.@+-]{1,60}:([^\s"']{4,64})
    | \s--user[=\s]+["']?[\w.@+-]{1,60}:([^\s"']{4,64})
    | \blogin\s+\S{1,60}\s+password\s+(\S{4,64})""",
    re.VERBOSE,
)
_DOCUMENTED = frozenset({"password", "pass", "pwd", "passwd", "pw", "secret", "user", "username"})


def by_shape(text: str) -> Iterator[Secret]:
    """Yield secrets that need no words around them."""
    yield from _private_keys(text)
    for match in _TOKENS.finditer(text):
        if not _stands_for_another(match[0]):
            yield Secret("token", *match.span())
    yield from _in_addresses(text)
    for pattern in (_HOOKS, _COMMANDS):
        for match in pattern.finditer(text):
            group = match.lastindex or 0
            if not is_no_value(match[group]):
                yield Secret("url" if pattern is _HOOKS else "password", *match.span(group))


def _stands_for_another(token: str) -> bool:
    """Return whether a token only shows the shape: `sk-xxxx…`, `ghp_your_token_here`."""
    body = re.split(r"[-_]", token, maxsplit=1)[-1]
    return (
        len(set(body)) < 6
        or is_placeholder(token)
        or re.search(r"[xX]{5}|\.\.\.|0123456789|abcdefgh", token) is not None
    )


def _private_keys(text: str) -> Iterator[Secret]:
    at = 0
    while match := _PRIVATE_KEY.search(text, at):
        end = _PRIVATE_KEY_END.search(text, match.end(), match.end() + _LONGEST_KEY)
        at = end.end() if end else min(len(text), match.end() + _LONGEST_KEY)
        if _BASE64.search(text, match.end(), at):
            yield Secret("private_key", match.start(), at)


def _in_addresses(text: str) -> Iterator[Secret]:
    for match in _IN_ADDRESS.finditer(text):
        name, value = match[1], match[2]
        documented = value.casefold() in _DOCUMENTED or name.casefold() in {"user", "username", "name"}
        if documented or _is_template(value):
            continue
        known = value == name or is_default(value)
        yield Secret("default_login" if known else "url", *match.span(2))
    for match in _NAME_IN_ADDRESS.finditer(text):
        if looks_like_key(match[1], 16):
            yield Secret("url", *match.span(1))
    for match in _IN_QUERY.finditer(text):
        if looks_like_key(match[1], 8) or (looks_like_password(match[1]) and classes(match[1]) >= 3):
            yield Secret("url", *match.span(1))


def _is_template(value: str) -> bool:
    return bool(re.match(r"[$<{%\[*]|x{3,}|\.{3}|…", value, re.IGNORECASE)) or is_placeholder(value) or "***" in value
