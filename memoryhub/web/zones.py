"""Which time zone a page is written in: the browser's, when it told us, else the one of this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

_NAME: Final = re.compile(r"[A-Za-z0-9_+-]{1,32}(?:/[A-Za-z0-9_+-]{1,32}){0,3}", re.ASCII)
_LOCALTIME: Final = Path("/etc/localtime")


def find_zone(name: str) -> ZoneInfo | None:
    """The zone of this name, or None: a cookie may hold anything."""
    if not _NAME.fullmatch(name):
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown, malformed, or a folder of zones
        return None


def server_zone(environ: Mapping[str, str], localtime: Path = _LOCALTIME) -> tzinfo:
    """The zone of this machine: ``TZ``, else where ``/etc/localtime`` leads, else today's offset from UTC."""
    linked = os.path.realpath(localtime).partition("zoneinfo/")[2]
    offset = datetime.now().astimezone().tzinfo
    assert offset is not None
    return find_zone(environ.get("TZ", "").lstrip(":")) or find_zone(linked) or offset
