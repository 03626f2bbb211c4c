"""Everything by keyboard alone: letters act on the entry one is on, never while typing, and can be switched off."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from memoryhub.hermes.home import Home
from tests.browser.journeys import Dashboard, Visitor, entry, file, texts

pytestmark = pytest.mark.browser


@pytest.fixture
def memory(dashboard: Dashboard, hermes: Home) -> Path:
    return dashboard.write("Uses fish as shell", "Deploys on Thursdays", "Owns a kayak", user=["Likes tea"])


def test_one_finds_edits_saves_and_takes_back_without_a_mouse(page: Page, visitor: Visitor, memory: Path) -> None:
    page.goto("/")
    keys = page.keyboard
    keys.press("g")
    keys.press("m")
    expect(page.get_by_role("heading", name="Memory", exact=True)).to_be_visible()
    with visitor.without_loading():
        for letter in "jjkj":
            keys.press(letter)
        expect(entry(page, "Thursdays")).to_be_focused()
        keys.press("e")
        box = page.get_by_label("Text", exact=True)
        expect(box).to_be_focused()
        keys.type(" and jokes, u?")
        expect(box).to_have_value("Deploys on Thursdays and jokes, u?")
        keys.press("Control+Enter")
        expect(entry(page, "jokes")).to_be_focused()
        assert texts(memory)[1] == "Deploys on Thursdays and jokes, u?"
    keys.press("u")
    expect(entry(page, "jokes")).to_have_count(0)
    assert texts(memory)[1] == "Deploys on Thursdays"


def test_u_takes_back_long_after_the_message_is_gone(page: Page, visitor: Visitor, memory: Path) -> None:
    page.goto("/memory/")
    entry(page, "kayak").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Entry deleted.")).to_be_visible()
    page.goto("/memory/")
    with visitor.without_loading():
        expect(page.get_by_text("Entry deleted.")).to_have_count(0)
        page.keyboard.press("u")
        expect(entry(page, "kayak")).to_be_visible()
    assert texts(memory)[-1] == "Owns a kayak"


def test_tab_and_enter_reach_everything_and_focus_is_seen(page: Page, visitor: Visitor, memory: Path) -> None:
    page.goto("/memory/")
    keys = page.keyboard
    keys.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    keys.press("Enter")
    add = page.get_by_role("link", name="Add entry to MEMORY.md")
    for _ in range(12):
        keys.press("Tab")
        if add.evaluate("el => el === document.activeElement"):
            break
    expect(add).to_be_focused()
    assert add.evaluate("el => getComputedStyle(el).outlineStyle") != "none"
    with visitor.without_loading():
        keys.press("Enter")
        expect(page.get_by_label("Text", exact=True)).to_be_focused()
        keys.type("Typed without a mouse")
        keys.press("Tab")
        keys.press("Tab")
        expect(page.get_by_role("button", name="Add entry")).to_be_focused()
        keys.press("Enter")
        expect(entry(page, "Typed without a mouse")).to_be_focused()


def test_arrows_move_along_the_gauge_and_enter_goes_to_the_entry(page: Page, memory: Path) -> None:
    page.goto("/memory/")
    first = page.get_by_role("link", name="Entry 1: 18 characters").first
    first.focus()
    expect(entry(page, "fish")).to_have_class("entry is-lit")
    page.keyboard.press("ArrowRight")
    expect(entry(page, "Thursdays")).to_have_class("entry is-lit")
    page.keyboard.press("Enter")
    page.wait_for_url("**#entry-memory-*")
    page.keyboard.press("e")
    expect(page.get_by_label("Text", exact=True)).to_have_value("Deploys on Thursdays")


def test_help_opens_names_the_keys_and_closes(page: Page, memory: Path) -> None:
    page.goto("/memory/")
    page.keyboard.press("?")
    help = page.get_by_role("dialog", name="Keys")
    expect(help).to_be_visible()
    expect(help.get_by_text("undo your last change")).to_be_visible()
    page.keyboard.press("Escape")
    expect(help).to_be_hidden()


def test_escape_leaves_a_form_and_asks_when_something_is_typed(page: Page, visitor: Visitor, memory: Path) -> None:
    page.goto("/memory/")
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    with visitor.without_loading():
        for typed in ("", "something"):
            entry(page, "kayak").get_by_role("link", name="Edit").click()
            expect(page.get_by_label("Text", exact=True)).to_be_focused()
            page.keyboard.type(typed)
            page.keyboard.press("Escape")
            expect(page.get_by_label("Text", exact=True)).to_have_count(0)
            expect(entry(page, "kayak").get_by_role("link", name="Edit")).to_be_visible()
    assert asked == ["Leave without saving this entry?"]
    page.goto("/memory/memory/history/")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Memory", exact=True)).to_be_visible()


def test_letters_can_be_switched_off_and_on(page: Page, memory: Path) -> None:
    page.goto("/settings/")
    page.get_by_role("main").get_by_role("button", name="Switch single-letter keys off").click()
    expect(page.get_by_text("Single-letter keys are off.")).to_be_visible()
    page.goto("/memory/")
    page.keyboard.press("j")
    page.keyboard.press("?")
    expect(file(page).get_by_role("article").first).not_to_be_focused()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("kbd:visible")).to_have_count(0)
    page.get_by_role("button", name="Help and keys").click()
    page.get_by_role("dialog").get_by_role("button", name="Switch single-letter keys on").click()
    expect(page.get_by_text("Single-letter keys are on.")).to_be_visible()
    page.goto("/memory/")
    page.keyboard.press("j")
    expect(file(page).get_by_role("article").first).to_be_focused()
