"""Discarding what lies among the records and is no readable file: it is renamed, never deleted."""

from __future__ import annotations

import os
import stat

from memoryhub.hermes.files import MAX_BYTES, NotWritable
from memoryhub.hermes.home import Home
from skills_app.models import Decision
from skills_app.pending.records import Unreadable
from skills_app.pending.refusal import Refusal
from skills_app.services.decisions_problems import CannotApply, ItemGone

SET_ASIDE = ".discarded"


def is_special(record: Unreadable) -> bool:
    """Whether it is no plain file whose bytes could be kept."""
    try:
        status = record.path.lstat()
    except OSError as error:
        raise ItemGone(record.id) from error
    return not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES


def set_aside(home: Home, record: Unreadable, reason: str, via: str) -> Decision:
    """Rename a link, a pipe or a huge file so that nobody takes it for a record. Raises CannotApply for a folder."""
    if stat.S_ISDIR(record.path.lstat().st_mode):
        sentence = f"{record.file} is a folder. Look into it and remove it by hand."
        raise CannotApply(Refusal("not_a_file", sentence))
    target = record.path.with_name(record.path.name + SET_ASIDE)
    if os.path.lexists(target):
        raise NotWritable(target, f"{target.name} is there already; remove it first.")
    try:
        record.path.rename(target)
    except OSError as error:
        raise NotWritable(record.path, f"{record.file} cannot be renamed ({error.strerror}).") from error
    details = {"subsystem": record.subsystem, "file": record.file, "set_aside": record.file + SET_ASIDE}
    return Decision.objects.create(
        home=home.key, item=record.id, action="discard", reason=reason, via=via, digest=record.sha256, details=details
    )
