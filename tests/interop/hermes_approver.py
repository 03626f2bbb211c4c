"""Runs inside Hermes' own Python: stages writes with the gate on and approves them as a person does in a chat.

One JSON question a line: ``op`` and its arguments; answer: one JSON object, ``error`` when Hermes raised.
"""

import base64
import contextlib
import json
import logging
import shutil
import sys

logging.disable(logging.CRITICAL)

from hermes_cli.write_approval_commands import handle_pending_subcommand  # noqa: E402
from hermes_constants import get_hermes_home  # noqa: E402
from tools import skill_provenance, write_approval  # noqa: E402
from tools.memory_tool import load_on_disk_store, memory_tool  # noqa: E402
from tools.skill_manager_tool import skill_manage  # noqa: E402

PLACES = ("memories", "skills", "pending")
BACKGROUND = "background_review"


def lay(files):
    """Make the home hold exactly these files (base64 by path)."""
    home = get_hermes_home()
    for place in PLACES:
        shutil.rmtree(home / place, ignore_errors=True)
        (home / place).mkdir()
    for name, data in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(data))
    return {}


def stage(tool, call, background=False):
    """Make a tool call that the gate stages; the answer is the staged record, as its file's text."""
    token = skill_provenance.set_current_write_origin(BACKGROUND if background else "foreground")
    try:
        if tool == "memory":
            answer = json.loads(memory_tool(store=load_on_disk_store(), **call))
        else:
            answer = json.loads(skill_manage(**call))
    finally:
        skill_provenance.reset_current_write_origin(token)
    if not answer.get("staged"):
        return {"staged": False, "said": answer.get("error", "")}
    subsystem = "memory" if tool == "memory" else "skills"
    path = get_hermes_home() / "pending" / subsystem / f"{answer['pending_id']}.json"
    return {"staged": True, "id": answer["pending_id"], "record": path.read_text(encoding="utf-8")}


def put(subsystem, record):
    """Stage a record with this payload, as a version that stages it would."""
    made = write_approval.stage_write(subsystem, record["payload"], summary="", origin=record["origin"])
    path = get_hermes_home() / "pending" / subsystem / f"{made['id']}.json"
    return {"staged": True, "id": made["id"], "record": path.read_text(encoding="utf-8")}


def approve(subsystem, record_id):
    """Approve one record as the slash command does."""
    said = handle_pending_subcommand(subsystem, ["approve", record_id], memory_store=load_on_disk_store())
    return {"ok": said.startswith("Approved 1"), "said": said}


def listed(subsystem):
    """The ids that Hermes lists."""
    return {"ids": [record["id"] for record in write_approval.list_pending(subsystem)]}


def look():
    """What the home holds now (base64 by path), locks left out."""
    home, found = get_hermes_home(), {}
    for place in PLACES:
        for path in (home / place).rglob("*"):
            if path.is_file() and not path.name.endswith(".lock"):
                found[path.relative_to(home).as_posix()] = base64.b64encode(path.read_bytes()).decode()
    return {"files": found}


def main():
    answers, sys.stdout = sys.stdout, sys.stderr
    operations = {operation.__name__: operation for operation in (lay, stage, put, approve, listed, look)}
    for line in sys.stdin:
        question = json.loads(line)
        operation = operations[question.pop("op")]
        try:
            with contextlib.redirect_stdout(sys.stderr):
                answer = operation(**question)
        except Exception as error:  # whatever Hermes raises is the answer
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


main()
