"""Runs inside Hermes' own Python: answers one JSON question a line about skills. No part of the tests' process.

Question: ``op`` and its arguments; answer: one JSON object, ``error`` when Hermes raised. Uses the names that Hermes
0.19.0 has, as a program of its owner would.
"""

import contextlib
import json
import logging
import sys
from pathlib import Path

logging.disable(logging.CRITICAL)

from agent import skill_utils  # noqa: E402
from hermes_constants import get_hermes_home  # noqa: E402
from tools import skill_usage, skills_guard, skills_sync, skills_tool  # noqa: E402


def forget_caches():
    skills_tool._SKILLS_CACHE.clear()
    skill_utils._external_dirs_cache_clear()


def skills():
    """What the agent lists: name, description (as text) and category, in its own order; and what it leaves out."""
    forget_caches()
    found = [
        [str(each["name"]), str(each["description"])[:2000], each["category"]]
        for each in skills_tool._find_all_skills(skip_disabled=True)
    ]
    forget_caches()
    listed = [str(each["name"]) for each in skills_tool._find_all_skills()]
    return {"found": found, "listed": listed, "disabled": sorted(skill_utils.get_disabled_skill_names())}


def view(name):
    """Whether the agent can load a skill by name, and which file it takes."""
    forget_caches()
    answer = json.loads(skills_tool.skill_view(name))
    return {"success": bool(answer.get("success")), "error": answer.get("error", "")}


def roots():
    forget_caches()
    return {"external": [str(each) for each in skill_utils.get_external_skills_dirs()]}


def digests(folders):
    """The three digests of each folder, None where Hermes raises."""
    out = []
    for folder in folders:
        row = []
        for digest in (skills_guard.content_hash, skills_guard.full_content_hash, skills_sync._dir_hash):
            try:
                row.append(digest(Path(folder)))
            except Exception:
                row.append(None)
        out.append(row)
    return {"digests": out}


def trust(sources):
    return {"levels": [skills_guard._resolve_trust_level(each) for each in sources]}


def origins(names):
    """Where Hermes says that each skill came from: hub, bundled or agent."""
    return {"origins": [skill_usage.provenance(name) for name in names]}


def manifest():
    return {"shipped": skills_sync._read_manifest(), "suppressed": sorted(skill_usage.read_suppressed_names())}


def usage(name=None):
    return {"all": skill_usage.load_usage(), "one": skill_usage.get_record(name) if name else None}


def change(what, name, value=None):
    """One change of a usage record by Hermes itself."""
    arguments = [name] if value is None else [name, value]
    getattr(skill_usage, what)(*arguments)
    return usage(name)


def archive(name):
    done, said = skill_usage.archive_skill(name)
    return {"done": done, "said": said}


def bring_back(name):
    done, said = skill_usage.restore_skill(name)
    return {"done": done, "said": said, "archived": skill_usage.list_archived_skill_names()}


def home():
    return {"home": str(get_hermes_home())}


def main():
    answers, sys.stdout = sys.stdout, sys.stderr
    known = (skills, view, roots, digests, trust, origins, manifest, usage, change, archive, bring_back, home)
    operations = {operation.__name__: operation for operation in known}
    for line in sys.stdin:
        question = json.loads(line)
        operation = operations[question.pop("op")]
        try:
            with contextlib.redirect_stdout(sys.stderr):
                answer = operation(**question)
        except Exception as error:  # whatever Hermes raises is the answer
            answer = {"error": type(error).__name__, "said": str(error)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


main()
