"""The built wheel works outside of the checkout, pages and styles included."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from memoryhub import __version__
from memoryhub.hermes.home import Home
from tests.web.served import ROOT, Served

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--no-input"]
MEMORYHUB = [sys.executable, "-c", "from memoryhub.cli import main; main()"]  # what the installed script does
SOURCES = ["memoryhub", "sessions_app", "skills_app", "templates", "static"]
FILES = ["pyproject.toml", "setup.py", "README.md", "LICENSE"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy: building leaves files beside what it builds."""
    copy = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, copy / name)
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [*PIP, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(out), str(copy)],
        check=True,
        capture_output=True,
        timeout=120,
    )
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_holds_every_page_style_and_migration_and_no_test(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    for folder in ("templates", "static"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file():
                assert f"memoryhub/{path.relative_to(ROOT).as_posix()}" in names
    for path in (path for name in SOURCES[:3] for path in (ROOT / name).rglob("*.py")):
        assert path.relative_to(ROOT).as_posix() in names
    assert not [name for name in names if name.startswith(("tests", "setup", "build")) or name.endswith(".sqlite3")]


def test_the_installed_wheel_serves_pages_and_styles(
    wheel: Path, home: Home, environ: Callable[..., dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    subprocess.run([*PIP, "install", "--no-deps", "--no-index", "--target", str(site), str(wheel)], check=True)
    monkeypatch.chdir(tmp_path)  # not the checkout
    environment = environ(PYTHONPATH=str(site))
    where = subprocess.run(
        [sys.executable, "-c", "import memoryhub; print(memoryhub.__file__)"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert where.stdout.startswith(str(site))
    with Served(environment, "--port", "0", "--no-open", program=MEMORYHUB) as served:
        assert served.get("/").status == 403
        assert served.get("/static/css/tokens.css").status == 200
        assert served.get("/static/django_htmx/htmx-2.min.js").status == 200
        assert served.come_in().status == 200
        assert served.get("/").status == 200


def test_memoryhub_alone_lists_its_own_commands_and_its_version(environ: Callable[..., dict[str, str]]) -> None:
    def said(*arguments: str) -> str:
        done = subprocess.run(
            [*MEMORYHUB, *arguments], env=environ(), capture_output=True, text=True, check=True, cwd=ROOT
        )
        return done.stdout

    listed = said()
    assert listed == said("help") == said("--help")
    for name in ("serve", "open", "password"):
        assert f"\n  {name} " in listed
    assert "runserver" not in listed
    assert said("--version") == f"memoryhub {__version__}\n"
