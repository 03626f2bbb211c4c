"""What every test stands on: a home and a data folder of its own, no network, nothing of the person's touched."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.http import HttpResponse
from django.test import Client
from hypothesis import settings as hypothesis_settings

from memoryhub.hermes.home import Home, resolve_home
from memoryhub.services import door
from memoryhub.web.instance import Instance

# How long one example takes depends on the machine and its neighbours; what is slow has tests of its own.
hypothesis_settings.register_profile("memoryhub", deadline=None)
hypothesis_settings.load_profile("memoryhub")

HOST = "127.0.0.1:8765"
_DATABASE = tempfile.TemporaryDirectory(prefix="memoryhub-tests-")
# A file, as in life: SQLite's shared memory databases lock tables and know no WAL.
django_settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = f"{_DATABASE.name}/test.sqlite3"
_REAL_HOME = Path.home() / ".hermes"
_REAL_DATA = Path(django_settings.DATA_DIR)
# Not only within tests: Django reads the key between them too, and the real one would be made when it is read.
django_settings.SECRET_KEY = "a key for tests only, nothing is signed with it elsewhere"


def pytest_unconfigure() -> None:
    """Remove the folder of the test database."""
    _DATABASE.cleanup()


def _marks(*folders: Path) -> dict[Path, int]:
    """When each real folder, and what lies directly in it, was last written."""
    inside = [path for folder in folders if folder.is_dir() for path in (folder, *folder.iterdir())]
    return {path: path.lstat().st_mtime_ns for path in inside}


@pytest.fixture(autouse=True)
def isolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[None]:
    """Point every road to a home or a data folder into the test's own folder, and look that none led out of it."""
    before = _marks(_REAL_HOME, _REAL_DATA)
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "hermes"))
    monkeypatch.setenv("MEMORYHUB_DATA_DIR", str(tmp_path / "data"))
    for name in ("HERMES_PYTHON", "MEMORYHUB_DEBUG", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    settings.DATA_DIR = tmp_path / "data"
    csrf_cookie = settings.CSRF_COOKIE_NAME
    yield
    door.use_instance(None)
    settings.CSRF_COOKIE_NAME = csrf_cookie
    assert _marks(_REAL_HOME, _REAL_DATA) == before, "a test touched a real home or the real data folder"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sockets reach this machine only."""
    connect = socket.socket.connect

    def connect_here(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in {"127.0.0.1", "127.0.0.2", "::1", "localhost"}:
            pytest.fail(f"a test wanted to reach {address[0]}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect_here)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty Hermes home, the one that HERMES_HOME names."""
    path = tmp_path / "hermes"
    (path / "memories").mkdir(parents=True)
    return resolve_home(path, {})


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[Instance]:
    """A running dashboard for the home that HERMES_HOME names."""
    made = Instance(home=resolve_home(tmp_path / "hermes", {}), data_dir=tmp_path / "data")
    door.use_instance(made)
    yield made
    door.use_instance(None)


@pytest.fixture
def anonymous(db: None) -> Client:
    """A browser on the right address that never came through the door."""
    return Client(headers={"host": HOST})


@pytest.fixture
def client(anonymous: Client) -> Client:
    """A browser that came through the door."""
    answer = HttpResponse()
    door.enter(answer)
    anonymous.cookies.update(answer.cookies)
    return anonymous


@pytest.fixture
def csrf_client(client: Client) -> Client:
    """A browser inside the door for which CSRF is checked, as it is in life."""
    strict = Client(enforce_csrf_checks=True, headers={"host": HOST})
    strict.cookies.update(client.cookies)
    return strict


@pytest.fixture
def environ(tmp_path: Path) -> Callable[..., dict[str, str]]:
    """Make the environment of a child process: the test's folders, no browser, no colours."""

    def make(**extra: str) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if k not in {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"}}
        return kept | {"PYTHONWARNINGS": "error", "NO_COLOR": "1"} | extra

    return make
