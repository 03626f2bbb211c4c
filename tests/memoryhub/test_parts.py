"""The shared parts: escaped whatever they are given, the same words and numbers as the gauge, contracts in place."""

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace as Example
from zoneinfo import ZoneInfo

import pytest
from django.contrib.messages.storage.base import Message
from django.template import Context, Template
from django.template.loader import render_to_string
from django.utils import timezone

from memoryhub import gauge
from memoryhub.hermes.home import Home
from memoryhub.views import patterns
from memoryhub.visible import Run
from memoryhub.web.templatetags import ui

TEMPLATES = Path(__file__).parents[2] / "templates"
NASTY = "<script>alert(1)</script>\"'&\u202e"


def page(**more):
    home = Home(name="default", path=Path("/tmp/<home>"), root=Path("/tmp/<home>"))
    hub = {"home": home, "profile": "default", "profiles": (home,), "nav": [], "keys_enabled": True, "version": "0"}
    return hub | {"fingerprint": "f", "csrf_token": "c" * 64, "profile_query": "", "messages": []} | more


def drawn(*lengths, limit=2200):
    entries = [Example(id=f"e{number}", chars=length) for number, length in enumerate(lengths, 1)]
    return gauge.build(entries, limit=limit, target="memory")


def test_every_part_says_what_it_fills_and_needs():
    for path in TEMPLATES.rglob("_*.html"):
        first = path.read_text().splitlines()[0]
        assert first.startswith("{# Fills "), path
        assert "Needs: " in first, path


def test_the_patterns_page_shows_every_part_with_texts_that_hurt():
    html = render_to_string("patterns.html", page(**patterns.examples()))
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html
    assert " style=" not in html
    assert " onclick" not in html


@pytest.mark.parametrize("kind", ["text", "mark", "secret", "invisible", "control", "bidi", "tag", "private", "bad"])
def test_a_run_is_escaped_whatever_it_is(kind):
    html = render_to_string("memoryhub/_visible.html", {"runs": [Run(NASTY, kind, "" if kind == "text" else NASTY)]})
    assert "<script" not in html


def test_invisible_characters_show_their_code_point_and_name():
    html = render_to_string(
        "memoryhub/_visible.html", {"runs": [Run("\u200b", "invisible", "U+200B ZERO WIDTH SPACE")]}
    )
    assert '<span class="unseen is-invisible" title="U+200B ZERO WIDTH SPACE">U+200B</span>' in html


def test_each_segment_links_to_its_entry_and_says_its_size():
    html = render_to_string("memoryhub/_gauge.html", {"gauge": drawn(98, 1)})
    assert 'href="#entry-e1"' in html
    assert "<title>Entry 1: 98 characters, 4 %</title>" in html
    assert "<title>Entry 2: 1 character, 0 %</title>" in html
    assert "102 of 2,200 characters" in " ".join(html.split())


@pytest.mark.parametrize(
    ("lengths", "limit", "words"),
    [
        ((), 2200, "Room for a first entry of up to 2,200 characters."),
        ((10,), 20, "Room for 7 more characters of text, a usual entry has 172; the delimiter takes 3."),
        ((1000,), 2200, "Room for 1,197 more characters of text; the delimiter takes 3."),
        ((2198,), 2200, "No room for another entry."),
        ((2300,), 2200, "The agent's next entry is refused, or pushes out the oldest ones, depending on its version."),
    ],
)
def test_the_room_is_said_in_words(lengths, limit, words):
    assert ui.gauge_room(drawn(*lengths, limit=limit)) == words


@pytest.mark.parametrize(
    ("tags", "url"),
    [
        ("undo=/memory/undo/3/?profile=work", "/memory/undo/3/?profile=work"),
        ("other undo=/x/", "/x/"),
        ("undo=//evil.example/", ""),
        ("undo=https://evil.example/", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_a_message_offers_undo_only_on_this_site(tags, url):
    assert ui.undo_url(Message(25, "Saved.", extra_tags=tags)) == url


def test_a_time_is_written_in_the_persons_zone():
    at = datetime(2026, 11, 3, 23, 30, tzinfo=UTC)
    with timezone.override(ZoneInfo("Asia/Shanghai")):
        assert ">4 Nov 2026, 07:30</time>" in ui.moment(at)
    with timezone.override(ZoneInfo("America/New_York")):
        assert ">3 Nov 2026, 18:30</time>" in ui.moment(at)


def test_a_remembered_part_changes_with_its_values():
    part = Template('{% load ui %}{% part "_badge.html" word=word tone="red" %}')
    assert "one" in part.render(Context({"word": "one"}))
    assert "two" in part.render(Context({"word": "two"}))
    assert "<b>" not in part.render(Context({"word": "<b>"}))
