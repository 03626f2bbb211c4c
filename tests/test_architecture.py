"""The lines between the layers: who may import Django, and which package may use which."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("memoryhub", "sessions_app", "skills_app")
DJANGO_FILES = frozenset(
    ["settings", "apps", "admin", "checks", "context_processors", "forms", "htmx", "middleware", "models", "services"]
) | {"urls", "views", "wsgi", "cli"}
DJANGO_FOLDERS = frozenset(["management", "migrations", "templatetags", "models", "services", "views"])
FRAMEWORK = frozenset({"django", "django_htmx", "whitenoise", "waitress"})


def modules() -> list[Path]:
    return sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))


def may_import_django(path: Path) -> bool:
    inside = path.relative_to(ROOT)
    folders = frozenset(inside.parts[1:-1])
    return inside.stem in DJANGO_FILES or bool(folders & DJANGO_FOLDERS)


def imports(path: Path) -> Iterator[str]:
    """Every module that ``path`` imports, wherever in the file; names imported from a package count as modules."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "imports are absolute"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", [p for p in modules() if not may_import_django(p)], ids=str)
def test_pure_modules_know_no_django_and_nothing_that_does(path: Path) -> None:
    for name in imports(path):
        assert name.partition(".")[0] not in FRAMEWORK, name
        for file in (ROOT / f"{name.replace('.', '/')}.py", ROOT / name.replace(".", "/") / "__init__.py"):
            assert not (file.is_file() and may_import_django(file)), name


@pytest.mark.parametrize("path", modules(), ids=str)
def test_memoryhub_uses_no_app_and_no_app_uses_another(path: Path) -> None:
    mine = path.relative_to(ROOT).parts[0]
    used = {name.partition(".")[0] for name in imports(path)} & set(PACKAGES)
    assert used <= {mine, "memoryhub"}


@pytest.mark.parametrize("path", [p for p in modules() if "services" in p.parts], ids=str)
def test_services_call_no_views(path: Path) -> None:
    assert not [name for name in imports(path) if ".views" in name]


@pytest.mark.parametrize("path", [p for p in modules() if p.name != "__init__.py"], ids=str)
def test_every_module_says_first_what_it_knows(path: Path) -> None:
    if "migrations" not in path.parts:
        assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


def test_nothing_switches_escaping_off() -> None:
    for template in (ROOT / "templates").rglob("*.html"):
        text = template.read_text("utf-8")
        for word in ("|safe", "autoescape off", "safeseq", " style=", "<script>", "hx-on", "javascript:", "js:"):
            assert word not in text, f"{template.name}: {word}"


def test_every_form_that_changes_something_carries_its_guard() -> None:
    open_to_all = {"closed.html"}  # the door's own forms are made for no home
    for template in (ROOT / "templates").rglob("*.html"):
        for form in re.findall(r"<form\b.*?</form>", template.read_text("utf-8"), re.DOTALL):
            if 'method="post"' in form:
                guard = "{% csrf_token %}" if template.name in open_to_all else "{% form_guard %}"
                assert guard in form, f"{template.name}: {form[:80]}"


def test_only_one_module_asks_whether_htmx_is_asking() -> None:
    asking = [
        p.relative_to(ROOT).as_posix() for p in modules() if ".htmx" in p.read_text("utf-8").replace("web.htmx", "")
    ]
    assert set(asking) <= {"memoryhub/web/htmx.py", "memoryhub/settings.py"}
