"""Every odd kind of memory file through the pages: all that they link to opens, and what was typed is never lost."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import pytest
from django.test import Client

from memoryhub.hermes.home import Home, resolve_home
from tests.builders import make_home
from tests.growth import that_ends
from tests.samples.memory.kinds import KINDS, REFUSED

pytestmark = pytest.mark.django_db

Put = Callable[..., Path]
LINK = re.compile(r'<a\b[^>]*?\shref="([^"#]+)')
TYPED = "Typed by a person: 50 % <b>more</b> & “quotes”"


def linked(client: Client, *starts: str, at_most: int = 40) -> Iterator[tuple[str, int]]:
    """Follow links from ``starts``; each address of ours and its status."""
    waiting, seen = list(starts), set(starts)
    for address in waiting:
        answer = client.get(address)
        yield address, answer.status_code
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            for link in LINK.findall(answer.content.decode()):
                found = urljoin(address, unescape(link))
                if found.startswith("/") and found not in seen and len(waiting) < at_most:
                    seen.add(found)
                    waiting.append(found)


@pytest.mark.parametrize("kind", KINDS)
def test_everything_that_is_linked_on_an_odd_file_opens(client: Client, put: Put, kind: str) -> None:
    put(kind)
    opened = dict(linked(client, "/memory/", "/", at_most=14))
    refused = {address for address, status in opened.items() if status == 422 and "/forget/" in address}
    assert {address: status for address, status in opened.items() if status != 200 and address not in refused} == {}


@pytest.mark.parametrize("kind", KINDS)
def test_an_add_on_an_odd_file_is_saved_or_comes_back_with_the_text(client: Client, put: Put, kind: str) -> None:
    path = put(kind)
    answer = client.post("/memory/memory/add/", {"text": TYPED})
    if TYPED in path.read_bytes().decode("utf-8", "replace"):
        assert answer.status_code in (200, 302, 303)
    else:
        assert answer.status_code in (403, 409, 422, 503)
        assert TYPED in unescape(answer.content.decode())
        assert path.read_bytes() == KINDS[kind]


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_a_text_that_cannot_be_one_entry_comes_back_in_its_form(client: Client, put: Put, text: str) -> None:
    path = put("two")
    answer = client.post("/memory/memory/add/", {"text": text.encode("utf-8", "replace").decode()})
    if "\ud83d" not in text:  # no browser can send half a pair: it arrives as a question mark
        assert answer.status_code == 422
        assert path.read_bytes() == KINDS["two"]


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["a folder", "a pipe"])
def test_what_is_no_file_is_named_at_once_and_the_other_half_works(
    client: Client, home: Home, put: Put, make: Callable[[Path], None]
) -> None:
    make(home.memory_path("memory"))
    put("two", "user")
    with that_ends():
        page = client.get("/memory/")
    assert page.status_code == 200
    assert "Deploys on Thursdays" in page.content.decode()
    assert [each for each in linked(client, "/", "/memory/") if each[1] not in (200, 503)] == []


def test_a_switched_off_file_carries_its_banner_and_the_other_does_not(client: Client, tmp_path: Path) -> None:
    config = "memory:\n  memory_enabled: false\n  user_profile_enabled: true\n"
    home = resolve_home(make_home(tmp_path / "hermes", memory=["Kept"], user=["Seen"], config=config), {})
    page = client.get("/memory/").content.decode()
    assert "memory.memory_enabled" in page
    assert "memory.user_profile_enabled" not in page
    assert home.config_file.read_text() == config


def test_a_chosen_profile_and_its_full_folder_are_named_beside_its_memory(client: Client, tmp_path: Path) -> None:
    root = make_home(tmp_path / "hermes", memory=["Of the root"])
    make_home(root / "profiles" / "wörk & co #2?", memory=["Elsewhere"])
    work = make_home(root / "profiles" / "work", memory=["Of work"])
    page = unescape(client.get("/memory/?profile=work").content.decode())
    assert "Of work" in page
    assert "Of the root" not in page
    assert str(work) in page
    assert client.get("/memory/?profile=../x").status_code == 404


def test_a_held_lock_answers_in_a_sentence_with_the_text_kept(client: Client, home: Home, put: Put) -> None:
    import fcntl

    path = put("two")
    with path.with_name("MEMORY.md.lock").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        answer = client.post("/memory/memory/add/", {"text": TYPED})
    assert answer.status_code in (409, 503)
    assert TYPED in unescape(answer.content.decode())
    assert "try again" in answer.content.decode()


def test_a_link_says_where_it_leads(client: Client, home: Home) -> None:
    target = home.path / "dotfiles" / "MEMORY.md"
    target.parent.mkdir()
    target.write_text("Kept in git")
    home.memory_path("memory").symlink_to(target)
    assert str(target) in unescape(client.get("/memory/").content.decode())


def test_a_poisoned_entry_is_replaced_in_the_block_and_the_other_stands_in_it(client: Client, put: Put) -> None:
    put("poisoned")
    page = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", client.get("/memory/memory/prompt/").content.decode())))
    assert "[BLOCKED: MEMORY.md entry contained threat pattern(s): prompt_injection." in page
    assert "Has a dentist in town" in page
