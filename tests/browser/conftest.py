"""What every browser journey stands on: a real dashboard, a real Chromium, and a watch over each page.

A journey fails by itself when a page logs an error, asks another host for anything, or gets a 5xx.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from memoryhub.hermes.home import Home, resolve_home
from tests.browser.journeys import Dashboard, Visitor
from tests.builders import make_home

RESULTS = Path(__file__).parents[2] / "test-results"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 20_000  # milliseconds; how quick something is seen depends on what else the machine does
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Remember how the test itself went, so that fixtures can picture what a failed one saw."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The Chromium of this machine. One a module: its event loop would forbid Django's database calls elsewhere."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        sentence = "No Chromium found on PATH; install it to run the browser tests."
        pytest.fail(sentence) if os.environ.get("CI") == "true" else pytest.skip(sentence)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    """``memoryhub serve`` on a home that journeys fill for themselves."""
    folder = tmp_path_factory.mktemp("journeys")
    with Dashboard(make_home(folder / "hermes"), folder / "data") as made:
        yield made


@pytest.fixture
def hermes(dashboard: Dashboard) -> Home:
    """The served home with two empty memory files and nothing else in it."""
    dashboard.clear()
    return resolve_home(dashboard.home, {})


@pytest.fixture
def come_in(
    request: pytest.FixtureRequest, chromium: Browser, dashboard: Dashboard
) -> Iterator[Callable[..., Visitor]]:
    """Let visitors in, each a browser of its own; look after the journey what their pages said."""
    visitors: list[Visitor] = []

    def make(at: Dashboard | None = None, *, inside: bool = True, **options: object) -> Visitor:
        visitors.append(Visitor(chromium, at or dashboard, inside=inside, **options))
        return visitors[-1]

    yield make
    if request.node.stash.get(FAILED, True):
        for number, visitor in enumerate(visitors, 1):
            visitor.picture(RESULTS, f"{request.node.name}-{number}")
    troubles = [trouble for visitor in visitors for trouble in visitor.leave()]
    assert troubles == []


@pytest.fixture
def visitor(hermes: Home, come_in: Callable[..., Visitor]) -> Visitor:
    """A person inside the door, on an empty home."""
    return come_in()


@pytest.fixture
def page(visitor: Visitor) -> Page:
    """The visitor's page."""
    return visitor.page
