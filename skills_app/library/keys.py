"""The key of a skill: unique in its home, stable while its folder stays where it is, safe in an address and a shell."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from skills_app.library.model import Root, RootKind

# First parts of addresses below /skills/ that mean something else; a skill in a folder of that name gets a longer key.
RESERVED: Final = frozenset(
    [
        "approvals",
        "archive",
        "archived",
        "capabilities",
        "compare",
        "decided",
        "decisions",
        "digest",
        "disabled",
        "dismissals",
        "dismissed",
        "export",
        "external",
        "file",
        "files",
        "findings",
        "groups",
        "hermes",
        "holds",
        "home",
        "new",
        "policy",
        "progress",
        "raw",
        "refresh",
        "restore",
        "rules",
        "scan",
        "scans",
        "search",
        "settings",
        "source",
        "state",
        "status",
        "tiers",
        "unknown",
        "usage",
        "verdict",
        "verdicts",
    ]
)
_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_OTHER: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST: Final = 100
_DIGITS: Final = 10


def key_of(root: Root, relative: str, digits: int = _DIGITS) -> str:
    """The key of the skill in folder ``relative`` (posix) of ``root``.

    ``devops/deploy`` of the home is ``devops~deploy``; other roots follow after an ``@``. Names that an address cannot
    carry, or that are long or reserved, are smoothed and get ``digits`` hex digits of a digest after ``~~``.
    """
    parts = relative.split("/")
    slug = "~".join(_smooth(part) for part in parts)
    is_plain = all(_PLAIN.fullmatch(part) for part in parts) and len(slug) <= _LONGEST and slug not in RESERVED
    if not is_plain:
        slug = f"{slug[:_LONGEST]}~~{_digest(root, relative)[:digits]}"
    return slug if root.kind is RootKind.HOME else f"{slug}@{root.label}"


def longer_key(root: Root, relative: str) -> str:
    """The key to use when another skill has the usual one already."""
    suffix = "" if root.kind is RootKind.HOME else f"@{root.label}"
    return f"{_smooth(relative.rpartition('/')[2])[:_LONGEST]}~~{_digest(root, relative)}{suffix}"


def _smooth(part: str) -> str:
    return _OTHER.sub("-", part).strip("-.") or "skill"


def _digest(root: Root, relative: str) -> str:
    place = f"{root.kind}\0{root.label}\0{relative}"
    return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()
