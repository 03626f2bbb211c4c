"""One lock for both: while one side holds it the other waits or says so, and neither removes the lock file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryhub.hermes import files
from memoryhub.hermes.home import Home, resolve_home
from tests.interop import hermes as real

pytestmark = pytest.mark.interop


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "home" / "memories").mkdir(parents=True)
    return resolve_home(tmp_path / "home", {})


@pytest.fixture
def hermes(hermes_python: Path, home: Home) -> Iterator[real.Hermes]:
    with real.running(hermes_python, home.path) as running:
        running.ask("percents", pairs=[])  # started
        yield running


def test_hermes_waits_while_we_hold_the_lock(hermes: real.Hermes, home: Home) -> None:
    path = home.memory_path("memory")
    with files.locked(path):
        hermes.put("hold_lock", target="memory")
        assert not hermes.has_answered(within=0.3)
    assert hermes.has_answered(within=5)
    assert hermes.answer() == {}


def test_we_say_that_the_agent_writes_while_hermes_holds_the_lock(hermes: real.Hermes, home: Home) -> None:
    path = home.memory_path("memory")
    hermes.ask("hold_lock", target="memory")
    with pytest.raises(files.LockBusy), files.locked(path, wait=0.1):
        pass
    with files.locked(home.memory_path("user"), wait=0):
        pass  # each file has a lock of its own
    hermes.ask("let_go")
    with files.locked(path, wait=0):
        pass
    assert files.lock_path(path).stat().st_size == 0
