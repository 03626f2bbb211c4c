"""The two sides of a browser journey: a dashboard that is really served, and a visitor whose page is watched."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, Response

from tests.web.served import Served, command

D = "\n§\n"
LET_GO = re.compile(r"htmx:(?:sendAbort|afterRequest), ")  # a check of typed text that further typing overtook
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of (\d+) ")


class Dashboard:
    """``memoryhub serve`` on ``home`` from its start to its end."""

    def __init__(self, home: Path, data: Path) -> None:
        self.home = home
        kept = {k: v for k, v in os.environ.items() if k not in {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"}}
        own = {"HOME": str(data.parent), "HERMES_HOME": str(home), "MEMORYHUB_DATA_DIR": str(data)}
        self.environ = kept | own | {"PYTHONWARNINGS": "error", "NO_COLOR": "1", "TZ": "UTC"}
        for name in ("HERMES_PYTHON", "MEMORYHUB_DEBUG", "XDG_DATA_HOME"):
            self.environ.pop(name, None)

    def __enter__(self) -> Dashboard:
        self.served = Served(self.environ, "--no-open", "--port", "0").__enter__()
        self.served.come_in()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        status, _, errors = self.served.finish()
        said = [line for line in errors.splitlines() if " Service Unavailable: " not in line]  # a broken file's page
        assert (status, said) == (0, []), errors

    @property
    def url(self) -> str:
        return self.served.url

    def link(self) -> str:
        """A fresh open link, as a person gets it."""
        return command(self.environ, "open").stdout.strip()

    def clear(self) -> None:
        """Take everything out of the home."""
        for path in self.home.iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
        (self.home / "memories").mkdir()

    def write(self, *entries: str, user: Iterable[str] = (), profile: str = "") -> Path:
        """Put entries into both files, as another program would; the path of MEMORY.md."""
        folder = (self.home / "profiles" / profile if profile else self.home) / "memories"
        folder.mkdir(parents=True, exist_ok=True)
        for name, texts in (("USER.md", user), ("MEMORY.md", entries)):
            replace(folder / name, D.join(texts).encode())
        return folder / "MEMORY.md"


class Visitor:
    """A browser of its own with one page or more; hears what goes wrong on each of them."""

    def __init__(self, browser: Browser, dashboard: Dashboard, *, inside: bool = True, **options: Any) -> None:
        self.dashboard = dashboard
        self.context = browser.new_context(base_url=dashboard.url, **options)
        self.context.set_default_timeout(30_000)
        self.context.set_default_navigation_timeout(60_000)
        self.troubles: list[str] = []
        self.provoked = {409, 422}  # statuses that a journey is about
        self.context.on("console", self._console)
        self.context.on("weberror", lambda error: self.troubles.append(str(error.error)))
        self.context.on("request", self._request)
        self.context.on("response", self._response)
        if inside:
            self._enter()
        self.page = self.context.new_page()

    def tab(self, path: str = "/memory/") -> Page:
        """Another tab on the same cookies."""
        page = self.context.new_page()
        page.goto(path)
        return page

    @contextmanager
    def without_loading(self, page: Page | None = None) -> Iterator[None]:
        """What happens inside must not load a page anew."""
        page = page or self.page
        page.wait_for_load_state()  # a link shows its page before the scripts of that page have run
        page.evaluate("window.isTheSamePage = true")
        yield
        assert page.evaluate("window.isTheSamePage === true"), "the page was loaded anew"

    def leave(self) -> list[str]:
        """Close everything; what went wrong before."""
        troubles = list(self.troubles)
        self.context.close()
        return troubles

    def picture(self, folder: Path, name: str) -> None:
        """A picture of each open page, for the person who looks into a failure."""
        folder.mkdir(exist_ok=True)
        name = re.sub(r"[^\w-]+", "-", name)
        for number, page in enumerate(self.context.pages):
            page.screenshot(path=folder / f"{name}-{number}.png", full_page=True)

    def _enter(self) -> None:
        pairs = (pair.split("=", 1) for pair in self.dashboard.served.cookie.split("; "))
        url = self.dashboard.url
        self.context.add_cookies(
            [{"name": name, "value": value, "url": url, "sameSite": "Strict"} for name, value in pairs]
        )

    def _console(self, message: ConsoleMessage) -> None:
        refused = REFUSED.match(message.text)
        is_expected = LET_GO.match(message.text) or (refused and int(refused[1]) in self.provoked)
        if message.type in ("error", "warning") and not is_expected:
            self.troubles.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        here = urlsplit(self.dashboard.url).netloc
        if urlsplit(request.url).netloc != here:
            self.troubles.append(f"asked another host: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status == 500:
            self.troubles.append(f"500: {response.url}")


def replace(path: Path, data: bytes) -> None:
    """Write a file as Hermes does, in one step."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(data)
    beside.replace(path)


def texts(path: Path) -> list[str]:
    """The entries of a memory file."""
    return path.read_bytes().decode().split(D)


def file(page: Page, name: str = "MEMORY.md") -> Locator:
    """The section of one memory file."""
    return page.get_by_role("region", name=name, exact=True)


def entry(page: Page, text: str) -> Locator:
    """The card that holds a text."""
    return page.get_by_role("article").filter(has_text=text)
