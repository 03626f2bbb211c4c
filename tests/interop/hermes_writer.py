"""Runs inside Hermes' own Python: writes memory as an agent does and logs each acknowledged write as a JSON line.

Arguments: the letter of this writer, how many acknowledged writes to make, the log file, and the folder with
facts_as_entries.py (an isolated Python has no other way to find it).
"""

import json
import logging
import pathlib
import sys

logging.disable(logging.CRITICAL)
letter, wanted, log_path, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
sys.path.append(folder)

import facts_as_entries as facts  # noqa: E402
from tools.memory_tool import get_memory_dir, load_on_disk_store, memory_tool  # noqa: E402

rng = facts.generator(letter)
store = load_on_disk_store()
made = 0


def new_entry():
    global made
    made += 1
    return facts.make(f"{letter}-{made}", rng)


def names_on_disk(target):
    path = get_memory_dir() / {"memory": "MEMORY.md", "user": "USER.md"}[target]
    return facts.names_in(path.read_bytes()) if path.exists() else []


def single(kind, target, name):
    """One call: what it makes and what it takes away."""
    if kind == "add":
        text = new_entry()
        return {"action": "add", "content": text}, [facts.name_of(text)], []
    if kind == "replace":
        text = new_entry()
        return {"action": "replace", "old_text": facts.named(name), "content": text}, [facts.name_of(text)], [name]
    return {"action": "remove", "old_text": facts.named(name)}, [], [name]


def step():
    target = rng.choice(("memory", "memory", "user"))
    names = names_on_disk(target)
    full = len(names) > 40
    kinds = ["remove", "remove", "replace"] if full else ["add", "add", "replace", "remove", "batch"]
    kind = rng.choice(kinds) if names else "add"
    if kind == "batch" and len(names) > 2:
        chosen = rng.sample(names, 2)
        parts = [single("add", target, None), single("replace", target, chosen[0]), single("remove", target, chosen[1])]
        answer = memory_tool(target=target, operations=[part[0] for part in parts], store=store)
        gains, losses = [n for p in parts for n in p[1]], [n for p in parts for n in p[2]]
    else:
        call, gains, losses = single("add" if kind == "batch" else kind, target, rng.choice(names) if names else None)
        answer = memory_tool(target=target, store=store, **call)
    return target, gains, losses, json.loads(answer)


with pathlib.Path(log_path).open("w", encoding="utf-8", buffering=1) as log:
    acknowledged = 0
    while acknowledged < wanted:
        target, gains, losses, answer = step()
        ok = bool(answer.get("success"))
        acknowledged += ok
        line = {"ok": ok, "target": target, "made": gains, "gone": losses}
        log.write(json.dumps(line if ok else {**line, "why": answer.get("error", "")[:200]}) + "\n")
