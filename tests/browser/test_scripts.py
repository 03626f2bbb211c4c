"""The two scripts in a real browser, on pages made here: nothing is served, every request is answered by the test."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django_htmx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

pytestmark = pytest.mark.browser

JS = Path(__file__).parents[2] / "static" / "js"
HTMX = Path(django_htmx.__file__).parent / "static" / "django_htmx" / "htmx-2.min.js"
SITE = "http://127.0.0.1:1"
CSP = "default-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'"
CONFIG = re.search(
    r"<meta name=\"htmx-config\"\s+content='([^']*)'", (JS.parents[1] / "templates" / "base.html").read_text()
)
FRAME = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="htmx-config" content='{config}'>
<title>t</title><script src="/htmx.js" defer></script><script src="/app.js" defer></script>
<script src="/memory.js" defer></script></head><body data-keys data-leave="Leave?">{content}</body></html>"""
CARD = (
    '<article id="entry-{id}" data-card data-entry="{id}" tabindex="-1"><div class="entry-body">{inner}</div></article>'
)
EDIT = '<a data-key="e" href="/edit/{id}" hx-get="/edit/{id}" hx-target="#entry-{id} .entry-body">Edit</a> {state}'
KEPT = '<form id="edit-{id}" hx-preserve="true"></form>'
FORM = (
    '<form id="edit-{id}" data-draft="Leave?" data-open="{id}"><textarea id="text-{id}">old</textarea>'
    '<a data-cancel href="/gone">Cancel</a></form>'
)
PULSE = (
    '<div id="pulse" data-pulse hx-get="/pulse?state={state}" hx-trigger="pulse from:body" hx-swap="outerHTML"></div>'
)
COUNT = """<textarea id="draft"></textarea><div data-live-count="draft" data-base="10" data-cost="3" data-limit="20"
 data-fits="%chars% %used% %left%" data-over="%chars% %used% over %over%" data-empty="room %room%">
<svg><rect/><rect/><rect/><line/></svg><p data-live-words></p><p data-live-said></p></div>"""


class Site:
    """Answers what a page asks; every pulse changes the list."""

    def __init__(self, content: str) -> None:
        self.content = content
        self.states = itertools.count(1)

    def answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(SITE)
        scripts = {"/app.js": JS / "app.js", "/memory.js": JS / "memory.js", "/htmx.js": HTMX}
        if path in scripts:
            route.fulfill(body=scripts[path].read_text(), content_type="text/javascript")
        else:
            html = self.html(path)
            route.fulfill(body=html, content_type="text/html; charset=utf-8", headers={"Content-Security-Policy": CSP})

    def html(self, path: str) -> str:
        if path.startswith("/edit/"):
            return FORM.format(id=path.removeprefix("/edit/"))
        if path.startswith("/pulse"):
            state = next(self.states)
            return PULSE.format(state=state) + cards(state, open_ids=re.findall(r"open=(\w+)", path), oob=True)
        assert CONFIG is not None
        return FRAME.format(config=CONFIG[1], content=self.content)


def cards(state: int, open_ids: list[str] | None = None, oob: bool = False) -> str:
    ids = ["new"] * (state % 2) + ["a", "b", "c"]
    inner = {id: KEPT if id in (open_ids or []) else EDIT for id in ids}
    listed = "".join(CARD.format(id=id, inner=inner[id].format(id=id, state=state)) for id in ids)
    swap = ' hx-swap-oob="true"' if oob else ""
    return f'<div id="entries"{swap}><p id="state">{state}</p>{listed}</div>'


def visit(chromium: Browser, content: str, script: str = "") -> Page:
    page = chromium.new_page()
    page.set_default_timeout(30_000)
    if script:
        page.add_init_script(script)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.route("**/*", Site(content).answer)
    page.goto(f"{SITE}/")
    return page


@contextmanager
def without_changes(page: Page) -> Iterator[None]:
    """Answer no pulse before the end of the block: what happens inside cannot meet a change half-way."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/pulse*", hold)
    yield
    page.unroute("**/pulse*", hold)
    for route in held:
        route.fallback()


def wait_for_changes(page: Page, times: int = 2) -> None:
    """Let some pulses change the list, then none any more."""
    for _ in range(times):
        with page.expect_response("**/pulse*"):
            pass
    page.route("**/pulse*", lambda route: None)
    with page.expect_request("**/pulse*"):  # asked when all before it was answered and shown
        pass


@pytest.mark.parametrize("script", ["", "delete Element.prototype.moveBefore"], ids=["new browser", "older browser"])
def test_typed_text_selection_and_focus_survive_what_others_change(chromium, script):
    page = visit(chromium, PULSE.format(state=0) + cards(0), script)
    with without_changes(page):
        page.click("#entry-b a")
        page.fill("#text-b", "hello brave world")
        page.evaluate("window.kept = document.getElementById('text-b'); kept.focus(); kept.setSelectionRange(5, 11)")
    wait_for_changes(page)
    expect(page.locator("#text-b")).to_be_focused()
    assert page.evaluate(
        "[document.activeElement === kept, kept.isConnected, kept.value, kept.selectionStart, kept.selectionEnd]"
    ) == [True, True, "hello brave world", 5, 11]
    page.keyboard.type("!")
    assert page.input_value("#text-b") == "hello! world"
    page.close()


def test_the_card_one_is_on_keeps_the_focus_when_the_list_changes(chromium):
    page = visit(chromium, PULSE.format(state=0) + cards(0))
    with without_changes(page):
        page.keyboard.press("j")
        page.keyboard.press("j")
        expect(page.locator("#entry-b")).to_be_focused()
    wait_for_changes(page)
    expect(page.locator("#entry-b")).to_be_focused()
    page.close()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "seven77",
        "😀" * 5,
        "文" * 7,
        "\u00a0 x \u3000",
        "\x85x\x1c\x1d",
        "\ufeffx\ufeff",
        "a\r\nb\rc",
        "é",
        " \n\t ",
    ],
)
def test_the_live_count_is_that_of_python(chromium, text):
    page = visit(chromium, COUNT)
    page.evaluate(
        "text => { const box = document.getElementById('draft'); box.value = text;"
        " box.dispatchEvent(new Event('input', { bubbles: true })) }",
        text,
    )
    chars = len(text.replace("\r\n", "\n").replace("\r", "\n").strip())
    used = 10 + (3 + chars if chars else 0)
    said = f"{chars} {used} {20 - used}" if used <= 20 else f"{chars} {used} over {used - 20}"
    expect(page.locator("[data-live-words]")).to_have_text(said if chars else "room 7")
    page.close()


@pytest.mark.parametrize(
    ("limit", "text", "words"),
    [(14, "", "room for one"), (20, "x", "one left 6"), (12, "x", "one over 2"), (13, "", "room 0")],
)
def test_one_character_is_said_in_the_singular(chromium, limit, text, words):
    ones = 'data-fits-one="one left %left%" data-over-one="one over %over%" data-empty-one="room for one"'
    page = visit(chromium, COUNT.replace('data-limit="20"', f'data-limit="{limit}" {ones}'))
    page.fill("#draft", "typed")
    page.fill("#draft", text)
    expect(page.locator("[data-live-words]")).to_have_text(words)
    page.close()


def test_letters_are_keys_only_outside_text_boxes_and_only_when_switched_on(chromium):
    page = visit(chromium, cards(0) + COUNT)
    page.focus("#draft")
    page.keyboard.type("jj")
    assert page.input_value("#draft") == "jj"
    page.evaluate("document.activeElement.blur(); delete document.body.dataset.keys")
    page.keyboard.press("j")
    expect(page.locator("#entry-a")).not_to_be_focused()
    page.evaluate("document.body.dataset.keys = ''")
    page.keyboard.press("j")
    expect(page.locator("#entry-a")).to_be_focused()
    page.keyboard.press("e")
    expect(page.locator("#text-a")).to_be_visible()
    page.close()


def test_leaving_a_form_asks_only_when_something_was_typed(chromium):
    page = visit(chromium, FORM.format(id="a"))
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.fill("#text-a", "typed")
    page.keyboard.press("Escape")
    assert asked == ["Leave?"]
    assert page.input_value("#text-a") == "typed"
    page.fill("#text-a", "old")
    page.keyboard.press("Escape")
    page.wait_for_url("**/gone")
    assert asked == ["Leave?"]
    page.close()
