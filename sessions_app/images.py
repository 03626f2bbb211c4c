"""Images inside messages: only those that are stored in the message itself, only raster types, told by their bytes."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from memoryhub.hermes.values import PARTS_MARKER, as_json, as_text, whole

LARGEST: Final = 12_000_000  # bytes
_DATA: Final = re.compile(r"data:image/(?P<kind>[a-z0-9.+-]{1,20})(?:;[a-z0-9=._-]{1,40})*;base64,", re.IGNORECASE)
_BEGINNINGS: Final = (
    ("png", b"\x89PNG\r\n\x1a\n", 0), ("jpeg", b"\xff\xd8\xff", 0), ("gif", b"GIF87a", 0), ("gif", b"GIF89a", 0),
    ("webp", b"WEBP", 8), ("bmp", b"BM", 0), ("avif", b"ftypavif", 4),
)  # fmt: skip


@dataclass(frozen=True)
class Image:
    """An image of a message, its place among them from 0. `kind` is what its bytes are; "" when it is not shown.

    `size` is in bytes. `host` names where one lies that is not stored here (and is never fetched).
    """

    place: int
    kind: str
    size: int = 0
    host: str = ""


def images_of(content: object) -> tuple[Image, ...]:
    """Return the images of a stored content, in order."""
    return tuple(_image(place, source) for place, source in enumerate(_sources(content)))


def image_bytes(content: object, place: int) -> tuple[str, bytes] | None:
    """Return (kind, bytes) of an image that may be shown; None when there is none at that place."""
    sources = _sources(content)
    if not 0 <= place < len(sources):
        return None
    data = _decoded(sources[place])
    kind = _kind(data) if data is not None else ""
    return (kind, data) if kind and data is not None else None


def _sources(content: object) -> list[str]:
    text = as_text(content)
    if not text.startswith(PARTS_MARKER):
        return []
    parts = as_json(text[len(PARTS_MARKER) :])
    found = [_source(part) for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return [one for one in found if one is not None]


def _source(part: Mapping[str, Any]) -> str | None:
    """The address of a part that is an image, in the ways that providers write it; None for other parts."""
    url = part.get("image_url")
    if isinstance(url, dict):
        url = url.get("url")
    source = part.get("source")
    if url is None and isinstance(source, dict) and "image" in str(part.get("type", "")):
        url = source.get("url")
        if url is None:
            url = f"data:{source.get('media_type', '')};base64,{source.get('data', '')}"
    if isinstance(url, str):
        return url
    return "" if "image" in str(part.get("type", "")) else None


def _image(place: int, source: str) -> Image:
    data = _decoded(source)
    if data is not None:
        return Image(place, _kind(data), len(data))
    try:
        host = urlsplit(source[:2_000]).hostname or ""
    except ValueError:
        host = ""
    return Image(place, "", 0, whole(host))


def _decoded(source: str) -> bytes | None:
    """The bytes of a data address; None for what is none."""
    found = _DATA.match(source)
    if found is None or len(source) > LARGEST * 4 // 3 + 200:
        return None
    try:
        return base64.b64decode(source[found.end() :], validate=False)
    except (binascii.Error, ValueError):
        return b""


def _kind(data: bytes) -> str:
    return next((kind for kind, start, at in _BEGINNINGS if data[at : at + len(start)] == start), "")
