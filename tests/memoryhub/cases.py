"""What the tests of the M cases share: reading a file as a person would, and repairing it after a preview."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from django.core.management import call_command

from memoryhub import entries, flags
from memoryhub.entries import MemoryFile
from memoryhub.hermes.home import Home
from memoryhub.models import Revision
from memoryhub.services import memory, revisions, writes

D: Final = "\n§\n"
PAGE: Final = {"via": "page"}
Put = Callable[..., Path]


def hub(*arguments: str) -> tuple[int, dict[str, Any]]:
    """Run a command with --json; its exit status and its document."""
    out = io.StringIO()
    try:
        call_command(*arguments, "--json", stdout=out)
        status = 0
    except SystemExit as ended:
        status = int(ended.code or 0)
    document: dict[str, Any] = json.loads(out.getvalue())
    return status, document


def texts(home: Home, target: str = "memory") -> list[str]:
    return list(writes.read(home, target).texts)


def entry_id(home: Home, text: str, target: str = "memory") -> str:
    return next(entry.id for entry in writes.read(home, target).entries if entry.text == text)


def codes(file: MemoryFile) -> set[str]:
    return {notice.code for notice in file.notices}


def flag_codes(file: MemoryFile) -> list[list[str]]:
    return [[flag.code for flag in checked.flags] for checked in flags.check(file)]


def mend(home: Home, code: str, target: str = "memory") -> MemoryFile:
    """Apply the repair ``code`` as a person would after its preview."""
    now = writes.read(home, target)
    return memory.file_repair(home, target, code, seen_digest=now.digest, **PAGE).files[target]


def kept_bytes(home: Home, target: str = "memory") -> list[bytes]:
    rows = Revision.objects.filter(home=home.key, target=target).select_related("content").order_by("id")
    return [data for row in rows if (data := revisions.data_of(row)) is not None]


def texts_of(data: bytes) -> list[str]:
    return list(entries.parse(data, "memory", 2200).texts)


def words(data: bytes) -> set[bytes]:
    return set(data.split())
