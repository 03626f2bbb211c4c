"""The documents say what the code does: variables, options, links, lock files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import load_command_class

ROOT = Path(__file__).parent.parent
CONFIGURATION = (ROOT / "docs/configuration.md").read_text("utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
VARIABLE = re.compile(r"\b(?:MEMORYHUB_[A-Z_]+|HERMES_(?:HOME|PYTHON))\b")


def test_every_variable_that_the_code_reads_has_a_row_and_the_other_way_round() -> None:
    packages = ("memoryhub", "sessions_app", "skills_app", "tests")
    code = "\n".join(path.read_text("utf-8") for name in packages for path in (ROOT / name).rglob("*.py"))
    rows = set(re.findall(r"^\| `([A-Z_]+)` \|", CONFIGURATION, re.MULTILINE))
    assert set(VARIABLE.findall(code)) == rows


def test_every_option_of_serve_has_a_row_and_the_other_way_round() -> None:
    parser = load_command_class("memoryhub", "serve").create_parser("memoryhub", "serve")
    django_own = {"--help", "--version", "--verbosity", "--settings", "--pythonpath", "--traceback", "--no-color"}
    django_own |= {"--force-color", "--skip-checks"}
    options = {name for action in parser._actions for name in action.option_strings if name.startswith("--")}
    rows = set(re.findall(r"^\| `(--[a-z-]+)", CONFIGURATION, re.MULTILINE))
    assert options - django_own == rows


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_to_files_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)\)", document.read_text("utf-8")):
        if "://" not in target:
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_lock_files_hold_versions_and_hashes_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert not re.search(r"https?://|file:/|--index|--find-links|--trusted-host|/[a-z]+/", text)
    packages = re.findall(r"^([a-z0-9][\w.-]*)==\S+ \\$", text, re.MULTILINE)
    assert len(packages) > 5
    assert text.count("==") == len(packages)


def test_both_lock_files_agree() -> None:
    runtime, dev = (
        set(re.findall(r"^\S+==\S+", (ROOT / name).read_text("utf-8"), re.MULTILINE))
        for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert runtime <= dev


def test_every_library_that_we_depend_on_has_its_reason() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    reasons = (ROOT / "docs/decisions/libraries.md").read_text("utf-8").lower()
    for dependency in project["dependencies"]:
        assert re.match(r"[\w-]+", dependency)[0].lower() in reasons


def test_every_template_part_says_what_it_needs() -> None:
    for part in (ROOT / "templates").rglob("_*.html"):
        assert part.read_text("utf-8").startswith("{# Fills "), part.name


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs/decisions"
    listed = set(re.findall(r"\]\(([^)]+)\)", (folder / "README.md").read_text("utf-8")))
    assert listed == {path.name for path in folder.glob("*.md")} - {"README.md"}
