"""What a file is for and in which language it is written, told by its path and its first line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from skills_app.guard.model import Kind


def _by_ending(**endings: str) -> Mapping[str, str]:
    return {f".{ending}": language for language, text in endings.items() for ending in text.split()}


_SCRIPTS: Final = _by_ending(
    bash="sh bash zsh ksh dash fish ash command bats envrc",
    python="py pyw pyi pyx ipynb",
    javascript="js mjs cjs jsx ts mts cts tsx vue svelte",
    powershell="ps1 psm1 psd1",
    batch="bat cmd",
    ruby="rb rake gemspec",
    perl="pl pm",
    php="php phtml phar",
    lua="lua",
    r="r",
    julia="jl",
    go="go",
    rust="rs",
    java="java kt kts groovy gradle scala",
    c="c h cc cpp hpp cs m mm",
    swift="swift",
    applescript="applescript scpt",
    vbscript="vbs vba wsf",
    awk="awk",
    tcl="tcl exp",
    sql="sql",
    makefile="mk",
    nix="nix",
    dockerfile="dockerfile containerfile",
    elixir="ex exs",
    haskell="hs",
    dart="dart",
)
_CONFIGS: Final = _by_ending(
    yaml="yaml yml",
    json="json jsonc json5 jsonl",
    toml="toml",
    ini="ini cfg conf properties env service timer desktop reg npmrc pypirc netrc",
    xml="xml plist",
    terraform="tf tfvars hcl",
)
_PROSE: Final = _by_ending(
    markdown="md markdown mdx mdc rst adoc org textile",
    text="txt text log",
    html="html htm xhtml svg",
    latex="tex bib sty cls",
)
_TABLES: Final = frozenset([".csv", ".tsv", ".po", ".pot", ".srt", ".vtt", ".ics", ".css", ".scss", ".less"])
_NAMES: Final = {
    "makefile": "makefile",
    "gnumakefile": "makefile",
    "justfile": "makefile",
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "rakefile": "ruby",
    "gemfile": "ruby",
    "vagrantfile": "ruby",
    "brewfile": "ruby",
    "procfile": "bash",
    ".envrc": "bash",
    ".bashrc": "bash",
    ".bash_profile": "bash",
    ".zshrc": "bash",
    ".profile": "bash",
    "jenkinsfile": "java",
}
_PROGRAMS: Final = (
    ("bash", re.compile(r"\b(?:ba|z|k|da|a|fi)?sh\b")),
    ("python", re.compile(r"\bpy(?:thon|py)|\buv\b")),
    ("javascript", re.compile(r"\b(?:node|nodejs|deno|bun|tsx|ts-node)\b")),
    ("powershell", re.compile(r"\b(?:pwsh|powershell)\b")),
    ("ruby", re.compile(r"\bruby\b")),
    ("perl", re.compile(r"\bperl\b")),
    ("php", re.compile(r"\bphp\b")),
    ("awk", re.compile(r"\bg?awk\b")),
)
_TESTS: Final = frozenset([
    "test", "tests", "testing", "__tests__", "spec", "specs", "fixtures", "fixture", "testdata", "test-data", "evals",
    "test_data", "__fixtures__", "__mocks__", "e2e", "eval", "benchmarks", "test-fixtures", "test_fixtures",
])  # fmt: skip
_TEST_NAME: Final = re.compile(r"^(?:test_.+|conftest\.py|.+[._-](?:test|tests|spec)\.\w+)$")
_IGNORE_FILES: Final = re.compile(r"^\.\w*ignore$")


def kind_of(path: str, first_line: str = "", *, executable: bool = False) -> tuple[Kind, str]:
    """What a file is for, and its language. ``path`` is relative to the skill, posix, or a member of an archive."""
    pure = PurePosixPath(path.replace("!/", "/"))
    name = pure.name.lower()
    if path == "SKILL.md":
        return Kind.SKILL, "markdown"
    kind, language = _by_name(name, first_line, executable)
    folders = {part.lower() for part in pure.parts[:-1]}
    if folders & _TESTS or _TEST_NAME.match(name):
        return Kind.TEST, language
    if name == "skill.md":
        return Kind.SKILL, "markdown"
    return kind, language


def is_code_name(path: str) -> bool:
    """Whether a file of this name would be taken for code, whatever stands in it."""
    return kind_of(path)[0] is Kind.SCRIPT or PurePosixPath(path).suffix.lower() in _CONFIGS


def _by_name(name: str, first_line: str, executable: bool) -> tuple[Kind, str]:
    suffix = PurePosixPath(name).suffix
    if first_line.startswith("#!"):
        return Kind.SCRIPT, next((language for language, program in _PROGRAMS if program.search(first_line)), "")
    if language := _NAMES.get(name) or _NAMES.get(name.partition(".")[0] if "dockerfile" in name else "", ""):
        return Kind.SCRIPT, language
    if language := _SCRIPTS.get(suffix, ""):
        return Kind.SCRIPT, language
    if language := _CONFIGS.get(suffix) or _CONFIGS.get(name if name.startswith(".") else "", ""):
        return Kind.CONFIG, language
    if name.startswith(".env"):
        return Kind.CONFIG, "ini"
    if language := _PROSE.get(suffix, ""):
        return Kind.REFERENCE, language
    if executable:
        return Kind.SCRIPT, "bash"
    if suffix in _TABLES:
        return Kind.ASSET, suffix[1:]
    if _IGNORE_FILES.match(name) or name in (
        "license",
        "licence",
        "notice",
        "copying",
        "authors",
        "changelog",
        "readme",
    ):
        return Kind.REFERENCE, "text"
    return (Kind.SCRIPT, "") if not suffix else (Kind.ASSET, suffix[1:])
