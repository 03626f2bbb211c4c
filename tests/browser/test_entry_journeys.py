"""What a person does with entries: add, edit, delete, take back, move, put in order, merge. No page is loaded anew."""

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


def test_adding_shows_the_entry_and_leads_to_it(page: Page, visitor: Visitor, memory: Path) -> None:
    page.goto("/memory/")
    with visitor.without_loading():
        page.get_by_role("link", name="Add entry to MEMORY.md").click()
        box = page.get_by_label("Text", exact=True)
        expect(box).to_be_focused()
        box.fill("Staging host needs SSH port 2222")
        page.get_by_role("button", name="Add entry").click()
        expect(entry(page, "port 2222")).to_be_focused()
        expect(page.get_by_role("status").get_by_text("Entry added.")).to_be_visible()
        expect(page.get_by_label("Text", exact=True)).to_have_count(0)
    expect(file(page).get_by_text("4 entries")).to_be_visible()
    assert texts(memory)[-1] == "Staging host needs SSH port 2222"


def test_editing_changes_one_entry_and_leads_back_to_it(page: Page, visitor: Visitor, memory: Path) -> None:
    page.goto("/memory/")
    with visitor.without_loading():
        entry(page, "Thursdays").get_by_role("link", name="Edit").click()
        box = page.get_by_label("Text", exact=True)
        expect(box).to_be_focused()
        expect(box).to_have_value("Deploys on Thursdays")
        box.fill("Deploys on Wednesdays\nnever on Fridays")
        page.get_by_text("Say why").click()
        page.get_by_label("Reason").fill("the team decided")
        page.get_by_role("button", name="Save").click()
        expect(entry(page, "Wednesdays")).to_be_focused()
        expect(page.get_by_role("status").get_by_text("Entry saved.")).to_be_visible()
    assert texts(memory) == ["Uses fish as shell", "Deploys on Wednesdays\nnever on Fridays", "Owns a kayak"]
    page.goto("/memory/memory/history/")
    expect(page.get_by_role("listitem").filter(has_text="the team decided").first).to_be_visible()


def test_leaving_an_edit_changes_nothing(page: Page, visitor: Visitor, memory: Path) -> None:
    page.goto("/memory/")
    with visitor.without_loading():
        entry(page, "kayak").get_by_role("link", name="Edit").click()
        page.get_by_role("link", name="Cancel").click()
        expect(entry(page, "Owns a kayak")).to_be_visible()
        expect(page.get_by_label("Text", exact=True)).to_have_count(0)
    assert texts(memory)[2] == "Owns a kayak"


def test_deleting_is_taken_back_by_its_button(page: Page, visitor: Visitor, memory: Path) -> None:
    before = memory.read_bytes()
    page.goto("/memory/")
    with visitor.without_loading():
        entry(page, "kayak").get_by_role("button", name="Delete").click()
        expect(page.get_by_text("Entry deleted.")).to_be_visible()
        expect(entry(page, "kayak")).to_have_count(0)
    assert texts(memory) == ["Uses fish as shell", "Deploys on Thursdays"]
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(entry(page, "kayak")).to_be_visible()
    assert memory.read_bytes() == before
    page.get_by_role("button", name="Redo", exact=True).click()
    expect(entry(page, "kayak")).to_have_count(0)
    assert texts(memory) == ["Uses fish as shell", "Deploys on Thursdays"]


def test_the_undo_is_in_sight_wherever_one_deleted(dashboard: Dashboard, page: Page, hermes: Home) -> None:
    dashboard.write(*(f"Entry number {number} of a long list" for number in range(40)))
    page.goto("/memory/")
    entry(page, "number 39 of").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_in_viewport()
    expect(entry(page, "number 38 of")).to_be_in_viewport()


def test_moving_between_the_files_and_back(page: Page, visitor: Visitor, memory: Path) -> None:
    user = memory.with_name("USER.md")
    page.goto("/memory/")
    with visitor.without_loading():
        entry(page, "kayak").get_by_role("button", name="Move to USER").click()
        expect(file(page, "USER.md").get_by_role("article").filter(has_text="kayak")).to_be_focused()
        expect(file(page).get_by_text("2 entries")).to_be_visible()
        assert (texts(memory)[-1], texts(user)) == ("Deploys on Thursdays", ["Likes tea", "Owns a kayak"])
        entry(page, "Likes tea").get_by_role("button", name="Move to MEMORY").click()
        expect(file(page).get_by_role("article").filter(has_text="tea")).to_be_focused()
    assert (texts(memory)[-1], texts(user)) == ("Likes tea", ["Owns a kayak"])


def test_order_is_changed_step_by_step_and_focus_stays_on_the_entry(page: Page, visitor: Visitor, memory: Path) -> None:
    page.goto("/memory/")
    with visitor.without_loading():
        for place in (1, 0):
            card = entry(page, "kayak")
            card.get_by_text("More").click()
            card.get_by_role("button", name="Earlier").click()
            expect(page.get_by_role("article").nth(place)).to_contain_text("kayak")
            expect(entry(page, "kayak")).to_be_focused()
        expect(entry(page, "kayak").get_by_role("button", name="Earlier")).to_have_count(0)
    assert texts(memory) == ["Owns a kayak", "Uses fish as shell", "Deploys on Thursdays"]


def test_two_entries_become_one(page: Page, memory: Path) -> None:
    page.goto("/memory/")
    page.get_by_label("Tick entry 1 for merging").first.check()
    page.get_by_label("Tick entry 3 for merging").check()
    page.get_by_role("button", name="Merge the ticked entries").first.click()
    old = page.get_by_role("region", name="These entries")
    expect(old.get_by_text("Uses fish as shell")).to_be_visible()
    expect(old.get_by_text("Owns a kayak")).to_be_visible()
    box = page.get_by_label("Text", exact=True)
    expect(box).to_have_value("Uses fish as shell\nOwns a kayak")
    box.fill("Uses fish as shell and owns a kayak")
    page.get_by_role("button", name="Merge into one entry").click()
    expect(page.get_by_text("Entries merged.")).to_be_visible()
    assert texts(memory) == ["Uses fish as shell and owns a kayak", "Deploys on Thursdays"]
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(file(page).get_by_role("article")).to_have_count(3)


def test_a_double_click_adds_once(page: Page, memory: Path) -> None:
    for path in ("/memory/", "/memory/memory/add/"):
        page.goto(path)
        if path == "/memory/":
            page.get_by_role("link", name="Add entry to MEMORY.md").click()
        page.get_by_label("Text", exact=True).fill(f"Added once from {path}")
        page.get_by_role("button", name="Add entry").dblclick()
        page.wait_for_url("**/memory/**")
        expect(entry(page, f"Added once from {path}")).to_have_count(1)
        assert texts(memory).count(f"Added once from {path}") == 1


def test_the_back_button_shows_a_whole_page(page: Page, memory: Path) -> None:
    page.goto("/memory/")
    entry(page, "kayak").get_by_role("button", name="Delete").click()
    expect(entry(page, "kayak")).to_have_count(0)
    file(page).get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="History of MEMORY.md")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("banner")).to_be_visible()
    expect(page.get_by_role("heading", name="Memory", exact=True)).to_be_visible()
    expect(entry(page, "Thursdays")).to_be_visible()
    expect(entry(page, "kayak")).to_have_count(0)


def test_two_tabs_lose_nothing(visitor: Visitor, memory: Path) -> None:
    one, two = visitor.tab(), visitor.tab()
    entry(one, "fish").get_by_role("link", name="Edit").click()
    one.get_by_label("Text", exact=True).fill("Uses zsh as shell")
    entry(two, "kayak").get_by_role("button", name="Delete").click()
    expect(entry(two, "kayak")).to_have_count(0)
    one.get_by_role("button", name="Save").click()
    expect(entry(one, "zsh")).to_be_visible()
    entry(two, "Thursdays").get_by_role("button", name="Delete").click()
    expect(file(two).get_by_role("article")).to_have_count(1)
    assert texts(memory) == ["Uses zsh as shell"]
    expect(file(two).get_by_text(re.compile("1 entry"))).to_be_visible()
