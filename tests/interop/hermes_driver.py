"""Runs inside Hermes' own Python: answers one JSON question a line about memory files. No part of the tests' process.

Question: ``op`` and its arguments; answer: one JSON object, ``error`` when Hermes raised. Uses the names that Hermes
0.19.0 has (``tools.memory_tool``), as a program of its owner would.
"""

import base64
import contextlib
import json
import logging
import shutil
import sys

logging.disable(logging.CRITICAL)

from hermes_cli.config import load_config  # noqa: E402
from hermes_constants import get_hermes_home  # noqa: E402
from tools.memory_tool import MemoryStore, get_memory_dir, load_on_disk_store  # noqa: E402
from tools.threat_patterns import scan_for_threats  # noqa: E402

NAMES = {"memory": "MEMORY.md", "user": "USER.md"}
NOBODY_HAS_THIS = "no entry holds these words, 7f3a"


def fresh_store(target, data, limit):
    """A store on a memories folder that holds nothing but ``data`` (base64, or None)."""
    folder = get_memory_dir()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if data is not None:
        (folder / NAMES[target]).write_bytes(base64.b64decode(data))
    return MemoryStore(**{f"{target}_char_limit": limit})


def entries_of(store, target):
    return list(store.memory_entries if target == "memory" else store.user_entries)


def bytes_of(target):
    path = get_memory_dir() / NAMES[target]
    return base64.b64encode(path.read_bytes()).decode() if path.exists() else None


def look(target, data, limit):
    """How Hermes reads a file: its entries, its figures, and whether it calls the file drifted."""
    store = fresh_store(target, data, limit)
    store.load_from_disk()
    entries = entries_of(store, target)
    usage = store._success_response(target)["usage"]
    refusal = store.remove(target, NOBODY_HAS_THIS)
    return {
        "entries": entries,
        "used": int(usage.split("— ")[1].split("/")[0].replace(",", "")),
        "percent": int(usage.split("%")[0]),
        "drift": "drift_backup" in refusal,
    }


def write(target, data, limit, calls):
    """Load a file, make the calls one after the other, and give their answers and the bytes that are left."""
    store = fresh_store(target, data, limit)
    store.load_from_disk()
    answers = [getattr(store, name)(target, *arguments) for name, *arguments in calls]
    return {"answers": answers, "data": bytes_of(target)}


def percents(pairs):
    """Percent as Hermes prints it for (used, limit) pairs."""
    out = []
    for used, limit in pairs:
        store = MemoryStore(memory_char_limit=limit)
        store.memory_entries = ["x" * used] if used else []
        out.append(int(store._success_response("memory")["usage"].split("%")[0]))
    return {"percents": out}


def config(text):
    """What a config.yaml with this text (base64) makes of the limits and the two switches."""
    path = get_hermes_home() / "config.yaml"
    path.write_bytes(base64.b64decode(text))
    store = load_on_disk_store()
    memory = load_config().get("memory")
    switches = memory if isinstance(memory, dict) else {}
    return {
        "limits": [store.memory_char_limit, store.user_char_limit],
        "enabled": [bool(switches.get(name, True)) for name in ("memory_enabled", "user_profile_enabled")],
    }


def hold_lock(target):
    """Take Hermes' lock on a memory file and keep it until ``let_go``."""
    lock = MemoryStore._file_lock(get_memory_dir() / NAMES[target])
    lock.__enter__()
    held.append(lock)
    return {}


def let_go():
    held.pop().__exit__(None, None, None)
    return {}


held = []


def threats(texts):
    """The pattern ids that Hermes names for each text that is to be written."""
    return {"ids": [scan_for_threats(text, scope="strict") for text in texts]}


def block(target, data, limit):
    """The block of the system prompt for a file, None when Hermes makes none."""
    store = fresh_store(target, data, limit)
    store.load_from_disk()
    return {"block": store.format_for_system_prompt(target)}


def main():
    answers, sys.stdout = sys.stdout, sys.stderr
    known = (look, write, percents, config, hold_lock, let_go, threats, block)
    operations = {operation.__name__: operation for operation in known}
    for line in sys.stdin:
        question = json.loads(line)
        operation = operations[question.pop("op")]
        try:
            with contextlib.redirect_stdout(sys.stderr):
                answer = operation(**question)
        except Exception as error:  # whatever Hermes raises is the answer
            answer = {"error": type(error).__name__}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


main()
