"""Coming in, as a browser does it: by link, from elsewhere, by pasting, without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from memoryhub.services import serving
from tests.builders import make_home
from tests.web.served import Served

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A dashboard whose links these journeys use up."""
    folder = tmp_path_factory.mktemp("door")
    home = make_home(folder / "hermes")
    environ = {"HERMES_HOME": str(home), "MEMORYHUB_DATA_DIR": str(folder / "data"), "HOME": str(folder)}
    with Served(environ, "--no-open", "--port", "0") as made:
        yield made


@pytest.fixture
def link(served: Served) -> str:
    """A fresh open link, as ``memoryhub open`` prints it."""
    return served.fresh_link()


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    """A browser that knows nothing yet."""
    context = chromium.new_context(java_script_enabled=request.param)
    yield context.new_page()
    context.close()


def is_in(page: Page, served: Served, path: str = "/") -> None:
    expect(page).to_have_url(served.url + path)
    expect(page.get_by_role("navigation", name="Pages")).to_be_visible()


def test_the_link_leads_to_the_overview_and_leaves_no_token_in_the_address(
    page: Page, served: Served, link: str
) -> None:
    page.goto(link)
    is_in(page, served)
    page.goto(link)  # used already, but this browser is in
    is_in(page, served)


def test_the_file_that_starts_the_browser_leads_in(page: Page, served: Served, link: str, tmp_path: Path) -> None:
    file = tmp_path / "open.html"
    file.write_text(serving.LEADS_TO.format(link=link), "utf-8")
    page.goto(file.as_uri())
    is_in(page, served)


def test_a_link_on_another_page_leads_in_and_later_ones_need_one_click(page: Page, served: Served, link: str) -> None:
    elsewhere = "data:text/html,<a href='{}'>there</a>"
    page.goto(elsewhere.format(link))
    page.get_by_role("link", name="there").click()
    is_in(page, served)
    page.goto(elsewhere.format(served.url + "/memory/"))
    page.get_by_role("link", name="there").click()
    expect(page.get_by_role("heading", name="This dashboard is private")).to_be_visible()
    page.get_by_role("link", name="Continue").click()  # from our own page the strict cookie is sent
    is_in(page, served, "/memory/")


@pytest.mark.parametrize("path", ["/", "/memory/", "/open/used-already/"])
def test_a_pasted_link_leads_in_from_every_page_that_asks(page: Page, served: Served, link: str, path: str) -> None:
    page.goto(served.url + path)
    page.get_by_label("Open link").fill(link)
    page.get_by_role("button", name="Come in").click()
    is_in(page, served)


def test_a_used_link_says_what_to_do(page: Page, served: Served, link: str) -> None:
    assert served.get(link).status == 200
    page.goto(link)
    expect(page.get_by_role("alert")).to_contain_text("used already")
    expect(page.get_by_text(re.compile("^memoryhub open$"))).to_be_visible()
