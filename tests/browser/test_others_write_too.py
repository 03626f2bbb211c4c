"""The agent writes while the page is open: what is typed stays, what changed appears, and nobody's text is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from memoryhub.hermes.home import Home
from tests.browser.journeys import Dashboard, Visitor, entry, file, texts

pytestmark = pytest.mark.browser


@pytest.fixture
def memory(dashboard: Dashboard, hermes: Home) -> Path:
    return dashboard.write("Uses fish as shell", "Deploys on Thursdays", "Owns a kayak", user=["Likes tea"])


def open_edit(page: Page, text: str) -> None:
    page.goto("/memory/")
    entry(page, text).get_by_role("link", name="Edit").click()
    expect(page.get_by_label("Text", exact=True)).to_be_focused()


def test_another_entry_changes_while_i_type(dashboard: Dashboard, page: Page, visitor: Visitor, memory: Path) -> None:
    open_edit(page, "Thursdays")
    box = page.get_by_label("Text", exact=True)
    with visitor.without_loading():
        box.fill("Deploys on sunny Thursdays")
        box.evaluate("box => { window.mine = box; box.setSelectionRange(11, 16); }")
        dashboard.write("Uses zsh as shell", "Deploys on Thursdays", "Owns a kayak", "Has two cats")
        expect(entry(page, "zsh")).to_be_visible()
        expect(entry(page, "two cats")).to_be_visible()
        expect(file(page).get_by_text("4 entries")).to_be_visible()
        expect(box).to_be_focused()
        assert box.evaluate("box => [box === window.mine, box.selectionStart, box.selectionEnd]") == [True, 11, 16]
        page.keyboard.type("rainy")
        expect(box).to_have_value("Deploys on rainy Thursdays")
        page.get_by_role("button", name="Save").click()
        expect(entry(page, "rainy")).to_be_focused()
    assert texts(memory) == ["Uses zsh as shell", "Deploys on rainy Thursdays", "Owns a kayak", "Has two cats"]


def test_ticks_and_opened_menus_stay_when_others_write(
    dashboard: Dashboard, page: Page, visitor: Visitor, memory: Path
) -> None:
    page.goto("/memory/")
    with visitor.without_loading():
        entry(page, "fish").get_by_role("checkbox").check()
        entry(page, "kayak").get_by_text("More").click()
        dashboard.write("Has two cats", "Uses fish as shell", "Owns a kayak")
        expect(entry(page, "two cats")).to_be_visible()
        expect(entry(page, "fish").get_by_role("checkbox")).to_be_checked()
        expect(entry(page, "two cats").get_by_role("checkbox")).not_to_be_checked()
        expect(entry(page, "kayak").get_by_role("button", name="Earlier")).to_be_visible()


@pytest.mark.parametrize(
    ("way", "is_seen"), [("Replace what it says now", True), ("Keep both", True), ("Keep both", False)]
)
def test_the_same_entry_changes_while_i_type(
    dashboard: Dashboard, page: Page, memory: Path, way: str, is_seen: bool
) -> None:
    open_edit(page, "Thursdays")
    page.get_by_label("Text", exact=True).fill("Deploys on Thursdays at noon")
    dashboard.write("Uses fish as shell", "Deploys on Tuesdays", "Owns a kayak")
    if is_seen:  # the page shows the change before the person saves
        expect(entry(page, "Tuesdays")).to_be_visible()
        expect(page.get_by_text("somebody changed it meanwhile")).to_be_visible()
        expect(page.get_by_label("Text", exact=True)).to_have_value("Deploys on Thursdays at noon")
    page.get_by_role("button", name="Save").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Somebody changed this entry while you were writing")
    expect(alert).to_be_focused()
    assert texts(memory)[1] == "Deploys on Tuesdays"
    dashboard.write("Uses fish as shell", "Deploys on Tuesdays", "Owns a kayak", "Has two cats")
    expect(entry(page, "two cats")).to_be_visible()
    expect(page.get_by_role("textbox", name="Your text")).to_have_value("Deploys on Thursdays at noon")
    page.get_by_text("Side by side").click()
    table = page.get_by_role("region", name="Three versions side by side")
    for words in ("Thursdays", "Tuesdays", "at noon"):
        expect(table).to_contain_text(words)
    page.get_by_role("button", name=way).click()
    expect(entry(page, "at noon")).to_be_visible()
    mine = "Deploys on Thursdays at noon"
    expected = ["Uses fish as shell", mine, "Owns a kayak", "Has two cats"]
    if way == "Keep both":
        expected = ["Uses fish as shell", "Deploys on Tuesdays", "Owns a kayak", "Has two cats", mine]
    assert texts(memory) == expected


def test_the_entry_i_edit_is_deleted_by_others(dashboard: Dashboard, page: Page, memory: Path) -> None:
    open_edit(page, "Thursdays")
    box = page.get_by_label("Text", exact=True)
    box.fill("Deploys on Thursdays at noon")
    dashboard.write("Uses fish as shell", "Owns a kayak")
    expect(file(page).get_by_text(re.compile("2 entries"))).to_be_visible()
    expect(box).to_have_value("Deploys on Thursdays at noon")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("not in the file any more")
    expect(page.get_by_role("textbox", name="Your text")).to_have_value("Deploys on Thursdays at noon")
    page.get_by_role("button", name="Add my text as a new entry").click()
    expect(entry(page, "at noon")).to_be_visible()
    assert texts(memory) == ["Uses fish as shell", "Owns a kayak", "Deploys on Thursdays at noon"]


def test_the_entry_i_delete_was_changed_by_others(dashboard: Dashboard, page: Page, memory: Path) -> None:
    page.add_init_script("setInterval = () => 0")  # no pulse between the two
    page.goto("/memory/")
    dashboard.write("Uses fish as shell", "Deploys on Tuesdays", "Owns a kayak")
    entry(page, "Thursdays").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Nothing was written; look at it again.")).to_be_visible()
    expect(entry(page, "Tuesdays")).to_be_visible()
    assert texts(memory)[1] == "Deploys on Tuesdays"


def test_an_undo_does_not_destroy_what_others_wrote_since(dashboard: Dashboard, page: Page, memory: Path) -> None:
    open_edit(page, "Thursdays")
    page.get_by_label("Text", exact=True).fill("Deploys on Thursdays at noon")
    page.get_by_role("button", name="Save").click()
    expect(entry(page, "at noon")).to_be_visible()
    dashboard.write("Uses fish as shell", "Deploys on Sundays", "Owns a kayak")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text("the undo was not applied")).to_be_visible()
    assert texts(memory)[1] == "Deploys on Sundays"


def test_leaving_an_edit_whose_entry_is_gone_takes_its_place_away(
    dashboard: Dashboard, page: Page, memory: Path
) -> None:
    open_edit(page, "Thursdays")
    dashboard.write("Uses fish as shell", "Owns a kayak")
    expect(page.get_by_text("not in the file any more")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("not in the file any more")).to_have_count(0)
    expect(file(page).get_by_role("article")).to_have_count(2)
