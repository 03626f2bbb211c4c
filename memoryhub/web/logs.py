"""What must not stand in a log: open tokens and query strings."""

from __future__ import annotations

import logging
import re
from typing import Final

_OPEN: Final = re.compile(r"/open/[^\s?#/\"']+")


def without_token(path: str) -> str:
    """``path`` with the token of an open link replaced, and without anything after a question mark."""
    return _OPEN.sub("/open/…", path.partition("?")[0])


class NoTokens(logging.Filter):
    """Replaces open tokens in every message."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the message; never drop a record."""
        message = record.getMessage()
        cleaned = _OPEN.sub("/open/…", message)
        if cleaned != message:
            record.msg, record.args = cleaned, ()
        return True
