"""Sessions in a real browser: type, see, refine, open at the hit, go to the next one, come back; keys; hostile text."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Error, Locator, Page, Route, expect

from memoryhub.hermes.home import Home
from tests.browser.journeys import Dashboard, Visitor
from tests.builders import START, make_state_db, message, session, tool_call

pytestmark = pytest.mark.browser

PAGES = (
    "/sessions/",
    "/sessions/?q=port",
    "/sessions/short/?q=port",
    "/sessions/short/message/162/",
    "/sessions/short/export/",
    "/sessions/short/prompt/",
    "/settings/store/",
)
HOSTILE = "</script><img src=x onerror=document.title='owned'> <svg onload=document.title='owned'> walrus"


@pytest.fixture
def talks(dashboard: Dashboard, hermes: Home) -> Iterator[Path]:
    """Two conversations about ports, one long, and one whose every text is hostile."""
    path = dashboard.home / "state.db"
    calls = json.dumps([tool_call("terminal", {"command": "ss -ltn", "password": "hunter2222"})])
    long = [
        message("long", content=f"port question {n}" if n % 40 == 0 else f"line {n}", timestamp=START + n)
        for n in range(160)
    ]
    make_state_db(
        path,
        sessions=[
            session("long", title="Long talk about ports", source="telegram"),
            session("short", title="Staging setup", started_at=START + 900),
            session("bad", title=HOSTILE, source=HOSTILE, model=HOSTILE, started_at=START + 500),
        ],
        messages=[
            *long,
            message("short", content="where is the **staging** port?", timestamp=START + 900),
            message("short", "assistant", "On 2222.\n\n```\nss -ltn\n```", tool_calls=calls, timestamp=START + 901),
            message(
                "short", "tool", "API_TOKEN=tok_EXAMPLE_0000 port 2222", tool_call_id="call_1", timestamp=START + 902
            ),
            message("bad", HOSTILE, HOSTILE, timestamp=START + 501),
            message("bad", "assistant", HOSTILE, reasoning=HOSTILE, timestamp=START + 502),
        ],
    )
    yield path
    for name in ("state.db", "state.db-wal", "state.db-shm"):
        (dashboard.home / name).unlink(missing_ok=True)


def box(page: Page) -> Locator:
    return page.get_by_role("searchbox", name="Search all conversations")


def rows(page: Page) -> Locator:
    return page.locator("#results article")


def test_one_types_sees_refines_opens_at_the_hit_goes_on_and_comes_back(
    page: Page, visitor: Visitor, talks: Path
) -> None:
    page.goto("/sessions/")
    expect(rows(page)).to_have_count(3)
    with visitor.without_loading():
        box(page).press_sequentially("port")
        expect(page.locator("#results mark").first).to_have_text("port")
        expect(rows(page)).to_have_count(2)
        expect(page).to_have_url(re.compile(r"/sessions/\?q=port$"))
        expect(box(page)).to_be_focused()
    page.get_by_role("link", name=re.compile("telegram")).click()
    expect(page).to_have_url(re.compile(r"q=port\+source%3Atelegram"))
    expect(rows(page)).to_have_count(1)
    page.get_by_role("link", name="Long talk about ports").click()
    target = page.locator(".turn.is-target")
    expect(target).to_have_count(1)
    expect(target.locator("mark")).to_have_text("port")
    expect(target).to_be_in_viewport()
    first = page.url
    page.get_by_role("link", name="Next hit").or_(page.get_by_role("link", name="Previous hit")).first.click()
    expect(page).not_to_have_url(first)
    expect(page.locator(".turn.is-target")).to_be_in_viewport()
    page.go_back()
    expect(page).to_have_url(first)
    page.go_back()
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_role("heading", name="Sessions", exact=True)).to_be_visible()
    expect(box(page)).to_have_value("port source:telegram")


def test_everything_goes_by_keyboard_alone(page: Page, visitor: Visitor, talks: Path) -> None:
    page.goto("/")
    keys = page.keyboard
    keys.press("g")
    keys.press("s")
    expect(page.get_by_role("heading", name="Sessions", exact=True)).to_be_visible()
    page.wait_for_load_state()
    keys.press("/")
    expect(box(page)).to_be_focused()
    keys.type("staging")
    expect(page.locator("#results mark").first).to_have_text("staging")
    keys.press("Escape")
    keys.press("j")
    expect(page.locator("#results article").first).to_be_focused()
    keys.press("e")
    expect(page.locator(".turn.is-target")).to_be_focused()
    keys.press("Escape")
    expect(page.get_by_role("heading", name="Sessions", exact=True)).to_be_visible()


def tab_to(page: Page, wanted: Locator, at_most: int = 40) -> None:
    """Go on with the Tab key until an element has the focus."""
    for _ in range(at_most):
        page.keyboard.press("Tab")
        if wanted.evaluate("each => each === document.activeElement"):
            return
    pytest.fail(f"{at_most} Tabs did not lead to {wanted}")


def test_refining_and_going_from_hit_to_hit_needs_no_mouse(page: Page, visitor: Visitor, talks: Path) -> None:
    page.goto("/sessions/")
    keys = page.keyboard
    keys.press("/")
    keys.type("port")
    expect(rows(page)).to_have_count(2)
    tab_to(page, page.get_by_role("link", name=re.compile("telegram")))
    keys.press("Enter")
    expect(page).to_have_url(re.compile(r"q=port\+source%3Atelegram"))
    expect(rows(page)).to_have_count(1)
    keys.press("j")
    keys.press("e")
    expect(page.locator(".turn.is-target")).to_be_focused()
    opened = page.url
    keys.press("n" if page.get_by_role("link", name="Next hit").count() else "p")
    expect(page).not_to_have_url(opened)
    expect(page.locator(".turn.is-target mark")).to_have_text("port")
    expect(page.locator(".turn.is-target")).to_be_in_viewport()
    expect(page.locator(".within-said")).to_contain_text("of 4")


def test_a_stale_answer_never_wins(page: Page, visitor: Visitor, talks: Path) -> None:
    page.goto("/sessions/")
    held: list[Route] = []

    def hold(route: Route) -> None:
        if "q=por&" in route.request.url or route.request.url.endswith("q=por"):
            held.append(route)
        else:
            route.continue_()

    page.route("**/sessions/?*", hold)
    with page.expect_request(re.compile("q=por$")):
        box(page).fill("por")
    with page.expect_response(re.compile(r"q=staging")):
        box(page).fill("staging")
    expect(page.locator("#results mark").first).to_have_text("staging")
    for route in held:
        with contextlib.suppress(Error):  # htmx let it go already
            route.continue_()
    expect(page.locator("#results mark").first).to_have_text("staging")
    expect(page).to_have_url(re.compile(r"q=staging"))


def test_a_long_conversation_is_read_window_by_window(page: Page, visitor: Visitor, talks: Path) -> None:
    page.goto("/sessions/long/")
    expect(page.locator(".turn")).to_have_count(25)
    with visitor.without_loading():
        page.get_by_role("link", name="Later messages").click()
        expect(page.locator("#m-26")).to_be_visible()
        expect(page.locator("#m-1")).to_have_count(0)
        expect(page).to_have_url(re.compile("after=25"))
        page.get_by_role("link", name="Earlier messages").click()
        expect(page.locator("#m-1")).to_have_count(1)
    page.get_by_role("link", name="To the end").click()
    expect(page.locator("#m-160")).to_be_visible()


def test_secrets_are_shown_for_one_message_on_request(page: Page, visitor: Visitor, talks: Path) -> None:
    page.goto("/sessions/short/")
    turn = page.get_by_role("article").filter(has_text="On 2222.")
    turn.get_by_text("terminal").click()
    expect(turn.get_by_text("hunter2222")).to_have_count(0)
    with visitor.without_loading():
        turn.get_by_role("link", name="Show the secrets").click()
        expect(page.get_by_text("hunter2222")).to_be_visible()
        expect(page.get_by_text("tok_EXAMPLE_0000")).to_be_visible()
        page.get_by_role("link", name="Mask the secrets").click()
        expect(page.get_by_text("hunter2222")).to_have_count(0)


def test_code_can_be_copied(page: Page, visitor: Visitor, talks: Path) -> None:
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/sessions/short/")
    page.evaluate("window.setTimeout = () => 0")  # what the button says stays until it is seen
    page.locator(".said .code-frame").get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").strip() == "ss -ltn"


@pytest.mark.parametrize("address", ["/sessions/", "/sessions/bad/", "/sessions/?q=walrus", "/sessions/bad/?q=walrus"])
def test_hostile_text_stays_text(page: Page, visitor: Visitor, talks: Path, address: str) -> None:
    page.goto(address)
    expect(page.locator("main")).to_contain_text("onerror")
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert page.title() != "owned"
    assert page.locator("main img, main svg:not(.bars)").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_pages_have_no_barriers_and_fit(page: Page, visitor: Visitor, talks: Path, scheme: str, width: int) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": 900})
    for address in PAGES:
        page.goto(address)
        page.evaluate("document.querySelectorAll('main details').forEach(each => { each.open = true })")
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"][:120]) for one in found] == [], address
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, (
            address
        )


def test_everything_works_without_scripts(talks: Path, dashboard: Dashboard, chromium: Browser) -> None:
    visitor = Visitor(chromium, dashboard, java_script_enabled=False)
    page = visitor.page
    page.goto("/sessions/")
    box(page).fill("staging")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("#results mark").first).to_have_text("staging")
    page.get_by_role("link", name="Staging setup").click()
    expect(page.locator(".turn.is-target mark").first).to_have_text("staging")
    page.goto("/sessions/long/")
    page.get_by_role("link", name="Later messages").click()
    expect(page.locator("#m-26")).to_be_visible()
    assert visitor.leave() == []
