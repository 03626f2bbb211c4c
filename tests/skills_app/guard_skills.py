"""Small skills for tests of the guard, and rules of the tests' own that no change of the real table touches."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from skills_app.guard.model import Category, Finding, Report, Rule, Severity
from skills_app.guard.scanner import scan_texts

HEADER = "---\nname: plain\ndescription: Helps with a task\n---\n"


def make_rule(id_: str, pattern: str, *hints: str, category: Category = Category.SUPPLY_CHAIN) -> Rule:
    """A critical rule."""
    return Rule(id_, Severity.CRITICAL, category, f"Title of {id_}", "Why", "Harmless", "Check", pattern, hints)


FETCH = make_rule("fetch", r"\bcurl\b[^\n|]{0,200}\|\s{0,3}(?:ba)?sh\b", "curl")
IGNORE = make_rule("ignore", r"\bignore\s{1,9}all\s{1,9}previous\b", "ignore", category=Category.INJECTION)
WIPE = make_rule("wipe", r"\brm\s{1,9}-rf\s{1,9}/(?!\w)", "rm", category=Category.DESTRUCTIVE)
KEY = make_rule("key", r"\bkey\s?=\s?\"[0-9a-f]{16,64}\"", "key", category=Category.CREDENTIAL_EXPOSURE)
OWN = (FETCH, IGNORE, WIPE, KEY)


def write_skill(folder: Path, files: Mapping[str, str | bytes], body: str | None = None) -> Path:
    """Write a skill; SKILL.md is ``body`` under a header unless it is among the files."""
    contents = {"SKILL.md": HEADER + (body or "# Plain\n"), **files}
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def scan_body(body: str, **files: str) -> Report:
    """Scan a SKILL.md with this body by the rules of the tests."""
    others = {name.replace("__", "/"): text.encode() for name, text in files.items()}
    return scan_texts({"SKILL.md": (HEADER + body).encode(), **others}, rules=OWN)


def scan_one(name: str, data: bytes) -> Report:
    """Scan a skill that holds, beside a harmless SKILL.md, one file."""
    return scan_texts({"SKILL.md": (HEADER + "# Plain\n").encode(), name: data}, rules=OWN)


def only(report: Report, rule: str) -> Finding:
    """The one finding of a rule."""
    (found,) = [finding for finding in report.findings if finding.rule == rule]
    return found


def rules_in(report: Report) -> set[str]:
    """The ids of everything found."""
    return {finding.rule for finding in report.findings}


def make_zip(members: Mapping[str, bytes]) -> bytes:
    """A zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()
