"""Skills in a real browser: find one, walk its findings, dismiss, undo, disable; keys; no scripts; hostile text."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from memoryhub.hermes.home import Home
from tests.browser.journeys import Visitor
from tests.skills_app.skill_homes import FETCH, put_skill

pytestmark = pytest.mark.browser

SHOW = "/skills/devops~deploy/"
HOSTILE = (
    "</script><img src=https://evil.invalid/x.png onerror=document.title='owned'><svg onload=document.title='owned'>"
)


@pytest.fixture
def library(hermes: Home) -> Home:
    """A dangerous skill, two fine ones, one that the agent ignores."""
    put_skill(hermes, body=f"{FETCH}\n\nThen `sudo systemctl restart deploy`.")
    put_skill(hermes, "writing/letters", description="Short letters")
    put_skill(hermes, "writing/minutes", description="Minutes of a meeting")
    put_skill(hermes, "odd/number", name="2048", description="Ignored")
    return hermes


def rows(page: Page) -> Locator:
    return page.locator(".skill-row")


def row(page: Page, name: str) -> Locator:
    return rows(page).filter(has=page.get_by_role("link", name=name, exact=True))


def findings(page: Page) -> Locator:
    return page.locator(".finding")


def test_one_narrows_the_list_by_typing_and_by_a_facet_and_opens_a_skill(
    page: Page, visitor: Visitor, library: Home
) -> None:
    page.goto("/skills/")
    expect(row(page, "deploy").get_by_text("dangerous")).to_be_visible()
    with visitor.without_loading():
        page.get_by_role("searchbox", name="Filter skills").fill("let")
        expect(rows(page)).to_have_count(1)
        expect(page).to_have_url(re.compile("q=let"))
    page.get_by_role("searchbox", name="Filter skills").fill("")
    expect(rows(page)).to_have_count(4)
    page.get_by_role("link", name="dangerous").first.click()
    expect(rows(page)).to_have_count(1)
    page.get_by_role("link", name="deploy", exact=True).click()
    expect(page.get_by_role("heading", name="deploy", exact=True, level=1)).to_be_visible()
    expect(page.get_by_role("heading", name="Dangerous because of")).to_be_visible()


def test_one_finds_reads_dismisses_and_takes_back_without_a_mouse(page: Page, library: Home) -> None:
    keys = page.keyboard
    page.goto("/")
    keys.press("g")
    keys.press("k")
    expect(row(page, "deploy").get_by_text("dangerous")).to_be_visible()
    page.wait_for_load_state()
    keys.press("/")
    keys.type("deploy")
    expect(rows(page)).to_have_count(1)
    keys.press("Escape")
    keys.press("j")
    expect(row(page, "deploy")).to_be_focused()
    keys.press("e")
    expect(page).to_have_url(re.compile(SHOW))
    expect(findings(page).first).to_be_visible()  # the address changes before the page does
    page.wait_for_load_state()
    keys.press("j")
    expect(findings(page).first).to_be_focused()
    keys.press("d")
    expect(findings(page).first.get_by_label("Why is this fine?")).to_be_focused()
    keys.type("Our own host, jokes aside.")
    keys.press("Enter")
    expect(page.get_by_text("Dismissed:")).to_be_visible()
    expect(page.locator("#dismissed summary")).to_have_text("1 dismissed finding")
    keys.press("u")
    expect(page.get_by_text("counts again")).to_be_visible()
    expect(page.locator("#dismissed")).to_have_count(0)


def test_a_dismissal_without_a_reason_is_refused_and_one_with_stays_visible(page: Page, library: Home) -> None:
    page.goto(SHOW)
    expect(findings(page).first).to_be_visible()
    card = findings(page).first
    card.get_by_text("Dismiss…").click()
    card.get_by_label("Why is this fine?").fill("   ")
    card.get_by_role("button", name="Dismiss this finding").click()
    expect(page.get_by_role("alert")).to_contain_text("Say why this finding is fine.")
    card = findings(page).first
    card.get_by_label("Why is this fine?").fill("The vendor's installer.")
    card.get_by_label("this rule, in this file of the skill").check()
    card.get_by_role("button", name="Dismiss this finding").click()
    page.locator("#dismissed summary").click()
    expect(page.locator("#dismissed")).to_contain_text("The vendor's installer.")
    page.locator("#dismissed").get_by_role("button", name="Take back").first.click()
    expect(page.locator("#dismissed")).to_have_count(0)


def test_a_skill_is_disabled_and_enabled_again(page: Page, library: Home) -> None:
    library.config_file.write_text("# mine\nskills:\n  disabled: []\n")
    page.goto("/skills/writing~letters/")
    page.get_by_role("button", name="Disable").click()
    expect(page.get_by_text("letters is disabled")).to_be_visible()
    assert "letters" in library.config_file.read_text()
    page.keyboard.press("u")
    expect(page.get_by_text("letters is enabled")).to_be_visible()
    assert "letters" not in library.config_file.read_text()
    assert "# mine" in library.config_file.read_text()


def test_a_change_on_disk_is_scanned_within_seconds_on_every_open_page(
    page: Page, visitor: Visitor, library: Home
) -> None:
    page.goto("/skills/")
    expect(row(page, "letters").get_by_text("safe")).to_be_visible()
    other = visitor.context.new_page()
    other.goto("/skills/writing~letters/")
    expect(other.get_by_role("heading", name="Safe:")).to_be_visible()
    with visitor.without_loading():
        put_skill(library, "writing/letters", body=FETCH)
        expect(row(page, "letters").get_by_text("dangerous")).to_be_visible()
    expect(other.get_by_text("has changed since")).to_be_visible()
    other.get_by_role("link", name="Show it as it is now").click()
    expect(other.get_by_role("heading", name="Dangerous because of")).to_be_visible()


def test_a_new_skill_is_checked_while_its_page_waits(page: Page, visitor: Visitor, library: Home) -> None:
    page.goto("/skills/")
    expect(rows(page)).to_have_count(4)
    put_skill(library, "new/arrival", body=FETCH)
    expect(row(page, "arrival").get_by_text("dangerous")).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("link", name="The skill arrival")).to_be_visible()


def test_a_rule_is_one_link_away_from_its_finding_and_the_source_from_its_line(page: Page, library: Home) -> None:
    page.goto(SHOW)
    expect(findings(page).first).to_be_visible()
    findings(page).first.get_by_role("link", name="SKILL.md:9").click()
    expect(page.locator("#L9")).to_contain_text("curl -fsSL")
    page.go_back()
    findings(page).first.get_by_role("link", name="Rule").click()
    expect(page.locator("article:target")).to_be_visible()
    page.locator("main").get_by_role("searchbox").fill("zzzz")
    expect(page.get_by_text("No rule matches")).to_be_visible()


def test_it_all_works_without_scripts(hermes: Home, library: Home, come_in: Callable[..., Visitor]) -> None:
    plain = come_in(java_script_enabled=False).page

    def is_scanned() -> bool:
        plain.goto("/skills/?q=deploy")
        return row(plain, "deploy").get_by_text("dangerous").count() > 0  # the facet says the word before any scan

    for _ in range(200):
        if is_scanned():
            break
        plain.wait_for_timeout(50)
    plain.get_by_role("searchbox", name="Filter skills").fill("deploy")
    plain.get_by_role("button", name="Filter").click()
    plain.get_by_role("link", name="deploy", exact=True).click()
    card = findings(plain).first
    card.get_by_text("Dismiss…").click()
    card.get_by_label("Why is this fine?").fill("Mine.")
    card.get_by_role("button", name="Dismiss this finding").click()
    expect(plain.get_by_text("Dismissed:")).to_be_visible()
    plain.get_by_role("button", name="Undo").click()
    expect(plain.get_by_text("counts again")).to_be_visible()
    plain.get_by_role("button", name="Disable").click()
    expect(plain.get_by_text("deploy is disabled")).to_be_visible()


def test_a_hostile_skill_is_inert_on_every_page(page: Page, library: Home) -> None:
    name = HOSTILE.replace("/", "-").replace("'", "")[:60]
    put_skill(
        library,
        f"odd/{name}",
        body=f"{HOSTILE}\n\n![x](https://evil.invalid/a.png) \u202e\u200b [y](javascript:alert(1))\n\n{FETCH}",
        files={f"references/{name}.md": HOSTILE},
        description=f'"{HOSTILE}"',
        extra=f'"{HOSTILE}"',
    )
    page.goto("/skills/?q=odd")
    expect(rows(page)).to_have_count(2)
    url = page.locator(".skill-name a[href*='img']").get_attribute("href")
    assert url
    for address in (url, f"{url}file/?path=SKILL.md", "/", "/skills/?order=category", "/skills/?order=name"):
        page.goto(address)
        expect(page.locator("main")).to_be_visible()
        assert "owned" not in page.title()
        assert page.locator("main img, main iframe, main [onload], main [onerror]").count() == 0


def test_no_page_of_an_empty_home_is_a_dead_end(page: Page, hermes: Home) -> None:
    page.goto("/skills/")
    expect(page.get_by_text("No skills yet")).to_be_visible()
    page.get_by_role("link", name="Archived").click()
    expect(page.get_by_text("No skill is archived")).to_be_visible()
    page.get_by_role("link", name="Rules").click()
    expect(page.locator(".rule").first).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_open_forms_and_findings_are_accessible(page: Page, library: Path, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(SHOW)
    expect(findings(page).first).to_be_visible()
    for details in page.locator("main details:not([open]) > summary").all():
        if details.is_visible():
            details.click()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
