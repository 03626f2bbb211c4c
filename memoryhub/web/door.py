"""Who may enter: Host headers, one-time tokens, passwords and fingerprints, as pure functions.

Knows no request and no database; ``memoryhub.services.door`` keeps what must be remembered.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

TOKEN_LIFE: Final = timedelta(minutes=10)
COOKIE_LIFE: Final = timedelta(days=30)
PASSWORD_LENGTH: Final = 10
_HOST = re.compile(r"(?P<name>[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?", re.IGNORECASE | re.ASCII)
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)
_SCRYPT: Final = {"n": 2**14, "r": 8, "p": 1}


def host_name(header: str | None) -> str | None:
    """The name in a ``Host`` header, in lower case and without port or brackets; None when it is no single host.

    A trailing dot is refused: it makes another origin of the same address. Two Host headers arrive as one with a
    comma in it and are refused as well.
    """
    match = _HOST.fullmatch(header or "")
    if match is None or match["name"].endswith("."):
        return None
    return match["name"].strip("[]").lower()


def is_loopback(name: str) -> bool:
    """Whether ``name`` is this machine itself: localhost, 127.0.0.0/8 or ::1, spelled exactly."""
    if name.lower() == "localhost":
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback and (address.version == 4 or address == ipaddress.IPv6Address(1))


def is_origin(text: str) -> bool:
    """Whether ``text`` is an origin as browsers send it: scheme, host, perhaps a port, nothing else."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return False
    host = parts.hostname
    if parts.scheme not in {"http", "https"} or not host or "*" in host:
        return False
    shown = f"[{host}]" if ":" in host else host
    return text == f"{parts.scheme}://{shown}{f':{port}' if port is not None else ''}"


def new_token() -> str:
    """A fresh token of 256 bits for the open link."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What the database keeps of a token. A plain hash is enough: nobody guesses 256 bits."""
    return hashlib.sha256(token.encode()).hexdigest()


def find_token(pasted: str) -> str | None:
    """The token in what a person pasted: the whole link or the token alone."""
    parts = [part for part in pasted.strip().split("/") if part]
    return parts[-1] if parts and _TOKEN.fullmatch(parts[-1]) else None


def password_hash(password: str) -> str:
    """``password`` as one line to keep: scheme, salt and key in hexadecimal."""
    salt = secrets.token_bytes(16)
    return f"scrypt:{salt.hex()}:{_scrypt(password, salt).hex()}"


def password_matches(password: str, kept: str) -> bool:
    """Whether ``password`` is the one whose hash was kept; False for a line we did not write."""
    scheme, _, rest = kept.strip().partition(":")
    salt, _, expected = rest.partition(":")
    try:
        key = _scrypt(password, bytes.fromhex(salt))
    except ValueError:
        return False
    return scheme == "scrypt" and hmac.compare_digest(key.hex(), expected)


def _scrypt(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode("utf-8", "surrogatepass"), salt=salt, **_SCRYPT)


def fingerprint(home_key: str) -> str:
    """A short mark of a home that forms carry, so that a tab of another home is noticed."""
    return hashlib.sha256(home_key.encode("utf-8", "surrogateescape")).hexdigest()[:16]
