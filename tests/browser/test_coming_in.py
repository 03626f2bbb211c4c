"""Through the door: the one-time link, its cookie, and pages that show nothing without it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from memoryhub.hermes.home import Home
from tests.browser.journeys import Dashboard, Visitor

pytestmark = pytest.mark.browser


def test_the_link_lets_one_browser_in_once(dashboard: Dashboard, hermes: Home, come_in: Callable[..., Visitor]) -> None:
    dashboard.write("Uses fish as shell")
    link = dashboard.link()
    visitor = come_in(inside=False)
    visitor.provoked.add(403)
    page = visitor.page
    page.goto("/memory/")
    expect(page.get_by_role("heading", name="This dashboard is private")).to_be_visible()
    expect(page.get_by_text("fish")).to_have_count(0)
    page.goto(link)
    page.wait_for_url(f"{dashboard.url}/")
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Memory").click()
    expect(page.get_by_text("Uses fish as shell")).to_be_visible()
    door = next(one for one in visitor.context.cookies() if one["name"].startswith("memoryhub_door"))
    assert (door["httpOnly"], door["sameSite"], door["path"]) == (True, "Strict", "/")

    late = come_in(inside=False)
    late.provoked.add(403)
    late.page.goto(link)
    expect(late.page.get_by_role("alert")).to_contain_text("This link was used already")
    late.page.goto("/")
    expect(late.page.get_by_role("heading", name="This dashboard is private")).to_be_visible()


def test_a_link_that_is_pasted_lets_in_too(dashboard: Dashboard, hermes: Home, come_in: Callable[..., Visitor]) -> None:
    visitor = come_in(inside=False)
    visitor.page.goto("/open/")
    box = visitor.page.get_by_label("Open link")
    box.fill("nonsense")
    visitor.page.get_by_role("button", name="Come in").click()
    expect(visitor.page.get_by_role("alert")).to_contain_text("Paste the whole line")
    box.fill(f"  {dashboard.link()}  ")
    visitor.page.get_by_role("button", name="Come in").click()
    expect(visitor.page.get_by_role("heading", name="Overview")).to_be_visible()
