"""Each profile keeps to its own files, however one gets from page to page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from memoryhub.hermes.home import Home
from tests.browser.journeys import Dashboard, Visitor, entry, file, texts

pytestmark = pytest.mark.browser


def switch(page: Page, name: str) -> None:
    page.locator("details.profiles summary").click()
    page.get_by_role("navigation", name="Profiles").get_by_role("link", name=name, exact=True).click()
    expect(page.locator("#where")).to_contain_text(name)


def test_what_is_done_in_a_profile_stays_in_it(
    dashboard: Dashboard, page: Page, visitor: Visitor, hermes: Home
) -> None:
    root = dashboard.write("Of the root")
    work = dashboard.write("Of work", "Also of work", profile="work")
    page.goto("/memory/")
    expect(entry(page, "Of the root")).to_be_visible()
    switch(page, "work")
    expect(entry(page, "Of the root")).to_have_count(0)
    with visitor.without_loading():
        page.get_by_role("link", name="Add entry to MEMORY.md").click()
        page.get_by_label("Text", exact=True).fill("New in work")
        page.get_by_role("button", name="Add entry").click()
        expect(entry(page, "New in work")).to_be_focused()
        entry(page, "Also of work").get_by_role("button", name="Move to USER").click()
        expect(file(page, "USER.md").get_by_text("Also of work")).to_be_visible()
    assert texts(work) == ["Of work", "New in work"]
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text("is undone.")).to_be_visible()
    assert texts(work) == ["Of work", "Also of work", "New in work"]
    page.get_by_role("button", name="Redo", exact=True).click()
    expect(file(page, "USER.md").get_by_text("Also of work")).to_be_visible()
    for name in ("History", "What the agent sees", "Backups and archive"):
        page.get_by_role("main").get_by_role("link", name=name, exact=True).first.click()
        expect(page.locator("#where")).to_contain_text("work")
        page.locator(".crumbs").get_by_role("link", name="Memory", exact=True).click()
        expect(entry(page, "Of work").first).to_be_visible()
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Overview").click()
    expect(page.locator("#where")).to_contain_text("work")
    switch(page, "default")
    expect(page.get_by_role("heading", name="Other profiles")).to_be_visible()
    assert texts(root) == ["Of the root"]


def test_a_profile_with_an_odd_name_works_and_one_that_is_gone_is_a_sentence(
    dashboard: Dashboard, page: Page, visitor: Visitor, hermes: Home
) -> None:
    odd = dashboard.write("Of the odd one", "Another", profile="größe 100% & co#?")
    page.goto("/memory/")
    switch(page, "größe 100% & co#?")
    with visitor.without_loading():
        entry(page, "odd one").get_by_role("button", name="Delete").click()
        expect(entry(page, "odd one")).to_have_count(0)
    assert texts(odd) == ["Another"]
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(entry(page, "odd one")).to_be_visible()
    visitor.provoked.add(404)
    page.goto("/memory/?profile=nobody")
    expect(page.get_by_role("heading", name="There is nothing at this address")).to_be_visible()
