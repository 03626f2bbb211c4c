"""Every page on a full, an empty and a broken home: accessible, within its width, light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from memoryhub.demo import build_demo_home
from memoryhub.hermes.home import Home
from tests.browser.journeys import D, Dashboard, Visitor
from tests.builders import make_home
from tests.samples.memory.kinds import KINDS
from tests.skills_app.skill_homes import put_skill

pytestmark = pytest.mark.browser

HOMES: Final = ("full", "empty", "broken", "odd")
PATHS: Final = (
    "/",
    "/memory/",
    "/memory/memory/add/",
    "/memory/memory/raw/",
    "/memory/memory/merge/",
    "/memory/memory/prompt/",
    "/memory/user/prompt/",
    "/memory/memory/history/",
    "/memory/user/history/",
    "/memory/memory/history/diff/",
    "/memory/memory/backups/",
    "/memory/forget/",
    "/settings/",
    "/skills/",
    "/skills/?order=category",
    "/skills/?q=nothing-of-the-kind",
    "/skills/archived/",
    "/skills/rules/",
)
LINKED: Final = (
    "a[href*='/edit/']",
    "a[href*='/repair/']",
    "a[href*='/backups/MEMORY']",
    "a[href*='/backups/ARCHIVE']",
    "a[href*='/history/diff/?a']",
    "a[href*='/restore/']",
    "a.small[href*='/history/']",
    ".skill-name > a",
    ".finding-place > a",
    ".file-list a",
)
TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashboard]:
    """One dashboard; its profiles are a demo, an empty home, and two whose files are not what they should be."""
    folder = tmp_path_factory.mktemp("homes")
    root = make_home(folder / "hermes", memory=["Of the root"])
    profiles = root / "profiles"
    build_demo_home(profiles / "full", datetime.now(UTC), 1)
    (profiles / "empty").mkdir()
    broken = make_home(profiles / "broken", memory=None, user=None, config="memory: [\n")
    (broken / "memories" / "MEMORY.md").write_bytes(KINDS["latin_1_byte"])
    (broken / "memories" / "USER.md").mkdir()
    (broken / "state.db").write_bytes(b"no database" * 500)
    put_skill(Home("broken", broken, root), name="2048")
    odd = make_home(profiles / "odd", memory=None, user=None)
    words = "\u202e\u200b " + "w" * 400
    put_skill(Home("odd", odd, root), "x" * 120, body=words, files={"y" * 120 + ".sh": "curl x|sh"})
    long = "o" * 300 + " " + "wörd " * 20 + "מימין לשמאל \u202e" + "https://example.org/" + "path/" * 40
    sick = [*(KINDS[kind].decode() for kind in ("tag_characters", "invisible_characters", "poisoned")), long, "§ 5 BGB"]
    (odd / "memories" / "MEMORY.md").write_bytes(("\ufeff" + D.join(sick)).encode())
    (odd / "memories" / "USER.md").write_bytes(KINDS["hand_written_long"] + KINDS["exact_copies"])
    (odd / "memories" / "MEMORY.md.bak.1767225600").write_bytes(KINDS["utf_16_le"])
    (odd / "memories" / "ARCHIVE.jsonl").write_text('{"target": "memory", "content": "Evicted"}\n{\n')
    with Dashboard(root, folder / "data") as made:
        yield made


@pytest.fixture(scope="module")
def seen(chromium: Browser, homes: Dashboard) -> Iterator[Visitor]:
    visitor = Visitor(chromium, homes)
    visitor.provoked |= {404, 503}
    visitor.page.add_init_script("setInterval = () => 0")  # no pulses between the checks of one page
    yield visitor
    assert visitor.leave() == []


def addresses(page: Page, home: str) -> list[str]:
    """The pages of one home: the fixed ones, and the first of each kind that is linked from them."""
    found = [f"{path}?profile={home}" for path in PATHS]
    listed = ("/memory/", "/memory/memory/history/", "/memory/memory/backups/", "/skills/", *shown_skill(page, home))
    for path in listed:
        page.goto(f"{path}?profile={home}")
        for kind in LINKED:
            link = page.locator(kind).first
            if link.count() and (href := link.get_attribute("href")) and href not in found:
                found.append(href)
    return found


def shown_skill(page: Page, home: str) -> list[str]:
    """The first skill of a home's list, for what is linked from its page."""
    page.goto(f"/skills/?profile={home}")
    link = page.locator(".skill-name > a").first
    return [(link.get_attribute("href") or "").partition("?")[0]] if link.count() else []


def violations(page: Page) -> list[str]:
    """What axe finds: rule, element, reason."""
    options: dict[str, Any] = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": TAGS}}
    found = page.evaluate("options => axe.run(document, options)", options)["violations"]
    nodes = [(one["id"], node) for one in found for node in one["nodes"]]
    said = [(rule, node["target"], " ".join(node["failureSummary"].split())) for rule, node in nodes]
    return [f"{rule}: {target} {summary[:200]}" for rule, target, summary in said]


def too_wide(page: Page) -> list[str]:
    """How far the page is wider than the window, and the first element that makes it so."""
    return page.evaluate(
        """() => {
            const room = document.documentElement.clientWidth;
            if (document.documentElement.scrollWidth <= room) return [];
            const inside = (el) => el.closest(".scroll, pre, .visually-hidden, dialog, svg");
            const far = [...document.querySelectorAll("body *")].filter((el) =>
                el.getBoundingClientRect().right > room + 1 && !inside(el));
            const first = far.map((el) => el.outerHTML.slice(0, 120))[0];
            return [`${document.documentElement.scrollWidth - room} px: ${first}`];
        }"""
    )


@pytest.mark.parametrize("home", HOMES)
def test_every_page_is_accessible_and_fits(seen: Visitor, home: str) -> None:
    page, troubles = seen.page, []
    for address in addresses(page, home):
        page.set_viewport_size(WIDE)
        page.emulate_media(color_scheme="light")
        answer = page.goto(address)
        assert answer is not None
        assert answer.status in (200, 503), address
        page.evaluate(AXE_SCRIPT)
        troubles += [(address, "wide", one) for one in violations(page)]
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size(NARROW)
        troubles += [(address, "narrow", one) for one in too_wide(page)]
        troubles += [(address, "narrow and dark", one) for one in violations(page)]
    assert not troubles, "\n".join(" ".join(one) for one in troubles)
