"""A JSON file that Hermes keeps beside the skills, read while Hermes may be writing it."""

from __future__ import annotations

import codecs
import json
import time
from pathlib import Path
from typing import Any, Final

from memoryhub.hermes import files

_PAUSE: Final = 0.05
_MOST_BYTES: Final = 16 * 1024 * 1024


class Unusable(Exception):
    """The file is there and says nothing that can be used; the text says why, without a full stop."""


def read_json(path: Path) -> Any:
    """Return what the file holds, None when there is no file; raises Unusable.

    A file that is no JSON is read again once: Hermes writes some of them in place.
    """
    try:
        return _parse(path)
    except Unusable:
        time.sleep(_PAUSE)
        return _parse(path)


def _parse(path: Path) -> Any:
    try:
        data = files.read_regular(path, _MOST_BYTES)
    except files.FileProblem as problem:
        raise Unusable(str(problem).rstrip(".")) from problem
    if data is None:
        return None
    if not data.strip():
        raise Unusable("it is empty")
    if data.startswith(codecs.BOM_UTF8):  # Hermes does not read it either
        raise Unusable("it begins with a byte-order mark, which does not belong in JSON")
    try:
        found = json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Unusable(f"byte {error.start + 1:,} is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise Unusable("it is not complete JSON") from error
    if found is None:
        raise Unusable("it holds nothing")
    return found
