"""Everything works without JavaScript: real links, real forms, a page after each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from memoryhub.hermes.home import Home
from tests.browser.journeys import Dashboard, Visitor, entry, file, texts

pytestmark = pytest.mark.browser


@pytest.fixture
def memory(dashboard: Dashboard, hermes: Home) -> Path:
    return dashboard.write("Uses fish as shell", "Deploys on Thursdays", "Owns a kayak", user=["Likes tea"])


@pytest.fixture
def plain(hermes: Home, come_in: Callable[..., Visitor]) -> Page:
    return come_in(java_script_enabled=False).page


def undo(page: Page) -> None:
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text("is undone.")).to_be_visible()


def test_add_edit_delete_and_take_back(plain: Page, memory: Path) -> None:
    plain.goto("/memory/")
    plain.get_by_role("link", name="Add entry to MEMORY.md").click()
    expect(plain.get_by_role("heading", name="Add to MEMORY.md")).to_be_visible()
    plain.get_by_label("Text", exact=True).fill("")
    plain.get_by_role("button", name="Add entry").click()
    expect(plain.get_by_role("alert")).to_contain_text("An entry needs some text.")
    plain.get_by_label("Text", exact=True).fill("Has two cats")
    plain.get_by_role("button", name="Add entry").click()
    expect(plain.get_by_text("Entry added.")).to_be_visible()
    entry(plain, "two cats").get_by_role("link", name="Edit").click()
    plain.get_by_label("Text", exact=True).fill("Has three cats")
    plain.get_by_role("button", name="Save").click()
    expect(entry(plain, "three cats")).to_be_visible()
    assert texts(memory)[-1] == "Has three cats"
    entry(plain, "three cats").get_by_role("button", name="Delete").click()
    expect(entry(plain, "three cats")).to_have_count(0)
    undo(plain)
    expect(entry(plain, "three cats")).to_be_visible()
    assert texts(memory)[-1] == "Has three cats"


def test_move_order_and_merge(plain: Page, memory: Path) -> None:
    plain.goto("/memory/")
    entry(plain, "kayak").get_by_role("button", name="Move to USER").click()
    expect(file(plain, "USER.md").get_by_text("Owns a kayak")).to_be_visible()
    assert texts(memory.with_name("USER.md")) == ["Likes tea", "Owns a kayak"]
    undo(plain)
    card = entry(plain, "kayak")
    card.get_by_text("More").click()
    card.get_by_role("button", name="Earlier").click()
    expect(plain.get_by_text("Entry moved within the file.")).to_be_visible()
    assert texts(memory) == ["Uses fish as shell", "Owns a kayak", "Deploys on Thursdays"]
    plain.get_by_label("Tick entry 1 for merging").first.check()
    plain.get_by_label("Tick entry 2 for merging").check()
    plain.get_by_role("button", name="Merge the ticked entries").first.click()
    plain.get_by_label("Text", exact=True).fill("Uses fish and a kayak")
    plain.get_by_role("button", name="Merge into one entry").click()
    expect(plain.get_by_text("Entries merged.")).to_be_visible()
    assert texts(memory) == ["Uses fish and a kayak", "Deploys on Thursdays"]


def test_a_conflict_keeps_my_text(dashboard: Dashboard, plain: Page, memory: Path) -> None:
    plain.goto("/memory/")
    entry(plain, "kayak").get_by_role("link", name="Edit").click()
    plain.get_by_label("Text", exact=True).fill("Owns a red kayak")
    dashboard.write("Owns a canoe")
    plain.get_by_role("button", name="Save").click()
    expect(plain.get_by_role("heading", name="This entry was changed meanwhile")).to_be_visible()
    expect(plain.get_by_role("textbox", name="Your text")).to_have_value("Owns a red kayak")
    assert texts(memory) == ["Owns a canoe"]
    plain.get_by_role("button", name="Keep both").or_(
        plain.get_by_role("button", name="Add my text as a new entry")
    ).click()
    expect(plain.get_by_text("Entry added.")).to_be_visible()
    assert texts(memory) == ["Owns a canoe", "Owns a red kayak"]


def test_restore_and_the_profile_menu(dashboard: Dashboard, plain: Page, memory: Path) -> None:
    dashboard.write("Of the other", profile="work")
    plain.goto("/memory/")
    dashboard.write("Only this is left", user=["Likes tea"])
    plain.goto("/memory/memory/history/")
    plain.get_by_role("link", name="Restore").first.click()
    plain.get_by_role("button", name="Restore this state").click()
    expect(plain.get_by_text("MEMORY.md is restored.")).to_be_visible()
    assert texts(memory) == ["Uses fish as shell", "Deploys on Thursdays", "Owns a kayak"]
    plain.get_by_text("Profile: default").click()
    plain.get_by_role("link", name="work").click()
    expect(entry(plain, "Of the other")).to_be_visible()
