"""Nothing is lost: states and entries come back, foreign files are repaired, copies are read, texts are forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from memoryhub.hermes.home import Home
from tests.browser.journeys import D, Dashboard, Visitor, entry, file, replace, texts

pytestmark = pytest.mark.browser


@pytest.fixture
def memory(dashboard: Dashboard, hermes: Home) -> Path:
    return dashboard.write("Uses fish as shell", "Deploys on Thursdays")


def test_a_whole_state_and_one_entry_come_back(dashboard: Dashboard, page: Page, memory: Path) -> None:
    page.goto("/memory/")
    expect(file(page).get_by_role("article")).to_have_count(2)
    dashboard.write("Only this is left")
    expect(entry(page, "Only this is left")).to_be_visible()
    page.goto("/memory/memory/history/")
    page.get_by_role("listitem").filter(has_text="Uses fish as shell").get_by_role(
        "link", name="What changed"
    ).first.click()
    expect(page.locator("ins, .is-removed", has_text="Uses fish as shell").first).to_be_visible()
    page.goto("/memory/memory/history/")
    page.get_by_role("link", name="Open").nth(1).click()
    old = page.url
    page.get_by_role("article").filter(has_text="Deploys on Thursdays").get_by_role(
        "button", name="Restore this entry"
    ).click()
    expect(page.get_by_text("Entry restored to MEMORY.md.")).to_be_visible()
    assert texts(memory) == ["Only this is left", "Deploys on Thursdays"]
    page.goto(old)
    page.get_by_role("link", name="Restore this state").click()
    expect(page.get_by_text("Only this is left")).to_be_visible()
    page.get_by_label("Reason").fill("it was better before")
    page.get_by_role("button", name="Restore this state").click()
    expect(page.get_by_text("MEMORY.md is restored.")).to_be_visible()
    assert texts(memory) == ["Uses fish as shell", "Deploys on Thursdays"]
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(entry(page, "Only this is left")).to_be_visible()
    assert texts(memory) == ["Only this is left", "Deploys on Thursdays"]


def test_the_history_shows_by_itself_what_others_write(
    dashboard: Dashboard, page: Page, visitor: Visitor, memory: Path
) -> None:
    page.goto("/memory/")
    for entry_text in ("Only this is left", "Nearly nothing is left"):
        dashboard.write(entry_text)
        expect(entry(page, entry_text)).to_be_visible()
    page.goto("/memory/memory/history/")
    states = page.locator(".revision")
    before = states.count()
    with visitor.without_loading():
        oldest = states.nth(2).get_by_label("Compare from")
        oldest.check()
        page.locator("#chart-data summary").click()
        dashboard.write("Written beside the open history")
        expect(states.first).to_contain_text("Written beside the open history")
        expect(states).to_have_count(min(before + 1, 25))
        expect(states.nth(3).get_by_label("Compare from")).to_be_checked()
        expect(page.locator("#chart-data table")).to_be_visible()


def test_a_foreign_file_is_repaired_after_a_preview_and_can_come_back(page: Page, memory: Path) -> None:
    foreign = b"\xef\xbb\xbfRouter is a Turris\r\n\xc2\xa7 \r\nPrinter has no duplex\r\n"
    replace(memory, foreign)
    page.goto("/memory/")
    section = file(page)
    expect(section.get_by_role("article")).to_have_count(1)
    section.locator(".notice").get_by_role("link").last.click()
    expect(page.get_by_role("heading", name="What the file will hold")).to_be_visible()
    assert memory.read_bytes() == foreign
    page.locator("main form .is-main").click()
    expect(page.get_by_text("File repaired.")).to_be_visible()
    assert memory.read_bytes() == D.join(["Router is a Turris", "Printer has no duplex"]).encode()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text("is undone.")).to_be_visible()
    assert memory.read_bytes() == foreign


def test_a_copy_that_hermes_left_gives_its_entries_back(page: Page, memory: Path) -> None:
    memory.with_name("MEMORY.md.bak.1767225600").write_bytes(D.join(["Uses fish as shell", "Owns a kayak"]).encode())
    page.goto("/memory/")
    file(page).get_by_role("link", name="Backups and archive").click()
    expect(page.get_by_role("heading", name="1 copy")).to_be_visible()
    page.get_by_role("listitem").filter(has_text="MEMORY.md.bak").get_by_role("link").first.click()
    page.get_by_role("article").filter(has_text="Owns a kayak").get_by_role("button", name="Restore this entry").click()
    expect(page.get_by_text("Entry restored to MEMORY.md.")).to_be_visible()
    assert texts(memory) == ["Uses fish as shell", "Deploys on Thursdays", "Owns a kayak"]
    expect(page.get_by_role("article").filter(has_text="Owns a kayak")).to_contain_text("stands in the file now")


def test_a_forgotten_text_is_gone_from_the_history(dashboard: Dashboard, page: Page, memory: Path) -> None:
    secret = "the door code is heron-47-11 on weekdays"
    dashboard.write("Uses fish as shell", secret)
    page.goto("/memory/")
    card = entry(page, "door code")
    card.get_by_text("More").click()
    card.get_by_role("link", name="Forget this text").click()
    expect(page.get_by_role("heading", name="Where it stands")).to_be_visible()
    expect(page.get_by_text(secret)).to_have_count(0)
    page.get_by_role("button", name="Forget it").click()
    expect(page.get_by_text("Nothing was forgotten. Tick that you are sure")).to_be_visible()
    page.get_by_label("Delete the entry from the memory file too").check()
    page.get_by_label("I am sure").check()
    page.get_by_role("button", name="Forget it").click()
    expect(page.get_by_text("Forgotten. The text stood in")).to_be_visible()
    assert texts(memory) == ["Uses fish as shell"]
    page.goto("/memory/memory/history/")
    expect(page.get_by_text("a text was forgotten").first).to_be_visible()
    assert "heron-47-11" not in page.content()


def test_the_file_as_text_is_saved_as_its_preview_shows(page: Page, memory: Path) -> None:
    page.goto("/memory/memory/raw/")
    page.get_by_label("The file").fill("Uses zsh as shell\n§\nDeploys on Thursdays\n§\nOwns a kayak")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Preview: 3 entries")).to_be_visible()
    assert texts(memory)[0] == "Uses fish as shell"
    page.get_by_role("button", name="Save the file").click()
    expect(page.get_by_text("File saved.")).to_be_visible()
    assert texts(memory) == ["Uses zsh as shell", "Deploys on Thursdays", "Owns a kayak"]
